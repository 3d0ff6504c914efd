/** The pictures over the map: their tabs, their data, and the job that they all show. */

import { assemble, askedTask } from "./job_graphs.js";
import { tellJob, tellNone, tellStage, tellTask } from "./job_sentences.js";
import { percent } from "../../kit/format.js";
import { fetchGraphs } from "./graph_rows.js";
import { giveHues } from "./hues.js";
import { childrenOf, focusedIn, part } from "../../kit/dom.js";
import { batch, classMap, effect, html, made, repeat, signal, untracked } from "../../kit/view.js";
import { JobFinder } from "./finder.js";
import { whyWaiting } from "./why.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Failure } from "../../contract/api.js"
 * @import { Meta } from "../../contract/contract"
 * @import { Mark } from "../../draw/scenes/scene.js"
 * @import { RunSession } from "../../run/run_session.js"
 * @import { Studio } from "../../studio/store.js"
 * @import { Graphs } from "./job_graphs.js"
 */

/**
 * @typedef {{job: number, stage: number, at: number}} Selection  -1 for none; `at`: a placement
 *
 * @typedef {object} Picture
 * @property {string} id
 * @property {string} title
 * @property {string} question
 * @property {boolean} [own]  true if it fetches its own data and does not need the graphs
 * @property {(meta: Meta) => unknown} [needs]  returns true if a run has data for it
 * @property {(body: HTMLElement, desk: Desk) => Mounted} mount
 *
 * @typedef {object} Mounted  a mounted picture's callbacks
 * @property {(graphs: Graphs | null) => void} [graphs]
 * @property {(t_ns: number) => void} [moved]  the instant changed
 * @property {(selection: Selection) => void} [selected]
 * @property {() => void} [shown]
 * @property {(session: RunSession | null) => void} [run]  for pictures with data of their own
 * @property {(t_ns: number) => string} [tells]
 * @property {(task: number) => void} [only]
 * @property {() => {marks: Mark[], width: number, height: number, about?: string}} [scene]  for exports
 * @property {(task: number, at_s: number) => void} [way]  shows a task's path through a network
 * @property {() => void} [follow]  follow the clock again
 * @property {() => boolean} [ready]  returns true if there is something to export
 */

/** No job is selected. @type {Selection} */
const NOTHING = { job: -1, stage: -1, at: -1 };
const DRAW_MS = 60;
const MACHINES = { id: "machines", title: gettext("Machines"), question: gettext("Which machines are full?") };

