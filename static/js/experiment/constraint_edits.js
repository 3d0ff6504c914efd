/** Edits of an experiment's constraints. No function changes its arguments. */

import { MIX, round, unit, sum, asksOf, meanCount, classesOf, scaleOf, demand, demandOf, rows } from "./constraints.js";

/**
 * @import { Asks, Catalogue, ConstraintRow, Custom, Place } from "./constraints.js"
 * @import { Experiment } from "./experiment.js"
 * @import { Cluster, Group } from "./topology.js"
 */

/**
 * Choose a catalogue ("" for no constraints). Settings that name constraints of the old catalogue are removed.
 * @param {Experiment} experiment
 * @param {string} name
 * @param {Catalogue[]} [catalogues]
 */
export function withCatalogue(experiment, name, catalogues = []) {
  const next = structuredClone(experiment);
  const before = experiment.constraints;
  delete next.constraints;
  for (const group of next.topology?.clusters ?? []) {
    delete group.constraint_shares;
    if (name) group.constraint_mix = MIX[name];
    else delete group.constraint_mix;
    for (const kind of group.machines ?? []) delete kind.constraint_shares;
  }
  for (const job of next.workload?.kind === "inline" ? (next.workload.jobs ?? []) : []) delete job.constraints;
  if (!name) return next;
  next.constraints = { catalogue: name, task_share: before?.task_share ?? 0.5 };
  if (before?.racks) next.constraints.racks = before.racks;
  if (before?.impossible_tasks) next.constraints.impossible_tasks = before.impossible_tasks;
  if (name === "custom") {
    const old = catalogues.find((each) => each.name === before?.catalogue);
    const copied = before && before.catalogue !== "custom" ? rows(experiment, old) : [];
    next.constraints.custom = copied.length
      ? copied.map(asCustom)
      : [{ name: "fast", machine_share: 0.3, task_weight: 1 }];
  }
  return next;
}

function asCustom(/** @type {ConstraintRow} */ row) {
  return {
    name: row.name,
    machine_share: round(row.offer),
    task_weight: round(row.ask),
    ...(row.axis ? { axis: row.axis } : {}),
    ...(row.slowdown ? { slowdown: row.slowdown } : {}),
  };
}

/**
 * Set the fraction of machines that offer a constraint at a place. A value for all machines replaces the values of
 * single groups.
 * @param {Experiment} experiment
 * @param {string} name
 * @param {number} value
 * @param {Place | null} [place]
 */
export function setOffer(experiment, name, value, place = null) {
  const next = structuredClone(experiment);
  const share = round(unit(value));
  const custom = (next.constraints.custom ?? []).find((/** @type {Custom} */ each) => each.name === name);
  if (custom?.attribute !== undefined && custom?.attribute !== null) return next;
  const drop = (/** @type {{constraint_shares?: Record<string, number>}} */ where) => {
    if (!where.constraint_shares) return;
    delete where.constraint_shares[name];
    if (!Object.keys(where.constraint_shares).length) delete where.constraint_shares;
  };
  const write = (/** @type {{constraint_shares?: Record<string, number>}} */ where) => {
    where.constraint_shares = { ...(where.constraint_shares ?? {}), [name]: share };
  };
  if (custom && !place) custom.machine_share = share;
  (next.topology?.clusters ?? []).forEach((/** @type {Cluster} */ group, /** @type {number} */ cluster) => {
    if (place && place.cluster !== cluster) return;
    if (place?.machines !== undefined) {
      write(/** @type {Group[]} */ (group.machines)[place.machines]);
      return;
    }
    for (const kind of group.machines ?? []) drop(kind);
    if (custom && !place && group.constraint_mix) drop(group);
    else write(group);
  });
  return next;
}

/**
 * Assign a mix to a cluster, or to all clusters if `cluster` is null. Shares written by hand are removed, so that the
 * mix takes effect.
 * @param {Experiment} experiment
 * @param {number | null} cluster
 * @param {string | null} mix
 */
export function setMix(experiment, cluster, mix) {
  const next = structuredClone(experiment);
  (next.topology?.clusters ?? []).forEach((/** @type {Cluster} */ group, /** @type {number} */ index) => {
    if (cluster !== null && cluster !== index) return;
    delete group.constraint_shares;
    for (const kind of group.machines ?? []) delete kind.constraint_shares;
    if (mix) group.constraint_mix = mix;
    else delete group.constraint_mix;
  });
  return next;
}

/**
 * Return the effective requests written out, so that changing one leaves the others unchanged.
 * @param {Experiment} experiment
 * @param {Catalogue | undefined} catalogue
 */
