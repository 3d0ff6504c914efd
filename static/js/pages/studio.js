/** The studio: an experiment on the left, its run in the middle, its waits on the right. */

import { PANELS } from "../panels/index.js";
import { Stage } from "../views/stage.js";
import { TimelineView } from "../views/timeline.js";
import { h, icon, ICONS } from "../views/dom.js";
import { keysDialog, shareDialog } from "../views/dialogs.js";
import { JsonEditor } from "../views/json_editor.js";
import { DEFAULT_EXPERIMENT } from "../lib/default_experiment.js";
import { autoName, outline, setAt } from "../lib/experiment.js";
import { pickRun } from "../lib/runs.js";
import { sentences, stateWords } from "../lib/sentences.js";
import { readViewState, writeViewState } from "../lib/view_state.js";
import { ApiError, createExperiment, listSchedulers } from "../net/api.js";
import { RunSession } from "../net/run.js";
import { bootData, wireTheme } from "./boot.js";
import { wireKeys } from "./keys.js";
import { wireNotes } from "./notes.js";

const DEBOUNCE_MS = 350;
const ADDRESS_MS = 1000;
const BUSY_MS = 1500;

class Studio {
  constructor(boot) {
    this.boot = boot;
    this.readOnly = boot.mode === "shared";
    this.view = readViewState(window.location.search);
    this.schedulers = [];
    this.problems = [];
    this.session = null;
    this.next = null;
    this.ghost = null;
    this.saved = null;
    this.change = 0;
    this.stage = new Stage(document.body, { view: this.view, on: {
      picture: (picture) => this.#each("picture", picture),
      moved: (t_ns) => this.timeline.moveTo(t_ns),
      pin: (machine) => this.#each("pin", machine),
      used: () => this.#address(),
    } });
    this.timeline = new TimelineView(document.querySelector("[data-timeline]"), (t_ns) => this.#scrub(t_ns));
    this.editor = new JsonEditor(document.querySelector("[data-json]"), { apply: (experiment) => this.replace(experiment, true), readOnly: this.readOnly });
    this.panels = PANELS.map((panel) => this.#mount(panel));
    this.#wireBar();
    wireKeys(this);
    wireNotes();
    setInterval(() => this.#address(), ADDRESS_MS);
  }

  get meta() { return this.stage.meta; }
  get picture() { return this.stage.picture; }

  #mount(panel) {
    const body = h("div", { class: "panel-body" });
    const head = h("summary", { class: "panel-head" }, h("span", { class: "panel-title" }, panel.title), h("span", { class: "panel-question" }, panel.question));
    const open = panel.place === "right" || !matchMedia("(max-width: 860px)").matches;
    const element = h("details", { class: `panel panel-${panel.id}`, open }, head, body);
    // Only on a phone do sections fold; elsewhere a click on the head changes nothing.
    head.addEventListener("click", (event) => { if (!matchMedia("(max-width: 860px)").matches) event.preventDefault(); });
    document.querySelector(`[data-place="${panel.place}"]`).append(element);
    return panel.mount(body, this) || {};
  }

  #each(hook, ...values) { for (const panel of this.panels) panel[hook]?.(...values); }

  async open() {
    listSchedulers().then((body) => {
      this.schedulers = Array.isArray(body) ? body : body.schedulers || [];
      if (this.experiment) { this.#each("experiment", this.experiment); this.#each("problems", this.problems); }
    }).catch(() => {});
    const given = this.boot.experiment;
    if (given) {
      this.#adopt(given);
      const run = pickRun(given.runs, new URLSearchParams(window.location.search).get("run"));
      if (run) { this.#watch(new RunSession(this.experiment, given.id), run); return; }
    }
    if (!this.experiment) this.#show(structuredClone(DEFAULT_EXPERIMENT));
    this.#submit();
  }

  /** Take what the server stored as the experiment that is open. */
  #adopt(stored) {
    this.saved = stored;
    this.#show(stored.experiment ?? stored.data);
  }

  #show(experiment) {
    this.experiment = experiment;
    document.querySelector("[data-name]").value = experiment.name || "";
    document.querySelector("[data-question]").textContent = experiment.question || "";
    document.title = `${experiment.name || "Untitled"} · Scheduler Playground`;
    this.#each("experiment", experiment);
    this.editor.set(experiment);
    if (!this.stage.player.store.count) {
      const chosen = this.schedulers.find((each) => each.name === experiment.scheduler?.name);
      this.stage.setMeta(outline(experiment, chosen ? chosen.family === "federated" : (experiment.topology?.global_masters ?? 1) > 1));
    }
  }

  /** Change one field; the run that belongs to it starts after a short pause. */
  edit(path, value, write) {
    if (this.readOnly) return;
    this.replace(write ? write(this.experiment, value) : setAt(this.experiment, path, value));
  }

  replace(changed, now = false) {
    // A name that the page gave keeps describing; one that a person gave stays.
    const named = this.experiment.name !== autoName(this.experiment, this.schedulers) || changed.name !== this.experiment.name;
    this.#show(named ? changed : { ...changed, name: autoName(changed, this.schedulers) });
    clearTimeout(this.timer);
    if (now) this.#submit(); else this.timer = setTimeout(() => this.#submit(), DEBOUNCE_MS);
  }

  /** Make the experiment as it stands and start its run; the picture on screen stays until the new one has a frame. */
  async #submit(tries = 3) {
    this.change += 1;
    const mine = this.change;
    const experiment = this.experiment;
    this.#status({ state: "starting" });
    this.abort?.abort();
    this.abort = new AbortController();
    try {
      const made = await createExperiment(experiment, { signal: this.abort.signal });
      if (mine !== this.change) return;
      this.#problems([]);
      if (!this.readOnly) {
        this.saved = made;
        window.history.replaceState(null, "", `/studio/${made.id}${window.location.search}`);
      }
      await this.#dropUnfinished();
      if (mine !== this.change) return;
      const session = new RunSession(experiment, made.id);
      session.digest = made.experiment_digest;
      this.next = session;
      this.#listen(session);
      await session.start();
    } catch (error) {
      if (error.name === "AbortError" || mine !== this.change) return;
      if (error.status === 429 && tries > 0) this.timer = setTimeout(() => this.#submit(tries - 1), BUSY_MS);
      else this.#fail(error);
    }
  }

  /** Runs that nobody will look at any more give their worker back. */
  async #dropUnfinished() {
    const dropped = [this.next, this.session].filter((each) => each && !each.final && !each.closed);
    this.next = null;
    await Promise.all(dropped.map((each) => each.cancel().catch(() => {})));
    for (const each of dropped) each.close();
  }

  #watch(session, run) {
    session.digest = this.saved.experiment_digest;
    this.next = session;
    this.#listen(session);
    session.follow(run);
  }

