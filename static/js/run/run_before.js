/** Which run stood before another on the screen: kept in this browser, so that both can be compared after reopening. */

const KEY = "playground:run-before";
const MOST = 50;

/** @returns {[run: string, before: string][]} */
function pairs() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found.filter((each) => Array.isArray(each) && each.length === 2) : [];
  } catch {
    return [];
  }
}

/**
 * Keep that a run took the place of another.
 * @param {string} run
 * @param {string} before
 */
export function keepBefore(run, before) {
  if (runBefore(run) === before) return;
  try {
    const others = pairs().filter(([each]) => each !== run);
    localStorage.setItem(KEY, JSON.stringify([[run, before], ...others].slice(0, MOST)));
  } catch {
    /* a browser that keeps nothing compares while both runs are on the screen */
  }
}

/** The run that this one took the place of, or null. */
export function runBefore(/** @type {string} */ run) {
  return pairs().find(([each]) => each === run)?.[1] ?? null;
}