export class Desk {
  #state = {
    /** The pictures available for the run on screen. */
    shown: signal(/** @type {Picture[]} */ ([])),
    open: signal(/** @type {Picture | null} */ (null)),
    graphs: signal(/** @type {Graphs | null} */ (null)),
    selection: signal(NOTHING),
    drawn_ns: signal(-1),
    /** The text shown instead of the open picture. */
    said: signal(""),
  };
  #drawnTime = 0;

  /**
   * @param {Studio} studio
   * @param {Picture[]} pictures  in the order of their tabs: studio/picture_list.js
   * @param {{job?: number | null, picture?: string | null}} [view]
   */
  constructor(studio, pictures, view = {}) {
    this.studio = studio;
    this.pictures = pictures;
    this.#state.selection.value = { ...NOTHING, job: view.job ?? -1 };
    /** @type {string | null} */
    this.wanted = view.picture ?? null;
    /** The callbacks of the pictures that were opened, by id. @type {Map<string, Mounted>} */
    this.made = new Map();
    /** @type {string | null} */
    this.loadedOf = null;
    this.finder = new JobFinder(this);
    /** @type {HTMLElement} */
    this.tabs = made(() => this.#tabsView());
    /** The sections of the pictures. */
    this.stack = made(() => html`<div class="desk-stack"></div>`);
    const centre = part(".centre");
    centre.prepend(this.tabs);
    centre.append(made(() => this.#bodyView()));
    effect(() => {
      document.body.classList.toggle("shows-picture", this.open !== null);
    });
  }

  #tabsView() {
    const { shown, open } = this.#state;
    const tabs = shown.value.length ? [MACHINES, ...shown.value] : [];
    const tab = (/** @type {Pick<Picture, "id" | "title" | "question">} */ { id, title, question }) => {
      const chosen = id === (open.value ?? MACHINES).id;
      return html`<button
        type="button"
        class="tab"
        role="tab"
        id="tab-${id}"
        data-picture=${id}
        aria-selected=${String(chosen)}
        tabindex=${chosen ? 0 : -1}
        data-tip=${question}
        @click=${() => this.show(id === MACHINES.id ? null : id)}
      >${title}</button>`;
    };
    return html`<div
      class="picture-tabs"
      role="tablist"
      aria-label=${gettext("Pictures")}
      @keydown=${(/** @type {KeyboardEvent} */ event) => this.#tabKey(event)}
    >${repeat(tabs, ({ id }) => id, tab)}</div>`;
  }

  #bodyView() {
    const said = this.#state.said.value;
    const known = this.graphs !== null && this.selection.job >= 0;
    return html`<div class=${classMap({ desk: true, "is-empty": said !== "" })} ?hidden=${!this.open}>
      ${this.stack}
      <p class="desk-empty" role="status" data-says="run:progress" ?hidden=${!said}>${said}</p>
      <div class="desk-foot" ?hidden=${Boolean(this.open?.own)}>
        ${this.finder.element}
        <p class="desk-about" data-says=${this.says} data-at=${this.t_ns}>${this.#words()}</p>
        <button
          class="button button-small"
          type="button"
          ?hidden=${!known || this.open?.id === "graph"}
          @click=${() => this.show("graph")}
        >${gettext("Its graph")}</button>
        <button
          class="button button-small"
          type="button"
          data-why
          ?hidden=${this.asked < 0}
          @click=${() => whyWaiting(this)}
        >${gettext("Why?")}</button>
      </div>
    </div>`;
  }

  /** Describe the selected task, stage or job, or all of them. */
  #words() {
    const { graphs, selection, open } = this;
    if (!graphs || !open || open.own) return "";
    if (selection.job < 0) return this.tells() || tellNone(graphs);
    if (selection.at >= 0) return tellTask(graphs, this.meta, selection.at);
    return selection.stage >= 0
      ? tellStage(graphs, selection.stage, this.t_ns)
      : tellJob(graphs, this.meta, selection.job);
  }

  /**
   * The metadata of the run on screen; a picture exists only if the run has some. Views react to another run through
   * `graphs`, which arrive after the metadata.
   */
  get meta() {
    return untracked(() => /** @type {Meta} */ (this.studio.meta.value));
  }
  /** The instant of the open picture and of its sentences. */
  get t_ns() {
    return this.#state.drawn_ns.value;
  }
  /** The task of the moment on screen; -1 for none. */
  get moment() {
    return this.studio.moments?.shown?.task ?? -1;
  }
  get runId() {
    return this.studio.session.value?.run.id ?? "";
  }
  /** The open picture, or null for the map. */
  get open() {
    return this.#state.open.value;
  }
  /** The jobs of the run, or null until they arrive. */
  get graphs() {
    return this.#state.graphs.value;
  }
  /** The selection that all pictures share. */
  get selection() {
    return this.#state.selection.value;
  }

  /** @param {Meta} meta */
  describe(meta) {
    const shown = this.pictures.filter((each) => (each.own || meta.graphs) && (!each.needs || each.needs(meta)));
    document.body.classList.toggle("has-pictures", shown.length > 0);
    const kept = [this.open?.id, this.wanted].find((id) => shown.some((each) => each.id === id)) ?? null;
    this.wanted = null;
    this.#state.shown.value = shown;
    this.#forget();
    this.show(kept);
  }

  /** @param {RunSession} session */
  state(session) {
    if (session !== this.studio.session.value || !this.open) return;
    this.#load();
  }

  moved() {
    if (!this.open || !(this.graphs || this.open.own)) return;
    const now = performance.now();
    const { t_ns } = this.studio.stage.player;
    if (this.t_ns === t_ns || now - this.#drawnTime < DRAW_MS) return;
    this.#drawnTime = now;
    batch(() => {
      this.#state.drawn_ns.value = t_ns;
      this.made.get(this.open?.id ?? "")?.moved?.(t_ns);
    });
  }

  /**
   * Show a picture by its name, or the map (null).
   * @param {string | null} id
   */
  show(id) {
    const open = this.pictures.find((each) => each.id === id) ?? null;
    batch(() => {
      this.#state.open.value = open;
      if (!open) return;
      this.#state.drawn_ns.value = this.studio.stage.player.t_ns;
      if (!this.made.has(open.id)) this.#make(open);
    });
    if (!open) return;
    const made = this.made.get(open.id);
    made?.shown?.();
    made?.selected?.(this.selection);
    this.#load();
  }

  /** @param {Picture} picture */
  #make(picture) {
    const { id } = picture;
    /** @type {HTMLElement} */
    const section = made(
      () => html`
        <section
          class="picture picture-${id}"
          role="tabpanel"
          aria-labelledby="tab-${id}"
          ?hidden=${this.open?.id !== id}
        ></section>`,
    );
    this.stack.append(section);
    const mounted = picture.mount(section, this);
    this.made.set(id, mounted);
    mounted.graphs?.(this.graphs);
  }

  /** What the sentence below the open picture counts: the selected part, the picture's instant, or all jobs. */
  get says() {
    const { selection, open } = this;
    if (selection.job >= 0) return selection.at >= 0 ? "part:task" : selection.stage >= 0 ? "part:stage" : "part:job";
    return this.tells() ? `picture:${open?.id}` : "picture:jobs";
  }

  /** Describe the events in the open picture at its instant; "" if the picture has no description. */
  tells() {
    return this.graphs ? (this.made.get(this.open?.id ?? "")?.tells?.(this.t_ns) ?? "") : "";
  }

  /**
   * Open the message board with only the messages about a task.
   * @param {number} task
   */
  messagesOf(task) {
    this.show("messages");
    this.made.get("messages")?.only?.(task);
  }

  /** @param {KeyboardEvent} event */
  #tabKey(event) {
    const step = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
    const focused = focusedIn(this.tabs);
    if (!step || !focused) return;
    const all = childrenOf(this.tabs);
    const next = all[(all.indexOf(focused) + step + all.length) % all.length];
    event.preventDefault();
    event.stopPropagation();
    next.focus();
    next.click();
  }

  #forget() {
    this.loadedOf = null;
    this.abort?.abort();
    batch(() => {
      this.#state.selection.value = { ...NOTHING, job: this.selection.job };
      this.#hand(null);
    });
  }

  /** @param {Graphs | null} graphs */
  #hand(graphs) {
    batch(() => {
      this.#state.graphs.value = graphs;
      for (const made of this.made.values()) made.graphs?.(graphs);
    });
  }

  async #load() {
    const session = this.studio.session.value;
    if (this.open?.own) {
      this.#say("");
      this.made.get(this.open.id)?.run?.(session);
      return;
    }
    const state = session?.run.state;
    if (!session?.meta || state !== "done") {
      this.#say(
        state === "failed" || state === "cancelled"
          ? gettext("This run did not finish. Jobs can be shown for a finished run only.")
          : gettext("Jobs are shown when the run is computed: {progress} so far.", {
              progress: percent(session?.run.progress ?? 0),
            }),
      );
      return;
    }
    if (this.loadedOf === session.run.id) {
      if (this.graphs) this.#say("");
      return;
    }
    this.loadedOf = session.run.id;
    this.abort = new AbortController();
    const mine = this.abort;
    this.#say(gettext("Fetching the jobs…"));
    try {
      const found = await fetchGraphs(session.run.id, {
        signal: mine.signal,
        told: (share) => this.#say(gettext("Fetching the jobs… {share}", { share: percent(share) })),
      });
      if (mine.signal.aborted) return;
      const graphs = { ...assemble(found, session.meta), left: found.left };
      giveHues(graphs, session.meta, () => this.studio.session.value);
      batch(() => {
        if (this.selection.job >= graphs.jobs.count) this.#state.selection.value = NOTHING;
        this.#say(graphs.placements.count ? "" : gettext("There are no jobs in this run."));
        this.#hand(graphs);
      });
    } catch (caught) {
      const error = /** @type {Failure} */ (caught);
      if (mine.signal.aborted) return;
      this.loadedOf = null;
      this.#say(
        error.status === 404
          ? gettext(
              "The recording of this run holds no graphs: it is too large, or was made by an earlier version. " +
                "Run it again with fewer tasks.",
            )
          : error.message,
      );
    }
  }

  /** @param {string} words */
  #say(words) {
    this.#state.said.value = words;
  }

  // -- the selected job -----------------------------------------------------------------------------------------------

  /** @param {number} job */
  selectJob(job) {
    this.#select({ ...NOTHING, job });
  }
  /** @param {number} stage */
  selectStage(stage) {
    if (this.graphs) this.#select({ job: this.graphs.stages.job[stage], stage, at: -1 });
  }
  /** @param {number} at */
  selectTask(at) {
    if (!this.graphs) return;
    const stage = this.graphs.placements.stage[at];
    this.#select({ job: this.graphs.stages.job[stage], stage, at });
  }

  /** @param {Selection} selection */
  #select(selection) {
    this.#state.selection.value = selection;
    for (const made of this.made.values()) made.selected?.(selection);
    this.studio.stage.on.used?.();
  }

  /** The placement of the task that a question concerns; -1 for none. */
  get asked() {
    const { job, stage, at } = this.selection;
    if (!this.graphs || job < 0) return -1;
    if (at >= 0) return at;
    return stage >= 0 ? askedTask(this.graphs, stage, this.t_ns) : -1;
  }

  /** Return the open picture and the job, for the address and exports. */
  viewState() {
    return { picture: this.open?.id ?? null, job: this.open && this.selection.job >= 0 ? this.selection.job : null };
  }

  exported() {
    const { open } = this;
    const made = open && (this.graphs || open.own) ? this.made.get(open.id) : null;
    return open && made?.scene && (!made.ready || made.ready())
      ? { title: open.title, id: open.id, ...made.scene() }
      : null;
  }
}
