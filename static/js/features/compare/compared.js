/** Runs side by side: names, a table with ratios, one machine in every run, the difference of two pictures. */

import { optionLabel } from "../../experiment/experiment.js";
import { duration, percent, three, whole } from "../../kit/format.js";
import { clusterOf, levelWords, valueLayer } from "../../run/sentences.js";
import { gettext, midSentence } from "../../kit/words.js";
import { clusterName } from "../../kit/names.js";

/**
 * @import { LayerMeta, Meta } from "../../contract/contract"
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { KnobSpec } from "../../kit/knob.js"
 * @import { Picture } from "../../run/frames.js"
 */

/**
 * @typedef {(Record<string, any> | null)[]} Summaries  summaries of the runs; null before a run has ended
 * @typedef {{label: string, seed: number, experiment: Experiment, knobs?: KnobSpec[], meta?: Meta | null,
 *   picture?: Pick<Picture, "layers"> | null}} ComparedRun
 * @typedef {Pick<Picture, "t_ns" | "layers" | "counters" | "hists"> & {differ?: number}} Difference
 */

const NONE = 255;

/**
 * Return a parameter's label and value: "heartbeat interval 10 s".
 * @param {KnobSpec[] | undefined} knobs
 * @param {string} key
 * @param {any} value
 */
function paramWords(knobs, key, value) {
  const knob = knobs?.find((each) => each.name === key);
  const name = knob ? midSentence(knob.label) : key.replace(/_s$/, "").replaceAll("_", " ");
  const shownValue = typeof value === "boolean" ? (value ? gettext("on") : gettext("off")) : value;
  if (typeof value !== "number") return `${name}: ${knob ? optionLabel(knob.options, shownValue) : shownValue}`;
  const unit = knob?.unit ?? (key.endsWith("_s") ? "s" : "");
  return `${name} ${three(value)}${unit && unit.length <= 3 ? `\u202f${unit}` : ""}`;
}

/** Return short names that distinguish the runs: the scheduler, else the differing parameters, else the seed. */
export function namesOf(/** @type {ComparedRun[]} */ runs) {
  const labels = runs.map((run) => run.label);
  return runs.map((run, at) => {
    const alike = runs.filter((_other, place) => place !== at && labels[place] === labels[at]);
    if (!alike.length) return run.label;
    const own = run.experiment.scheduler?.params ?? {};
    const keys = Object.keys(own).filter((key) =>
      alike.some((other) => JSON.stringify(other.experiment.scheduler?.params?.[key]) !== JSON.stringify(own[key])),
    );
    const seeds = alike.some((other) => other.seed !== run.seed);
    const parts = [
      ...keys.slice(0, 2).map((key) => paramWords(run.knobs, key, own[key])),
      ...(seeds || !keys.length ? [gettext("seed {seed}", { seed: run.seed })] : []),
    ];
    const name = `${run.label} (${parts.join(", ")})`;
    return alike.some((other) => other.seed === run.seed) && !keys.length ? `${name} ${"ABCD"[at]}` : name;
  });
}

/**
 * Heading, field of the summary, its parts, unit, the text for null, and the heading's help.
 * @type {[string, string, string[], string, string, string][]}
 */
const ROWS = [
  [
    gettext("Queueing delay"),
    "allocation_delay_s",
    ["mean", "p50", "p90", "p99", "p99.9", "max"],
    "s",
    gettext("none started"),
    gettext("Time from a task's arrival until it first starts."),
  ],
  [
    gettext("Job completion time"),
    "job_completion_s",
    ["mean", "p50", "p99"],
    "s",
    gettext("none completed"),
    gettext("Time from a job's arrival until its last task ends."),
  ],
  [
    gettext("Job delay"),
    "job_delay_s",
    ["p99"],
    "s",
    gettext("none completed"),
    gettext("Job completion time minus the ideal one."),
  ],
];
/** @type {[string, (summary: any) => number | undefined, string, string][]} */
const SINGLE = [
  [
    gettext("Makespan"),
    (summary) => summary.makespan_s,
    "s",
    gettext("Time from the first arrival until the last task ends."),
  ],
  [
    gettext("Utilization of CPUs"),
    (summary) => summary.utilisation?.cpus,
    "1",
    gettext("Mean share of all CPUs that are in use during the makespan."),
  ],
  [
    gettext("Worst-served queue, share of its entitlement"),
    (summary) => summary.fairness?.entitled_worst,
    "1",
    gettext("Smallest part of its entitlement that a queue used. Share and demand give the entitlement."),
  ],
  [
    gettext("Lost work"),
    (summary) => summary.lost_work_s,
    "s",
    gettext("Work of tasks that were stopped before their end."),
  ],
  [gettext("Messages"), (summary) => summary.counters?.messages, "", gettext("Messages sent over the network.")],
  [
    gettext("Tasks unfinished"),
    (summary) => summary.tasks?.unfinished,
    "",
    gettext("Tasks that had not ended when the run ended."),
  ],
];

