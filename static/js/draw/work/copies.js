/**
 * The keepers' views of clusters. Each keeper has a copy of each cluster's state, as old as the last message from the
 * cluster: a periodic report, or news about one of the keeper's tasks. A copy differs from the true state if other
 * keepers' tasks started or ended since.
 */

import { countUpTo } from "../../kit/search.js";

/** @typedef {import("../../run/track.js").Track} Track */
/** @typedef {import("../../contract/contract").RefreshMeta} RefreshMeta */
/** @typedef {{first: number, machines: number}} Cluster */

/** The maximum length of a machine's history that is searched for changes by other keepers. */
const MOST_CHANGES = 12;

export class Copies {
  /**
   * @param {Track} track
   * @param {RefreshMeta} refresh
   * @param {Cluster[]} clusters
   * @param {number} keepers
   */
  constructor(track, refresh, clusters, keepers) {
    this.period = refresh.period_ns / track.unit_ns;
    this.first = refresh.first_ns.map((each) => each / track.unit_ns);
    this.keepers = keepers;
    this.clusterOf = new Int16Array(Math.max(0, ...clusters.map((each) => each.first + each.machines)));
    clusters.forEach((each, number) => this.clusterOf.fill(number, each.first, each.first + each.machines));
    /** @type {number[][]} */
    this.heard = Array.from({ length: keepers * clusters.length }, () => []);
    /** The starts and ends on each machine: [time, keeper]. @type {Map<number, [number, number][]>} */
    this.changes = new Map();
    this.clusters = clusters.length;
    this.#take(track);
  }

  /** @param {Track} track */
  #take(track) {
    for (let row = 0; row < track.count; row += 1) {
      const spells = track.spellsOf.get(row);
      if (!spells) this.#ran(track.keeper[row], track.machine[row], track.begun[row], track.end[row]);
      for (let spell = spells?.[0] ?? 0; spell < (spells?.[1] ?? 0); spell += 1)
        this.#ran(track.keeper[row], track.spell.machine[spell], track.spell.start[spell], track.spell.end[spell]);
    }
    track.move.kind.forEach((kind, place) => {
      const row = kind?.role === "bounce" ? track.rowOf(track.move.task[place]) : -1;
      if (row >= 0) this.#hear(track.keeper[row], track.move.machine[place], track.move.at[place]);
    });
    for (const times of this.heard) times.sort((a, b) => a - b);
    for (const changes of this.changes.values()) changes.sort((a, b) => a[0] - b[0]);
  }

  /**
   * @param {number} keeper
   * @param {number} machine
   * @param {number} start
   * @param {number} end
   */
  #ran(keeper, machine, start, end) {
    if (machine < 0) return;
    const there = this.changes.get(machine) ?? [];
    there.push([start, keeper]);
    if (Number.isFinite(end)) {
      there.push([end, keeper]);
      this.#hear(keeper, machine, end);
    }
    this.changes.set(machine, there);
  }

  /**
   * @param {number} keeper
   * @param {number} machine
   * @param {number} at
   */
  #hear(keeper, machine, at) {
    if (machine >= 0 && keeper < this.keepers) this.heard[keeper * this.clusters + this.clusterOf[machine]].push(at);
  }

  /**
   * Return when a cluster sent its last periodic report; -Infinity before the first.
   * @param {number} cluster
   * @param {number} now
   */
  beat(cluster, now) {
    const first = this.first[cluster];
    return now < first ? -Infinity : first + Math.floor((now - first) / this.period) * this.period;
  }

  /**
   * Return when a keeper's copy of a cluster was made; 0 before any message.
   * @param {number} keeper
   * @param {number} cluster
   * @param {number} now
   */
  madeAt(keeper, cluster, now) {
    const times = this.heard[keeper * this.clusters + cluster];
    const place = countUpTo(times, now) - 1;
    return Math.max(0, this.beat(cluster, now), place < 0 ? 0 : times[place]);
  }

  /**
   * Return the age of a keeper's oldest copy.
   * @param {number} keeper
   * @param {number} now
   */
  age(keeper, now) {
    let oldest = now;
    for (let cluster = 0; cluster < this.clusters; cluster += 1)
      oldest = Math.min(oldest, this.madeAt(keeper, cluster, now));
    return now - oldest;
  }

  /**
   * Return true if another keeper's task started or ended on a machine since a keeper's copy was made.
   * @param {number} keeper
   * @param {number} machine
   * @param {number} now
   */
  differs(keeper, machine, now) {
    const changes = this.changes.get(machine);
    if (!changes) return false;
    const since = this.madeAt(keeper, this.clusterOf[machine], now);
    let place = lastUpTo(changes, now);
    for (let left = MOST_CHANGES; place >= 0 && left > 0 && changes[place][0] > since; place -= 1, left -= 1)
      if (changes[place][1] !== keeper) return true;
    return false;
  }
}

/** @param {[number, number][]} changes  sorted by time */
function lastUpTo(changes, /** @type {number} */ now) {
  let low = 0;
  let high = changes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (changes[middle][0] <= now) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
