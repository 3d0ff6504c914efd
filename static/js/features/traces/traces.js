/** Traces in the studio: their descriptions, the workload that uses one, and machines that fit it. */

import { DEFAULT_EXPERIMENT } from "../../experiment/default_experiment.js";
import { listOf, machineCount, setAt } from "../../experiment/experiment.js";
import { duration, percent, short, three, whole } from "../../kit/format.js";
import { kindWords } from "./import_notes.js";
import { capital, gettext, measureName, ngettext, sentences } from "../../kit/words.js";

/**
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { Problem } from "../../experiment/problems.js"
 * @import { Cluster } from "../design/topology_edits.js"
 */

/**
 * @typedef {{kind: string, count: number, first_line: number}} LeftOut
 * @typedef {object} Trace  in the server's format
 * @property {string} id
 * @property {string} name
 * @property {string} source  upload, server or bundled
 * @property {string} [note]
 * @property {boolean} [synthetic]
 * @property {number} bytes
 * @property {number | null} jobs  null for a file that has not been read yet
 * @property {number} tasks
 * @property {number} span_s
 * @property {number} [work_s]
 * @property {{tasks: number, cpus: number | null} | null} [at_once]  what runs at once on average
 * @property {string[]} [queues]  the queues that its jobs name
 * @property {{jobs: number, stages: number, edges: number} | null} [graphs]
 * @property {{name: string, machine_share?: number | null}[]} [constraints]
 * @property {LeftOut[]} [left_out]
 * @typedef {Record<string, string>} Mapping  the columns of a table by their meaning
 * @typedef {{length_s: number, dispersion: number, peak_to_mean: number}} BurstWindow
 * @typedef {{gap_cv: number, windows: BurstWindow[]}} Burstiness
 */

/** @type {[source: string, heading: string][]} */
const GROUPS = [
  ["upload", gettext("Uploaded in this browser")],
  ["server", gettext("On this server")],
  ["bundled", gettext("Synthetic examples")],
];
const FITTING_LOAD = 0.9;
/** The datacenter of an experiment made from a trace, before its machines are fitted to the trace. */
const FLEET = Object.freeze({
  global_masters: 4,
  clusters: [{ name: "lm", repeat: 8, racks: 5, machines: [{ count: 250, cpus: 4, memory_gb: 16 }] }],
});
/** The delay of its messages. */
const FLEET_DELAY_S = 0.0005;

/**
 * Return [[heading, traces]] without empty groups.
 * @param {Trace[]} traces
 */
export function grouped(traces) {
  /** @type {[heading: string, traces: Trace[]][]} */
  const groups = GROUPS.map(([source, heading]) => [heading, traces.filter((trace) => trace.source === source)]);
  return groups.filter(([, found]) => found.length);
}

/** The note of a bundled trace in the reader's language: the fixtures declare it. */
const noteOf = (/** @type {Trace} */ { note }) => measureName(note ?? "");

/**
 * Return a trace's name in lists: the note of a bundled trace, else the file name.
 * @param {Trace} trace
 */
export function shownName(trace) {
  return (trace.source === "bundled" && noteOf(trace)) || trace.name;
}

/**
 * Describe a trace in one line.
 * @param {Trace} trace
 */
export function describeTrace(trace) {
  const parts = [];
  if (trace.jobs !== null) {
    const counts = { jobs: whole(trace.jobs), tasks: short(trace.tasks) };
    // A snapshot of a cluster has no span.
    parts.push(
      trace.span_s > 0
        ? gettext("{jobs} jobs, {tasks} tasks in {span}", { ...counts, span: duration(trace.span_s * 1e9) })
        : gettext("{jobs} jobs, {tasks} tasks", counts),
    );
  } else parts.push(gettext("{bytes}, read when it runs", { bytes: bytes(trace.bytes) }));
  if (trace.synthetic) parts.push(gettext("synthetic"));
  return `${trace.note ? `${noteOf(trace)}: ` : ""}${parts.join(", ")}.`;
}

