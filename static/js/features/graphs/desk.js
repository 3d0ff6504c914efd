/**
 * Where pictures of graphs lie, beside the map: their tabs, their data, and the job that is looked at in all of them.
 */

import { assemble, askedTask } from "./job_graphs.js";
import { tellJob, tellNone, tellStage, tellTask } from "./job_sentences.js";
import { percent } from "../../kit/format.js";
import { fetchGraphs } from "./graph_rows.js";
import { hueKind, hueOfJob, longJobs } from "../../draw/work/colours.js";
import { childrenOf, focusedIn, h, part } from "../../kit/dom.js";
import { JobFinder } from "./finder.js";
import { whyWaiting } from "./why.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Meta } from "../../contract/contract"
 * @import { Mark } from "../../draw/scenes/scene.js"
 * @import { Problem } from "../../experiment/problems.js"
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
 * @property {boolean} [own]  whether it fetches what it shows, and graphs do not matter to it
 * @property {(meta: Meta) => unknown} [needs]  whether a run has something for it
 * @property {(body: HTMLElement, desk: Desk) => Mounted} mount
 *
 * @typedef {object} Mounted  what a picture may be told
 * @property {(graphs: Graphs | null) => void} [graphs]
 * @property {(t_ns: number) => void} [moved]  the viewer stands at another instant
 * @property {(selection: Selection) => void} [selected]
 * @property {() => void} [shown]
 * @property {() => void} [listed]  another experiment, or list of schedulers
 * @property {(problems: Problem[]) => void} [problems]
 * @property {(session: RunSession | null) => void} [run]  of pictures of their own
 * @property {(t_ns: number) => string} [tells]
 * @property {(task: number) => void} [only]
 * @property {() => {marks: Mark[], width: number, height: number, about?: string}} [scene]  for exports
 * @property {(task: number, at_s: number) => void} [way]  the way of a task through a network
 * @property {() => void} [follow]  the clock again
 * @property {() => boolean} [ready]  whether there is something to export
 */

const NOTHING = { job: -1, stage: -1, at: -1 };
const DRAW_MS = 60;

export class Desk {
  #drawnAt = -1;
  #drawnTime = 0;

  /**
   * @param {Studio} studio
   * @param {Picture[]} pictures  in the order of their tabs: studio/picture_list.js
   * @param {any} [view]
   */
  constructor(studio, pictures, view = {}) {
    this.studio = studio;
    this.pictures = pictures;
    /** @type {Graphs | null} */
    this.graphs = null;
    /** @type {Selection} */
    this.selection = { ...NOTHING, job: view.job ?? -1 };
    /** @type {string | null} */
    this.wanted = view.picture ?? null;
    /** @type {Picture | null} */
    this.open = null;
    /** @type {Map<string, Mounted & {element: HTMLElement}>} */
    this.made = new Map();
    /** @type {string | null} */
    this.loadedOf = null;
    const centre = part(".centre");
    this.tabs = h("div", { class: "picture-tabs", role: "tablist", "aria-label": gettext("Pictures") });
    this.body = h("div", { class: "desk", hidden: true });
    this.empty = h("p", { class: "desk-empty", role: "status" });
    this.finder = new JobFinder(this);
    this.about = h("p", { class: "desk-about" });
    this.why = h(
      "button",
      { class: "button button-small", type: "button", "data-why": "", onclick: () => whyWaiting(this) },
      gettext("Why?"),
    );
    this.toGraph = h(
      "button",
      { class: "button button-small", type: "button", onclick: () => this.show("graph") },
      gettext("Its graph"),
    );
    this.foot = h("div", { class: "desk-foot" }, this.finder.element, this.about, this.toGraph, this.why);
    this.stack = h("div", { class: "desk-stack" });
    this.body.append(this.stack, this.empty, this.foot);
    centre.prepend(this.tabs);
    centre.append(this.body);
    this.tabs.addEventListener("keydown", (event) => this.#tabKey(event));
  }

  /** The meta of the run on the screen: a picture is there because the run has one. */
  get meta() {
    return /** @type {Meta} */ (this.studio.meta);
  }
  /** The instant that the open picture is drawn at: its sentences are of the same one. */
  get t_ns() {
    return this.#drawnAt;
  }
  get runId() {
    return this.studio.session?.run.id ?? "";
  }

  /** Jobs have the colors that their tasks have on the map. @param {Graphs} graphs */
  #color({ jobs }) {
    const { meta, studio } = this;
    /** @type {unknown} */
    let of = null;
    /** @type {ReturnType<typeof longJobs>} */
    let long = null;
    const longNow = () => {
      const track = studio.session?.store.track ?? null;
      if (track !== of) [of, long] = [track, longJobs(track)];
      return long;
    };
    jobs.hue = (job) => hueOfJob(meta, job, jobs.queue[job], longNow());
    jobs.by = () => hueKind(meta, Boolean(longNow()));
  }

