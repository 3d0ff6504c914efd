/** Find probes that get no task because the task went elsewhere, from a queue's length and its known tasks. */

import { countUpTo } from "../../kit/search.js";

/** @typedef {import("../../run/track.js").Track} Track */

export class ProbeIndex {
  /** @param {Track} track */
  constructor(track) {
    /** @type {Map<number, {came: number[], went: number[]}>} */
    this.of = new Map();
    for (let row = 0; row < track.count; row += 1) {
      if (track.machine[row] < 0) continue;
      const there = this.of.get(track.machine[row]) ?? { came: [], went: [] };
      there.came.push(track.reaches[row]);
      there.went.push(track.served[row]);
      this.of.set(track.machine[row], there);
    }
    for (const there of this.of.values()) for (const times of [there.came, there.went]) times.sort((a, b) => a - b);
  }

  /**
   * Return how many entries in a machine's queue get a task there.
   * @param {number} machine
   * @param {number} at
   */
  known(machine, at) {
    const there = this.of.get(machine);
    return there ? countUpTo(there.came, at) - countUpTo(there.went, at) : 0;
  }
}

/**
 * Return how many probes left a queue without a task between two counts. Arrivals in between hide as many departures.
 *
 * @param {{all: number, known: number}} before
 * @param {{all: number, known: number}} after
 */
export function goneWithout(before, after) {
  return Math.max(0, before.all - before.known - (after.all - after.known));
}