/** @param {number} count */
export function bytes(count) {
  const units = ["B", "kB", "MB", "GB"];
  const step = count < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(count) / 3));
  return `${whole(count / 1000 ** step)}\u202f${units[step]}`;
}

/**
 * Describe a trace's graphs in a sentence; "" without graphs.
 * @param {Trace | undefined} trace
 */
export function graphWords(trace) {
  const graphs = trace?.graphs;
  if (!graphs) return "";
  return ngettext(
    "{jobs} of its jobs is a graph: {stages} stages, {edges}.",
    "{jobs} of its jobs are graphs: {stages} stages, {edges}.",
    graphs.jobs,
    {
      jobs: whole(graphs.jobs),
      stages: short(graphs.stages),
      edges: ngettext("{edges} edge", "{edges} edges", graphs.edges, { edges: short(graphs.edges) }),
    },
  );
}

/**
 * Return the experiment with a trace as its workload; `drop` ignores its graphs. The tasks' demand stays. Queues that
 * the trace names become those of the experiment.
 * @param {Experiment} experiment
 * @param {string} id
 * @param {string[]} [queues]
 */
export function withTrace(experiment, id, drop = false, queues = /** @type {string[]} */ ([])) {
  const { workload } = experiment;
  /** @type {Record<string, unknown>} */
  const next = { kind: "trace", trace: id };
  const demand = workload.task_demand ?? workload.demand;
  if (demand) next.task_demand = demand;
  // A column of queues is of one trace alone.
  if (workload.queue_assignment && workload.queue_assignment !== "column")
    next.queue_assignment = workload.queue_assignment;
  if (drop) next.graphs = "drop";
  return withQueues(setAt(experiment, "workload", next), queues);
}

/**
 * Return the experiment with these queues, with equal shares, to which the trace's jobs go; unchanged without queues.
 * @param {Experiment} experiment
 * @param {string[]} queues
 */
function withQueues(experiment, queues) {
  if (!queues.length) return experiment;
  const assigned = setAt(experiment, "workload.queue_assignment", "column");
  const known = new Set((experiment.queues ?? []).map((/** @type {{name: string}} */ { name }) => name));
  if (queues.every((name) => known.has(name))) return assigned;
  const share = Math.floor(1e6 / queues.length) / 1e6;
  return setAt(
    assigned,
    "queues",
    queues.map((name) => ({ name, share })),
  );
}

/**
 * Return how many CPUs a trace's tasks take at once on average, if all start on arrival; null if it is unknown.
 * `cpusPerTask` is for a trace that does not say what tasks take.
 * @param {Trace} trace
 */
export function busyCpus(trace, cpusPerTask = 1) {
  return trace?.at_once ? (trace.at_once.cpus ?? trace.at_once.tasks * cpusPerTask) : null;
}

/**
 * Return the number of CPUs of the datacenter.
 * @param {Experiment} experiment
 */
export function cpusOf(experiment) {
  return (experiment.topology?.clusters || []).reduce((/** @type {number} */ sum, /** @type {Cluster} */ cluster) => {
    const each = listOf(cluster.machines).reduce((inner, shape) => inner + (shape.count ?? 1) * (shape.cpus ?? 1), 0);
    return sum + each * (cluster.repeat ?? 1);
  }, 0);
}

/**
 * Describe how busy a trace makes the datacenter; "" if it is unknown, as for a snapshot of a cluster.
 * @param {Experiment} experiment
 * @param {Trace} trace
 */
export function fullness(experiment, trace) {
  const load = experiment.workload?.offered_load;
  if (typeof load === "number") return gettext("Arrivals are stretched to a load of {load}.", { load: percent(load) });
  const busy = busyCpus(trace, experiment.workload?.task_demand?.cpus ?? 1);
  const have = cpusOf(experiment);
  // A snapshot of a cluster does not know how long its tasks run.
  if (!busy || !have) return "";
  const told = { busy: busy < 10 ? three(busy) : whole(busy), have: whole(have), share: percent(busy / have) };
  return busy > have
    ? gettext("Needs {busy} CPUs at once, and there are {have}: {share}. Tasks have to wait.", told)
    : gettext("Keeps {busy} of {have} CPUs busy: {share}.", told);
}

