/**
 * The sheet over the map with one of the editors; the play bar, the waits and the timeline stay visible.
 *
 * An editor: {id, title, question, preview: "constraint" | "workload", mount(form, picture, context)}. mount returns
 * experiment(experiment), problems(problems), and preview(answer, experiment), which draws the server's preview. If
 * asks(experiment) is false, no preview is requested.
 */

import { problemText } from "../experiment/problems.js";
import { Latest } from "../kit/latest.js";
import { previewOf } from "../contract/api.js";
import events from "../features/design/events.js";
import topology from "../features/design/plan.js";
import { icon, part, targetOf, focusedIn } from "../kit/dom.js";
import constraints from "../features/constraints/constraints.js";
import workload from "../features/workload/workload.js";
import { gettext } from "../kit/words.js";
import { classMap, html, made, nothing, signal, watch } from "../kit/view.js";

/**
 * @import { ApiError } from "../contract/api.js"
 * @import { Experiment } from "../experiment/experiment.js"
 * @import { Problem } from "../experiment/problems.js"
 * @import { Studio } from "./store.js"
 */

/**
 * @typedef {{what: string, experiment: Experiment, more: Record<string, unknown>}} Asked  the subject of a preview
 * @typedef {object} EditorHooks  the callbacks of a mounted editor
 * @property {(experiment: Experiment) => void} experiment
 * @property {(problems: Problem[]) => Problem[] | undefined} problems  returns those that have a place in the form
 * @property {(answer: unknown, experiment: Experiment) => void} [preview]  draws the server's preview
 * @property {(experiment: Experiment) => boolean} [asks]  false: no preview is requested
 * @property {(experiment: Experiment) => Record<string, unknown>} [more]  further fields of the request
 * @property {() => void} [focus]
 * @typedef {{id: string, title: string, question: string, preview?: string,
 *   mount: (form: HTMLElement, picture: HTMLElement, studio: Studio) => EditorHooks}} Editor
 */

/** @type {Editor[]} */
const EDITORS = [topology, workload, constraints, events];
const AGAIN_MS = 1000;
const MOST_PROBLEMS = 4;
const PHONE = "(max-width: 860px)";
const BACK =
  "M6.500 2.500v3h2.600a4.400 4.400 0 0 1 0 8.800H5v-1.800h4.100a2.600 2.600 0 0 0 0-5.200H6.500v3L1.500 6.400z";
const FORTH =
  "M9.500 2.500v3H6.900a4.400 4.400 0 0 0 0 8.800H11v-1.800H6.900a2.600 2.600 0 0 1 0-5.200h2.600v3l5-3.900z";
const CROSS =
  "M3.400 2.300 8 6.900l4.600-4.600 1.100 1.100L9.100 8l4.600 4.600-1.100 1.100L8 9.100l-4.600 " +
  "4.600-1.100-1.100L6.900 8 2.300 3.400z";

/**
 * @typedef {{mark: string, label: string, title: string, path: string, off?: boolean, act: () => void}} HeadButton
 *   `mark` identifies it for scripts
 */

const headButton = (/** @type {HeadButton} */ { mark, label, title, path, off = false, act }) => html`
  <button
    class="icon-button"
    type="button"
    ?data-editor-undo=${mark === "undo"}
    ?data-editor-redo=${mark === "redo"}
    ?data-editor-close=${mark === "close"}
    aria-label=${label}
    title=${title}
    ?disabled=${off}
    @click=${act}
    >${icon(path)}</button
  >`;

export class EditorSheet {
  constructor(/** @type {Studio} */ studio) {
    this.studio = studio;
    this.state = {
      isOpen: signal(false),
      /** The editor on screen. */
      id: signal(""),
      /** The pages created so far, one per editor. */
      pages: signal(/** @type {HTMLElement[]} */ ([])),
      /** Problems that no field shows. */
      rest: signal(/** @type {Problem[]} */ ([])),
      /** "waiting" before the first preview, "stale" while an earlier one is shown. */
      wait: signal(/** @type {"" | "waiting" | "stale"} */ ("")),
      /** The number of previews shown. */
      shown: signal(0),
    };
    /** @type {HTMLElement[]} */
    this.covered = [];
    /** @type {Problem[]} */
    this.found = [];
    /** Problems from the studio. @type {Problem[]} */
    this.given = [];
    /** @type {Map<string, {element: HTMLElement, hooks: EditorHooks}>} */
    this.mounted = new Map();
    /** @type {HTMLElement} */
    this.element = made(() => this.#view());
    part(".work").append(this.element);
    this.#listen();
    this.latest = this.#asking();
  }

  #view() {
    const { isOpen, id, pages, rest, wait, shown } = this.state;
    const readOnly = this.studio.readOnly.value;
    return html`
      <section
        class=${classMap({
          editor: true,
          "is-read-only": readOnly,
          "is-waiting": wait.value === "waiting",
          "is-stale": wait.value === "stale",
        })}
        role="dialog"
        aria-label=${gettext("Editor")}
        tabindex="-1"
        ?hidden=${!isOpen.value}
        data-shown=${shown.value || nothing}
        @keydown=${(/** @type {KeyboardEvent} */ event) => this.#key(event)}
      >
        <header class="editor-head">${this.#headView(id.value)}</header>
        <div class="editor-trouble" role="alert" ?hidden=${!rest.value.length}
          >${rest.value.slice(0, MOST_PROBLEMS).map(problemView)}</div
        >
        <div class="editor-body">${pages.value}</div>
      </section>`;
  }

