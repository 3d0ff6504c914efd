/**
 * The constraints that machines offer and tasks request, read from an experiment. No function changes its argument.
 *
 * A catalogue is one of GET /api/v1/constraint-catalogues. A place is where an offer is stored: null for all machines,
 * {cluster} for a group of clusters, {cluster, machines} for a group of machines in it.
 */

import { percent } from "../kit/format.js";
import { gettext } from "../kit/words.js";

/** The setting of the fraction of tasks with constraints; forms add the help text. */
export const TASK_SHARE = {
  path: "constraints.task_share",
  label: gettext("Tasks with constraints"),
  kind: "number",
  min: 0,
  max: 1,
  default: 0.5,
  scale: "linear",
  shown: (/** @type {number} */ value) => percent(value),
};

/**
 * @import { Experiment } from "./experiment.js"
 * @import { Cluster, Group } from "./topology.js"
 */

/**
 * A catalogue in the API's format.
 * @typedef {{name: string, label: string, constraints: CatalogueConstraint[], asks?: Asks | null,
 *   mixes?: {name: string, evidence: string, about: string}[], [more: string]: unknown}}
 *   Catalogue
 * @typedef {{name: string, label: string, axis?: string | null, machine_shares: Record<string, Sourced>,
 *   task_share: Sourced, slowdown?: Sourced | null, [more: string]: unknown}} CatalogueConstraint
 * @typedef {{value: number, evidence: string, [more: string]: unknown}} Sourced  a number and its evidence
 * @typedef {{cluster: number, machines?: number}} Place
 * @typedef {{probabilities: Record<string, number>, classes: GivenClass[], per_task: number[], unit: string,
 *   scale_to_share: boolean, implicit?: boolean}} Asks  the tasks' requests
 * @typedef {string | number | boolean} Attribute  the value of a machine's attribute
 * @typedef {{name: string, attribute?: string | null, comparison?: string, value?: Attribute, machine_share?: number,
 *   task_weight?: number, axis?: string, slowdown?: number}} Custom  a constraint of the experiment's own list
 * @typedef {{weight?: number, factor?: number, probabilities?: Record<string, number> | null}} GivenClass
 * @typedef {{weight: number, factor: number, own: Record<string, number> | null}} AskClass
 * @typedef {{share: number, by: Record<string, number>}} Demand  the fraction of tasks that request anything, and the
 *   fraction for each constraint
 * @typedef {ReturnType<typeof rows>[number]} ConstraintRow  the offers and requests of one constraint
 */

/** @type {Record<string, string>} */
export const MIX = { "megha-21": "google-a", "megha-clusters": "google-a", "phoenix-9": "phoenix", custom: "custom" };
/** @type {Record<string, (a: Attribute, b: Attribute) => boolean>} */
const COMPARES = {
  ">=": (/** @type {Attribute} */ a, /** @type {Attribute} */ b) => a >= b,
  ">": (/** @type {Attribute} */ a, /** @type {Attribute} */ b) => a > b,
  "<=": (/** @type {Attribute} */ a, /** @type {Attribute} */ b) => a <= b,
  "<": (/** @type {Attribute} */ a, /** @type {Attribute} */ b) => a < b,
  "==": (/** @type {Attribute} */ a, /** @type {Attribute} */ b) => a === b,
  "!=": (/** @type {Attribute} */ a, /** @type {Attribute} */ b) => a !== b,
};

export const round = (/** @type {number} */ value, digits = 4) => Number(value.toFixed(digits));
// Replace a value that is not a number, so that charts keep working; the server reports the problem.
const sane = (/** @type {unknown} */ value, /** @type {number} */ otherwise) =>
  Number.isFinite(value) ? /** @type {number} */ (value) : otherwise;
export const unit = (/** @type {number} */ value) => Math.min(1, Math.max(0, value));
export const sum = (/** @type {number[]} */ values) => values.reduce((total, value) => total + value, 0);

/**
 * Return the names of the constraints in order.
 * @param {Experiment} experiment
 * @param {Catalogue | undefined} catalogue
 */
