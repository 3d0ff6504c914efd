/** The studio's current level. js/level.js sets the first one before the page is painted. */

const root = globalThis.document?.documentElement;

/** @returns {string} "watch", "play" or "lab" */
export function levelNow() {
  return root?.dataset.level ?? "lab";
}

/** Return true if the map is visible beside an open picture. The style sheets show it beside a signature. */
export function mapBeside(/** @type {string} */ picture) {
  const beside = document.body.classList.contains("has-signature") && levelNow() !== "lab";
  return beside && (picture !== "stages" || levelNow() === "watch");
}

/** Return the level for links: null until a viewer chooses one, so that old links stay as they are. */
export function levelSaid() {
  return root?.dataset.levelSaid === "true" ? levelNow() : null;
}
