/** The fields of a question, its request, and the text of its answer. No DOM. */

import { duration, percent, three, whole } from "../../kit/format.js";
import { gettext, ngettext, sentences } from "../../kit/words.js";

/**
 * @typedef {number | string | boolean | null} Value
 * @typedef {Value | Record<string, Value> | string[]} Answer  a value, a parameter with its value, changes of the
 *   workload by path, or machines
 * @typedef {{from_s: number, until_s: number, machines: number[], machine_hours: number}} Period  of a plan
 * @typedef {{value: Value | number[], measured: number | null, low: number | null, high: number | null, kept: boolean,
 *   knob?: string, refused?: string, against?: number | null, answer?: boolean,
 *   work?: Record<string, number>}} Tried  a value that the search ran
 * @typedef {{question: string, promise: string, measure: string, answer: Answer, low: number | null,
 *   high: number | null, fails_at: number | null,
 *   monotone: boolean | null, now: Tried, tried: Tried[], runs: number, seeds: number[], unit?: string,
 *   target?: Record<string, string | number>, duration_s?: number, machines_off?: number, keeps?: boolean,
 *   moves?: {task: number, from: number, to: number | null}[], blocked_by?: Record<string, string>,
 *   against?: string, seeds_change?: string, plan?: Period[], machine_hours?: number, of_machine_hours?: number,
 *   saved?: number, notes?: string[]}} Found
 * @typedef {{id: string, experiment_id: string, state: string, progress: number, runs: number,
 *   expected: number | null, left_s: number | null,
 *   problems: import("../../contract/api.js").Problem[], answer: Found | null, owner_token?: string | null}} Asked
 * @typedef {{question: string, measure: string, bound: string, seeds: string, cluster: string, target: string,
 *   number: string, duration: string, against: string, type: string, plan: string, periods: string, until: string,
 *   price: string}} Fields
 */

/** @type {Record<string, string>} */
export const QUESTIONS = {
  machines: gettext("How many machines keep the promise?"),
  load: gettext("What load keeps the promise?"),
  knob: gettext("Which parameter of the scheduler helps most?"),
  failure: gettext("When does a failure hurt most?"),
  off: gettext("Which machines may be switched off?"),
  lose: gettext("Where does this scheduler lose?"),
};

/** Metrics that a promise may bound: label, sign, and the unit. */
export const MEASURES = [
  { name: "allocation_delay_s.p99", label: gettext("Queueing delay, p99"), sign: "<=", unit: "s" },
  { name: "allocation_delay_s.p90", label: gettext("Queueing delay, p90"), sign: "<=", unit: "s" },
  { name: "allocation_delay_s.p50", label: gettext("Queueing delay, p50"), sign: "<=", unit: "s" },
  { name: "allocation_delay_s.mean", label: gettext("Queueing delay, mean"), sign: "<=", unit: "s" },
  { name: "job_completion_s.p99", label: gettext("Job completion time, p99"), sign: "<=", unit: "s" },
  { name: "job_completion_s.p50", label: gettext("Job completion time, p50"), sign: "<=", unit: "s" },
  { name: "makespan_s", label: gettext("Makespan"), sign: "<=", unit: "s" },
  { name: "utilisation.cpus", label: gettext("Utilization of CPUs"), sign: ">=", unit: "%" },
];

/** Parts that may fail. @type {Record<string, string>} */
export const TARGETS = {
  "": gettext("the busiest rack"),
  rack: gettext("rack"),
  machine: gettext("machine"),
  cluster: gettext("cluster"),
};

/** For what time machines are off. @type {Record<string, string>} */
export const PLANS = {
  "": gettext("one set for the whole run"),
  periods: gettext("a plan by periods"),
};

export const measureOf = (/** @type {string} */ name) => MEASURES.find((one) => one.name === name) ?? MEASURES[0];

/** Return the names of an experiment's clusters; repeated clusters share one name. */
export function clustersOf(/** @type {import("../../contract/api.js").Experiment} */ experiment) {
  return (experiment.topology?.clusters ?? []).map((/** @type {{name?: string}} */ one) => one.name ?? "lm");
}

