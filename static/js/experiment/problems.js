/** Word the problems that the server finds in an experiment. */

import { gettext, sentences } from "../kit/words.js";

/** @typedef {import("../contract/api.js").Problem} Problem */

/** First words of messages that continue a sentence whose subject is the field. */
const VERB = /^(is|has|does|needs|asks|must|cannot|exceeds|names) /;

/** Labels of fields that the server names only by path, keyed by the path's last part. */
/** @type {Record<string, string>} */
const FIELDS = {
  name: gettext("Name"),
  share: gettext("Share of the datacenter"),
  median: gettext("Median"),
  mean: gettext("Mean"),
  sigma: gettext("Spread (of the logarithm)"),
  at_s: gettext("Time"),
  duration_s: gettext("Duration"),
  target: gettext("Target"),
  value: gettext("Value"),
  machine_share: gettext("Share of machines"),
  task_share: gettext("Share of tasks"),
};

export function problemText(/** @type {Problem} */ problem) {
  const verb = VERB.test(problem.message);
  const label =
    problem.label || FIELDS[/(\w+)$/.exec(problem.path ?? "")?.[1] ?? ""] || (verb ? gettext("This field") : "");
  return sentences([
    label ? `${label}${verb ? "" : ":"} ${problem.message}` : problem.message,
    problem.allowed && gettext("Allowed: {allowed}", { allowed: problem.allowed }),
    problem.remedy,
  ]);
}
