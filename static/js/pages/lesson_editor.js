/**
 * The lesson editor: steps from the gallery or recorded in the studio, their questions, import, export, and a trial.
 */

import { problemText } from "../experiment/problems.js";
import { AskForm } from "../features/classes/ask_form.js";
import * as classes from "../features/classes/class_api.js";
import { ExploreDesk } from "../features/classes/explore_desk.js";
import * as drafts from "../features/classes/lesson_draft.js";
import { stepView } from "../features/classes/lesson_steps.js";
import { bootData, wireTheme } from "../kit/boot.js";
import { find, targetOf } from "../kit/dom.js";
import { wirePageKeys } from "../kit/page_keys.js";
import { wireGlossaryAndTips } from "../kit/glossary.js";
import { html, live, nothing, render, repeat, show, signal, untracked, watch } from "../kit/view.js";
import { gettext } from "../kit/words.js";

/**
 * @import { Problem } from "../experiment/problems.js"
 * @import { Exploration, Question } from "../features/classes/class_api.js"
 * @import { Draft, Show, Step } from "../features/classes/lesson_draft.js"
 * @import { Experiment, Failure } from "../contract/api.js"
 */

/**
 * @typedef {{name: string, question: string, experiment: Experiment}} GalleryRun
 * @typedef {{name: string, title: string}} Listed  a lesson or a challenge
 * @typedef {{gallery: GalleryRun[], lessons: Listed[], measures: {name: string, label: string}[],
 *   challenges: Listed[]}} Boot
 * @typedef {{key: number, form?: HTMLElement, asked?: Question | Exploration, about?: Experiment}} Held
 */

/** @type {Record<string, (boot: Boot) => Step>} */
const FIRST = {
  show: ({ gallery }) => ({ show: { gallery: gallery[0].name }, minutes: 3 }),
  question: () => ({ question: { kind: "choice", text: "" }, minutes: 3 }),
  explore: () => ({ explore: { parameters: [] }, minutes: 3 }),
  challenge: ({ challenges }) => ({ challenge: challenges[0].name, minutes: 5 }),
  text: () => ({ text: "", minutes: 1 }),
};

/** Fields of the lesson itself: single-line texts, and fields with a line per entry. */
const WORDS = /** @type {const} */ (["title", "point"]);
const LINES = /** @type {const} */ (["aims", "guesses"]);

