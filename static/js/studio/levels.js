/**
 * The three levels of the studio. Watch has one slider and one number, Play the five most influential controls, Lab
 * everything. A level only hides parts; the visible ones keep their Lab position. js/level.js sets the first level
 * before the page is painted; css/levels.css hides the parts.
 */

import { levelNow, levelSaid } from "../kit/level_now.js";

/** @import { Studio } from "./store.js" */

const KEY = "playground.level";
/** Parts that are visible at every level and interactive only in the Lab. */
const FOR_THE_LAB = "[data-legend], .stage-grid";
const root = globalThis.document?.documentElement;

/** Write the level into the address; other parameters stay. */
function say() {
  const url = new URL(window.location.href);
  if (!levelSaid() || url.searchParams.get("level") === levelNow()) return;
  url.searchParams.set("level", levelNow());
  window.history.replaceState(null, "", `${url.pathname}${url.search}${url.hash}`);
}

function remember(/** @type {string} */ level) {
  try {
    localStorage.setItem(KEY, level);
  } catch {
    /* Storage is unavailable in a private window. */
  }
}

/** Wire the level control in the bar, and make the parts follow it. */
export function wireLevels(/** @type {Studio} */ studio) {
  const buttons = [.../** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[data-choose-level]"))];
  const apply = () => {
    for (const each of buttons) each.setAttribute("aria-pressed", String(each.dataset.chooseLevel === levelNow()));
    const lab = levelNow() === "lab";
    // Owners are named on the map itself; filtering them and composing stages is for the Lab.
    for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(FOR_THE_LAB)))
      part.inert = !lab;
    studio.level.value = levelNow();
  };
  for (const button of buttons)
    button.addEventListener("click", () => {
      root.dataset.level = button.dataset.chooseLevel;
      root.dataset.levelSaid = "true";
      remember(levelNow());
      if (levelNow() !== "lab") {
        studio.editing.close();
        document.querySelector("[data-tab=knobs]")?.dispatchEvent(new Event("click"));
      }
      say();
      apply();
    });
  say();
  apply();
}