export function namesOf(experiment, catalogue) {
  if (!experiment.constraints) return [];
  return experiment.constraints.catalogue === "custom"
    ? (experiment.constraints.custom ?? []).map((/** @type {Custom} */ each) => each.name)
    : (catalogue?.constraints ?? []).map((each) => each.name);
}

export function machinesOf(/** @type {Cluster} */ group) {
  return sum((group.machines ?? []).map((/** @type {Group} */ kind) => kind.count ?? 1)) * (group.repeat ?? 1);
}

/** Return all places that can store offers: [{place, label, machines}], all machines first. */
export function places(/** @type {Experiment} */ experiment) {
  /** @type {{place: Place | null, label: string}[]} */
  const found = [{ place: null, label: gettext("All machines") }];
  const clusters = experiment.topology?.clusters ?? [];
  clusters.forEach((/** @type {Cluster} */ group, /** @type {number} */ cluster) => {
    const name = (group.repeat ?? 1) > 1 ? `${group.name ?? "lm"} ×${group.repeat}` : (group.name ?? "lm");
    if (clusters.length > 1) found.push({ place: { cluster }, label: name });
    if ((group.machines ?? []).length > 1)
      /** @type {Group[]} */ (group.machines).forEach((/** @type {Group} */ kind, /** @type {number} */ machines) =>
        found.push({
          place: { cluster, machines },
          label: gettext("{name}: {count} × {cpus} CPUs", { name, count: kind.count ?? 1, cpus: kind.cpus ?? 1 }),
        }),
      );
  });
  return found;
}

export function placePath(/** @type {Place | null} */ place) {
  if (!place) return "topology.clusters[0]";
  return place.machines === undefined
    ? `topology.clusters[${place.cluster}]`
    : `topology.clusters[${place.cluster}].machines[${place.machines}]`;
}

/**
 * Return the fraction of a machine group that offers a constraint, and the source of this value.
 * @param {Experiment} experiment
 * @param {Catalogue | undefined} catalogue
 * @param {Cluster} group
 * @param {Group} kind
 * @param {string} name
 */
function offerOf(experiment, catalogue, group, kind, name) {
  const custom = (experiment.constraints.custom ?? []).find((/** @type {Custom} */ each) => each.name === name);
  if (custom?.attribute !== undefined && custom.attribute !== null)
    return { value: holds(custom, kind.attributes ?? {}) ? 1 : 0, source: "attribute", evidence: "yours" };
  const own = kind.constraint_shares?.[name] ?? group.constraint_shares?.[name];
  if (own !== undefined) return { value: own, source: "edited", evidence: "yours" };
  if (!group.constraint_mix) return { value: 1, source: "all", evidence: "yours" };
  if (custom) return { value: custom.machine_share ?? 1, source: "custom", evidence: "yours" };
  const table = catalogue?.constraints.find((each) => each.name === name)?.machine_shares[group.constraint_mix];
  return { value: table?.value ?? 1, source: group.constraint_mix, evidence: table?.evidence ?? "synthetic" };
}

function holds(/** @type {Custom} */ custom, /** @type {Record<string, Attribute>} */ attributes) {
  const have = attributes[/** @type {string} */ (custom.attribute)];
  if (have === undefined || typeof have !== typeof custom.value) return false;
  return COMPARES[/** @type {string} */ (custom.comparison)]?.(have, /** @type {Attribute} */ (custom.value)) ?? false;
}

/**
 * Return the machine groups of a place with their clusters: [{cluster, machines, group, kind, count}].
 * @param {Experiment} experiment
 * @param {Place | null} place
 */
function kindsAt(experiment, place) {
  return (experiment.topology?.clusters ?? [])
    .flatMap((/** @type {Cluster} */ group, /** @type {number} */ cluster) =>
      (group.machines ?? []).map((/** @type {Group} */ kind, /** @type {number} */ machines) => ({
        cluster,
        machines,
        group,
        kind,
        count: (kind.count ?? 1) * (group.repeat ?? 1),
      })),
    )
    .filter(
      (/** @type {{cluster: number, machines: number}} */ each) =>
        !place ||
        (each.cluster === place.cluster && (place.machines === undefined || each.machines === place.machines)),
    );
}