  #headView(/** @type {string} */ id) {
    const { studio } = this;
    const { past, future } = studio.history;
    const off = studio.readOnly.value || !studio.experiment.value; // history changes with the experiment
    return html`
      <div class="tabs" role="tablist" aria-label=${gettext("Editors")}
        >${EDITORS.map(
          (each) => html`
            <button
              class="tab"
              type="button"
              role="tab"
              id=${`editor-tab-${each.id}`}
              data-editor-tab=${each.id}
              aria-selected=${String(each.id === id)}
              tabindex=${each.id === id ? 0 : -1}
              @click=${() => this.show(each.id)}
              >${each.title}</button
            >`,
        )}</div
      >
      <span class="panel-question">${this.current?.question ?? ""}</span>
      ${headButton({
        mark: "undo",
        label: gettext("Undo"),
        title: gettext("Undo (Ctrl+Z)"),
        path: BACK,
        off: off || !past.length,
        act: () => studio.undo(),
      })}
      ${headButton({
        mark: "redo",
        label: gettext("Redo"),
        title: gettext("Redo (Ctrl+Shift+Z)"),
        path: FORTH,
        off: off || !future.length,
        act: () => studio.redo(),
      })}
      ${headButton({
        mark: "close",
        label: gettext("Close the editor"),
        title: gettext("Close (Esc)"),
        path: CROSS,
        act: () => this.close(),
      })}`;
  }

  /** Return the object that requests previews of the current experiment. */
  #asking() {
    return new Latest(({ what, experiment, more }) => previewOf(what, experiment, more), {
      done: (answer, asked) => this.#answered(asked, answer, []),
      failed: (error, asked) =>
        error.status === 503 || error.status === 429
          ? this.#again(asked, error)
          : this.#answered(
              asked,
              null,
              error.problems?.length ? error.problems : [{ path: "", message: error.message }],
            ),
    });
  }

  #listen() {
    const { studio } = this;
    watch(
      () => [studio.experiment.value, studio.schedulers.value, studio.readOnly.value],
      () => studio.experiment.value && this.experiment(studio.experiment.value),
    );
    watch(
      () => studio.problems.value,
      (problems) => this.problems(problems),
    );
    // After a field loses the focus, nothing has it; Escape then still closes the editor first.
    window.addEventListener(
      "keydown",
      (event) => {
        if (event.key === "Escape" && this.#isOpen && event.target === document.body) {
          event.stopPropagation();
          this.close();
        }
      },
      true,
    );
  }

  /**
   * Retry while the server starts or is busy, unless a newer request was made meanwhile.
   * @param {Asked} asked
   * @param {ApiError} error
   */
  #again(asked, error) {
    this.state.wait.value = "waiting";
    for (const each of this.element.querySelectorAll(".picture-waiting"))
      each.textContent =
        error.status === 503
          ? gettext("Preparing previews (first time only)…")
          : gettext("The server is busy; trying again…");
    setTimeout(() => {
      if (this.#isOpen && asked.experiment === this.studio.experiment.value) this.latest.ask(asked);
    }, AGAIN_MS);
  }

  #key(/** @type {KeyboardEvent} */ event) {
    if (targetOf(event).matches("[role=tab]")) {
      const at = EDITORS.findIndex(({ id }) => id === targetOf(event).dataset.editorTab);
      const last = EDITORS.length - 1;
      const to = { ArrowLeft: at > 0 ? at - 1 : last, ArrowRight: at < last ? at + 1 : 0, Home: 0, End: last }[
        event.key
      ];
      if (to !== undefined) {
        event.preventDefault();
        event.stopPropagation();
        this.show(EDITORS[to].id);
        part(`[data-editor-tab=${EDITORS[to].id}]`, this.element).focus();
      }
    }
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      this.close();
    }
  }

  /** Open an editor. `keyed`: opened by a key, so the first keyboard control gets the focus. */
  open(/** @type {string} */ id, keyed = false) {
    this.from = document.activeElement;
    this.state.isOpen.value = true;
    document.body.classList.add("has-editor");
    this.#cover();
    this.show(id);
    this.element.focus({ preventScroll: true });
    if (keyed) this.hooks?.focus?.();
  }

  /** Make the parts under the sheet inert: a focus on them would be invisible. */
  #cover() {
    const beside = document.body.dataset.left === "json" ? [] : [".left"];
    const parts = window.matchMedia(PHONE).matches
      ? [".left", ".centre", ".right", ".time", ".bar-title", ".bar-end"]
      : [".centre", ...beside];
    this.covered = parts.map((selector) => part(selector));
    for (const each of this.covered) each.inert = true;
  }

  close() {
    this.latest.drop();
    this.state.isOpen.value = false;
    document.body.classList.remove("has-editor");
    for (const each of this.covered) each.inert = false;
    /** @type {HTMLElement | null} */ (this.from)?.focus?.();
  }

  show(/** @type {string} */ id) {
    const editor = EDITORS.find((each) => each.id === id);
    if (!editor) return;
    this.state.id.value = id;
    if (!this.mounted.has(id)) this.#mount(editor);
    this.found = [];
    this.experiment(this.studio.opened.value);
    this.#place(); // problems found while another page was open
  }

  /** Create an editor's page: a form, and a picture of the effect. */
  #mount(/** @type {Editor} */ editor) {
    const { id: open, pages } = this.state;
    const { id } = editor;
    /** @type {HTMLElement} */
    const element = made(
      () => html`
        <div
          class=${`editor-page editor-${id}`}
          role="tabpanel"
          aria-labelledby=${`editor-tab-${id}`}
          ?hidden=${open.value !== id}
        >
          <div class="editor-form"></div>
          <div class="editor-picture" role="region" aria-label=${gettext("What the change means")}></div>
        </div>`,
    );
    pages.value = [...pages.value, element];
    const [form, picture] = [part(".editor-form", element), part(".editor-picture", element)];
    this.mounted.set(id, { element, hooks: editor.mount(form, picture, this.studio) });
  }

  get current() {
    return EDITORS.find(({ id }) => id === this.state.id.peek());
  }

  get #isOpen() {
    return this.state.isOpen.peek();
  }

  get hooks() {
    return this.mounted.get(this.current?.id ?? "")?.hooks;
  }

  experiment(/** @type {Experiment} */ experiment) {
    const { current, hooks } = this;
    if (!this.#isOpen || !current || !hooks) return;
    const focused = focusedIn(this.element);
    try {
      hooks.experiment(experiment);
    } catch {
      // The JSON may contain anything, even an experiment that no field can show.
      this.found = [{ path: "", message: gettext("Cannot be shown: the JSON does not describe a valid experiment.") }];
      this.#place();
      return;
    }
    if (focused && !focused.isConnected && !this.element.contains(document.activeElement)) this.#focusAgain(focused);
    if (hooks.asks?.(experiment) === false) {
      this.latest.drop();
      this.state.wait.value = "";
      return;
    }
    if (!this.state.shown.peek()) this.state.wait.value = "waiting";
    this.latest.ask({ what: current.preview, experiment, more: hooks.more?.(experiment) ?? {} });
  }

  /** Restore the focus that a rerendered list lost: move it to the replacement, or keep it in the editor. */
  #focusAgain(/** @type {HTMLElement} */ gone) {
    const same = (/** @type {HTMLElement} */ each) =>
      each.tagName === gone.tagName && !each.matches(":disabled") && each.offsetParent !== null;
    const alike = [.../** @type {NodeListOf<HTMLElement>} */ (this.element.querySelectorAll(gone.tagName))].filter(
      same,
    );
    const next =
      alike.find((each) => gone.ariaLabel && each.ariaLabel === gone.ariaLabel) ??
      alike.find(
        (each) =>
          JSON.stringify(each.dataset) === JSON.stringify(gone.dataset) &&
          (Object.keys(gone.dataset).length > 0 || each.textContent === gone.textContent),
      );
    (next ?? this.element).focus({ preventScroll: true });
  }

  /** Request the preview of the same experiment again, after something else that it depends on changed. */
  refresh() {
    this.experiment(this.studio.opened.value);
  }

  /** Show the problems that the studio found when it stored the experiment. */
  problems(/** @type {Problem[]} */ problems) {
    this.given = problems;
    this.#place();
  }

  /**
   * @param {Asked} asked
   * @param {unknown} answer
   * @param {Problem[]} problems
   */
  #answered({ what, experiment }, answer, problems) {
    if (!this.#isOpen || what !== this.current?.preview) return;
    this.found = problems;
    this.#place();
    this.state.wait.value = answer ? "" : "stale";
    if (answer) this.hooks?.preview?.(answer, experiment);
    this.state.shown.value += 1;
  }

  /** Put each problem at the field with its path, the others above the form. */
  #place() {
    if (!this.#isOpen || !this.current) return;
    const all = this.found?.length ? this.found : (this.given ?? []);
    /** @type {Problem[]} */
    let placed = [];
    try {
      placed = this.hooks?.problems(all) ?? [];
    } catch {
      /* nothing can be shown, so no problem has a place */
    }
    this.state.rest.value = all.filter((each) => !placed.includes(each));
  }
}

const problemView = (/** @type {Problem} */ problem) =>
  html`<p>${problem.path ? html`<code>${problem.path}</code> ` : nothing}${problemText(problem)}</p>`;
