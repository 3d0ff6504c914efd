/**
 * What is known about tasks without a track. A recording's density contains the number of waiting tasks per shelf and
 * of starts per part of the datacenter; frames contain only the total of waiting tasks. The picture shows these counts
 * where tasks would be.
 */

import { countUpTo } from "../../kit/search.js";
import { whole } from "../../run/track.js";

/** @typedef {import("../../contract/contract").Density} Wire */

export class Density {
  /** @param {Wire} wire */
  constructor(wire) {
    const { count, unit_ns, keepers, shelves, places } = wire;
    this.count = count;
    this.keepers = keepers;
    this.shelves = shelves;
    this.places = places;
    /** True if jobs are classified as short or long. */
    this.classes = wire.waits.some((group) => group.kind === "class");
    this.times = Float64Array.from(whole(wire.times), (time) => time * unit_ns);
    this.waiting = whole(wire.waiting);
    this.machines = whole(wire.machines);
    this.arrived = whole(wire.arrived);
    this.started = whole(wire.started);
  }

  /** Return the index of the last instant at or before `t_ns`; 0 if all are later. @param {number} t_ns */
  at(t_ns) {
    // Instants are rounded down to the unit, so a frame never precedes its instant here.
    return Math.max(0, countUpTo(this.times, t_ns) - 1);
  }

  /** Return how many tasks wait on each shelf. @param {number} t_ns */
  waitingAt(t_ns) {
    const first = this.at(t_ns) * this.shelves;
    return this.waiting.subarray(first, first + this.shelves);
  }

  /**
   * Return the starts per second, by shelf and place, in the last `span_ns`.
   *
   * @param {number} t_ns
   * @param {number} span_ns
   */
  rates(t_ns, span_ns) {
    const kinds = this.shelves * this.places;
    const rates = new Float64Array(kinds);
    const last = this.at(t_ns);
    const first = Math.max(0, Math.min(last - 1, this.at(t_ns - span_ns)));
    const seconds = (this.times[last] - this.times[first]) / 1e9;
    if (!(seconds > 0)) return rates;
    for (let place = (first + 1) * kinds; place < (last + 1) * kinds; place += 1)
      rates[place % kinds] += this.started[place] / seconds;
    return rates;
  }

  /** The average number of starts per second. */
  get usual() {
    const seconds = (this.times[this.count - 1] - this.times[0]) / 1e9;
    return this.started.reduce((sum, each) => sum + each, 0) / Math.max(1e-9, seconds);
  }
}

/**
 * Return how many tasks wait on each shelf, from a picture and a density; null if they do not contain it.
 *
 * @param {Density | null} density
 * @param {{t_ns: number, counters: Record<string, number>} | null} picture
 * @param {number} shelves
 * @returns {ArrayLike<number> | null}
 */
export function waitingBy(density, picture, shelves) {
  if (!picture) return null;
  if (density?.shelves === shelves) return density.waitingAt(picture.t_ns);
  return shelves === 1 ? [picture.counters.tasks_waiting ?? 0] : null;
}
