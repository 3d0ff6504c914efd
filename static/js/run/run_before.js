/**
 * The run that each run replaced on screen. The browser stores it, so that both can be compared after the page reopens.
 */

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
 * Store that a run replaced another.
 * @param {string} run
 * @param {string} before
 */
export function keepBefore(run, before) {
  if (runBefore(run) === before) return;
  try {
    const others = pairs().filter(([each]) => each !== run);
    localStorage.setItem(KEY, JSON.stringify([[run, before], ...others].slice(0, MOST)));
  } catch {
    /* Without storage, the browser can compare the runs only while both are on screen. */
  }
}

/** Return the run that this one replaced, or null. */
export function runBefore(/** @type {string} */ run) {
  return pairs().find(([each]) => each === run)?.[1] ?? null;
}