class LessonEditor {
  constructor(/** @type {Boot} */ boot) {
    const { gallery, lessons, measures, challenges } = boot;
    this.gallery = gallery;
    this.challenges = challenges;
    this.measures = measures;
    this.draft = signal(drafts.readDraft());
    /**
     * What stays with a step through all its changes: its key in the list, and the form of its contents.
     * @type {WeakMap<Step, Held>}
     */
    this.held = new WeakMap();
    this.lastKey = 0;
    render(lessons.map(listedView), find("ready"));
    for (const name of Object.keys(FIRST))
      find(`add-${name}`).addEventListener("click", () => this.#add(FIRST[name](boot)));
    for (const name of LINES)
      find(name).addEventListener("change", () => this.#set({ [name]: find(name).value.split("\n") }));
    for (const name of WORDS) find(name).addEventListener("change", () => this.#set({ [name]: find(name).value }));
    find("take").addEventListener("click", () => this.#take({ name: find("ready").value }));
    find("import").addEventListener("change", async () => {
      const [file] = find("import").files;
      if (file) await this.#take({ file: await file.text() });
      find("import").value = "";
    });
    find("export").addEventListener("click", () => this.#act(() => this.#save()));
    find("try").addEventListener("click", () => this.#act(() => this.#try()));
    find("empty").addEventListener("click", () => this.#set(drafts.emptyDraft()));
    drafts.onDraft((draft) => {
      this.draft.value = draft;
    });
    watch(
      () => this.draft.value,
      (draft) => this.#keep(draft),
    );
    show(find("steps"), () => this.#stepsView());
  }

  #set(/** @type {Partial<Draft>} */ changes) {
    this.draft.value = { ...this.draft.value, ...changes };
  }

  /** Store the draft in this browser, and show the lesson's own fields. */
  #keep(/** @type {Draft} */ draft) {
    for (const name of [...WORDS, ...LINES])
      if (find(name) !== document.activeElement) find(name).value = [draft[name]].flat().join("\n");
    find("minutes").textContent = gettext("{minutes} min", { minutes: drafts.minutesOf(draft.steps) });
    find("none").hidden = draft.steps.length > 0;
    if (!drafts.keepDraft(draft)) this.#say(gettext("This browser does not keep the draft. Save it as a file."));
  }

  #add(/** @type {Step} */ step) {
    this.#set({ steps: [...this.draft.value.steps, step] });
    const last = find("steps").lastElementChild;
    last?.scrollIntoView({ block: "nearest" });
    last?.querySelector("input, select, textarea")?.focus();
  }

  /**
   * @param {number} at
   * @param {Partial<Step>} changes
   */
  #change(at, changes) {
    const { steps } = this.draft.value;
    const changed = { ...steps[at], ...changes };
    this.held.set(changed, this.#heldOf(steps[at]));
    this.#set({ steps: steps.map((one, place) => (place === at ? changed : one)) });
  }

  #heldOf(/** @type {Step} */ step) {
    const held = this.held.get(step) ?? { key: ++this.lastKey };
    this.held.set(step, held);
    return held;
  }

  /**
   * @param {number} from
   * @param {number} to
   */
  #move(from, to) {
    const { steps } = this.draft.value;
    if (to < 0 || to >= steps.length) return;
    this.#set({ steps: drafts.moved(steps, from, to) });
    this.#focus(to, to < from ? "up" : "down");
    this.#say(gettext("Step {from} is step {to} now.", { from: from + 1, to: to + 1 }));
  }

  /**
   * Keep the focus at the moved step.
   * @param {number} at
   * @param {string} act
   */
  #focus(at, act) {
    const item = find("steps").children[at];
    const button = item?.querySelector(`[data-act=${act}]:enabled`) ?? item?.querySelector("[data-act]:enabled");
    button?.focus();
  }

  async #act(/** @type {() => Promise<unknown>} */ work) {
    this.#say("");
    try {
      await work();
    } catch (caught) {
      const error = /** @type {Failure} */ (caught);
      const told = (error.problems ?? []).map((/** @type {Problem} */ one) =>
        problemText({ ...one, label: one.label || one.path }),
      );
      this.#say([told.length ? `${error.message}:` : error.message, ...told].join("\n"));
    }
  }

  #take(/** @type {{name?: string, file?: string}} */ named) {
    return this.#act(async () => {
      const { lesson } = await classes.readLesson(named);
      this.#set({ ...drafts.emptyDraft(), ...lesson });
    });
  }

  async #save() {
    const { file } = await classes.writeLesson(drafts.lessonOf(this.draft.value));
    const blob = new Blob([file], { type: "application/yaml" });
    const link = Object.assign(document.createElement("a"), {
      href: URL.createObjectURL(blob),
      download: "lesson.yaml",
    });
    link.click();
    URL.revokeObjectURL(link.href);
  }

  /** Open a class with the lesson, and join it in this browser. */
  async #try() {
    const lesson = drafts.lessonOf(this.draft.value);
    const { file } = await classes.writeLesson(lesson);
    const made = await classes.openClass();
    await classes.beginLesson(made.id, { file });
    await classes.joinClass(made.code, gettext("Trial"));
    find("tried").hidden = false;
    find("try-teach").href = `/classes/${made.id}/teach`;
    find("try-student").href = `/classes/${made.id}`;
    find("try-student").focus();
  }

  #stepsView() {
    const { steps } = this.draft.value;
    /** @type {import("../features/classes/lesson_steps.js").Acts} */
    const acts = {
      change: (at, changes) => this.#change(at, changes),
      move: (from, to) => this.#move(from, to),
      remove: (at) => this.#set({ steps: steps.filter((_, place) => place !== at) }),
      formOf: (at) => this.#formView(at),
      words: (step) => this.#words(step),
    };
    return repeat(
      steps,
      (step) => this.#heldOf(step).key,
      (step, at) => stepView(step, at, steps.length, acts),
    );
  }

  #words(/** @type {drafts.Step} */ { show, question }) {
    if (question) return question.text;
    if (!show) return "";
    const name = this.gallery.find((one) => one.name === show.gallery)?.question ?? show.experiment?.name ?? "";
    const at = show.at_s ? gettext("at {seconds} s", { seconds: show.at_s }) : "";
    return [name || gettext("Untitled"), at].filter(Boolean).join(" · ");
  }

  /** Return the experiment of a step: the one in the last showing step before it. */
  #about(/** @type {number} */ at) {
    const show = drafts.shownBefore(this.draft.value.steps, at);
    return show?.experiment ?? this.gallery.find((one) => one.name === show?.gallery)?.experiment ?? null;
  }

  #formView(/** @type {number} */ at) {
    const step = this.draft.value.steps[at];
    const kind = drafts.kindOf(step);
    if (kind === "show") return this.#showView(at, /** @type {Step & {show: Show}} */ (step));
    if (kind === "text") return nothing;
    if (kind === "challenge") return this.#challengeView(at, step);
    const about = this.#about(at);
    if (!about)
      return html`<p class="class-said" role="alert">${gettext("Put a step that shows a run before this one.")}</p>`;
    const isNew =
      kind === "question"
        ? !(/** @type {Question} */ (step.question).text)
        : !(/** @type {Exploration} */ (step.explore).parameters.length);
    return html`<details class="desk-new" ?open=${isNew}>
      <summary>${gettext("Edit")}</summary>
      ${this.#formOf(step, about)}
    </details>`;
  }

  /**
   * Return the form of a question or an exploration. It stays while the step's contents and experiment are the same.
   * @param {Step} step
   * @param {Experiment} about
   */
  #formOf(step, about) {
    const held = this.#heldOf(step);
    const asked = step.question ?? step.explore;
    if (!held.form || held.asked !== asked || held.about !== about) {
      const form = untracked(() =>
        step.question
          ? this.#questionForm(held, /** @type {Question} */ (asked), about)
          : this.#exploreForm(held, /** @type {Exploration} */ (asked), about),
      );
      Object.assign(held, { asked, about, form });
    }
    return held.form;
  }

  /** Return the current index of the step that holds something. */
  #placeOf(/** @type {Held} */ held) {
    return this.draft.value.steps.findIndex((step) => this.held.get(step) === held);
  }

  /**
   * @param {number} at
   * @param {Step & {show: Show}} step
   */
  #showView(at, step) {
    const chosen = step.show.gallery ?? "";
    const choose = (/** @type {Event} */ event) => this.#change(at, { show: { gallery: targetOf(event).value } });
    const pause = (/** @type {Event} */ event) => {
      const { value } = targetOf(event);
      const { at_s: _, ...show } = step.show;
      this.#change(at, { show: value === "" ? show : { ...show, at_s: Number(value) } });
    };
    const recorded = optionView("", gettext("Recorded in the studio"), chosen);
    return html`<div class="lesson-fields">
      <label class="ask-row"
        ><span>${gettext("Run")}</span
        ><select class="picture-select" data-name="gallery" @change=${choose}>
          ${step.show.experiment ? recorded : nothing}
          ${this.gallery.map((/** @type {GalleryRun} */ { name, question }) => optionView(name, question, chosen))}
        </select></label
      >
      <label class="ask-row"
        ><span>${gettext("Pause at (simulated seconds; leave empty to play)")}</span
        ><input class="field" type="number" min="0" step="any" .value=${String(step.show.at_s ?? "")} @change=${pause}
      /></label>
    </div>`;
  }

  /**
   * @param {number} at
   * @param {Step} step
   */
  #challengeView(at, step) {
    const choose = (/** @type {Event} */ event) => this.#change(at, { challenge: targetOf(event).value });
    return html`<label class="ask-row"
      ><span>${gettext("Challenge")}</span
      ><select class="picture-select" data-name="challenge" @change=${choose}>
        ${this.challenges.map((/** @type {Listed} */ { name, title }) => optionView(name, title, step.challenge))}
      </select></label
    >`;
  }

  /**
   * @param {Held} held
   * @param {Question} asked
   * @param {Experiment} about
   */
  #questionForm(held, asked, about) {
    const save = async (/** @type {Question} */ question) => {
      // Check a lesson with this question alone: the server reports problems beside the form.
      await classes.writeLesson({ title: "-", steps: [{ question }] });
      this.#change(this.#placeOf(held), { question });
    };
    const form = new AskForm(save, gettext("Save the question"));
    form.about(about, asked.text ? asked : null);
    return form.element;
  }

  /**
   * @param {Held} held
   * @param {Exploration} asked
   * @param {Experiment} about
   */
  #exploreForm(held, asked, about) {
    const keep = (/** @type {Exploration} */ explore) => this.#change(this.#placeOf(held), { explore });
    const form = new ExploreDesk(this.measures, { begin: keep, open: () => {} }, gettext("Save the parameters"));
    form.about(about, asked.parameters.length ? asked : null);
    return form.element;
  }

  #say(/** @type {string} */ text) {
    find("said").textContent = text;
  }
}

/**
 * @param {string} value
 * @param {string} words
 * @param {string | undefined} chosen
 */
function optionView(value, words, chosen) {
  return html`<option value=${value} .selected=${live(value === chosen)}>${words}</option>`;
}

const listedView = (/** @type {Listed} */ { name, title }) => html`<option value=${name}>${title}</option>`;

wireTheme();
wireGlossaryAndTips();
wirePageKeys("lesson_editor");
new LessonEditor(bootData());
