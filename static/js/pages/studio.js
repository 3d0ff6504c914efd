/** The studio: an experiment on the left, its run in the middle, its waits on the right. */

import { PANELS } from "../studio/panels/index.js";
import { Stage } from "../run/stage.js";
import { mountPanel } from "../studio/panel.js";
import { wireTips } from "../kit/tips.js";
import { JsonEditor } from "../experiment/json_editor.js";
import { autoName, isPartitioned, outline, setAt } from "../experiment/experiment.js";
import { History } from "../kit/history.js";
import { readViewState } from "../studio/view_state.js";
import { listSchedulers } from "../kit/api.js";
import { viewStateOf, wireAddress, writeAddress } from "../studio/address.js";
import { bootData, wireTheme } from "../kit/boot.js";
import { share, wireBar } from "../studio/bar.js";
import { Drafts } from "../studio/drafts.js";
import { wireEditing } from "../studio/editing.js";
import { wireGraphs } from "../studio/pictures.js";
import { wireInterventions } from "../features/interventions/interventions.js";
import { wireJumps } from "../studio/jumps.js";
import { wireKeys } from "../studio/keys.js";
import { wireLesson } from "../features/lessons/lesson_at_work.js";
import { LivePreview } from "../studio/live_preview.js";
import { Messages, problemText } from "../run/run_messages.js";
import { wireNotes } from "../studio/notes.js";
import { openStudio } from "../studio/opening.js";
import { fork, goOn, tryChange } from "../studio/own_copy.js";
import { wirePageKeys } from "../kit/page_keys.js";
import { Running } from "../studio/running.js";
import { ShownRun } from "../studio/shown_run.js";
import { Trouble } from "../studio/trouble.js";
import { wireWithOthers } from "../studio/with_others.js";

const DEBOUNCE_MS = 350;

class Studio {
  constructor(boot) {
    this.boot = boot;
    this.readOnly = boot.mode === "shared";
    this.view = readViewState(window.location.search);
    this.schedulers = [];
    this.desk = null;
    this.history = new History();
    this.trouble = new Trouble(this);
    this.running = new Running({
      status: (run) => this.status(run),
      problems: (problems) => this.trouble.answered(problems),
      failed: (error) => this.fail(error),
      state: (session, isCurrent) => this.shownRun.state(session, isCurrent),
      grew: (session) => this.shownRun.grew(session),
      swapped: (session, isFirst) => this.shownRun.swapped(session, isFirst),
      kept: (copied) => {
        this.drafts.stored();
        if (copied) this.messages.notice("This is your own copy now. Change anything.", "", 4000);
      },
    });
    this.running.readOnly = this.readOnly;
    this.messages = new Messages({
      cancel: () => this.running.current?.cancel().catch((error) => this.fail(error)),
      again: () => this.submit(),
      pause: () => this.running.current?.pause().catch((error) => this.fail(error)),
    });
    this.stage = new Stage(document.body, {
      view: this.view,
      on: {
        picture: (picture) => this.each("picture", picture),
        moved: (t_ns) => {
          this.timeline.moveTo(t_ns);
          this.desk?.moved();
        },
        pin: (machine) => this.each("pin", machine),
        used: () => writeAddress(this),
      },
    });
    this.shownRun = new ShownRun(this);
    this.editor = new JsonEditor(document.querySelector("[data-json]"), {
      apply: (experiment) => this.replace(experiment, true),
      undo: () => this.#undo(),
      readOnly: this.readOnly,
    });
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
    wireAddress(this);
  }

  get session() {
    return this.running.session;
  }
  get next() {
    return this.running.next;
  }
  get saved() {
    return this.running.saved;
  }
  get savedFrom() {
    return this.running.savedFrom;
  }
  get ghost() {
    return this.running.ghost;
  }
  get problems() {
    return this.trouble.problems;
  }
  get timeline() {
    return this.shownRun.timeline;
  }
  get meta() {
    return this.stage.meta;
  }
  get picture() {
    return this.stage.picture;
  }
  get chosen() {
    return this.schedulers.find((each) => each.name === this.experiment?.scheduler?.name);
  }