/**
 * Return the tasks' requests; the catalogue fills in missing values.
 * @param {Experiment} experiment
 * @param {Catalogue | undefined} catalogue
 */
export function asksOf(experiment, catalogue) {
  const { constraints } = experiment;
  if (constraints.asks)
    return {
      implicit: false,
      probabilities: {},
      classes: [],
      per_task: [],
      unit: "task",
      scale_to_share: false,
      ...constraints.asks,
    };
  const plain = { implicit: true, classes: [], per_task: [], unit: "task", scale_to_share: false };
  if (constraints.catalogue !== "custom" && catalogue?.asks)
    return { ...plain, ...structuredClone(catalogue.asks), implicit: true };
  const weights =
    constraints.catalogue === "custom"
      ? (constraints.custom ?? []).map((/** @type {Custom} */ each) => [each.name, each.task_weight ?? 1])
      : (catalogue?.constraints ?? []).map((each) => [each.name, each.task_share.value]);
  const most = Math.max(1, ...weights.map((/** @type {[unknown, number]} */ [, weight]) => weight));
  return {
    ...plain,
    probabilities: Object.fromEntries(
      weights.map((/** @type {[string, number]} */ [name, weight]) => [name, round(weight / most)]),
    ),
    per_task: [1],
    unit: "job",
  };
}

/** Return the mean number of constraints of a constrained task from the weights in `per_task`. */
export function meanCount(/** @type {number[]} */ perTask) {
  return sum(perTask.map((weight, index) => weight * (index + 1))) / (sum(perTask) || 1);
}

/** @returns {AskClass[]} */
export function classesOf(/** @type {Asks} */ asks) {
  /** @type {GivenClass[]} */
  const classes = asks.classes?.length ? asks.classes : [{}];
  const whole = sum(classes.map((each) => sane(each.weight, 1))) || 1;
  return classes.map((each) => ({
    weight: sane(each.weight, 1) / whole,
    factor: sane(each.factor, 1),
    own: each.probabilities ?? null,
  }));
}

/**
 * @param {AskClass[]} classes
 * @param {Record<string, number>} probabilities
 * @param {number} scale
 */
function shareAsking(classes, probabilities, scale) {
  return (
    1 -
    sum(
      classes.map(
        (each) =>
          each.weight *
          Object.values(each.own ?? probabilities).reduce(
            (free, p) => free * (1 - Math.min(1, p * each.factor * scale)),
            1,
          ),
      ),
    )
  );
}

/**
 * Return the factor on all probabilities that makes a fraction `share` of the tasks request anything. It is 1 unless
 * `scale_to_share` is set.
 * @param {Asks} asks
 * @param {number} share
 */
export function scaleOf(asks, share) {
  if (!asks.scale_to_share) return 1;
  const classes = classesOf(asks);
  let [low, high] = [1e-6, 1e6];
  for (let step = 0; step < 60; step += 1) {
    const middle = Math.sqrt(low * high);
    if (shareAsking(classes, asks.probabilities, middle) < share) low = middle;
    else high = middle;
  }
  return high;
}

/** @type {WeakMap<object, {catalogue: Catalogue | undefined, found: Demand}>} */
const known = new WeakMap();

/**
 * Return the fraction of tasks that request anything and each constraint: {share, by: {name: share}}.
 * @param {Experiment} experiment
 * @param {Catalogue | undefined} catalogue
 */
export function demand(experiment, catalogue) {
  // Several parts of the page need this result, so it is cached by the immutable experiment's constraints.
  const kept = known.get(experiment.constraints);
  if (kept && kept.catalogue === catalogue) return kept.found;
  const found = demandOf(experiment, catalogue);
  known.set(experiment.constraints, { catalogue, found });
  return found;
}