/**
 * Return the types of machines of a cluster, or of all clusters: each in words, by its place in its cluster.
 * @param {import("../../contract/api.js").Experiment} experiment
 * @param {string} cluster
 */
export function typesOf(experiment, cluster) {
  /** @type {{name?: string, machines: Record<string, number | undefined>[]}[]} */
  const all = experiment.topology?.clusters ?? [];
  const chosen = all.filter((one) => !cluster || (one.name ?? "lm") === cluster);
  const most = chosen.reduce((places, one) => Math.max(places, one.machines.length), 0);
  return Array.from({ length: most }, (_, place) => {
    const groups = chosen.map((one) => one.machines[place]).filter((group) => group !== undefined);
    const words = [...new Set(groups.map(typeWords))];
    return words.length > 2 ? gettext("type {n}", { n: place + 1 }) : words.join(" / ");
  });
}

function typeWords(/** @type {Record<string, number | undefined>} */ { cpus = 1, memory_gb: memory, gpus }) {
  const parts = [ngettext("{n} CPU", "{n} CPUs", cpus, { n: three(cpus) })];
  if (memory) parts.push(gettext("{memory} GB", { memory: three(memory) }));
  if (gpus) parts.push(ngettext("{n} GPU", "{n} GPUs", gpus, { n: three(gpus) }));
  return parts.join(", ");
}

/** Return a question's request from the form's fields. */
export function requestOf(/** @type {Fields} */ fields) {
  const { sign, unit } = measureOf(fields.measure);
  /** @type {Record<string, string | number>} */
  const options = {};
  if (fields.question === "machines" && fields.cluster) options.cluster = fields.cluster;
  if (fields.question === "machines" && fields.type) options.type = Number(fields.type);
  if (fields.question === "off" && fields.plan) {
    options.periods = Math.round(Number(fields.periods)) || 24;
    if (Number(fields.until) > 0) options.until_s = Number(fields.until) * 3600;
    if (fields.price.trim()) options.price = Number(fields.price);
  }
  if (fields.question === "failure") {
    if (fields.target)
      options[fields.target] = fields.target === "cluster" ? fields.cluster : Number(fields.number) || 0;
    options.duration = Number(fields.duration) || 600;
  }
  if (fields.question === "lose" && fields.against) options.against = fields.against;
  return {
    question: fields.question,
    promise: `${fields.measure} ${sign} ${fields.bound.trim()}${unit === "%" ? " %" : ""}`,
    options,
    seeds: Math.round(Number(fields.seeds)) || 5,
  };
}

/** Format a metric with its unit. */
export function measuredWords(/** @type {string} */ measure, /** @type {number | null} */ value) {
  if (value === null) return gettext("no number");
  const { unit } = measureOf(measure);
  return unit === "%" ? percent(value) : duration(value * 1e9);
}

/**
 * Return the lower end of an interval, cut at 0: no measure of a promise can be negative, although an interval by
 * Student's t over few seeds may reach below 0.
 */
export const lowOf = (/** @type {Tried} */ { low }) => (low === null ? null : Math.max(0, low));

/** Format a tried value. */
export function valueWords(/** @type {Found} */ found, /** @type {Answer | number[] | undefined} */ value) {
  if (value === null) return "–";
  if (Array.isArray(value)) return value.join(", ");
  const number = /** @type {number} */ (value);
  if (found.question === "load")
    return found.unit === "of capacity" ? percent(number) : gettext("{value} times", { value: three(number) });
  if (found.question === "lose") return workWords(/** @type {Record<string, number>} */ (value));
  if (found.question === "failure") return duration(number * 1e9);
  return typeof value === "number" ? whole(value) : String(value);
}

