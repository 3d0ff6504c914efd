/** The studio's bar and tabs: name, share, fork, shortcuts, settings or JSON. */

import { setAt } from "../experiment/experiment.js";
import { LinkError, toFragment } from "../experiment/fragment.js";
import { writeViewState } from "../run/view_state.js";
import { gettext } from "../kit/words.js";
import { ICONS, icon, part, targetOf } from "../kit/dom.js";
import { html, nothing } from "../kit/view.js";
import { exportMenu, fileName } from "../draw/stage/export_menu.js";
import { forOthers, reachWords } from "../features/sharing/reach.js";
import { presentDialog, shareDialog } from "../features/sharing/share_dialog.js";
import { fork } from "../run/own_copy.js";
import { viewStateOf } from "../run/address.js";

/**
 * @import { Stored } from "../experiment/experiment.js"
 * @import { Studio } from "./store.js"
 */

/** Open a class with this experiment, and go to its teacher's page. */
async function openClassWith(/** @type {Studio} */ studio) {
  if (!studio.saved.value) return;
  try {
    const { openClass } = await import("../features/classes/class_api.js");
    const made = await openClass({ experiment: studio.saved.value.id });
    window.location.href = `/classes/${made.id}/teach`;
  } catch (caught) {
    const error = /** @type {Error} */ (caught);
    studio.messages.notice(error.message, "", 8000);
  }
}

/** Append the studio's current view (instant and layer) to this browser's class lesson. */
async function addToLesson(/** @type {Studio} */ studio) {
  const { addStep, shownStep } = await import("../features/classes/lesson_draft.js");
  const { player, layer, map } = studio.stage;
  const number = addStep(shownStep(studio.opened.value, player.t_ns, layer, map.place()?.centre));
  const said = number
    ? gettext("Step {number} of your lesson shows this. Go on in the lesson editor: {address}", {
        number,
        address: `${window.location.origin}/lessons/edit`,
      })
    : gettext("This browser does not keep the draft of a lesson.");
  studio.messages.notice(said, "", 8000);
}

/** Open the dialog with links to the current view, also for a page or a slide. */
export function share(/** @type {Studio} */ studio) {
  if (!studio.experiment.value) return;
  const whole = wholeLink(studio);
  if (!studio.saved.value) {
    shareDialog({ ...whole, reach: reachOf(studio) });
    return;
  }
  const link = forOthers(
    studio.saved.value.share_url || `${window.location.origin}/e/${studio.saved.value.slug}`,
    studio.boot.outside,
  );
  const state = viewStateOf(studio);
  // A user who paused wants to share that moment; a link that plays would leave it before anyone looks.
  const suffix = writeViewState(state);
  const moving = writeViewState({ ...state, paused: false });
  shareDialog({
    ...whole,
    reach: reachOf(studio),
    short: `${link}${suffix}`,
    paused: state.paused,
    embed: `${link}/embed${moving}`,
    code: `/e/${studio.saved.value.slug}/qr.svg${suffix}`,
    more: further(studio, studio.saved.value, link, moving),
  });
}

/** Describe who can open this page's links. */
function reachOf(/** @type {Studio} */ { boot }) {
  return reachWords(boot.outside, window.location.origin);
}

/** Open the dialog that exports the run as a page whose readers change settings. */
async function exportPage(/** @type {Studio} */ studio) {
  const { pageDialog } = await import("../features/here/page_dialog.js");
  pageDialog({
    runId: studio.session.value?.run.id ?? "",
    experiment: studio.session.value?.experiment ?? studio.opened.value,
    scheduler: studio.chosen.value,
    name: fileName(studio, "run.html"),
  });
}

/** Open the stage mode for a projector: the map, one chart, one sentence. */
export async function onStage(/** @type {Studio} */ studio) {
  const { toggleStage } = await import("../features/stage/stage_mode.js");
  toggleStage(studio);
}

/**
 * Return further ways to share: present it, add it to a lesson, see its forks.
 * @param {Studio} studio
 * @param {Stored} saved
 * @param {string} link
 * @param {string} suffix
 */
