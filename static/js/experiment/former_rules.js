/** Describe the rules of an earlier version that an experiment keeps, and remove them. */

import { getAt, setAt } from "./experiment.js";
import { withUnit } from "../kit/format.js";
import { gettext } from "../kit/words.js";

/**
 * @typedef {{path: string, label: string, unit: string, value: unknown, today: unknown}} FormerValue
 * @typedef {{version: string, values: FormerValue[]}} FormerRules  the API's former_rules
 */

const MOST_NAMED = 3;

/**
 * Return the former values that the experiment still has; edits may have changed some of them since it was opened.
 *
 * @param {import("../contract/api.js").Experiment | null} experiment
 * @param {FormerRules | null} former
 */
export function heldValues(experiment, former) {
  if (!experiment || !former) return [];
  return former.values.filter((each) => JSON.stringify(getAt(experiment, each.path)) === JSON.stringify(each.value));
}

/**
 * Return the page's message about the former values.
 *
 * @param {string} version
 * @param {FormerValue[]} held
 */
export function formerWords(version, held) {
  const named = held.slice(0, MOST_NAMED).map((each) =>
    gettext("{label} {value} (today {today})", {
      label: each.label,
      value: words(each.value, each.unit),
      today: words(each.today, each.unit),
    }),
  );
  const more = held.length > MOST_NAMED ? [gettext("{n} more", { n: held.length - MOST_NAMED })] : [];
  return [
    gettext("This experiment was made under the rules of version {version}.", { version }),
    gettext("It keeps those rules: {values}.", { values: [...named, ...more].join(", ") }),
  ].join(" ");
}

/**
 * Return the page's message about an experiment of another version that keeps no former rules; "" for today's version.
 *
 * @param {string | undefined} made
 * @param {string} today
 */
export function otherVersionWords(made, today) {
  if (!made || made === today) return "";
  return gettext("This experiment was made with version {made}. Results may differ under version {today}.", {
    made,
    today,
  });
}

/**
 * Return the experiment with today's values.
 *
 * @param {import("../contract/api.js").Experiment} experiment
 * @param {FormerValue[]} held
 */
export function underTodaysRules(experiment, held) {
  return held.reduce((made, each) => setAt(made, each.path, each.today), experiment);
}

/** @param {unknown} value @param {string} unit */
function words(value, unit) {
  if (value === null) return gettext("none");
  if (typeof value === "object") return JSON.stringify(value);
  return withUnit(value, unit);
}