/** Name the experiment of a tried value. */
export function triedName(/** @type {Found} */ found, /** @type {Tried} */ one) {
  const { value } = one;
  if (one.knob) return `${one.knob} = ${value}`;
  if (found.question === "lose") return workWords(one.work ?? {});
  if (found.question === "load") return gettext("load {load}", { load: valueWords(found, value) });
  if (found.question === "failure") return gettext("failure at {time}", { time: valueWords(found, value) });
  const n = /** @type {number} */ (Array.isArray(value) ? Math.max(...value) : value);
  if (found.question === "off") return ngettext("{n} machine off", "{n} machines off", n, { n: whole(n) });
  return ngettext("{n} machine", "{n} machines", n, { n: whole(n) });
}

/** Return true if a tried value can be opened: of sets of machines that are off, the answer lists only its own. */
export function canOpen(/** @type {Found} */ found, /** @type {Tried} */ one) {
  if (one.refused) return false;
  if (found.question !== "off" || one.value === 0 || one.answer) return true;
  const { value } = one;
  if (!Array.isArray(value)) return false;
  return value.every((n) => n === 0) || value.every((n, at) => n === found.plan?.[at].machines.length);
}

/** Return the answer in a sentence. */
export function answerWords(/** @type {Found} */ found) {
  const words = {
    machines: machinesWords,
    load: loadWords,
    knob: knobWords,
    failure: failureWords,
    off: offWords,
    lose: loseWords,
  };
  return words[/** @type {keyof typeof words} */ (found.question)](found);
}

function at(/** @type {Found} */ found, /** @type {Answer} */ value) {
  const point = found.tried.find((one) => one.value === value);
  return measuredWords(found.measure, point?.measured ?? null);
}

function machinesWords(/** @type {Found} */ found) {
  if (found.answer === null) {
    const most = found.tried[found.tried.length - 1];
    return gettext("Even {machines} machines break the promise: {measured}.", {
      machines: whole(/** @type {number} */ (most.value)),
      measured: measuredWords(found.measure, most.measured),
    });
  }
  const answer = {
    machines: whole(/** @type {number} */ (found.answer)),
    measured: at(found, found.answer),
    now: whole(/** @type {number} */ (found.now.value)),
  };
  if (found.fails_at === null)
    return gettext("{machines} machines keep the promise, and there cannot be fewer. You have {now}.", answer);
  const fails = { fails: whole(found.fails_at), broken: at(found, found.fails_at) };
  return gettext(
    "{machines} machines keep the promise ({measured}). With {fails} it breaks ({broken}). You have {now}.",
    { ...answer, ...fails },
  );
}

function loadWords(/** @type {Found} */ found) {
  if (found.answer === null) return gettext("Even the smallest load that was tried breaks the promise.");
  const answer = { load: valueWords(found, found.answer), measured: at(found, found.answer) };
  if (found.fails_at === null)
    return gettext("A load of {load} keeps the promise. It is the largest that was tried.", answer);
  return gettext("A load of {load} keeps the promise ({measured}). At {fails} it breaks ({broken}).", {
    ...answer,
    fails: valueWords(found, found.fails_at),
    broken: at(found, found.fails_at),
  });
}

function knobWords(/** @type {Found} */ found) {
  if (found.answer === null) return gettext("No single parameter helps beyond chance.");
  const best = found.tried[0];
  const { knob, value } = /** @type {{knob: string, value: Value}} */ (found.answer);
  return gettext("{parameter} = {value} helps most: {measured} instead of {now}.", {
    parameter: knob,
    value: String(value),
    measured: measuredWords(found.measure, best.measured),
    now: measuredWords(found.measure, found.now.measured),
  });
}

function failureWords(/** @type {Found} */ found) {
  const [kind, which] = Object.entries(found.target ?? {})[0] ?? ["rack", 0];
  const values = {
    what: `${TARGETS[kind] ?? kind} ${which}`,
    at: duration(/** @type {number} */ (found.answer) * 1e9),
    measured: at(found, found.answer),
    now: measuredWords(found.measure, found.now.measured),
  };
  return found.keeps
    ? gettext("A failure of {what} hurts most at {at}: {measured} instead of {now}. The promise still holds.", values)
    : gettext("A failure of {what} hurts most at {at}: {measured} instead of {now}. The promise breaks.", values);
}

