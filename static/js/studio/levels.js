/**
 * Three levels of the studio. Watch has one slider and one number, Play the five most telling controls, Lab everything.
 * A level only hides: what is shown stands where it stands in the Lab. js/level.js sets the first one before the page
 * is painted, css/levels.css hides by it.
 */

import { levelNow, levelSaid } from "../kit/level_now.js";

/** @import { Studio } from "./store.js" */

const KEY = "playground.level";
/** Parts that are seen at every level and answer the hand in the Lab alone. */
const FOR_THE_LAB = "[data-legend], .stage-grid";
const root = globalThis.document?.documentElement;

/** Write the level into the address; other parts of the view stay. */
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
    /* private window */
  }
}

/** Wire the control in the bar, and have the parts follow it. */
export function wireLevels(/** @type {Studio} */ studio) {
  const buttons = [.../** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[data-choose-level]"))];
  const apply = () => {
    for (const each of buttons) each.setAttribute("aria-pressed", String(each.dataset.chooseLevel === levelNow()));
    const lab = levelNow() === "lab";
    // Owners are named on the map itself; choosing some of them, and composing stages, is for the Lab.
    for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(FOR_THE_LAB)))
      part.inert = !lab;
    studio.state.level.value = levelNow();
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