/**
 * Return the experiment with enough machines of its first kind for 90 % load; null if the load is already suitable or
 * unknown.
 * @param {Experiment} experiment
 * @param {Trace} trace
 */
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

/**
 * The possible meanings of a column, in the order of the form.
 * @type {[key: string, label: string, help: string, needed: boolean][]}
 */
export const MEANINGS = [
  ["arrival", gettext("Arrives at"), gettext("When a row's job or task arrives."), true],
  ["duration", gettext("Runs for"), gettext("How long a task runs. Or choose where it ends."), false],
  [
    "end",
    gettext("Ends at"),
    gettext("When the task ends. Its duration counts from its start or, without one, from its arrival."),
    false,
  ],
  ["start", gettext("Starts at"), gettext("When the task started. Choose the end, too."), false],
  [
    "job",
    gettext("Job"),
    gettext("Rows with the same value are tasks of one job. Without a column: every row is a " + "job."),
    false,
  ],
  [
    "tasks",
    gettext("Number of tasks"),
    gettext("Number of identical tasks that a row stands for. Without a column: " + "one."),
    false,
  ],
  ["cpus", gettext("CPUs of a task"), gettext("Without a column: the value in the experiment."), false],
  ["memory_gb", gettext("Memory of a task, GB"), gettext("Without a column: the value in the experiment."), false],
  ["queue", gettext("Queue"), gettext("Name of the job's queue."), false],
];
export const UNITS = [
  ["s", "seconds"],
  ["ms", "milliseconds"],
  ["us", "microseconds"],
  ["ns", "nanoseconds"],
  ["min", "minutes"],
  ["h", "hours"],
];

/**
 * Return what a mapping lacks, in a sentence; "" if it is complete.
 * @param {Mapping} mapping
 */
export function mappingLacks(mapping) {
  if (!mapping.arrival) return gettext("Choose the column that says when work arrives.");
  if (!mapping.duration && !mapping.end)
    return gettext("Choose the column that says how long a task runs, or when it ends.");
  if (mapping.duration && mapping.end) return gettext("Choose how long a task runs or when it ends, not both.");
  if (mapping.start && !mapping.end) return gettext("A start alone is not enough. Choose the end, too.");
  return "";
}

/**
 * Return a mapping without empty values.
 * @param {Mapping} mapping
 */
export function cleanMapping(mapping) {
  return Object.fromEntries(
    Object.entries(mapping).filter(([, value]) => value !== "" && value !== null && value !== undefined),
  );
}

/**
 * Parse a cut from a form's texts; null if it includes everything. Throw the name of a field without a number.
 * @param {Record<string, unknown>} texts
 */
export function cutOf(texts) {
  /** @type {Record<string, number>} */
  const cut = {};
  for (const [key, text] of Object.entries(texts)) {
    const plain = String(text).trim().replace(/,/g, "");
    if (!plain) continue;
    const value = Number(plain.replace(/%$/, ""));
    if (!Number.isFinite(value)) throw new Error(key);
    cut[key] = plain.endsWith("%") ? value / 100 : value;
  }
  return Object.keys(cut).length ? cut : null;
}

/**
 * Return a line for each kind of omitted row.
 * @param {{left_out?: LeftOut[]} | undefined} report
 */
export function leftOutWords(report) {
  return (report?.left_out ?? []).map(({ kind, count, first_line }) =>
    gettext("{count} × {kind}, first on line {line}", {
      count: whole(count),
      kind: kindWords(kind),
      line: whole(first_line),
    }),
  );
}

