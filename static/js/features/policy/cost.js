/** What a policy's choice of a machine costs, told before the run. */

import { machineCount } from "../../experiment/experiment.js";
import { whole } from "../../kit/format.js";
import { gettext, ngettext } from "../../kit/words.js";

/**
 * @import { PolicyChoice } from "../../contract/api.js"
 * @import { Experiment } from "../../experiment/experiment.js"
 */

const causes = () =>
  /** @type {Record<string, string>} */ ({
    priority: gettext("the priority"),
    queue: gettext("the queue"),
    job: gettext("the job"),
    task: gettext("the task itself"),
    others: gettext("other machines"),
    state: gettext("what runs and waits"),
    now: gettext("the time"),
  });

/**
 * Return what a decision costs, in a sentence.
 * @param {PolicyChoice} choice
 * @param {Experiment | null} experiment
 */
export function costText({ kept, depends, once, each }, experiment) {
  if (!each && !once) return "";
  const params = experiment?.scheduler?.params ?? {};
  const sampled = params.news === "sample";
  if (kept && !sampled)
    return gettext("Scores are kept, and computed again only for machines that changed: a decision is cheap.");
  const all = experiment ? machineCount(experiment) : 0;
  const machines = sampled ? Math.min(Number(params.sample ?? 2), all) : all;
  const told = ngettext(
    "Steps of a decision: {each} for {count} machine.",
    "Steps of a decision: {each} for each of {count} machines.",
    machines,
    { count: whole(machines), each: whole(each) },
  );
  if (sampled || !depends.length) return told;
  const names = causes();
  const why = depends.map((cause) => names[cause] ?? cause).join(", ");
  return `${told} ${gettext("No score can be kept, because it depends on: {causes}.", { causes: why })}`;
}
