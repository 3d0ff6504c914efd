/**
 * Each keeper has its own copy of the state of all machines. This module returns, for each machine, the state in a
 * keeper's copy and the true state. Both follow from the track's tasks.
 */

import { countUpTo } from "../../kit/search.js";
import { whole } from "../../run/columns.js";

/** @typedef {import("../../run/track.js").Track} Track */
/** @typedef {NonNullable<import("../../contract/contract").Track["copies"]>} Wire */

export class SharedCopies {
  /**
   * @param {Wire} wire
   * @param {Track} track
   * @param {number} machines
   * @param {number} delay  a message's delay, in units
   */
  constructor(wire, track, machines, delay) {
    this.track = track;
    this.machines = machines;
    this.delay = delay;
    const at = whole(wire.at);
    this.keepers = wire.keeper.reduce((most, one) => Math.max(most, one + 1), 0);
    /** When each keeper made copies. @type {number[][]} */
    this.made = Array.from({ length: this.keepers }, () => []);
    at.forEach((time, place) => this.made[wire.keeper[place]].push(time));
    /** Each keeper's last requested copy. @type {Map<number, {at: number, taken: Uint8Array}>} */
    this.kept = new Map();
  }

  /** Return when the copy that a keeper uses at an instant was made. @param {number} keeper @param {number} now */
  madeAt(keeper, now) {
    const times = this.made[keeper] ?? [];
    return times[Math.max(0, countUpTo(times, now) - 1)] ?? 0;
  }

  /**
   * Return the machines' loads in a keeper's copy, of 255.
   * @param {number} keeper
   * @param {number} now
   */
  copy(keeper, now) {
    const at = this.madeAt(keeper, now);
    const kept = this.kept.get(keeper);
    if (kept?.at === at) return kept.taken;
    const taken = this.takenAt(at);
    this.kept.set(keeper, { at, taken });
    return taken;
  }

  /**
   * Return the machines' loads at an instant, of 255. A task counts from its commit, one message before its start,
   * until the news of its end, one message after it.
   * @param {number} at
   */
  takenAt(at) {
    const { track, delay } = this;
    const taken = new Uint8Array(this.machines);
    const add = (/** @type {number} */ machine, /** @type {number} */ row) => {
      taken[machine] = Math.min(255, taken[machine] + (track.size[row] || 255));
    };
    track.present(at + delay + 1, at - delay - 1, (row) => {
      const spells = track.spellsOf.get(row);
      const runs = (/** @type {number} */ start, /** @type {number} */ end) => start - delay <= at && end + delay > at;
      if (!spells && track.machine[row] >= 0 && runs(track.begun[row], track.end[row])) add(track.machine[row], row);
      for (let place = spells?.[0] ?? 0; place < (spells?.[1] ?? 0); place += 1)
        if (runs(track.spell.start[place], track.spell.end[place])) add(track.spell.machine[place], row);
    });
    return taken;
  }
}