  /** @param {Meta} meta */
  describe(meta) {
    const shown = this.pictures.filter((each) => (each.own || meta.graphs) && (!each.needs || each.needs(meta)));
    document.body.classList.toggle("has-pictures", shown.length > 0);
    /**
     * @param {string} id
     * @param {string} title
     * @param {string} question
     */
    const tab = (id, title, question) =>
      h(
        "button",
        {
          type: "button",
          class: "tab",
          role: "tab",
          id: `tab-${id}`,
          "data-picture": id,
          "aria-selected": "false",
          tabindex: "-1",
          "data-tip": question,
          onclick: () => this.show(id === "machines" ? null : id),
        },
        title,
      );
    this.tabs.replaceChildren(
      ...(shown.length
        ? [
            tab("machines", gettext("Machines"), gettext("Which machines are full?")),
            ...shown.map((each) => tab(each.id, each.title, each.question)),
          ]
        : []),
    );
    const kept = [this.open?.id, this.wanted].find((id) => shown.some((each) => each.id === id)) ?? null;
    this.wanted = null;
    this.#forget();
    this.show(kept);
  }

  /** @param {RunSession} session */
  state(session) {
    if (session !== this.studio.session || !this.open) return;
    this.#load();
  }

  /** The experiment is another one, or the list of schedulers has come. */
  listed() {
    for (const made of this.made.values()) made.listed?.();
  }

  /** @param {Problem[]} problems */
  problems(problems) {
    for (const made of this.made.values()) made.problems?.(problems);
  }

  moved() {
    if (!this.open || !(this.graphs || this.open.own)) return;
    const now = performance.now();
    const { t_ns } = this.studio.stage.player;
    if (this.#drawnAt === t_ns || now - this.#drawnTime < DRAW_MS) return;
    this.#drawnAt = t_ns;
    this.#drawnTime = now;
    this.made.get(this.open.id)?.moved?.(this.t_ns);
    if (!this.open.own) this.#tell();
  }

  /**
   * Show a picture by its name, or the map (null).
   * @param {string | null} id
   */
  show(id) {
    this.open = this.pictures.find((each) => each.id === id) ?? null;
    for (const tab of childrenOf(this.tabs)) {
      const chosen = tab.dataset.picture === (id ?? "machines");
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
    }
    this.body.hidden = !this.open;
    document.body.classList.toggle("shows-picture", Boolean(this.open));
    if (!this.open) return;
    this.#drawnAt = this.studio.stage.player.t_ns;
    let made = this.made.get(this.open.id);
    if (!made) {
      const element = h("section", {
        class: `picture picture-${this.open.id}`,
        role: "tabpanel",
        "aria-labelledby": `tab-${id}`,
      });
      this.stack.append(element);
      made = { element, ...this.open.mount(element, this) };
      this.made.set(this.open.id, made);
      made.graphs?.(this.graphs);
    }
    for (const [name, each] of this.made) each.element.hidden = name !== this.open.id;
    this.foot.hidden = Boolean(this.open.own);
    made.shown?.();
    made.selected?.(this.selection);
    this.#load();
    if (!this.open.own) this.#tell();
  }

  /** What goes on in the open picture at the instant that it is drawn at, in words; empty where it does not say. */
  tells() {
    return this.graphs ? (this.made.get(this.open?.id ?? "")?.tells?.(this.t_ns) ?? "") : "";
  }

  /**
   * The board with only the messages about a task.
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
    this.graphs = null;
    this.loadedOf = null;
    this.abort?.abort();
    this.selection = { ...NOTHING, job: this.selection.job };
    for (const made of this.made.values()) made.graphs?.(null);
  }

  async #load() {
    const { session } = this.studio;
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
      this.graphs = { ...assemble(found, session.meta), left: found.left };
      this.#color(this.graphs);
      if (this.selection.job >= this.graphs.jobs.count) this.selection = { ...NOTHING };
      this.#say(this.graphs.placements.count ? "" : gettext("There are no jobs in this run."));
      this.finder.take(this.graphs);
      for (const made of this.made.values()) made.graphs?.(this.graphs);
      this.#tell();
    } catch (/** @type {any} */ error) {
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
    this.empty.textContent = words;
    this.empty.hidden = !words;
    this.body.classList.toggle("is-empty", Boolean(words));
  }

  // -- the job that is looked at -----------------------------------------------------------------------------------

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
    this.selection = selection;
    for (const made of this.made.values()) made.selected?.(selection);
    this.#tell();
    this.studio.stage.on.used?.();
  }

  /** The task that a question is about, as a placement; -1 for none. */
  get asked() {
    const { job, stage, at } = this.selection;
    if (!this.graphs || job < 0) return -1;
    if (at >= 0) return at;
    return stage >= 0 ? askedTask(this.graphs, stage, this.t_ns) : -1;
  }

  #tell() {
    const { graphs, selection } = this;
    const known = graphs && selection.job >= 0;
    this.finder.show(known ? selection.job : -1);
    this.toGraph.hidden = !known || this.open?.id === "graph";
    this.why.hidden = this.asked < 0;
    const words = !graphs
      ? ""
      : !known
        ? this.tells() || tellNone(graphs)
        : selection.at >= 0
          ? tellTask(graphs, this.meta, selection.at)
          : selection.stage >= 0
            ? tellStage(graphs, selection.stage, this.t_ns)
            : tellJob(graphs, this.meta, selection.job);
    if (this.about.textContent !== words) this.about.textContent = words;
  }

  /** What the address and exports need: the open picture and the job. */
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
