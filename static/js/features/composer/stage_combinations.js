/** All combinations of open stages' policies as a study, and the spread of its results. */

import { missingInputs, NONE, paramOf, stateOf } from "./pipeline.js";
import { cellOf, kindOf } from "./matrix_cells.js";
import { gettext } from "../../kit/words.js";
import { factor } from "../../kit/format.js";

/**
 * @import { Params } from "./pipeline.js"
 * @import { Stage, System } from "./reference.js"
 */

/**
 * @typedef {{stage: Stage, names: string[]}} Choice  a stage with the names of policies
 * @typedef {Choice & {why: string}} OpenStage
 * @typedef {{id: string, metric: string, name: string, unit: string, help: string}} Metric
 * @typedef {{cell: number, scheduler: number, values: string[], value: number, low?: number | null,
 *   high?: number | null, n: number}} StudyCell  an estimate of a study
 * @typedef {{axes: {path: string, values: string[]}[], schedulers: {name: string, params: Record<string, unknown>}[],
 *   repeats: number}} StudyPlan
 * @typedef {{low: number, q1: number, median: number, q3: number, high: number}} Box
 * @typedef {{log: boolean, low: number, high: number, place: (value: number) => number}} PlotAxis
 */

export const MOST_COMBINATIONS = 96;
export const MOST_RUNS = 500;
// The stages with the largest effects first; the paper finds this for sorting and choosing.
const FIRST = ["T2", "R5", "J3", "J2", "T10", "T11", "M5"];
const MOST_SCHEDULERS = 8; // the maximum per study; two further stages are its axes
/** @type {Metric[]} */
export const METRICS = [
  {
    id: "TRT",
    metric: "pipeline.task_response_own_s.mean",
    name: "Task response",
    unit: "s",
    help: gettext("A task's end minus its own submission, mean."),
  },
  {
    id: "JMS",
    metric: "pipeline.job_makespan_s.mean",
    name: "Job makespan",
    unit: "s",
    help: gettext("A job's end minus its submission, mean."),
  },
  {
    id: "NJSL",
    metric: "pipeline.schedule_length.mean",
    name: "Schedule length",
    unit: "",
    help: gettext("Makespan over the time from first start to end, mean."),
  },
  {
    id: "JWT",
    metric: "pipeline.job_waiting_s.mean",
    name: "Job waiting",
    unit: "s",
    help: gettext("A job's first start minus its submission, mean."),
  },
];

const WHY = {
  none: gettext("not in its row, but needed to run tasks"),
  partial: gettext("only partly specified"),
  open: gettext("not recoverable from the paper"),
  full: "",
};

/**
 * Return the stages that a scheduler leaves open and that have policies to try: [{stage, why, names}]. `system` is a
 * row of the matrix; null means the pipeline `params` itself, with all its stages.
 * @param {Stage[]} stages
 * @param {System | null} system
 * @param {Params} params
 * @param {Params} defaults
 */
export function openStages(stages, system, params, defaults) {
  if (!system) {
    return stages
      .filter((stage) => stage.policies.length)
      .map((stage) => ({
        stage,
        why: stateOf(stage, params, defaults) === "open" ? gettext("unspecified in this pipeline") : "",
        names: [NONE, ...stage.policies.map((each) => each.name)],
      }));
  }
  return system.pipeline.open.map(({ stage: id, choices }) => {
    const stage = /** @type {Stage} */ (stages.find((each) => each.id === id));
    return { stage, why: WHY[kindOf(cellOf(system, id))], names: choices };
  });
}

/**
 * Return the initial selection: as many of the `open` stages as fit, the most influential first: {stage id: names}. All
 * other stages keep their policies.
 * @param {Choice[]} open
 * @param {number} repeats
 */
export function suggest(open, repeats) {
  /** @param {Choice} each */
  const rank = (each) => {
    const at = FIRST.indexOf(each.stage.id);
    return at < 0 ? FIRST.length : at;
  };
  /** @type {Choice[]} */
  const chosen = [];
  for (const each of [...open].sort((one, other) => rank(one) - rank(other))) {
    if (each.names.length > 1 && planOf("", {}, [...chosen, each], repeats).plan) chosen.push(each);
  }
  return Object.fromEntries(chosen.map((each) => [each.stage.id, each.names]));
}

/**
 * Return the choices of a stage that are compatible with the rest of the pipeline.
 * @param {Stage[]} stages
 * @param {Choice} options
 * @param {Params} params
 * @param {Params} defaults
 */
export function choicesOf(stages, { stage, names }, params, defaults) {
  return names.filter((name) => missingInputs(stages, { ...params, [paramOf(stage)]: name }, defaults).length === 0);
}

/**
 * Return the number of combinations of chosen policies: `chosen` is [{stage, names}].
 * @param {Choice[]} chosen
 */
export function countCombinations(chosen) {
  return chosen.reduce((product, each) => product * Math.max(1, each.names.length), 1);
}

