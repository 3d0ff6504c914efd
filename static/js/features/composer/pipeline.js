/**
 * A scheduler as a pipeline of stages: each stage's state, problems and costs. No function changes its arguments.
 * `reference` is the answer of /reference-architecture; `defaults` are the parameters' defaults by name.
 */

import { setAt } from "../../experiment/experiment.js";
import { valueAt } from "../../draw/scenes/heat_scene.js";
import { counted } from "../../kit/counts.js";
import { whole } from "../../kit/format.js";
import { gettext, ngettext } from "../../kit/words.js";

/**
 * @import { ReasonMeta, Summary } from "../../contract/contract"
 * @import { Experiment, Scheduler } from "../../experiment/experiment.js"
 * @import { Problem } from "../../experiment/problems.js"
 * @import { Stage } from "./reference.js"
 */

/**
 * @typedef {Record<string, unknown>} Params  a scheduler's parameters by name
 * @typedef {"always" | "chosen" | "open" | "absent"} State  the state of a stage
 * @typedef {{id: string, us: number, share: number}} TimeRow  the time of a stage
 * @typedef {{total: number, steps: number, rows: TimeRow[]}} Measured
 */

export const NONE = "none";
const STAGE = /\b(?:[JTMR]\d{1,2}|B)\b/g;

/**
 * Return the defaults of a scheduler's parameters, from its catalogue entry.
 * @param {Scheduler | undefined} scheduler
 */
export function defaultsOf(scheduler) {
  return Object.fromEntries(
    Object.entries(scheduler?.params?.properties ?? {}).map(([name, field]) => [name, field.default]),
  );
}

/**
 * Return the parameter that chooses a stage's policy; "" for a stage without a choice.
 * @param {Stage} stage
 */
export const paramOf = (stage) => stage.param ?? "";

/**
 * Return a stage's policy: a name, "none" for unspecified, or null if the stage has no choice.
 * @param {Stage} stage
 * @param {Params} params
 * @param {Params} defaults
 */
export function policyOf(stage, params, defaults) {
  return stage.param && stage.policies.length
    ? /** @type {string} */ (params?.[stage.param] ?? defaults[stage.param] ?? NONE)
    : null;
}

/**
 * Return a stage's state in a pipeline: "always" there, "chosen", "open" (unspecified), or "absent" (no policy exists
 * here).
 * @param {Stage} stage
 * @param {Params} params
 * @param {Params} defaults
 */
export function stateOf(stage, params, defaults) {
  const policy = policyOf(stage, params, defaults);
  if (policy === null) return stage.always ? "always" : "absent";
  return policy === NONE ? "open" : "chosen";
}

/** @type {Record<State, {sign: string, word: string, help: string}>} */
export const STATES = {
  always: {
    sign: "●",
    word: gettext("always there"),
    help: gettext("No task could run or end without this stage, so it has no choice of policies."),
  },
  chosen: { sign: "■", word: gettext("specified"), help: gettext("It has a policy.") },
  open: { sign: "□", word: gettext("unspecified"), help: gettext("Left open: inputs pass through unchanged.") },
  absent: { sign: "·", word: gettext("without a policy"), help: gettext("There is no policy for it here.") },
};

/**
 * Return how many stages are in each state.
 * @param {Stage[]} stages
 * @param {Params} params
 * @param {Params} defaults
 */
export function countStates(stages, params, defaults) {
  const counts = { always: 0, chosen: 0, open: 0, absent: 0 };
  for (const stage of stages) counts[stateOf(stage, params, defaults)] += 1;
  return counts;
}

/**
 * Return the experiment with another policy for a stage.
 * @param {Experiment} experiment
 * @param {Stage} stage
 * @param {string} policy
 */
export function withPolicy(experiment, stage, policy) {
  return setAt(experiment, `scheduler.params.${stage.param}`, policy);
}

/**
 * Return the experiment with another scheduler, without the events that set parameters of the previous one.
 * @param {Experiment} experiment
 * @param {{name: string, params: Params}} scheduler
 */
export function withScheduler(experiment, scheduler) {
  const rest = (experiment.events ?? []).filter(
    (/** @type {{kind?: string, target?: {scheduler?: unknown}} | null} */ each) =>
      !(each?.kind === "set" && each.target?.scheduler),
  );
  return { ...experiment, scheduler, ...(experiment.events ? { events: rest } : {}) };
}

/**
 * Return the policy for a stage that is switched on: its previous one, its default, or its first.
 * @param {Stage} stage
 * @param {Params} defaults
 * @param {string} [had]
 */
export function policyWhenOn(stage, defaults, had) {
  const names = stage.policies.map((each) => each.name);
  const isPolicy = (/** @type {unknown} */ name) => names.includes(/** @type {string} */ (name));
  return /** @type {string[]} */ ([had, defaults[paramOf(stage)]]).find(isPolicy) ?? names[0];
}