  #listen(session) {
    session.addEventListener("state", () => {
      this.stage.player.setProgress(session === this.session ? session.run.progress || 0 : 0);
      if (session.state === "done") this.#drawTimeline();
      if (session === this.next || session === this.session) this.#status({ ...session.run, state: session.state });
    });
    session.addEventListener("frame", () => {
      if (session === this.next && session.meta && session.store.count) this.#swap(session);
      if (session !== this.session) return;
      if (this.stage.player.store !== session.store) this.stage.setStore(session.store, { sameRun: true });
      this.timelineStale = true;
    });
    session.addEventListener("meta", () => { if (session === this.next && session.store.count) this.#swap(session); });
    session.addEventListener("gone", () => { if (session === this.next) this.#submit(); });
  }

  #swap(session) {
    const before = this.session;
    if (before?.store.count && before.digest !== session.digest) this.ghost = { store: before.store };
    this.next = null;
    this.session = session;
    this.stage.setMeta(session.meta);
    this.stage.setStore(session.store);
    if (!before && this.view.t_s !== null) this.stage.player.t_ns = this.view.t_s * 1e9;
    this.timeline.setMeta(session.meta);
    this.#each("meta", session.meta);
    document.body.classList.add("has-picture");
    this.timelineStale = true;
    if (!this.drawing) this.drawing = setInterval(() => this.#drawTimeline(), 200);
    this.#drawTimeline();
  }

  #drawTimeline() {
    if (!this.timelineStale || !this.session) return;
    this.timelineStale = false;
    this.timeline.update(this.session.store, this.stage.player.expectedEndNs);
  }

  /** The run before, at the same instant or at its end. */
  ghostPicture() {
    return this.ghost ? this.ghost.store.pictureAtTime(Math.max(this.stage.player.t_ns, 0)) : null;
  }

  /** Exact values of the whole run, when the viewer stands at its end. */
  exactAtEnd() { return this.stage.player.ended ? this.session?.store.summary : null; }

  pin(machine) {
    this.stage.map.pinned = machine;
    this.stage.map.overDrawn = false;
    this.#each("pin", machine);
  }

  problemText(problem) { return sentences([problem.message, problem.allowed && `Allowed: ${problem.allowed}`, problem.remedy]); }

  #problems(problems) {
    this.problems = problems;
    this.#each("problems", problems);
    this.editor.problems(problems.map((each) => ({ ...each, text: this.problemText(each) })));
  }

  #fail(error) {
    if (error instanceof ApiError && error.problems.length) {
      this.#problems(error.problems);
      this.#status({ state: "invalid" });
      this.#point(error.problems);
      return;
    }
    this.#status(error.status === 0 ? { state: "unreachable" } : { state: "failed", error: error.message });
    this.#notice(error.message, error.status === 0 || error.status >= 429);
  }