function further(studio, saved, link, suffix) {
  const close = (/** @type {Event} */ event, /** @type {() => void} */ act) => {
    /** @type {HTMLDialogElement | null} */ (targetOf(event).closest("dialog"))?.close();
    act();
  };
  const follow = async () => {
    const { present } = await import("../features/presenting/presenting.js");
    const slug = present(studio);
    if (slug) presentDialog(`${link}?follow=${slug}`, reachOf(studio));
  };
  const guide = async () => {
    const { lessonDialog } = await import("../features/lessons/lesson_dialog.js");
    lessonDialog(suffix, (/** @type {string} */ search) => `${link}${search}`);
  };
  const tell = {
    stage: gettext("This screen only: larger, with keys for the next step."),
    present: gettext("A link by which others follow on their own screens."),
    open: gettext("Students join with a code and follow what you show."),
    add: gettext("This run at this moment becomes a step in the lesson editor."),
    guide: gettext("A link to this run with fewer parts and controls."),
    challenge: gettext("Others try to beat this run in the arena."),
  };
  return html`
    <button class="button" type="button" data-to-stage data-tip=${tell.stage}
      @click=${(/** @type {Event} */ event) => close(event, () => onStage(studio))}
      >${gettext("Show on a projector (P)")}</button
    >${
      !studio.readOnly.value && studio.running.isMine
        ? html`<button class="button" type="button" data-present data-tip=${tell.present}
            @click=${(/** @type {Event} */ event) => close(event, follow)}
            >${gettext("Present to viewers")}</button
          >`
        : nothing
    }<button class="button" type="button" data-open-class data-tip=${tell.open}
      @click=${(/** @type {Event} */ event) => close(event, () => openClassWith(studio))}
      >${gettext("Open a class with this run")}</button
    ><button class="button" type="button" data-add-step data-tip=${tell.add}
      @click=${(/** @type {Event} */ event) => close(event, () => addToLesson(studio))}
      >${gettext("Add to a class lesson")}</button
    ><button class="button" type="button" data-make-lesson data-tip=${tell.guide}
      @click=${(/** @type {Event} */ event) => close(event, guide)}
      >${gettext("Make a guided link…")}</button
    ><a class="button" href=${`/arena/new?experiment=${saved.id}`} data-challenge-others data-tip=${tell.challenge}
      >${gettext("Make a challenge…")}</a
    ><a class="button" href=${`/e/${saved.slug}/forks`} data-forks-link>${gettext("Version history")}</a>`;
}

/** Return the link that contains the experiment, or why there is none. */
function wholeLink(/** @type {Studio} */ studio) {
  const { boot } = studio;
  try {
    return {
      whole: `${boot.outside || window.location.origin}/studio${toFragment(studio.opened.value, boot.version)}`,
    };
  } catch (error) {
    if (!(error instanceof LinkError)) throw error;
    return { tooLarge: error.message };
  }
}

/** Wire the tabs for settings and JSON: by click, or by arrow keys. */
function wireTabs(/** @type {HTMLElement[]} */ tabs) {
  const choose = (/** @type {HTMLElement} */ tab) => {
    document.body.dataset.left = tab.dataset.tab;
    for (const each of tabs) {
      each.setAttribute("aria-selected", String(each === tab));
      each.tabIndex = each === tab ? 0 : -1;
    }
  };
  for (const [place, tab] of tabs.entries()) {
    tab.addEventListener("click", () => choose(tab));
    tab.addEventListener("keydown", (event) => {
      const other = tabs[place + ({ ArrowLeft: -1, ArrowRight: 1 }[event.key] ?? 0)];
      if (!["ArrowLeft", "ArrowRight"].includes(event.key) || !other) return;
      event.preventDefault();
      event.stopPropagation();
      choose(other);
      other.focus();
    });
  }
  choose(tabs[0]);
}

export function wireBar(/** @type {Studio} */ studio) {
  part("[data-share]").addEventListener("click", () => share(studio));
  part("[data-compare]").addEventListener("click", async () => {
    const { compareDialog } = await import("../features/compare/compare_dialog.js");
    await studio.listed; // the schedulers that can be compared
    if (!studio.experiment.value) return;
    if (studio.schedulers.value.length > 1) compareDialog(studio);
    else
      studio.messages.notice(
        gettext("The server has not said which schedulers there are. Load the page again."),
        "",
        8000,
      );
  });
  part("[data-ask-open]").addEventListener("click", async () => {
    const { askDialog } = await import("../features/ask/ask_dialog.js");
    if (studio.experiment.value) askDialog(studio);
  });
  part("[data-fork]").addEventListener("click", () => fork(studio));
  /** @type {HTMLAnchorElement | null} */
  const own = document.querySelector("[data-own]"); // the own copy opens at the current view
  own?.addEventListener("click", () => {
    own.search = writeViewState(viewStateOf(studio));
  });
  exportMenu(part("[data-export]"), studio, { page: () => exportPage(studio) });
  /** @type {HTMLInputElement} */
  const name = part("[data-name]");
  name.addEventListener("change", () => {
    if (name.value.trim()) studio.replace(setAt(studio.opened.value, "name", name.value.trim()), true);
  });
  name.addEventListener("keydown", (event) => {
    if (event.key === "Enter") name.blur();
  });
  wireTabs([...document.querySelectorAll("[data-tab]")]);
  part('[data-play="toggle"]').append(icon(ICONS.play));
}