/**
 * Return the stages' missing inputs: [{stage, text}], in the server's words.
 * @param {Stage[]} stages
 * @param {Params} params
 * @param {Params} defaults
 */
export function missingInputs(stages, params, defaults) {
  const state = new Map(stages.map((stage) => [stage.id, stateOf(stage, params, defaults)]));
  /** @type {{stage: string, giver: string, text: string}[]} */
  const found = [];
  for (const stage of stages) {
    const policy = stage.policies.find((each) => each.name === policyOf(stage, params, defaults));
    if (!policy) continue;
    for (const need of policy.needs) {
      if (["open", "absent"].includes(state.get(need.stage) ?? ""))
        found.push({
          stage: stage.id,
          giver: need.stage,
          text: gettext("{label} needs {what}. {stage} would give it.", {
            label: policy.label,
            what: need.what,
            stage: need.stage,
          }),
        });
    }
  }
  // A task needs a machine even if other stages are open.
  if (state.get("R5") === "open")
    found.push({ stage: "T4", giver: "R5", text: gettext("It needs a chosen machine. R5 would give it.") });
  return found;
}

/**
 * Return the stage that a parameter belongs to, by its name or by its title, such as "Provider (B)"; null for none.
 * @param {string} name
 * @param {string | undefined} title
 * @param {Stage[]} stages
 */
export function stageOfParam(name, title, stages) {
  const [, told] = /\(([A-Z]\d*)\)$/.exec(title ?? "") ?? [];
  const prefix = name.split("_")[0];
  return stages.find((stage) => stage.id === told || (!told && stage.id.toLowerCase() === prefix)) ?? null;
}

/**
 * Return problems by stage: a Map from stage to texts; `text(problem)` formats one. Problems of no stage are dropped.
 * @param {Problem[]} problems
 * @param {Stage[]} stages
 * @param {(problem: Problem) => string} text
 * @param {Scheduler | null} [scheduler]
 */
export function problemsByStage(problems, stages, text, scheduler) {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  /**
   * @param {string} stage
   * @param {string} words
   */
  const add = (stage, words) => found.set(stage, [...(found.get(stage) ?? []), words]);
  const known = new Set(stages.map((stage) => stage.id));
  for (const problem of problems) {
    const [, param] = /^scheduler\.params\.(\w+)$/.exec(problem.path) ?? [];
    const own = param ? stageOfParam(param, scheduler?.params?.properties?.[param]?.title, stages) : null;
    if (own) {
      add(own.id, text(problem));
      continue;
    }
    if (!["scheduler", "scheduler.params"].includes(problem.path)) continue;
    // Several stages may lack something at once: each clause begins with its stage.
    for (const clause of problem.message.split("; ")) {
      const [stage = ""] = clause.match(STAGE) ?? [];
      if (known.has(stage)) add(stage, clause);
    }
  }
  return found;
}

/**
 * Return the time of each stage that counts it, in the order of stages: [{id, us, share}]; `total` in µs.
 * @param {Stage[]} stages
 * @param {Record<string, number> | undefined} counters
 */
export function timesOf(stages, counters) {
  const rows = stages
    .map((stage) => ({ id: stage.id, us: counters?.[`${stage.id.toLowerCase()}_us`] ?? Number.NaN }))
    .filter((row) => Number.isFinite(row.us));
  const total = rows.reduce((sum, row) => sum + row.us, 0);
  return { total, rows: rows.map((row) => ({ ...row, share: total > 0 ? row.us / total : 0 })) };
}

/**
 * Return a scheduler's parameters at an instant, after the events up to it.
 * @param {Experiment | null} experiment
 * @param {number} t_s
 */
export function paramsAt(experiment, t_s) {
  const params = experiment?.scheduler?.params ?? {};
  const sets = (Array.isArray(experiment?.events) ? experiment.events : []).filter(
    (each) => each?.kind === "set" && each.target?.scheduler,
  );
  const changes = sets.flatMap((each) => [
    { at_s: each.at_s, value: each.value },
    ...(each.duration_s
      ? [
          {
            at_s: each.at_s + each.duration_s,
            value: Object.fromEntries(Object.keys(each.value).map((name) => [name, params[name]])),
          },
        ]
      : []),
  ]);
  return changes
    .filter((each) => each.at_s <= t_s)
    .sort((a, b) => a.at_s - b.at_s)
    .reduce((all, each) => Object.assign(all, each.value), { ...params });
}

/**
 * Return the stages' exact times at an instant from series, named like counters.
 * @param {Stage[]} stages
 * @param {Record<string, {t: number[], v: number[]}> | undefined} series
 * @param {number} t_ns
 */