  each(hook, ...values) {
    for (const panel of this.panels) panel[hook]?.(...values);
  }

  open() {
    this.listed = listSchedulers()
      .then((body) => {
        this.schedulers = Array.isArray(body) ? body : body.schedulers || [];
        if (this.experiment) {
          this.each("experiment", this.experiment);
          this.each("problems", this.problems);
        }
      })
      .catch(() => {});
    openStudio(this);
  }

  /** Look at another stored experiment and a run of it, at the same instant. */
  look(stored, run) {
    this.adopt(stored);
    this.running.watch(this.experiment, run);
  }

  /** Take what the server stored as the experiment that is open. */
  adopt(stored) {
    this.show(stored.experiment ?? stored.data);
    this.running.saved = stored;
    this.running.savedFrom = this.experiment;
  }

  show(experiment) {
    this.experiment = experiment;
    /** @type {HTMLInputElement} */ (document.querySelector("[data-name]")).value = experiment.name || "";
    document.querySelector("[data-question]").textContent = experiment.question || "";
    document.title = `${experiment.name || "Untitled"} · Scheduler Playground`;
    this.each("experiment", experiment);
    this.editor.set(experiment);
    if (!this.stage.player.store.count) {
      const meta = outline(
        experiment,
        this.chosen ? isPartitioned(this.chosen) : (experiment.topology?.global_masters ?? 1) > 1,
      );
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
    this.change(changed, now);
  }

  undo() {
    this.#return(this.history.undo(this.experiment));
  }

  redo() {
    this.#return(this.history.redo(this.experiment));
  }

  #return(experiment) {
    if (experiment) this.change(experiment, false);
  }

  change(changed, now) {
    // A name that the page gave keeps describing; one that a person gave stays.
    const before = this.experiment;
    const named = before.name !== autoName(before, this.schedulers) || changed.name !== before.name;
    const next = named ? changed : { ...changed, name: autoName(changed, this.schedulers) };
    this.livePreview.changed(before, next);
    this.drafts.keep(next);
    this.show(next);
    this.running.supersede();
    this.status({ state: "starting" });
    if (now) this.submit();
    else this.running.later(() => this.submit(), DEBOUNCE_MS);
  }

  /** Back to what the server last took. */
  #undo() {
    if (!this.problems.length) return;
    this.trouble.show([]);
    if (this.savedFrom) this.replace(this.savedFrom, true);
  }

  /** Run the experiment as it stands. */
  submit() {
    return this.running.submit(this.experiment);
  }

  /** What the preview tells has changed, or charts follow the run again. */
  previewed() {
    this.each("preview", this.livePreview);
    if (!this.livePreview.holding && this.picture) this.each("picture", this.picture);
  }

  /** The run before, at the same instant or at its end. */
  ghostPicture() {
    return this.ghost ? this.ghost.store.pictureAtTime(Math.max(this.stage.player.t_ns, 0)) : null;
  }

  /** Exact values of the whole run, when the viewer stands at its end. */
  exactAtEnd() {
    return this.stage.player.ended ? this.session?.store.summary : null;
  }

  pin(machine) {
    this.stage.map.pinned = machine;
    this.stage.map.overDrawn = false;
    this.each("pin", machine);
  }

  /** Keep a machine, a cluster or an owner in sight: {kind, ...}. */
  follow(target) {
    if (target.kind === "machine") this.pin(target.machine);
    else this.each("follow", target);
  }

  /** Say why something that was asked for is not done; the run goes on. */
  refused(error) {
    this.trouble.refused(error);
  }

  fail(error) {
    this.trouble.fail(error);
  }

  problemText(problem) {
    return problemText(problem);
  }

  status(run) {
    this.messages.status(run, {
      hasPicture: Boolean(this.session),
      readOnly: this.readOnly || Boolean(this.running.current?.borrowed),
    });
  }

  viewState(t = true) {
    return viewStateOf(this, t);
  }

  share() {
    share(this);
  }

  goOn(made) {
    return goOn(this, made);
  }

  tryChange(help) {
    return tryChange(this, help);
  }

  fork() {
    return fork(this);
  }
}

wireTheme();
const studio = new Studio(bootData());
studio.open();