/**
 * Return the study that runs all combinations: {plan} or {problem}. The two stages with the most policies are axes; all
 * others together are schedulers with parameters of their own.
 * @param {string} name
 * @param {Params} params
 * @param {Choice[]} chosen
 * @param {number} repeats
 */
export function planOf(name, params, chosen, repeats) {
  const varied = chosen.filter((each) => each.names.length > 1);
  const fixed = Object.fromEntries(
    chosen.filter((each) => each.names.length === 1).map((each) => [paramOf(each.stage), each.names[0]]),
  );
  const combinations = countCombinations(varied);
  if (!varied.length) return { problem: gettext("Choose at least two policies of a stage.") };
  if (combinations > MOST_COMBINATIONS)
    return {
      problem: gettext("{combinations} combinations are too many (limit {most}). Remove some policies.", {
        combinations,
        most: MOST_COMBINATIONS,
      }),
    };
  if (combinations * repeats > MOST_RUNS)
    return {
      problem: gettext("{runs} runs are too many (limit {most}). Use fewer seeds or policies.", {
        runs: combinations * repeats,
        most: MOST_RUNS,
      }),
    };
  const sorted = [...varied].sort((one, other) => other.names.length - one.names.length);
  const [axes, rest] = [sorted.slice(0, 2), sorted.slice(2)];
  const schedulers = rest.reduce(
    (all, each) => all.flatMap((one) => each.names.map((policy) => ({ ...one, [paramOf(each.stage)]: policy }))),
    [{ ...params, ...fixed }],
  );
  if (schedulers.length > MOST_SCHEDULERS)
    return {
      problem: gettext(
        "Stages {stages} have {combinations} combinations. Besides the two stages with the most policies, at " +
          "most {most} are allowed.",
        {
          stages: rest.map((each) => each.stage.id).join(", "),
          combinations: schedulers.length,
          most: MOST_SCHEDULERS,
        },
      ),
    };
  return {
    combinations,
    plan: {
      axes: axes.map((each) => ({ path: `scheduler.params.${each.stage.param}`, values: each.names })),
      schedulers: schedulers.map((own) => ({ name, params: own })),
      repeats,
    },
  };
}

/**
 * Describe a cell of a study's results: the policy of each varied stage.
 * @param {StudyCell} cell
 * @param {StudyPlan} plan
 * @param {Choice[]} chosen
 */
export function tellCombination(cell, plan, chosen) {
  const own = { ...plan.schedulers[cell.scheduler]?.params };
  plan.axes.forEach((axis, place) => {
    own[axis.path.slice("scheduler.params.".length)] = cell.values[place];
  });
  return chosen
    .filter((each) => each.names.length > 1)
    .map(({ stage }) => {
      const name = own[paramOf(stage)];
      return `${stage.id} ${stage.policies.find((policy) => policy.name === name)?.label ?? "unspecified"}`;
    })
    .join(", ");
}

/**
 * Return quartiles and ends of some values: {low, q1, median, q3, high}; null for none.
 * @param {number[]} values
 */
export function boxOf(values) {
  if (!values.length) return null;
  const sorted = [...values].sort((one, other) => one - other);
  /** @param {number} share */
  const at = (share) => {
    const place = share * (sorted.length - 1);
    const low = Math.floor(place);
    return sorted[low] + (sorted[Math.min(low + 1, sorted.length - 1)] - sorted[low]) * (place - low);
  };
  return { low: sorted[0], q1: at(0.25), median: at(0.5), q3: at(0.75), high: sorted[sorted.length - 1] };
}

/**
 * Return an axis with positions from 0 to 1 and margins; logarithmic if values differ tenfold.
 * @param {number[]} values
 */
export function axisOf(values) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const log = low > 0 && high / low >= 10;
  const f = log ? Math.log : (/** @type {number} */ value) => value;
  const span = f(high) - f(low);
  return {
    log,
    low,
    high,
    place: (/** @type {number} */ value) => (span > 0 ? 0.03 + (0.94 * (f(value) - f(low))) / span : 0.5),
  };
}

/**
 * Describe the spread between the best and the worst.
 * @param {StudyCell[]} cells
 */
export function tellSpread(cells) {
  const box = boxOf(cells.map((cell) => cell.value));
  if (!box) return "";
  if (box.high === box.low) return gettext("all alike");
  return box.low > 0 ? gettext("worst is {times} times the best", { times: factor(box.high / box.low, true) }) : "";
}

/**
 * Return a strip's dots, stacked where they overlap: [{cell, x, row}], with x from 0 to 1.
 * @param {StudyCell[]} cells
 * @param {PlotAxis} axis
 */
export function stripOf(cells, axis, gap = 0.012) {
  /** @type {number[]} */
  const ends = [];
  return [...cells]
    .sort((one, other) => one.value - other.value)
    .map((cell) => {
      const x = axis.place(cell.value);
      let row = ends.findIndex((end) => x - end >= gap);
      if (row < 0) row = ends.length;
      ends[row] = x;
      return { cell, x, row };
    });
}
