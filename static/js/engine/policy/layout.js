/** Lay the values of a hook out as rows of numbers. The counterpart of scheduler_core/policy/layout.py. */

import { NEEDS, OPS } from "../../contract/policy_table.js";

/** @import { Graph } from "./nodes.js" */

/** Numbers of a row behind its operation: the arguments. */
export const COLUMNS = 5;
const READS = [OPS.CONST, OPS.WORD, OPS.EACH, OPS.RANDOM];

/**
 * A hook's rows in the program: [first, machine) do not depend on the machine, [machine, end) do. `result` is the row
 * with the value; `needs` says what the value depends on.
 * @typedef {{first: number, machine: number, end: number, result: number, needs: number}} Code
 */

/**
 * Append a hook's rows: first what does not depend on the machine, then the rest; a fold's rows follow the fold.
 * @param {number[][]} rows
 * @param {Graph} graph
 * @param {number} result
 * @param {number[]} also  more values to compute
 * @returns {Code}
 */
export function laidOut(rows, graph, result, also) {
  const used = reached(graph, [result, ...also]);
  /** @type {Map<number, number>} */
  const where = new Map();
  const first = rows.length;
  let machine = first;
  for (const looks of [false, true]) {
    if (looks) machine = rows.length;
    for (const number of used) {
      const { op, given, needs, fold } = graph.values[number];
      if (fold >= 0 || Boolean(needs & (NEEDS.MACHINE | NEEDS.VICTIM)) !== looks) continue;
      where.set(number, rows.length);
      if (op === OPS.FOLD) foldRows(rows, graph, given, used, where);
      else rows.push([op, ...placed(op, given, where)]);
    }
  }
  const { needs } = graph.values[result];
  return { first, machine, end: rows.length, result: where.get(result) ?? -1, needs };
}

/**
 * Append a fold: (FOLD, kind, domain, value, condition, end), and then its rows, up to `end`.
 * @param {number[][]} rows
 * @param {Graph} graph
 * @param {number[]} given
 * @param {number[]} used
 * @param {Map<number, number>} where
 */
function foldRows(rows, graph, [kind, domain, value, condition, fold], used, where) {
  const at = rows.push([]) - 1;
  for (const one of used) {
    const node = graph.values[one];
    if (node.fold !== fold) continue;
    where.set(one, rows.length);
    rows.push([node.op, ...placed(node.op, node.given, where)]);
  }
  rows[at] = [OPS.FOLD, kind, domain, where.get(value) ?? -1, where.get(condition) ?? -1, rows.length];
}

/**
 * Return the arguments of a row: of an operation on values, their rows.
 * @param {number} op
 * @param {number[]} given
 * @param {Map<number, number>} where
 */
const placed = (op, given, where) => (READS.includes(op) ? given : given.map((one) => where.get(one) ?? -1));

/** Return the values that the results are computed from, in order. */
function reached(/** @type {Graph} */ graph, /** @type {number[]} */ results) {
  /** @type {Set<number>} */
  const found = new Set();
  const waiting = [...results];
  for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
    if (found.has(number)) continue;
    found.add(number);
    const { op, given } = graph.values[number];
    if (op === OPS.FOLD) waiting.push(given[2], given[3]);
    else if (!READS.includes(op)) waiting.push(...given);
  }
  return [...found].sort((a, b) => a - b);
}