/**
 * @param {any} value
 * @param {string} unit
 * @param {string} none
 */
function shown(value, unit, none) {
  if (value === null && none) return none;
  if (typeof value !== "number") return "–";
  return unit === "s" ? duration(value * 1e9, true) : unit === "1" ? percent(value) : whole(value);
}

/**
 * Metrics of the workload's short and long jobs, which every scheduler has.
 * @type {[string, string, string, string][]}
 */
const CLASSES = [
  ["short", "allocation_delay_s", "p50", gettext("Short jobs: queueing delay · p50")],
  ["short", "allocation_delay_s", "p99", gettext("Short jobs: queueing delay · p99")],
  ["short", "job_completion_s", "p99", gettext("Short jobs: completion time · p99")],
  ["long", "allocation_delay_s", "p99", gettext("Long jobs: queueing delay · p99")],
  ["long", "job_completion_s", "p99", gettext("Long jobs: completion time · p99")],
];

/**
 * Return the definition of a short job in these runs; "" if there is only one class of jobs, or if the runs use
 * different cutoffs, so that their classes differ.
 * @param {Summaries} summaries
 */
export function classesOf(summaries) {
  const works = summaries.filter(Boolean).map((summary) => summary?.by_work_class);
  const [first] = works;
  const alike = works.every((work) => work?.cutoff_s === first?.cutoff_s && work?.short?.jobs && work?.long?.jobs);
  return first && alike ? first.definition : "";
}

/**
 * Return the table's rows: [{figure, name, help, cells: [{text, ratio, words}]}], with ratios to the run at index
 * `reference`. A null summary gives empty cells.
 * @param {Summaries} summaries
 * @param {number} reference
 */
export function comparedRows(summaries, reference) {
  const row = (
    /** @type {string} */ figure,
    /** @type {string} */ name,
    /** @type {string} */ help,
    /** @type {(number | null | undefined)[]} */ values,
    /** @type {string} */ unit,
    none = "",
  ) => ({
    figure,
    name,
    help,
    cells: values.map((value, at) => ({
      text: shown(value, unit, none),
      ...ratioOf(value, values[reference], at === reference),
    })),
  });
  const groups = ROWS.flatMap(([head, key, names, unit, none, help]) =>
    names.map((each) =>
      row(
        `${key}.${each}`,
        `${head} · ${each}`,
        help,
        summaries.map((summary) => summary?.[key]?.[each]),
        unit,
        none,
      ),
    ),
  );
  const single = SINGLE.map(([name, read, unit, help]) =>
    row(
      "",
      name,
      help,
      summaries.map((summary) => (summary ? read(summary) : undefined)),
      unit,
    ),
  );
  const definition = classesOf(summaries);
  const classes = (definition ? CLASSES : []).map(([which, key, each, name]) =>
    row(
      `${which}.${key}.${each}`,
      name,
      definition,
      summaries.map((summary) => summary?.by_work_class[which][key][each]),
      "s",
    ),
  );
  return [...groups, ...classes, ...single].filter((each) => each.cells.some((cell) => cell.text !== "–"));
}

/**
 * Return the main finding: each run's p99 wait compared with the baseline's; "" until two runs have ended.
 * @param {string[]} names
 * @param {Summaries} summaries
 * @param {number} reference
 */
export function findingOfRuns(names, summaries, reference) {
  const p99 = (/** @type {number} */ at) => summaries[at]?.allocation_delay_s?.p99;
  const base = p99(reference);
  if (typeof base !== "number") return "";
  const show = (/** @type {number} */ value) => duration(value * 1e9);
  return names
    .map((own, at) => {
      const value = p99(at);
      if (at === reference || typeof value !== "number") return "";
      const values = { own, other: names[reference], value: show(value), base: show(base) };
      if (value === base) return gettext("{own}'s p99 queueing delay equals {other}'s ({base}).", values);
      if (!value || !base) return gettext("{own}'s p99 queueing delay is {value}; {other}'s is {base}.", values);
      return gettext("{own}'s p99 queueing delay is {ratio} times {other}'s ({value} and {base}).", {
        ...values,
        ratio: three(value / base),
      });
    })
    .filter(Boolean)
    .join(" ");
}

