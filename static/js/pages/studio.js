/** The studio: an experiment on the left, its run in the middle, its waits on the right. This module assembles it. */

import { effect, untracked } from "../kit/view.js";
import { isPartitioned, outline } from "../experiment/experiment.js";
import { JsonEditor } from "../experiment/json_editor.js";
import { wireInterventions } from "../features/interventions/interventions.js";
import { MomentsPanel } from "../features/moments/moments.js";
import { wireLesson } from "../features/lessons/lesson_at_work.js";
import { bootData, wireTheme } from "../kit/boot.js";
import { listSchedulers } from "../contract/api.js";
import { wireGlossary } from "../kit/glossary.js";
import { wirePageKeys } from "../kit/page_keys.js";
import { wireTips } from "../kit/tips.js";
import { Messages } from "../run/run_messages.js";
import { Stage } from "../draw/stage/stage.js";
import { wireAddress, writeAddress } from "../run/address.js";
import { wireBar } from "../studio/bar.js";
import { Drafts } from "../studio/drafts.js";
import { Editing, wireUndo } from "../studio/editing.js";
import { Jumps } from "../studio/jumps.js";
import { hasTodaysRules, wireFormerRules, withoutStatement, withRulesWritten } from "../studio/former_rules.js";
import { wireKeys } from "../studio/keys.js";
import { wireLevels } from "../studio/levels.js";
import { LivePreview } from "../studio/live_preview.js";
import { wireMeanwhile } from "../studio/meanwhile.js";
import { wireNotes } from "../studio/notes.js";
import { openStudio } from "../studio/opening.js";
import { mountPanel } from "../studio/panel.js";
import { PANELS } from "../studio/panels/index.js";
import { Pictures } from "../studio/pictures.js";
import { Running } from "../studio/running.js";
import { ShownRun } from "../studio/shown_run.js";
import { Studio } from "../studio/store.js";
import { wireTellingControls } from "../studio/telling.js";
import { Trouble } from "../studio/trouble.js";
import { readViewState } from "../run/view_state.js";
import { wireWithOthers } from "../studio/with_others.js";
import { gettext } from "../kit/words.js";
import { oneLine } from "../kit/format.js";
import { part } from "../kit/dom.js";

/**
 * @import { Experiment } from "../experiment/experiment.js"
 * @import { Problem } from "../experiment/problems.js"
 * @import { RunSession } from "../run/run_session.js"
 */

/** Connect the parts of the run: requests, messages, and the map. */
function connectRun(/** @type {Studio} */ studio) {
  studio.connect({
    trouble: new Trouble(studio),
    running: new Running(studio, {
      status: (/** @type {import("../run/run_session.js").ToldState} */ run) => studio.status(run),
      problems: (/** @type {Problem[]} */ problems) => studio.trouble.answered(problems),
      failed: (/** @type {Error} */ error) => studio.fail(error),
      state: (/** @type {RunSession} */ session, /** @type {boolean} */ isCurrent) =>
        shownRun.state(session, isCurrent),
      grew: (/** @type {RunSession} */ session) => shownRun.grew(session),
      swapped: (/** @type {RunSession} */ session, /** @type {boolean} */ isFirst) =>
        shownRun.swapped(session, isFirst),
      kept: (/** @type {boolean} */ copied) => {
        studio.drafts.stored();
        if (copied) studio.messages.notice(gettext("This is your own copy now. Change anything."), "", 4000);
      },
    }),
    messages: new Messages({
      cancel: () => studio.running.current?.cancel().catch((error) => studio.fail(error)),
      again: (/** @type {{fresh?: boolean}} */ wish) => studio.submit(wish),
      pause: () => studio.running.current?.pause().catch((error) => studio.fail(error)),
    }),
    stage: new Stage(document.body, {
      view: studio.view,
      on: {
        picture: (picture) => {
          studio.figures.value = picture;
        },
        moved: (t_ns) => {
          shownRun.timeline.moveTo(t_ns);
          studio.desk.value?.moved();
          studio.moments?.moved();
        },
        pin: (machine) => studio.pinned(machine),
        used: () => writeAddress(studio),
      },
    }),
  });
  const shownRun = new ShownRun(studio);
}