  /** Say where the problems are, when no mark of theirs is in sight. */
  #point(problems) {
    if (document.body.dataset.left === "json") return;
    const unseen = problems.filter((each) => !this.#marked(each.path));
    if (!unseen.length) return;
    const box = document.querySelector("[data-notice]");
    const go = h("button", { class: "link", type: "button", onclick: () => { document.querySelector("[data-tab=json]").click(); box.hidden = true; } }, "Show in the JSON");
    box.replaceChildren(`${unseen[0].path || "Experiment"}: ${sentences([unseen[0].message, unseen[0].remedy])} `, go);
    box.hidden = false;
  }

  #marked(path) {
    return [...document.querySelectorAll(".knob.has-problem")].some((knob) => path.startsWith(knob.dataset.path));
  }

  #notice(text, again = false) {
    const box = document.querySelector("[data-notice]");
    const retry = again ? [h("button", { class: "link", type: "button", onclick: () => this.#submit() }, "Try again")] : [];
    box.replaceChildren(text, " ", ...retry);
    box.hidden = !text;
  }

  #status(run) {
    const state = document.querySelector("[data-state]");
    const bar = document.querySelector("[data-progress]");
    const text = stateWords(run);
    if (state.textContent !== text) { state.textContent = text; state.title = text; }
    document.body.dataset.runState = run.state;
    bar.value = run.state === "done" ? 1 : run.progress || 0;
    document.querySelector("[data-cancel]").hidden = this.readOnly || !["queued", "compiling", "running"].includes(run.state);
    const empty = document.querySelector("[data-empty]");
    empty.textContent = ["failed", "invalid", "cancelled"].includes(run.state) && !this.session ? text : stateWords(run);
    empty.hidden = Boolean(this.session) || run.state === "done";
    if (run.state === "failed" && run.error) this.#notice(`The run failed: ${run.error}`, true);
    else if (!["invalid", "unreachable", "failed"].includes(run.state)) this.#notice("");
  }

  #scrub(t_ns) { this.stage.player.pause(); this.stage.seek(t_ns); }

  viewState(t = true) {
    const { player } = this.stage;
    return { t_s: t && player.store.count ? Math.round(player.t_ns / 1e6) / 1e3 : null, layer: this.stage.layer, speed: player.chosenRate, paused: !player.playing && !player.ended };
  }

  #address() {
    if (!this.session) return;
    const search = writeViewState(this.viewState(), window.location.search);
    if (search !== window.location.search) window.history.replaceState(null, "", `${window.location.pathname}${search}`);
  }

  share() {
    if (!this.saved) return;
    const link = this.saved.share_url || `${window.location.origin}/e/${this.boot.slug}`;
    const suffix = writeViewState({ ...this.viewState(), paused: false });
    shareDialog(`${link}${suffix}`, `${link}/embed${suffix}`);
  }

  /** The same experiment as one's own, at the same instant. */
  async fork() {
    this.readOnly = false;
    document.body.classList.remove("is-shared");
    document.querySelector("[data-name]").readOnly = false;
    this.editor.setReadOnly(false);
    this.#each("experiment", this.experiment);
    try {
      const made = await createExperiment(this.experiment);
      this.saved = made;
      window.history.replaceState(null, "", `/studio/${made.id}${window.location.search}`);
      this.#notice("This is your own copy now. Change anything.");
      setTimeout(() => this.#notice(""), 4000);
    } catch (error) { this.#fail(error); }
  }

  #wireBar() {
    document.querySelector("[data-cancel]").addEventListener("click", () => {
      (this.next || this.session)?.cancel().catch((error) => this.#fail(error));
    });
    document.querySelector("[data-share]").addEventListener("click", () => this.share());
    document.querySelector("[data-fork]").addEventListener("click", () => this.fork());
    document.querySelector("[data-keys]").addEventListener("click", () => keysDialog());
    const name = document.querySelector("[data-name]");
    name.readOnly = this.readOnly;
    name.addEventListener("change", () => { if (name.value.trim()) this.replace(setAt(this.experiment, "name", name.value.trim()), true); });
    name.addEventListener("keydown", (event) => { if (event.key === "Enter") name.blur(); });
    const tabs = document.querySelectorAll("[data-tab]");
    for (const tab of tabs) {
      tab.addEventListener("click", () => {
        document.body.dataset.left = tab.dataset.tab;
        for (const each of tabs) each.setAttribute("aria-selected", String(each === tab));
      });
    }
    document.querySelector('[data-play="toggle"]').append(icon(ICONS.play));
  }
}

wireTheme();
const studio = new Studio(bootData());
studio.open();