/**
 * Say why a file could not become a trace: a line for each problem, and the remedy that all problems share.
 * @param {string} name
 * @param {{message: string, problems?: Problem[]}} error
 */
export function troubleWords(name, { message, problems = [] }) {
  if (!problems.length) return { lines: [message], remedy: "" };
  const shared = problems[0].remedy ?? "";
  const isShared = problems.length > 1 && problems.every(({ remedy }) => (remedy ?? "") === shared);
  const lines = problems.map((each) =>
    sentences([
      each.path ? `${each.path}: ${each.message}` : `${name} ${each.message}`,
      each.allowed && gettext("Allowed: {allowed}", { allowed: each.allowed }),
      !isShared && each.remedy,
    ]),
  );
  return { lines, remedy: isShared ? sentences([capital(shared)]) : "" };
}

/**
 * Return an experiment with this trace, or a workload fitted to it, on enough machines for 90 % load; graphs get a
 * scheduler that respects dependencies.
 * @param {Trace} trace
 * @param {Record<string, unknown> | null} [workload]
 */
export function experimentOf(trace, workload = null) {
  const named = {
    ...structuredClone(DEFAULT_EXPERIMENT),
    topology: structuredClone(FLEET),
    network: { message_delay_s: FLEET_DELAY_S },
    name: `${workload ? "Like " : ""}${trace.name}`.slice(0, 64),
    question: workload
      ? gettext("Synthetic workload fitted to {name}.", { name: trace.name })
      : gettext("The workload of {name}.", { name: trace.name }),
  };
  const bare = setAt(named, "workload", { kind: "trace", trace: trace.id, task_demand: { cpus: 1 } });
  const plain = workload ? bare : withQueues(bare, trace.queues ?? []);
  const sized = fitted(plain, trace) ?? plain;
  if (!workload) return trace.graphs ? { ...sized, scheduler: { name: "carbyne", params: {} } } : sized;
  return setAt(sized, "workload", { ...workload, demand: { cpus: 1 }, queue_assignment: "by_share" });
}

/**
 * Return the experiment with the constraints of the trace's tasks; machines offer them as often as the trace's do.
 * @param {Experiment} experiment
 * @param {Trace} trace
 */
export function withTraceConstraints(experiment, trace) {
  const custom = (trace.constraints ?? []).map((each) => ({
    name: each.name,
    machine_share: each.machine_share ?? 0.5,
    task_weight: 1,
  }));
  const clusters = experiment.topology.clusters.map((/** @type {Cluster} */ cluster) => {
    const { constraint_shares: _, ...rest } = cluster;
    return { ...rest, constraint_mix: "custom" };
  });
  return {
    ...setAt(experiment, "topology.clusters", clusters),
    constraints: { catalogue: "custom", task_share: 0.5, custom },
  };
}

/**
 * Return true if the experiment already has the trace's constraints.
 * @param {Experiment} experiment
 * @param {Trace} trace
 */
export function hasTraceConstraints(experiment, trace) {
  const names = new Set((experiment.constraints?.custom ?? []).map((/** @type {{name: string}} */ each) => each.name));
  return (trace.constraints ?? []).every((each) => names.has(each.name));
}

/**
 * Describe the burstiness of arrivals with its interpretation.
 * @param {Burstiness} options
 */
export function burstWords({ gap_cv: cv, windows }) {
  const kind =
    cv < 0.8
      ? gettext("steadier than chance")
      : cv <= 1.25
        ? gettext("about as irregular as chance (Poisson)")
        : cv <= 4
          ? gettext("burstier than chance")
          : gettext("in strong bursts");
  const widest = windows.at(-1);
  const peak = widest
    ? gettext(" The busiest {time} brings {times} times the mean.", {
        time: duration(widest.length_s * 1e9),
        times: three(widest.peak_to_mean),
      })
    : "";
  return gettext("The gaps between jobs have a coefficient of variation of {cv}: arrivals are {kind}.{peak}", {
    cv: three(cv),
    kind,
    peak,
  });
}
