/**
 * The values that a policy's expressions compute, as a graph in which each value stands once. The counterpart of
 * scheduler_core/policy/nodes.py.
 */

import { NEEDS } from "../../contract/policy_table.js";

/**
 * A value: its operation, its arguments as numbers, what it depends on, and its fold (-1 outside of folds).
 * @typedef {{op: number, given: number[], needs: number, fold: number}} Value
 */

/** The values of one hook, each after those that it is computed from. */
export class Graph {
  /** @type {Value[]} */
  values = [];
  /** @type {Map<string, number>} */
  #known = new Map();

  /**
   * Return the number of a value, which is new only if no equal one is there.
   * @param {number} op
   * @param {number[]} given
   * @param {number} [needs]
   * @param {number} [fold]
   */
  add(op, given, needs = 0, fold = -1) {
    const key = `${op} ${given} ${fold}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#known.set(key, this.values.length);
    return this.values.push({ op, given, needs, fold }) - 1;
  }

  /**
   * Return an operation on values: it depends on what they do and stands in their fold.
   * @param {number} op
   * @param {number[]} given
   */
  of(op, ...given) {
    let [needs, fold] = [0, -1];
    for (const number of given) {
      const value = this.values[number];
      needs |= value.needs;
      if (value.needs & NEEDS.FOLDED) fold = Math.max(fold, value.fold);
    }
    return this.add(op, given, needs, fold);
  }
}