function written(experiment, catalogue) {
  const asks = asksOf(experiment, catalogue);
  delete asks.implicit;
  if (asks.per_task.length) {
    const { by } = demand(experiment, catalogue);
    delete asks.classes;
    delete asks.scale_to_share;
    return { ...asks, probabilities: Object.fromEntries(Object.entries(by).map(([name, p]) => [name, round(p)])) };
  }
  const scale = scaleOf(asks, experiment.constraints.task_share ?? 0.5);
  const scaled = (/** @type {Record<string, number>} */ table) =>
    Object.fromEntries(Object.entries(table).map(([name, p]) => [name, round(unit(p * scale))]));
  const classes = (asks.classes ?? []).map((/** @type {{probabilities?: Record<string, number>}} */ each) =>
    each.probabilities ? { ...each, probabilities: scaled(each.probabilities) } : each,
  );
  return { ...asks, probabilities: scaled(asks.probabilities), classes, scale_to_share: false };
}

/**
 * Set the fraction of tasks that request a constraint; the other fractions stay.
 * @param {Experiment} experiment
 * @param {Catalogue | undefined} catalogue
 * @param {string} name
 * @param {number} value
 */
export function setAsk(experiment, catalogue, name, value) {
  return setAsks(experiment, catalogue, { [name]: value });
}

/**
 * Set the fractions of several constraints: {name: share}.
 * @param {Experiment} experiment
 * @param {Catalogue | undefined} catalogue
 * @param {Record<string, number>} wanted
 */
export function setAsks(experiment, catalogue, wanted) {
  const next = structuredClone(experiment);
  const asks = written(experiment, catalogue);
  const { by } = demand(experiment, catalogue);
  const all = { ...by, ...Object.fromEntries(Object.entries(wanted).map(([name, value]) => [name, unit(value)])) };
  if (asks.per_task.length) {
    asks.probabilities = Object.fromEntries(Object.entries(all).map(([name, p]) => [name, round(p)]));
    next.constraints.task_share = round(unit(sum(Object.values(all)) / meanCount(asks.per_task)));
  } else {
    const classes = classesOf(asks);
    for (const [name, value] of Object.entries(wanted)) {
      const before = by[name] ?? 0;
      const base = sum(classes.filter((each) => !each.own).map((each) => each.weight * each.factor));
      const fixed = sum(
        classes
          .filter((each) => each.own)
          .map((each) => each.weight * Math.min(1, (each.own?.[name] ?? 0) * each.factor)),
      );
      if (base > 0) asks.probabilities[name] = round(unit((value - fixed) / base));
      else
        for (const each of asks.classes)
          each.probabilities[name] =
            before > 0 ? round(unit((each.probabilities[name] ?? 0) * (value / before))) : round(unit(value));
    }
  }
  next.constraints.asks = asks;
  if (!asks.per_task.length) next.constraints.task_share = round(unit(demandOf(next, catalogue).share));
  return next;
}

/**
 * Set the fraction of constrained tasks: all probabilities scale together.
 * @param {Experiment} experiment
 * @param {number} value
 */
export function setShare(experiment, value) {
  const next = structuredClone(experiment);
  next.constraints.task_share = unit(value);
  if (next.constraints.asks && !next.constraints.asks.per_task?.length) next.constraints.asks.scale_to_share = true;
  return next;
}

/**
 * Change other fields of the requests: {unit}, {per_task}, {classes}. Requests by count and by class exclude each
 * other.
 * @param {Experiment} experiment
 * @param {Catalogue | undefined} catalogue
 * @param {Partial<Asks>} change
 */
export function withAsks(experiment, catalogue, change) {
  const next = structuredClone(experiment);
  const asks = { ...written(experiment, catalogue), ...change };
  if (change.per_task?.length) {
    delete asks.classes;
    delete asks.scale_to_share;
  }
  if (change.classes?.length) delete asks.per_task;
  next.constraints.asks = asks;
  return next;
}

/** Restore the catalogue's requests. */
export function withoutAsks(/** @type {Experiment} */ experiment) {
  const next = structuredClone(experiment);
  delete next.constraints.asks;
  return next;
}

/**
 * Make a constraint soft or hard; a slowdown of null uses the catalogue's value.
 * @param {Experiment} experiment
 * @param {string} name
 * @param {boolean} soft
 * @param {number | string | null} [slowdown]
 */
export function setSoft(experiment, name, soft, slowdown = null) {
  const next = structuredClone(experiment);
  const rest = (next.constraints.soft ?? []).filter((/** @type {{name: string}} */ each) => each.name !== name);
  if (soft) rest.push(slowdown === null ? { name } : { name, slowdown });
  if (rest.length) next.constraints.soft = rest;
  else delete next.constraints.soft;
  return next;
}