/** Update the page outside the panels: the heading, the text, and the machines before there is a run. */
function followExperiment(/** @type {Studio} */ studio) {
  /** @type {HTMLInputElement} */
  const name = part("[data-name]");
  const question = part("[data-question]");
  let outlined = "";
  effect(() => {
    const experiment = studio.experiment.value;
    if (!experiment) return;
    name.value = name.title = experiment.name || ""; // a long name is cut
    const said = part("[data-name-said]");
    said.textContent = said.title = experiment.name || "";
    question.textContent = oneLine(experiment.question || "");
    document.title = gettext("{name} · Scheduler Playground", { name: experiment.name || gettext("Untitled") });
    untracked(() => {
      studio.editor.set(experiment);
      if (!studio.stage.player.store.count) outlined = drawOutline(studio, outlined);
    });
  });
  effect(() => {
    const readOnly = studio.readOnly.value;
    name.readOnly = readOnly;
    if (!readOnly) untracked(() => studio.editor.setReadOnly(false));
  });
  effect(() => {
    const readOnly = studio.readOnly.value;
    const saved = studio.saved.value;
    // A change or a fork of a linked experiment has created the visitor's own copy.
    if (!readOnly && saved && saved.id !== studio.boot.experiment?.id) document.body.classList.remove("is-shared");
  });
}

/**
 * Show the experiment's datacenter on the map unless its key equals `outlined`; return its key. Most edits do not move
 * machines, and repainting 10,000 of them would make drags sluggish.
 */
function drawOutline(/** @type {Studio} */ studio, /** @type {string} */ outlined) {
  const experiment = studio.opened.value;
  const chosen = studio.chosen.value;
  const parted = chosen ? isPartitioned(chosen) : (experiment.topology?.global_masters ?? 1) > 1;
  const meta = outline(experiment, parted);
  const key = JSON.stringify(meta);
  if (key !== outlined) studio.stage.setMeta(meta);
  return key;
}

/** Apply a user's JSON; a file of an earlier version states its version, and keeps its rules. */
async function applyText(/** @type {Studio} */ studio, /** @type {Experiment} */ experiment) {
  const plain = hasTodaysRules(studio, experiment)
    ? withoutStatement(experiment)
    : await withRulesWritten(studio, experiment);
  studio.replace(plain, true);
}

/** Assemble the page. */
function open() {
  const studio = new Studio(bootData(), readViewState(window.location.search));
  connectRun(studio);
  studio.connect({
    editor: new JsonEditor(part("[data-json]"), {
      apply: (/** @type {Experiment} */ experiment) => applyText(studio, experiment),
      undo: () => studio.revert(),
      readOnly: studio.readOnly.value,
    }),
    editing: new Editing(studio),
    pictures: new Pictures(studio),
  });
  studio.connect({ livePreview: new LivePreview(studio), drafts: new Drafts(studio) });
  for (const panel of PANELS) mountPanel(panel, studio);
  followExperiment(studio);
  wireBar(studio);
  wireKeys(studio);
  wirePageKeys("studio");
  wireUndo(studio);
  wireInterventions(studio);
  studio.connect({ jumps: new Jumps(studio) });
  studio.connect({ moments: new MomentsPanel(studio) });
  wireTellingControls(studio);
  wireMeanwhile(studio);
  wireLevels(studio);
  wireNotes();
  wireFormerRules(studio);
  wireTips();
  wireGlossary();
  studio.connect({ lesson: wireLesson() });
  wireWithOthers(studio);
  wireAddress(studio);
  studio.listed = listSchedulers()
    .then((schedulers) => studio.know(schedulers))
    .catch(() => {});
  openStudio(studio);
}

wireTheme();
open();