export function demandOf(/** @type {Experiment} */ experiment, /** @type {Catalogue | undefined} */ catalogue) {
  const asks = asksOf(experiment, catalogue);
  const names = namesOf(experiment, catalogue);
  const share = experiment.constraints.task_share ?? 0.5;
  if (asks.per_task.length) {
    const given = Object.values(asks.probabilities).some((p) => p > 0)
      ? asks.probabilities
      : Object.fromEntries(names.map((/** @type {string} */ name) => [name, 1]));
    const whole = sum(names.map((/** @type {string} */ name) => given[name] ?? 0)) || 1;
    const mean = meanCount(asks.per_task);
    return {
      share,
      by: Object.fromEntries(
        names.map((/** @type {string} */ name) => [name, Math.min(share, (share * mean * (given[name] ?? 0)) / whole)]),
      ),
    };
  }
  const classes = classesOf(asks);
  const scale = scaleOf(asks, share);
  const by = Object.fromEntries(
    names.map((/** @type {string} */ name) => [
      name,
      sum(
        classes.map(
          (each) => each.weight * Math.min(1, ((each.own ?? asks.probabilities)[name] ?? 0) * each.factor * scale),
        ),
      ),
    ]),
  );
  return {
    share: asks.scale_to_share
      ? Math.min(share, shareAsking(classes, asks.probabilities, scale))
      : shareAsking(classes, asks.probabilities, 1),
    by,
  };
}

/** Return the largest fraction of tasks that can request a constraint; class factors below 1 limit it. */
function mostAsking(/** @type {Asks} */ asks) {
  if (asks.per_task.length) return 1;
  const classes = classesOf(asks).filter((each) => !each.own);
  return classes.length
    ? Math.min(
        1,
        sum(classes.map((each) => each.weight * Math.min(1, each.factor))) +
          1 -
          sum(classes.map((each) => each.weight)),
      )
    : 1;
}

/**
 * Return one row per constraint: {name, label, axis, offer, offerEvidence, offerSource, ask, askMost, askEvidence,
 * ratio, soft, slowdown, custom}.
 * @param {Experiment} experiment
 * @param {Catalogue | undefined} catalogue
 * @param {Place | null} [place]
 */
export function rows(experiment, catalogue, place = null) {
  if (!experiment.constraints) return [];
  const kinds = kindsAt(experiment, place);
  const machines = sum(kinds.map((/** @type {{count: number}} */ each) => each.count)) || 1;
  const asked = demand(experiment, catalogue);
  const askMost = round(mostAsking(asksOf(experiment, catalogue)));
  const soft = new Map(
    (experiment.constraints.soft ?? []).map((/** @type {{name: string, slowdown?: number | string}} */ each) => [
      each.name,
      each,
    ]),
  );
  return namesOf(experiment, catalogue).map((/** @type {string} */ name, /** @type {number} */ index) => {
    const known = catalogue?.constraints.find((each) => each.name === name);
    const custom = experiment.constraints.catalogue === "custom" ? experiment.constraints.custom[index] : null;
    const offers = kinds.map((/** @type {{group: Cluster, kind: Group, count: number}} */ each) => ({
      ...offerOf(experiment, catalogue, each.group, each.kind, name),
      count: each.count,
    }));
    const offer = sane(
      sum(offers.map((/** @type {{value: number, count: number}} */ each) => each.value * each.count)) / machines,
      0,
    );
    const ask = sane(asked.by[name], 0);
    const evidence = new Set(offers.map((/** @type {{evidence: string}} */ each) => each.evidence));
    return {
      name,
      index,
      custom,
      label: known?.label ?? name,
      axis: custom ? (custom.axis ?? null) : (known?.axis ?? null),
      offer,
      ask,
      askMost,
      ratio: offer > 0 ? ask / offer : ask > 0 ? Infinity : 0,
      offerSource: offers[0]?.source ?? "all",
      offerEvidence: evidence.size === 1 ? [...evidence][0] : "mixed",
      askEvidence: experiment.constraints.asks || custom ? "yours" : (known?.task_share.evidence ?? "synthetic"),
      soft: soft.has(name),
      slowdown: soft.get(name)?.slowdown ?? custom?.slowdown ?? known?.slowdown?.value ?? null,
      ownSlowdown: soft.get(name)?.slowdown ?? null,
    };
  });
}
