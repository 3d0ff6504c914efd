/**
 * What is known of a run's tasks without a track: from the recording how many wait on each shelf and start in each part
 * of the datacenter, from frames alone how many wait in all. It is drawn where the tasks will be.
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
    /** Whether short and long jobs are told apart. */
    this.classes = wire.waits.some((group) => group.kind === "class");
    this.times = Float64Array.from(whole(wire.times), (time) => time * unit_ns);
    this.waiting = whole(wire.waiting);
    this.machines = whole(wire.machines);
    this.arrived = whole(wire.arrived);
    this.started = whole(wire.started);
  }

  /** The last instant at or before `t_ns`, by its number; the first where all are later. @param {number} t_ns */
  at(t_ns) {
    // Instants are rounded down to the unit, so the frame at an instant is never before it.
    return Math.max(0, countUpTo(this.times, t_ns) - 1);
  }

  /** How many tasks wait on each shelf. @param {number} t_ns */
  waitingAt(t_ns) {
    const first = this.at(t_ns) * this.shelves;
    return this.waiting.subarray(first, first + this.shelves);
  }

  /**
   * How many tasks start a second, by shelf and place, in the last `span_ns`.
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

  /** How many tasks start a second on average. */
  get usual() {
    const seconds = (this.times[this.count - 1] - this.times[0]) / 1e9;
    return this.started.reduce((sum, each) => sum + each, 0) / Math.max(1e-9, seconds);
  }
}

/**
 * How many tasks wait on each shelf, from a picture and a density; null if these do not say it.
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
