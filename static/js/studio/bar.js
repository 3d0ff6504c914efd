/** The studio's bar and tabs: name, share, fork, keys, knobs or JSON. */

import { setAt } from "../experiment/experiment.js";
import { LinkError, toFragment } from "../experiment/fragment.js";
import { writeViewState } from "../run/view_state.js";
import { gettext } from "../kit/words.js";
import { ICONS, h, icon, part, targetOf } from "../kit/dom.js";
import { exportMenu } from "../draw/stage/export_menu.js";
import { forOthers, reachWords } from "../features/sharing/reach.js";
import { presentDialog, shareDialog } from "../features/sharing/share_dialog.js";
import { fork } from "../run/own_copy.js";
import { viewStateOf } from "../run/address.js";

/**
 * @import { Stored } from "../experiment/experiment.js"
 * @import { Studio } from "./store.js"
 */

/** Open a class that looks at this experiment, and go to its teacher's page. */
async function openClassWith(/** @type {Studio} */ studio) {
  if (!studio.saved) return;
  try {
    const { openClass } = await import("../features/classes/class_api.js");
    const made = await openClass({ experiment: studio.saved.id });
    window.location.href = `/classes/${made.id}/teach`;
  } catch (/** @type {any} */ error) {
    studio.messages.notice(error.message, "", 8000);
  }
}

/** Put what the studio shows now, at its instant with its layer, at the end of this browser's class lesson. */
async function addToLesson(/** @type {Studio} */ studio) {
  const { addStep, shownStep } = await import("../features/classes/lesson_draft.js");
  const number = addStep(shownStep(studio.opened, studio.stage.player.t_ns, studio.stage.layer));
  const said = number
    ? gettext("Step {number} of your lesson shows this. Go on in the lesson editor: {address}", {
        number,
        address: `${window.location.origin}/lessons/edit`,
      })
    : gettext("This browser does not keep the draft of a lesson.");
  studio.messages.notice(said, "", 8000);
}

/** The links to what is on the screen, to copy, and the same for a page or a slide. */
export function share(/** @type {Studio} */ studio) {
  if (!studio.experiment) return;
  const whole = wholeLink(studio);
  if (!studio.saved) {
    shareDialog({ ...whole, reach: reachOf(studio) });
    return;
  }
  const link = forOthers(
    studio.saved.share_url || `${window.location.origin}/e/${studio.saved.slug}`,
    studio.boot.outside,
  );
  const state = viewStateOf(studio);
  // Who paused at a moment means that moment: a link that plays on has left it before it is read.
  const suffix = writeViewState(state);
  const moving = writeViewState({ ...state, paused: false });
  shareDialog({
    ...whole,
    reach: reachOf(studio),
    short: `${link}${suffix}`,
    paused: state.paused,
    embed: `${link}/embed${moving}`,
    code: `/e/${studio.saved.slug}/qr.svg${suffix}`,
    more: further(studio, studio.saved, link, moving),
  });
}

/** Who can open the links of this page, in words. */
function reachOf(/** @type {Studio} */ { boot }) {
  return reachWords(boot.outside, window.location.origin);
}

/** The picture for a projector: the map, one chart, one sentence. */
export async function onStage(/** @type {Studio} */ studio) {
  const { toggleStage } = await import("../features/stage/stage_mode.js");
  toggleStage(studio);
}

/** What each way to pass a run on does, by its mark. */
const WAYS = {
  "data-to-stage": gettext("This screen only: larger, with keys for the next step."),
  "data-present": gettext("A link by which others follow on their own screens."),
  "data-open-class": gettext("Students join with a code and follow what you show."),
  "data-add-step": gettext("This run at this moment becomes a step in the lesson editor."),
  "data-make-lesson": gettext("A link to this run with fewer parts and controls."),
  "data-challenge-others": gettext("Others try to beat this run in the arena."),
};

const marked = (/** @type {keyof typeof WAYS} */ mark) => ({ [mark]: true, "data-tip": WAYS[mark] });

/**
 * Further ways to pass it on: present it, make a lesson of it, see what was made of it.
 * @param {Stored} saved
 * @param {string} link
 * @param {string} suffix
 */
function further(/** @type {Studio} */ studio, saved, link, suffix) {
  const way = (/** @type {string} */ text, /** @type {() => void} */ act, attributes = {}) =>
    h(
      "button",
      {
        class: "button",
        type: "button",
        ...attributes,
        onclick: (/** @type {Event} */ event) => {
          /** @type {HTMLDialogElement | null} */ (targetOf(event).closest("dialog"))?.close();
          act();
        },
      },
      text,
    );
  const own =
    !studio.readOnly && studio.running.isMine
      ? way(
          gettext("Present to viewers"),
          async () => {
            const { present } = await import("../features/presenting/presenting.js");
            const slug = present(studio);
            if (slug) presentDialog(`${link}?follow=${slug}`, reachOf(studio));
          },
          marked("data-present"),
        )
      : null;
  return [
    way(gettext("Show on a projector (P)"), () => onStage(studio), marked("data-to-stage")),
    own,
    way(gettext("Open a class with this run"), () => openClassWith(studio), marked("data-open-class")),
    way(gettext("Add to a class lesson"), () => addToLesson(studio), marked("data-add-step")),
    way(
      gettext("Make a guided link…"),
      async () => {
        const { lessonDialog } = await import("../features/lessons/lesson_dialog.js");
        lessonDialog(suffix, (/** @type {string} */ search) => `${link}${search}`);
      },
      marked("data-make-lesson"),
    ),
    h(
      "a",
      {
        class: "button",
        href: `/arena/new?experiment=${saved.id}`,
        ...marked("data-challenge-others"),
      },
      gettext("Make a challenge…"),
    ),
    h("a", { class: "button", href: `/e/${saved.slug}/forks`, "data-forks-link": true }, gettext("Version history")),
  ].filter((each) => each !== null);
}

/** The link that holds the experiment, or why there is none. */
function wholeLink(/** @type {Studio} */ { opened: experiment, boot }) {
  try {
    return { whole: `${boot.outside || window.location.origin}/studio${toFragment(experiment, boot.version)}` };
  } catch (/** @type {any} */ error) {
    if (!(error instanceof LinkError)) throw error;
    return { tooLarge: error.message };
  }
}

/** Knobs or JSON: by a click, or by an arrow key from one to the other. */
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
    await studio.listed; // what can be compared with
    if (!studio.experiment) return;
    if (studio.schedulers.length > 1) compareDialog(studio);
    else
      studio.messages.notice(
        gettext("The server has not said which schedulers there are. Load the page again."),
        "",
        8000,
      );
  });
  part("[data-ask-open]").addEventListener("click", async () => {
    const { askDialog } = await import("../features/ask/ask_dialog.js");
    if (studio.experiment) askDialog(studio);
  });
  part("[data-fork]").addEventListener("click", () => fork(studio));
  /** @type {HTMLAnchorElement | null} */
  const own = document.querySelector("[data-own]"); // to one's own, at the moment and place that are on the screen
  own?.addEventListener("click", () => {
    own.search = writeViewState(viewStateOf(studio));
  });
  exportMenu(part("[data-export]"), studio);
  /** @type {HTMLInputElement} */
  const name = part("[data-name]");
  name.addEventListener("change", () => {
    if (name.value.trim()) studio.replace(setAt(studio.opened, "name", name.value.trim()), true);
  });
  name.addEventListener("keydown", (event) => {
    if (event.key === "Enter") name.blur();
  });
  wireTabs([...document.querySelectorAll("[data-tab]")]);
  part('[data-play="toggle"]').append(icon(ICONS.play));
}
