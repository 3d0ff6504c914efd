/** Edits of many constraints at once, and of an experiment's custom list. No function changes its argument. */

import { asksOf, namesOf, round, rows } from "./constraints.js";
import { setAsks, setOffer, setSoft, withCatalogue } from "./constraint_edits.js";
import { gettext } from "../kit/words.js";

/** @import { ConstraintRow, Place } from "./constraints.js" */

/**
 * @import { Catalogue, Custom } from "./constraints.js"
 * @import { Experiment } from "./experiment.js"
 */

const LEAST_WORDS = /^[\s"']*$/;

/**
 * Multiply the machines' offers or the tasks' requests ("offer" or "ask") by a factor, clamped to 0 and 100 %.
 * @param {Experiment} experiment
 * @param {Catalogue | undefined} catalogue
 * @param {string} what
 * @param {number} factor
 * @param {Place | null} [place]
 */
export function scaleAll(experiment, catalogue, what, factor, place = null) {
  const found = rows(experiment, catalogue, place);
  if (what === "ask")
    return setAsks(
      experiment,
      catalogue,
      Object.fromEntries(found.map((/** @type {ConstraintRow} */ row) => [row.name, row.ask * factor])),
    );
  return found.reduce(
    (/** @type {Experiment} */ next, /** @type {ConstraintRow} */ row) =>
      setOffer(next, row.name, row.offer * factor, place),
    experiment,
  );
}

/**
 * Parse numbers copied from a spreadsheet column: {values: [[share, ...], ...], wrong: [{line, text}]}. A percent sign
 * or any number above 1 marks percent; the decimal separator may be a comma; a second column is read too; a first line
 * of words is a heading.
 * @param {string} text
 */
export function parseColumn(text) {
  const lines = text.replace(/\r/g, "").replace(/\n+$/, "").split("\n");
  /** @type {{value: number, percent: boolean}[][]} */
  const read = [];
  /** @type {{line: number, text: string}[]} */
  const wrong = [];
  lines.forEach((line, number) => {
    const cells = line
      .split(/\t|;/)
      .map((cell) => cell.trim().replace(/^["']|["']$/g, ""))
      .filter((cell) => cell !== "");
    const numbers = cells.map(parseCell).filter((cell) => cell !== null);
    if (numbers.length) read.push(numbers.slice(0, 2));
    else if (LEAST_WORDS.test(line)) read.push([]);
    else if (!(number === 0 && lines.length > 1)) wrong.push({ line: number + 1, text: line.trim().slice(0, 40) });
  });
  const all = read.flat();
  const percent = all.some((cell) => cell.percent || Math.abs(cell.value) > 1);
  const values = read.map((cells) => cells.map((cell) => (percent ? cell.value / 100 : cell.value)));
  values.forEach((cells, index) => {
    if (cells.some((value) => value < 0 || value > 1))
      wrong.push({ line: index + 1, text: gettext("outside 0 to 100 %") });
  });
  return { values, wrong };
}

function parseCell(/** @type {string} */ cell) {
  const sign = cell.endsWith("%");
  const bare = (sign ? cell.slice(0, -1) : cell).trim().replace(/\u202f|\u00a0/g, "");
  const text = /^[-+]?\d+,\d+$/.test(bare) ? bare.replace(",", ".") : bare;
  return text !== "" && /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text)
    ? { value: Number(text), percent: sign }
    : null;
}

/**
 * Write a column into the rows from `start` on; a second column sets the tasks' requests. Empty cells leave their row
 * unchanged.
 * @param {Experiment} experiment
 * @param {Catalogue | undefined} catalogue
 * @param {string} what
 * @param {number[][]} values
 * @param {Place | null} [place]
 */
export function pasteColumn(experiment, catalogue, what, values, start = 0, place = null) {
  const names = namesOf(experiment, catalogue);
  let next = experiment;
  /** @type {Record<string, number>} */
  const asks = {};
  values.forEach((cells, index) => {
    const name = names[start + index];
    if (!name || !cells.length) return;
    if (what === "offer") next = setOffer(next, name, cells[0], place);
    else [asks[name]] = cells;
    if (what === "offer" && cells.length > 1) [, asks[name]] = cells;
  });
  return Object.keys(asks).length ? setAsks(next, catalogue, asks) : next;
}

/**
 * Copy offers, requests or both from a catalogue's table; a custom list gets the rows it lacks.
 * @param {Experiment} experiment
 * @param {Catalogue[]} catalogues
 * @param {string} source
 * @param {string} mix
 */
export function copyFrom(experiment, catalogues, source, mix, what = "both") {
  const table = catalogues.find((each) => each.name === source);
  if (!table) return experiment;
  const current = catalogues.find((each) => each.name === experiment.constraints.catalogue);
  let next = structuredClone(experiment);
  if (experiment.constraints.catalogue === "custom") {
    const known = new Set(next.constraints.custom.map((/** @type {Custom} */ each) => each.name));
    for (const each of table.constraints) {
      if (!known.has(each.name))
        next.constraints.custom.push({
          name: each.name,
          machine_share: each.machine_shares[mix].value,
          task_weight: 1,
          ...(each.axis ? { axis: each.axis } : {}),
          ...(each.slowdown ? { slowdown: each.slowdown.value } : {}),
        });
    }
  } else if (source !== experiment.constraints.catalogue) {
    next = withCatalogue(experiment, source, catalogues);
  }
  const catalogue = catalogues.find((each) => each.name === next.constraints.catalogue) ?? current;
  if (what !== "ask")
    for (const each of table.constraints) next = setOffer(next, each.name, each.machine_shares[mix].value);
  if (what !== "offer")
    next = setAsks(
      next,
      catalogue,
      Object.fromEntries(table.constraints.map((each) => [each.name, each.task_share.value])),
    );
  return next;
}

/** Return a name that is not taken. */
export function freeName(/** @type {string[]} */ taken, stem = "property") {
  for (let number = 1; ; number += 1) if (!taken.includes(`${stem}_${number}`)) return `${stem}_${number}`;
}

/** Add a constraint to the custom list. */
export function addCustom(/** @type {Experiment} */ experiment) {
  const next = structuredClone(experiment);
  const name = freeName(next.constraints.custom.map((/** @type {Custom} */ each) => each.name));
  next.constraints.custom.push({ name, machine_share: 0.5, task_weight: 1 });
  if (next.constraints.asks)
    next.constraints.asks.probabilities = { ...next.constraints.asks.probabilities, [name]: 0.05 };
  return next;
}

/**
 * Rename a custom constraint wherever the experiment names it; null as the new name removes it.
 * @param {Experiment} experiment
 * @param {string} old
 * @param {string | null} name
 */
export function renameCustom(experiment, old, name) {
  const next = structuredClone(experiment);
  const { constraints } = next;
  const table = (
    /** @type {Record<string, Record<string, unknown>> | null | undefined} */ holder,
    /** @type {string} */ key,
  ) => {
    if (!holder?.[key] || !(old in holder[key])) return;
    holder[key] = Object.fromEntries(
      Object.entries(holder[key]).flatMap(([each, value]) =>
        each !== old ? [[each, value]] : name ? [[name, value]] : [],
      ),
    );
    if (!Object.keys(holder[key]).length && key === "constraint_shares") delete holder[key];
  };
  constraints.custom = constraints.custom.flatMap((/** @type {Custom} */ each) =>
    each.name !== old ? [each] : name ? [{ ...each, name }] : [],
  );
  table(constraints.asks, "probabilities");
  for (const each of constraints.asks?.classes ?? []) table(each, "probabilities");
  for (const group of next.topology?.clusters ?? []) {
    table(group, "constraint_shares");
    for (const kind of group.machines ?? []) table(kind, "constraint_shares");
  }
  const list = (/** @type {string} */ key, /** @type {string[]} */ names) => {
    if (!constraints[key]) return;
    constraints[key] = constraints[key]
      .filter((/** @type {Record<string, unknown>} */ each) => name || !names.some((field) => each[field] === old))
      .map((/** @type {Record<string, unknown>} */ each) => ({
        ...each,
        ...Object.fromEntries(names.filter((field) => each[field] === old).map((field) => [field, name])),
      }));
    if (!constraints[key].length) delete constraints[key];
  };
  list("soft", ["name"]);
  list("correlated", ["first", "second"]);
  for (const job of next.workload?.kind === "inline" ? (next.workload.jobs ?? []) : []) {
    if (job.constraints)
      job.constraints = job.constraints.flatMap((/** @type {string} */ each) =>
        each !== old ? [each] : name ? [name] : [],
      );
  }
  return next;
}

/**
 * Change fields of a custom constraint; undefined removes a field. A comparison and a share exclude each other.
 * @param {Experiment} experiment
 * @param {number} index
 * @param {Partial<Custom>} change
 */
export function changeCustom(experiment, index, change) {
  const next = structuredClone(experiment);
  const one = { ...next.constraints.custom[index], ...change };
  if (change.attribute) {
    delete one.machine_share;
    one.comparison ??= ">=";
    one.value ??= 1;
  }
  if (change.attribute === undefined && "attribute" in change) {
    delete one.attribute;
    delete one.comparison;
    delete one.value;
    one.machine_share ??= 0.5;
  }
  for (const key of Object.keys(one)) if (one[key] === undefined || one[key] === null) delete one[key];
  next.constraints.custom[index] = one;
  if (!change.attribute) return next;
  for (const group of next.topology?.clusters ?? [])
    for (const where of [group, ...(group.machines ?? [])]) {
      if (!where.constraint_shares) continue;
      delete where.constraint_shares[one.name];
      if (!Object.keys(where.constraint_shares).length) delete where.constraint_shares;
    }
  return next;
}

/**
 * Make every constraint soft, or every one hard.
 * @param {Experiment} experiment
 * @param {Catalogue | undefined} catalogue
 * @param {boolean} soft
 */
export function allSoft(experiment, catalogue, soft) {
  return namesOf(experiment, catalogue).reduce(
    (/** @type {Experiment} */ next, /** @type {string} */ name) => setSoft(next, name, soft),
    experiment,
  );
}

/**
 * Return the number of constraints of constrained tasks: {mean, text} for the panel.
 * @param {Experiment} experiment
 * @param {Catalogue | undefined} catalogue
 */
export function countOf(experiment, catalogue) {
  const asks = asksOf(experiment, catalogue);
  return asks.per_task.length
    ? round(
        asks.per_task.reduce(
          (/** @type {number} */ all, /** @type {number} */ weight, /** @type {number} */ index) =>
            all + weight * (index + 1),
          0,
        ) / (asks.per_task.reduce((/** @type {number} */ all, /** @type {number} */ weight) => all + weight, 0) || 1),
        2,
      )
    : null;
}
