/** The level that the studio is at: js/level.js sets the first one before the page is painted. */

const root = globalThis.document?.documentElement;

/** @returns {string} "watch", "play" or "lab" */
export function levelNow() {
  return root?.dataset.level ?? "lab";
}

/** Whether the map is in sight beside an open picture: where a signature is open, as styles say. */
export function mapBeside(/** @type {string} */ picture) {
  const beside = document.body.classList.contains("has-signature") && levelNow() !== "lab";
  return beside && (picture !== "stages" || levelNow() === "watch");
}

/** The level for links. It is null until a viewer chooses one, so that old links stay as they are. */
export function levelSaid() {
  return root?.dataset.levelSaid === "true" ? levelNow() : null;
}
