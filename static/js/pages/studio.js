/** The studio: an experiment on the left, its run in the middle, its waits on the right. */

import { PANELS } from "../panels/index.js";
import { Stage } from "../views/stage.js";
import { TimelineView } from "../views/timeline.js";
import { mountPanel } from "../views/panel.js";
import { wireTips } from "../views/tips.js";
import { JsonEditor } from "../views/json_editor.js";
import { DEFAULT_EXPERIMENT } from "../lib/default_experiment.js";
import { autoName, isPartitioned, outline, setAt } from "../lib/experiment.js";
import { History } from "../lib/history.js";
import { pickRun } from "../lib/runs.js";
import { readViewState, writeViewState } from "../lib/view_state.js";
import { ApiError, createExperiment, forkExperiment, getExperiment, listSchedulers, startRun } from "../net/api.js";
import { backOff } from "../net/socket.js";
import { bootData, wireTheme } from "./boot.js";
import { share, wireBar } from "./bar.js";
import { Drafts } from "./drafts.js";
import { wireEditing } from "./editing.js";
import { wireGraphs } from "./graphs.js";
import { wireInterventions } from "./interventions.js";
import { wireJumps } from "./jumps.js";
import { wireKeys } from "./keys.js";
import { wireLesson } from "./lesson.js";
import { linkedExperiment, NOT_SHOWN } from "./linked.js";
import { LivePreview } from "./live_preview.js";
import { Messages, problemText } from "./messages.js";
import { wireNotes } from "./notes.js";
import { wirePageKeys } from "./page_keys.js";
import { Running } from "./running.js";
import { wireWithOthers } from "./with_others.js";

const DEBOUNCE_MS = 350;
const ADDRESS_MS = 1000;

