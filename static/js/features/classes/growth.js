/** How a question's metric grew during its runs. Pure. */

/** @typedef {import("../../contract/contract").QuestionGrowth} QuestionGrowth */

/** The number of seconds for which a page plays a question's runs. */
export const PLAYS_S = 12;

/** Return the end of the longest run, in simulated seconds. */
export const endOf = (/** @type {QuestionGrowth} */ { t_s }) => t_s[t_s.length - 1];

/**
 * Return the value at an instant, linear between two known instants.
 * @param {number[]} times
 * @param {(number | null)[]} values
 * @param {number} t_s
 */
function valueAtTime(times, values, t_s) {
  const after = times.findIndex((time) => time > t_s);
  if (after < 0) return values[values.length - 1];
  if (after === 0) return null;
  const [low, high] = [values[after - 1], values[after]];
  if (low === null || high === null) return low;
  return low + ((high - low) * (t_s - times[after - 1])) / (times[after] - times[after - 1]);
}

/** Return the value of each option or place at an instant; null before any measurement. */
export function grownAt(/** @type {QuestionGrowth} */ { t_s: times, values }, /** @type {number} */ t_s) {
  return values.map((each) => valueAtTime(times, each, t_s));
}

/**
 * Return the line of the first place up to an instant, as [seconds, value], without unknown values.
 * @param {QuestionGrowth} growth
 * @param {number} t_s
 * @returns {[number, number][]}
 */
export function lineUntil({ t_s: times, values: [values] }, t_s) {
  const head = valueAtTime(times, values, t_s);
  const known = times.flatMap((time, at) => (time < t_s && values[at] !== null ? [[time, values[at]]] : []));
  return /** @type {[number, number][]} */ (
    head === null ? known : [...known, [Math.min(t_s, times.at(-1) ?? 0), head]]
  );
}