function offWords(/** @type {Found} */ found) {
  const count = found.machines_off ?? 0;
  if (!count && !found.now.kept)
    return gettext("The promise is broken with all machines on: {measured}.", {
      measured: measuredWords(found.measure, found.now.measured),
    });
  if (!count) return gettext("No machine may be switched off.");
  if (found.plan) {
    const sizes = found.plan.map(({ machines }) => machines.length);
    const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
    const hours = { hours: three(found.machine_hours ?? 0), all: three(found.of_machine_hours ?? 0) };
    if (least === most)
      return ngettext(
        "{n} machine may be off in every period: {hours} of {all} machine-hours.",
        "{n} machines may be off in every period: {hours} of {all} machine-hours.",
        most,
        { n: whole(most), ...hours },
      );
    return gettext("{least} to {most} machines may be off, by the period: {hours} of {all} machine-hours.", {
      least: whole(least),
      most: whole(most),
      ...hours,
    });
  }
  const off = ngettext("{n} machine may be switched off.", "{n} machines may be switched off.", count, {
    n: whole(count),
  });
  const moves = found.moves?.length ?? 0;
  const moved = ngettext("{n} task moves to another machine.", "{n} tasks move to other machines.", moves, {
    n: whole(moves),
  });
  return `${off} ${moved}`;
}

/** Properties of the workload that may change. @type {Record<string, string>} */
const WORK = {
  load: gettext("load"),
  tasks_per_job: gettext("tasks per job"),
  duration_s: gettext("task duration"),
  task_share: gettext("share of tasks with constraints"),
};
const SIZES = ["value", "mean", "median"];

/** Describe a workload by its changes: `workload.classes[0].duration_s.mean` is the duration of class 1. */
export function workWords(/** @type {Record<string, number>} */ work) {
  const words = Object.entries(work).map(([path, value]) => {
    const [, number] = /classes\[(\d+)\]/.exec(path) ?? [];
    const field = path.split(".").find((part) => Object.hasOwn(WORK, part)) ?? path;
    const key = path.split(".").pop() ?? "";
    const of = number === undefined ? "" : `${gettext("class {n}", { n: Number(number) + 1 })}: `;
    const kind = key === field || key === "value" ? "" : ` (${key})`;
    const isTime = field === "duration_s" && SIZES.includes(key);
    const isPart = field === "load" || field === "task_share";
    const told = isTime ? duration(value * 1e9) : isPart ? percent(value) : three(value);
    return `${of}${WORK[field] ?? path}${kind} ${told}`;
  });
  return words.join(", ") || gettext("as it is");
}

function loseWords(/** @type {Found} */ found) {
  const other = found.against ?? "";
  if (found.answer === null)
    return gettext("On no work that was tried does the scheduler lose to {other} beyond chance.", { other });
  const worst = found.tried[0];
  return gettext("It loses most with {work}: {measured}, under {other} {theirs}.", {
    work: valueWords(found, worst.work),
    measured: measuredWords(found.measure, worst.measured),
    other,
    theirs: measuredWords(found.measure, worst.against ?? null),
  });
}

/** Say whether a tried value keeps the promise. A measure within its bound breaks it if tasks never start. */
export function keptWords(/** @type {Found} */ found, /** @type {Tried} */ { kept, refused, measured }) {
  if (refused) return gettext("cannot run");
  if (kept) return gettext("holds");
  const [, sign, bound] = /(<=|<|>=|>) (\S+)$/.exec(found.promise) ?? [];
  const over = (measured ?? 0) - Number(bound);
  const isWithin = { "<=": over <= 0, "<": over < 0, ">=": over >= 0, ">": over > 0 }[sign] ?? false;
  return measured !== null && isWithin ? gettext("breaks: tasks never start") : gettext("breaks");
}

