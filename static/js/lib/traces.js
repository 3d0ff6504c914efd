/** What a trace is to the studio: words about it, the workload that names it, the machines that would fit it. */

import { machineCount, setAt } from "./experiment.js";
import { duration, percent, short, whole } from "./format.js";

const GROUPS = [["upload", "Uploaded in this browser"], ["server", "On this server"], ["bundled", "Synthetic examples"]];
const FITTING_LOAD = 0.9;

/** [[heading, traces]] of those that there are. */
export function grouped(traces) {
  return GROUPS.map(([source, heading]) => [heading, traces.filter((trace) => trace.source === source)]).filter(([, found]) => found.length);
}

/** One line about a trace. */
export function describeTrace(trace) {
  const parts = [];
  if (trace.jobs !== null) parts.push(`${whole(trace.jobs)} jobs, ${short(trace.tasks)} tasks in ${duration(trace.span_s * 1e9)}`);
  else parts.push(`${bytes(trace.bytes)}, read when it runs`);
  if (trace.synthetic) parts.push("synthetic");
  return `${trace.note ? `${trace.note}: ` : ""}${parts.join(", ")}.`;
}

export function bytes(count) {
  const units = ["B", "kB", "MB", "GB"];
  const step = count < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(count) / 3));
  return `${whole(count / 1000 ** step)}\u202f${units[step]}`;
}

/** The experiment with a trace as its work; what a task takes stays as it was. */
export function withTrace(experiment, id) {
  const { workload } = experiment;
  const next = { kind: "trace", trace: id };
  const demand = workload.task_demand ?? workload.demand;
  if (demand) next.task_demand = demand;
  if (workload.queue_assignment) next.queue_assignment = workload.queue_assignment;
  return setAt(experiment, "workload", next);
}

/** CPUs that a trace keeps busy on average, with so many to a task; null when it is not known. */
export function busyCpus(trace, cpusPerTask = 1) {
  return trace?.work_s && trace.span_s > 0 ? (trace.work_s / trace.span_s) * cpusPerTask : null;
}

/** CPUs of the whole datacenter. */
export function cpusOf(experiment) {
  return (experiment.topology?.clusters || []).reduce((sum, cluster) => {
    const each = (cluster.machines || []).reduce((inner, shape) => inner + (shape.count ?? 1) * (shape.cpus ?? 1), 0);
    return sum + each * (cluster.repeat ?? 1);
  }, 0);
}

/** How full a trace makes the datacenter, in words; "" when it is not known. */
export function fullness(experiment, trace) {
  const busy = busyCpus(trace, experiment.workload?.task_demand?.cpus ?? 1);
  const have = cpusOf(experiment);
  return busy === null || !have ? "" : `Keeps ${whole(busy)} of ${whole(have)} CPUs busy: ${percent(busy / have)}.`;
}

/** The experiment with as many machines of its first kind as make it 90 % full; null when that is so already or unknown. */
export function fitted(experiment, trace) {
  const busy = busyCpus(trace, experiment.workload?.task_demand?.cpus ?? 1);
  const have = cpusOf(experiment);
  const clusters = experiment.topology?.clusters;
  if (busy === null || !have || clusters?.length !== 1 || clusters[0].machines?.length !== 1) return null;
  if (busy / have > 0.7 && busy / have < 1) return null;
  const cpus = have / machineCount(experiment);
  const count = Math.max(1, Math.round(busy / FITTING_LOAD / cpus / (clusters[0].repeat ?? 1)));
  const next = setAt(experiment, "topology.clusters[0].machines[0].count", count);
  return (clusters[0].racks ?? 1) > count ? setAt(next, "topology.clusters[0].racks", count) : next;
}