/**
 * @param {any} value
 * @param {any} base
 * @param {boolean} isBase
 */
function ratioOf(value, base, isBase) {
  if (isBase || typeof value !== "number" || typeof base !== "number") return { ratio: "", side: 0 };
  if (value === base) return { ratio: gettext("same"), side: 0 };
  if (base === 0 || value === 0) return { ratio: "", side: Math.sign(value - base) };
  return { ratio: `${three(value / base)}\u202f×`, side: Math.sign(value - base) };
}

/**
 * Return true if two runs have the same machines at the same places.
 * @param {Meta} one
 * @param {Meta} other
 */
export function sameMachines(one, other) {
  return (
    one.machines === other.machines &&
    one.clusters.length === other.clusters.length &&
    one.clusters.every(
      (cluster, at) => cluster.machines === other.clusters[at].machines && cluster.name === other.clusters[at].name,
    )
  );
}

/**
 * Return a layer of the difference map, in the format of metadata.
 * @param {string} name
 * @param {string} label
 * @param {LayerMeta["kind"]} kind
 * @param {LayerMeta["role"]} role
 * @param {string} help
 */
function differenceLayer(name, label, kind, role, help) {
  return { name, label, kind, role, help, unit: "", full: 0, fixed: false, whole: false, plain: "" };
}

/**
 * Return the metadata of a difference map: hue shows the run in which a machine is busier, strength shows by how much.
 * @param {Meta} meta
 * @param {string[]} names
 * @returns {Meta}
 */
export function differenceMeta(meta, names) {
  return {
    ...meta,
    groups: null,
    owners: names.map((name) => gettext("Busier: {name}", { name })),
    marks: [],
    queues: [],
    clusters: meta.clusters.map((cluster) => ({
      ...cluster,
      partitions: [{ owner: NONE, first: cluster.first, machines: cluster.machines }],
    })),
    layers: [
      differenceLayer(
        "fuller",
        gettext("Busier in"),
        "category",
        "owner",
        gettext("The run in which the machine is busier now."),
      ),
      differenceLayer(
        "gap",
        gettext("Difference"),
        "level",
        "load",
        gettext("The difference as a share of the machine."),
      ),
    ],
  };
}

/**
 * Return the difference of two pictures at an instant; `places` are the indices of the two runs. `into` is reused;
 * `differ` counts machines.
 * @param {Meta[]} metas
 * @param {Picture[]} pictures
 * @param {number[]} places
 * @param {Difference | null | undefined} into
 */
export function differencePicture(metas, pictures, places, into) {
  const [mine, other] = metas.map((meta, at) => pictures[at].layers[valueLayer(meta)?.name ?? ""]);
  const count = metas[0].machines;
  const made = into ?? {
    t_ns: 0,
    layers: { fuller: new Uint8Array(count), gap: new Uint8Array(count) },
    counters: {},
    hists: {},
  };
  made.t_ns = pictures[0].t_ns;
  let differ = 0;
  for (let machine = 0; machine < count; machine += 1) {
    const gap = (mine?.[machine] ?? 0) - (other?.[machine] ?? 0);
    made.layers.fuller[machine] = gap === 0 ? NONE : gap > 0 ? places[0] : places[1];
    made.layers.gap[machine] = Math.abs(gap);
    if (gap) differ += 1;
  }
  made.differ = differ;
  return made;
}

/**
 * Describe one machine in every run: "Machine 12 of lm-1: full under Megha, idle under Sparrow."
 * @param {ComparedRun[]} runs
 * @param {string[]} names
 * @param {number} machine
 */
export function tellMachine(runs, names, machine) {
  const first = runs[0].meta;
  const said = runs
    .map((run, at) => {
      const layer = run.meta && valueLayer(run.meta);
      const level = layer && run.picture?.layers[layer.name]?.[machine];
      if (level === undefined || level === null) return null;
      return gettext("{load} under {name}", {
        load: level === 0 ? gettext("idle") : level >= 254 ? gettext("full") : layer ? levelWords(layer, level) : "",
        name: names[at],
      });
    })
    .filter(Boolean);
  return gettext("Machine {machine} of {cluster}{loads}.", {
    machine: whole(machine),
    cluster: first ? clusterName(clusterOf(first, machine).name) : "",
    loads: said.length ? `: ${said.join(", ")}` : "",
  });
}