/** The search's notes in the reader's language, by their first words: the library writes them in English. */
const NOTES = [
  {
    begins: /^A machine that goes off evicts/,
    words: gettext("A machine that goes off evicts the tasks that run on it. They start again elsewhere."),
  },
  {
    begins: /^Disruption budgets count the tasks/,
    words: gettext(
      "Disruption budgets count the tasks of all machines that go off together, where these tasks run with all " +
        "machines on. A drain that waits between machines may take more.",
    ),
  },
  {
    begins: /^The last numbers of machines gave/,
    words: gettext("The last numbers of machines gave the same measure, so no larger ones were tried."),
  },
];

/** Return the notes of a search. The page tells by itself that a curve is not monotone. */
export function noteWords(/** @type {Found} */ found) {
  return (found.notes ?? [])
    .filter((note) => !/^The answer is not monotone/.test(note))
    .map((note) => NOTES.find(({ begins }) => begins.test(note))?.words ?? note);
}

/** Return the measure with the answer's machines off and with all on; "" for other questions. */
function withThemOff(/** @type {Found} */ found) {
  const last = found.tried.find((one) => one.answer);
  if (found.question !== "off" || found.plan || !last || !found.machines_off) return "";
  return gettext("{measure}: {off} with these machines off, {on} with all machines on.", {
    measure: measureOf(found.measure).label,
    off: measuredWords(found.measure, last.measured),
    on: measuredWords(found.measure, found.now.measured),
  });
}

/** Return how certain the answer is: its interval or why there is none, and whether the curve has one boundary. */
export function sureWords(/** @type {Found} */ found) {
  const said = [withThemOff(found)].filter(Boolean);
  if (found.low !== null && found.high !== null && !["knob", "lose"].includes(found.question))
    said.push(
      found.low === found.high
        ? gettext("The 95 % intervals of the measure leave no other answer.")
        : gettext("From {low} to {high} by the 95 % intervals of the measure.", {
            low: valueWords(found, found.low),
            high: valueWords(found, found.high),
          }),
    );
  if (found.question === "knob" && found.answer !== null)
    said.push(gettext("The difference holds under seeds that did not choose this parameter."));
  if (found.question === "lose" && found.answer !== null)
    said.push(gettext("The difference holds under seeds that did not choose this work."));
  if (found.question === "machines")
    said.push(gettext("Every number of machines has the same jobs: fewer machines mean a higher load."));
  if (found.tried.some((one) => one.low !== null && one.low < 0))
    said.push(gettext("Intervals by Student's t that reach below 0 are cut at 0. More seeds make them narrower."));
  if (found.runs && found.seeds?.length)
    said.push(
      sentences([
        ngettext("{runs} runs, {n} seed each.", "{runs} runs, {n} seeds each.", found.seeds.length, {
          runs: whole(found.runs),
          n: whole(found.seeds.length),
        }),
        found.seeds_change ?? "",
      ]),
    );
  if (found.monotone === false)
    said.push(
      gettext("The curve is not monotone: the promise holds, breaks and holds again. From the answer on it holds."),
    );
  return said;
}

/** Return the machines that must stay, by reason, the most frequent reason first. */
export function blockedRows(/** @type {Found} */ found) {
  /** @type {Map<string, string[]>} */
  const reasons = new Map();
  for (const [machine, reason] of Object.entries(found.blocked_by ?? {}))
    reasons.set(reason, [...(reasons.get(reason) ?? []), machine]);
  return [...reasons].sort((a, b) => b[1].length - a[1].length);
}

/** Return a search's progress and cost. */
export function progressWords(/** @type {Asked} */ { state, runs, expected, left_s: left }) {
  if (state === "waiting") return gettext("Waiting for a worker…");
  if (state === "compiling") return gettext("Compiling, first time only…");
  if (expected === null || !runs) return gettext("Starting…");
  const done = { runs: whole(runs), expected: whole(expected) };
  if (left === null) return gettext("{runs} of at most about {expected} runs", done);
  return gettext("{runs} of at most about {expected} runs, at most about {time} more", {
    ...done,
    time: duration(left * 1e9),
  });
}