export function timesAt(stages, series, t_ns) {
  const names = stages.map((stage) => `${stage.id.toLowerCase()}_us`);
  return Object.fromEntries(
    names.map((name) => [name, valueAt(series?.[name], t_ns)]).filter(([, value]) => value !== null),
  );
}

/**
 * Return all stages' times at the end of a run, named like counters, from a summary; empty without one.
 * @param {Partial<Summary> | null | undefined} summary
 */
export function exactTimes(summary) {
  return Object.fromEntries(
    Object.entries(summary?.pipeline?.stages ?? {}).map(([id, stage]) => [
      `${id.toLowerCase()}_us`,
      stage.time_s * 1e6,
    ]),
  );
}

export const ENGINE = "engine";

/**
 * Return the measured time of each stage and of the engine over the whole run: {total, steps, rows: [{id, us, share}]};
 * null if it was not measured.
 * @param {Stage[]} stages
 * @param {Partial<Summary> | null} summary
 */
export function measuredOf(stages, summary) {
  const found = summary?.performance?.stages;
  if (!found?.cpu_s) return null;
  /**
   * @param {string} id
   * @param {number} s
   */
  const row = (id, s) => ({ id, us: s * 1e6, share: s / found.cpu_s });
  const rows = [...stages.map(({ id }) => row(id, found.stages[id] ?? 0)), row(ENGINE, found.engine_s)];
  return { total: found.cpu_s * 1e6, steps: found.steps, rows };
}

// Counters that show that a run passed a stage.
/** @type {Record<string, string>} */
const TELLING = {
  J1: "tasks_arrived",
  T4: "tasks_started",
  T7: "tasks_done",
  J6: "jobs_done",
  T9: "copies",
  T10: "preemptions",
  T11: "lost",
  T12: "migrations",
  M1: "brokered",
  B: "brokered",
  M2: "passed_on",
  M4: "passed_on",
  M5: "passed_on",
  M6: "passed_on",
  R6: "leases",
  R7: "leases",
};

/**
 * Return the stages that a run passed between two readings of its counters.
 * @param {Stage[]} stages
 * @param {Record<string, number> | undefined} before
 * @param {Record<string, number> | undefined} now
 */
export function passedThrough(stages, before, now) {
  if (!before || !now) return new Set();
  /** @param {string} name */
  const grew = (name) => Number.isFinite(now[name]) && now[name] > (before[name] ?? 0);
  const lit = stages
    .filter((stage) => grew(`${stage.id.toLowerCase()}_us`) || (TELLING[stage.id] && grew(TELLING[stage.id])))
    .map((stage) => stage.id);
  const through = new Set(lit);
  // Stages that iterate over jobs and tasks run whenever an iteration sorts or submits.
  if (through.has("T2") || through.has("T4") || through.has("R4")) {
    through.add("T3");
    through.add("R1");
  }
  if (through.has("J3")) through.add("J4");
  return through;
}

/**
 * Describe what waits at a stage, from series; or "". `at(name)` returns a series' value at the instant.
 * @param {Stage} stage
 * @param {(name: string) => number | null} at
 */
export function queueOf(stage, at) {
  const [waiting, eligible, pool, running] = [at("not_let_in"), at("eligible"), at("pool"), at("running")];
  if (["J1", "J2"].includes(stage.id) && waiting !== null)
    return gettext("{count} not admitted.", { count: counted.job(Math.round(waiting)) });
  if (["T1", "T2", "T3", "R3", "R4", "R5"].includes(stage.id) && eligible !== null)
    return gettext("{count} without a machine.", { count: counted.eligible(Math.round(eligible)) });
  if (["T4", "T5", "T6", "T7", "T8", "T9", "T10", "T12"].includes(stage.id) && running !== null)
    return ngettext("{count} task runs.", "{count} tasks run.", Math.round(running), {
      count: whole(running),
    });
  if (["R6", "R7"].includes(stage.id) && pool !== null)
    return gettext("{count} in the pool.", { count: counted.machine(Math.round(pool)) });
  return "";
}

/**
 * Return the decision log's reasons that name a stage.
 * @param {ReasonMeta[]} reasons
 * @param {string} stage
 */
export function reasonsOf(reasons, stage) {
  return reasons.filter((reason) => [...(reason.template.match(STAGE) ?? [])].some((each) => each === stage));
}

/**
 * Return a row of the decision log in words.
 * @param {ReasonMeta | undefined} reason
 * @param {{x: number, y: number, machine: number}} row
 * @param {(ns: number) => string} time
 */
export function tellDecision(reason, row, time) {
  /** @param {number} ns */
  const seconds = (ns) => time(ns);
  /** @type {Record<string, string>} */
  const values = {
    x: whole(row.x),
    y: whole(row.y),
    machine: whole(row.machine),
    x_s: seconds(row.x),
    y_s: seconds(row.y),
  };
  return (reason?.template ?? "").replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}