class Studio {
  constructor(boot) {
    this.boot = boot;
    this.readOnly = boot.mode === "shared";
    this.view = readViewState(window.location.search);
    this.schedulers = [];
    this.problems = [];
    this.history = new History();
    this.failures = 0;
    this.running = new Running({
      status: (run) => this.#status(run),
      problems: (problems) => { this.failures = 0; this.#problems(problems); },
      failed: (error) => this.#fail(error),
      state: (session, isCurrent) => this.#state(session, isCurrent),
      grew: (session) => this.#grew(session),
      swapped: (session, isFirst) => this.#swapped(session, isFirst),
      kept: () => this.drafts.stored(),
    });
    this.running.readOnly = this.readOnly;
    this.messages = new Messages({
      cancel: () => this.running.current?.cancel().catch((error) => this.#fail(error)),
      again: () => this.#submit(),
      pause: () => this.running.current?.pause().catch((error) => this.#fail(error)),
    });
    this.stage = new Stage(document.body, { view: this.view, on: {
      picture: (picture) => this.#each("picture", picture),
      moved: (t_ns) => { this.timeline.moveTo(t_ns); this.desk?.moved(); },
      pin: (machine) => this.#each("pin", machine),
      used: () => this.#address(),
    } });
    this.timeline = new TimelineView(document.querySelector("[data-timeline]"), (t_ns) => this.#scrub(t_ns));
    this.editor = new JsonEditor(document.querySelector("[data-json]"), {
      apply: (experiment) => this.replace(experiment, true), undo: () => this.#undo(), readOnly: this.readOnly });
    this.panels = PANELS.map((panel) => mountPanel(panel, this));
    this.livePreview = new LivePreview(this);
    this.drafts = new Drafts(this);
    wireBar(this);
    wireKeys(this);
    wirePageKeys("studio");
    wireEditing(this);
    wireInterventions(this);
    wireGraphs(this);
    wireJumps(this);
    wireNotes();
    wireTips();
    wireLesson(this);
    wireWithOthers(this);
    setInterval(() => this.#address(), ADDRESS_MS);
  }

  get session() { return this.running.session; }
  get next() { return this.running.next; }
  get saved() { return this.running.saved; }
  get savedFrom() { return this.running.savedFrom; }
  get ghost() { return this.running.ghost; }
  get meta() { return this.stage.meta; }
  get picture() { return this.stage.picture; }
  get chosen() { return this.schedulers.find((each) => each.name === this.experiment?.scheduler?.name); }

  #each(hook, ...values) { for (const panel of this.panels) panel[hook]?.(...values); }

  async open() {
    listSchedulers().then((body) => {
      this.schedulers = Array.isArray(body) ? body : body.schedulers || [];
      if (this.experiment) { this.#each("experiment", this.experiment); this.#each("problems", this.problems); }
    }).catch(() => {});
    const given = this.boot.experiment;
    if (!given && this.#openLink()) return;
    const left = this.readOnly ? null : this.drafts.left();
    const steps = !this.readOnly && this.drafts.restoreSteps();
    if (given) {
      this.#adopt(given);
      if (left) { this.#takeUp(left, steps); return; }
      const run = pickRun(given.runs, new URLSearchParams(window.location.search).get("run"));
      if (run?.recording === "removed") { this.#status({ ...run, state: "removed" }); return; }
      if (run) { this.running.watch(this.experiment, run); return; }
    }
    if (!this.experiment) this.#show(structuredClone(this.boot.gallery?.experiment ?? DEFAULT_EXPERIMENT));
    if (left) this.#takeUp(left, steps); else this.#submit();
  }

  /** Go on with what did not get to the server before the page was left; a step back leads to what the server has. */
  #takeUp(left, steps) {
    // The steps of the last visit end with the one that made it.
    if (steps) this.#change(left, true); else this.replace(left, true);
    this.messages.notice("A change that had not reached the server is back. Ctrl+Z takes it away.", "", 8000);
  }

  /** Look at another stored experiment and a run of it, at the same instant. */
  look(stored, run) {
    this.#adopt(stored);
    this.running.watch(this.experiment, run);
  }

  /** Show the experiment that is in the link itself, without storing anything; say whether there was one. */
  #openLink() {
    const { experiment, error } = linkedExperiment();
    try {
      if (experiment) { this.#show(experiment); this.#status({ state: "linked" }); }
      if (error) this.#status({ state: "badlink", error });
    } catch {
      // What unpacks need not be an experiment that knobs can show.
      this.#status({ state: "badlink", error: NOT_SHOWN });
    }
    return Boolean(experiment || error);
  }

  /** Take what the server stored as the experiment that is open. */
  #adopt(stored) {
    this.#show(stored.experiment ?? stored.data);
    this.running.saved = stored;
    this.running.savedFrom = this.experiment;
  }

  #show(experiment) {
    this.experiment = experiment;
    document.querySelector("[data-name]").value = experiment.name || "";
    document.querySelector("[data-question]").textContent = experiment.question || "";
    document.title = `${experiment.name || "Untitled"} · Scheduler Playground`;
    this.#each("experiment", experiment);
    this.editor.set(experiment);
    if (!this.stage.player.store.count) {
      const meta = outline(experiment, this.chosen ? isPartitioned(this.chosen) : (experiment.topology?.global_masters ?? 1) > 1);
      // Most edits leave the machines where they are; painting ten thousand of them anew would be felt in a drag.
      const key = JSON.stringify(meta);
      if (key !== this.outlined) this.stage.setMeta(meta);
      this.outlined = key;
    }
  }

  /** Change one field; the run that belongs to it starts after a short pause. */
  edit(path, value, write) {
    if (this.readOnly) return;
    this.replace(write ? write(this.experiment, value) : setAt(this.experiment, path, value), false, path);
  }

  /** Show another experiment and run it, `now` or after a pause; edits of one `key` that follow at once are one step back. */
  replace(changed, now = false, key = "") {
    this.history.record(this.experiment, key);
    this.#change(changed, now);
  }

  undo() { this.#return(this.history.undo(this.experiment)); }

  redo() { this.#return(this.history.redo(this.experiment)); }

  #return(experiment) { if (experiment) this.#change(experiment, false); }

  #change(changed, now) {
    // A name that the page gave keeps describing; one that a person gave stays.
    const before = this.experiment;
    const named = before.name !== autoName(before, this.schedulers) || changed.name !== before.name;
    const next = named ? changed : { ...changed, name: autoName(changed, this.schedulers) };
    this.livePreview.changed(before, next);
    this.drafts.keep(next);
    this.#show(next);
    this.running.supersede();
    this.#status({ state: "starting" });
    if (now) this.#submit(); else this.running.later(() => this.#submit(), DEBOUNCE_MS);
  }

  /** Back to what the server last took. */
  #undo() {
    if (!this.problems.length) return;
    this.#problems([]);
    if (this.savedFrom) this.replace(this.savedFrom, true);
  }

  /** Run the experiment as it stands. */
  #submit() { return this.running.submit(this.experiment); }

  #state(session, isCurrent) {
    this.stage.player.setProgress(session === this.session ? session.run.progress || 0 : 0);
    if (session.final) { this.timelineStale = true; this.#drawTimeline(); if (session === this.session || session.run.state !== "done") this.livePreview.settled(session); }
    this.#each("state", session);
    // A run of something else than the knobs show has no say in the bar.
    if (isCurrent && session.experiment === this.experiment) this.#status({ ...session.run, state: session.state });
  }

  #grew(session) {
    if (this.stage.player.store !== session.store) this.stage.setStore(session.store, { sameRun: true });
    this.timelineStale = true;
  }

  #swapped(session, isFirst) {
    this.stage.setMeta(session.meta);
    this.stage.setStore(session.store);
    if (isFirst && this.view.t_s !== null) this.stage.player.t_ns = Math.round(this.view.t_s * 1e9);
    this.timeline.setMeta(session.meta);
    this.#each("meta", session.meta);
    if (isFirst && this.view.show) this.follow(this.view.show);
    document.body.classList.add("has-picture");
    if (session.final) this.livePreview.settled(session);
    this.timelineStale = true;
    if (!this.drawing) this.drawing = setInterval(() => this.#drawTimeline(), 200);
    this.#drawTimeline();
  }

  #drawTimeline() {
    if (!this.timelineStale || !this.session) return;
    this.timelineStale = false;
    this.timeline.update(this.session.store, this.stage.player.expectedEndNs);
  }

  /** What the preview tells has changed, or charts follow the run again. */
  previewed() {
    this.#each("preview", this.livePreview);
    if (!this.livePreview.holding && this.picture) this.#each("picture", this.picture);
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

  /** Keep a machine, a cluster or an owner in sight: {kind, ...}. */
  follow(target) {
    if (target.kind === "machine") this.pin(target.machine); else this.#each("follow", target);
  }

  /** Go on with an experiment that the server made out of this one: at the same instant, with the old curve as ghost. */
  async goOn(made) {
    this.#own();
    this.history.record(this.experiment, "");
    this.#adopt(made);
    window.history.replaceState(null, "", `/studio/${made.id}${window.location.search}`);
    await this.#submit();
  }

  /** Go on with an experiment in which one small change was found to help. */
  async tryChange(help) {
    try {
      const made = await createExperiment({ ...help.experiment, name: this.experiment.name });
      await this.goOn({ ...made, ...(await getExperiment(made.id)), owner_token: made.owner_token });
      this.messages.notice(`${help.text}. The old curve stays dashed.`, "", 5000);
    } catch (error) { this.refused(error); }
  }

  /** Say why something that was asked for is not done; the run goes on. */
  refused(error) {
    const text = error instanceof ApiError && error.problems.length ? error.problems.map((each) => `${each.path ? `${each.path} ` : ""}${problemText(each)}`).join(" ") : error.message;
    this.messages.notice(text, "", 12_000);
  }

  problemText(problem) { return problemText(problem); }

  #problems(problems) {
    this.problems = problems;
    this.#each("problems", problems);
    this.editor.problems(problems.map((each) => ({ ...each, text: this.problemText(each) })));
  }

  #fail(error) {
    if (error instanceof ApiError && error.problems.length) {
      this.#problems(error.problems);
      this.#status({ state: "invalid" });
      this.messages.point(error.problems);
    } else if (error.status === 0) {
      // The knobs already show the change, so it has to get there.
      this.#status({ state: "unreachable" });
      this.messages.notice(error.message, "Try now");
      this.running.later(() => this.#submit(), backOff(this.failures));
      this.failures += 1;
    } else {
      this.#status({ state: "failed", error: error.message });
      if (error.status === 429) this.messages.notice(error.message, "Try again");
    }
  }

  #status(run) { this.messages.status(run, { hasPicture: Boolean(this.session), readOnly: this.readOnly }); }

  #scrub(t_ns) { this.livePreview.release(); this.stage.player.pause(); this.stage.seek(t_ns); }

  viewState(t = true) {
    const { player } = this.stage;
    return { t_s: t && player.store.count ? Math.round(player.t_ns) / 1e9 : null, show: this.shown, layer: this.stage.layer, speed: player.chosenRate, paused: !player.playing && !player.ended,
      ...(this.stage.map.place() ?? { zoom: null, centre: null }), owners: [...this.stage.filter.chosen].sort((a, b) => a - b), ...this.desk?.viewState() };
  }

  #address() {
    if (!this.session) return;
    const search = writeViewState(this.viewState(), window.location.search);
    if (search !== window.location.search) window.history.replaceState(null, "", `${window.location.pathname}${search}`);
  }

  share() { share(this); }

  /** From here on it is the viewer's own, to change. */
  #own() {
    if (!this.readOnly) return;
    this.readOnly = false;
    this.running.readOnly = false;
    document.body.classList.remove("is-shared");
    document.querySelector("[data-name]").readOnly = false;
    this.editor.setReadOnly(false);
    this.#each("experiment", this.experiment);
  }

  /** The same experiment as one's own, at the same instant. */
  async fork() {
    this.#own();
    try {
      const made = this.saved && this.savedFrom === this.experiment ? await forkExperiment(this.saved.id) : await createExperiment(this.experiment);
      this.running.keep(made, this.experiment);
      startRun(made.id).catch(() => {}); // the same picture, for whoever gets a link to the copy
      this.messages.notice("This is your own copy now. Change anything.", "", 4000);
    } catch (error) { this.#fail(error); }
  }
}

wireTheme();
const studio = new Studio(bootData());
studio.open();
