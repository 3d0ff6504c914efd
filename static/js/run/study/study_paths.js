/** The parameters that a study may vary: those of the chosen schedulers, and common ones of the experiment. */

import { getAt, knobsFromSchema } from "../../experiment/experiment.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { Scheduler } from "../../contract/api.js"
 */

const USUAL = [
  ["workload.arrivals.offered_load", gettext("Load")],
  ["workload.offered_load", gettext("Load")],
  ["workload.jobs", gettext("Jobs")],
  ["workload.tasks", gettext("Tasks")],
  ["workload.tasks_per_job.value", gettext("Tasks per job")],
  ["workload.duration_s.mean", gettext("Task duration")],
  ["topology.clusters[0].machines[0].count", gettext("Machines per cluster")],
  ["topology.clusters[0].repeat", gettext("Clusters")],
  ["topology.global_masters", gettext("Global Masters")],
  ["network.message_delay_s", gettext("Message delay")],
  ["constraints.task_share", gettext("Share of tasks with constraints")],
  ["workload.task_share", gettext("Share of tasks")],
  ["workload.rate_factor", gettext("Faster arrivals")],
];
const LOADS = [0.5, 0.7, 0.8, 0.9, 0.95]; // half and double of a load are idle or overloaded
const WHOLE = /(jobs|tasks|count|repeat|global_masters|tasks_per_job\.value)$/;

/**
 * Return [{group, options: [{path, label, value, min, max, kind, choices}]}] for the chosen schedulers.
 * @param {Experiment} experiment
 * @param {Scheduler[]} schedulers
 * @returns {{group: string, options: (Record<string, unknown> & {path: string, label: string})[]}[]}
 */
export function variables(experiment, schedulers) {
  const groups = schedulers.map((one) => ({
    group: one.label,
    options: knobsFromSchema(one.params)
      .filter((knob) => knob.kind !== "text")
      .map((knob) => {
        const own = experiment.scheduler?.name === one.name ? experiment.scheduler.params?.[knob.name] : undefined;
        return { ...knob, value: own ?? knob.default };
      }),
  }));
  const stretched = loadOf(experiment);
  const rest = USUAL.map(([path, label]) => ({
    path,
    label,
    value: getAt(experiment, path) ?? (path === stretched ? LOADS[2] : undefined),
    unit: /(?:offered_load|share)$/.test(path) ? "share" : path.endsWith("_s") ? "s" : "",
    kind: WHOLE.test(path) ? "integer" : "number",
    min: WHOLE.test(path) ? 1 : 0,
    max: /share$/.test(path) ? 1 : undefined,
    usual: path.endsWith("offered_load") ? LOADS : undefined,
  })).filter((each) => typeof each.value === "number");
  return [...groups.filter((each) => each.options.length), { group: gettext("Workload and machines"), options: rest }];
}

/**
 * Return the path of the load to which arrivals can be stretched that are given otherwise: as a trace recorded them, or
 * by a rate, as a fit gives them. A load takes the place of a rate.
 * @param {Experiment} experiment
 */
function loadOf(experiment) {
  if (experiment.workload?.kind === "trace") return "workload.offered_load";
  const kind = getAt(experiment, "workload.arrivals.kind");
  return typeof kind === "string" && kind !== "at_once" ? "workload.arrivals.offered_load" : null;
}
