/**
 * A run's track in typed arrays: for each task the time when it arrived, left its keeper, reached a machine, started
 * and ended. All times are in the track's unit.
 */

import { Choices } from "./choices.js";
import { countHolding, countUpTo } from "../kit/search.js";
import { whole } from "./columns.js";

export { whole };

/**
 * @typedef {import("../contract/contract").Track} Wire
 * @typedef {import("../contract/contract").WorkMeta} WorkMeta
 * @typedef {import("../contract/contract").LegMeta} LegMeta
 * @typedef {import("../contract/contract").MoveMeta} MoveMeta
 */

export const NEVER = 4294967295;
export const UNKNOWN = 255;
/** The number of rows that are skipped together if all of them are over. */
export const BLOCK = 256;

/** Decode numbers that are stored plus 1, so that 0 means none (-1). @param {Uint8Array} bytes */
function signed(bytes) {
  const found = whole(bytes);
  const less = new Int32Array(found.length);
  for (let row = 0; row < found.length; row += 1) less[row] = found[row] - 1;
  return less;
}

/**
 * Find the task that each stolen probe started: the first task of the probe's job that the thief starts after the
 * theft. Return when the probe was stolen and from which worker.
 *
 * @param {Track} track
 * @returns {Map<number, {at: number, from: number}>} by row
 */
function stolenOf(track) {
  const { move, job, machine, served, count } = track;
  /** @type {Map<number, {at: number, from: number}>} */
  const found = new Map();
  const steals = Array.from(move.kind.keys()).filter((place) => move.kind[place]?.role === "steal");
  if (!steals.length) return found;
  /** @type {Map<string, number[]>} */
  const started = new Map();
  for (let row = 0; row < count; row += 1) {
    const key = `${job[row]} ${machine[row]}`;
    started.set(key, [...(started.get(key) ?? []), row]);
  }
  for (const place of steals) {
    const [at, from] = [move.at[place], move.frm[place]];
    const of = track.rowOf(move.task[place]);
    const rows = of < 0 ? [] : (started.get(`${job[of]} ${move.machine[place]}`) ?? []);
    const row = rows.filter((each) => served[each] >= at && !found.has(each)).sort((a, b) => served[a] - served[b])[0];
    if (row !== undefined && from >= 0) found.set(row, { at, from });
  }
  return found;
}

/**
 * Return when each task's last request before its first start was refused.
 *
 * @param {Track} track
 * @returns {Map<number, number>} by row
 */
function refusedOf(track) {
  const { move, begun } = track;
  /** @type {Map<number, number>} */
  const found = new Map();
  move.kind.forEach((kind, place) => {
    const row = kind?.role === "bounce" ? track.rowOf(move.task[place]) : -1;
    if (row >= 0 && move.at[place] < begun[row]) found.set(row, Math.max(found.get(row) ?? 0, move.at[place]));
  });
  return found;
}

/**
 * Decode the movements and their times.
 *
 * @param {Wire["moves"]} moves
 * @param {WorkMeta} work
 */
function movesOf(moves, work) {
  const known = new Map(work.moves.map((move) => [move.reason, move]));
  return {
    at: whole(moves.at),
    task: whole(moves.task),
    machine: signed(moves.machine),
    frm: signed(moves.frm),
    to: signed(moves.to),
    /** The task on the other side, plus 1; 0 for none. */
    other: moves.other ? whole(moves.other) : new Uint32Array(moves.count),
    kind: /** @type {MoveMeta[]} */ (Array.from(whole(moves.reason), (code) => known.get(code))),
  };
}

export class Track {
  /**
   * @param {Wire} wire
   * @param {WorkMeta} work
   */
  constructor(wire, work) {
    const { tasks, spells, moves } = wire;
    this.work = work;
    this.unit_ns = wire.unit_ns;
    this.until = wire.until_ns / wire.unit_ns;
    this.count = tasks.count;
    this.thinned = wire.thinned;
    /** Task numbers by row; null if the row is the task number. */
    this.task = tasks.task.length ? whole(tasks.task) : null;
    this.job = whole(tasks.job);
    this.queue = tasks.queue;
    /** True per task if its job is long; null if the run has no job classes. */
    this.long = tasks.long ?? null;
    /**
     * True per task if the central scheduler for long jobs sends it; null without one. The central scheduler is keeper
     * 1.
     */
    this.central = work.keeper.central ? this.long : null;
    this.keeper = this.central ?? tasks.keeper;
    this.size = tasks.size;
    this.machine = signed(tasks.machine);
    this.arrival = whole(tasks.arrival);
    this.ran = whole(tasks.ran);
    const { count } = this;
    /** When each task leaves its keeper, reaches a machine's queue, leaves it, and starts. */
    this.leaves = new Uint32Array(count);
    this.reaches = new Uint32Array(count);
    this.served = new Uint32Array(count);
    this.begun = new Uint32Array(count);
    this.#walkLegs(tasks);
    /** Stretches of work of tasks that lost a machine. */
    this.spell = {
      row: whole(spells.row),
      machine: signed(spells.machine),
      start: whole(spells.start),
      end: whole(spells.end),
    };
    /** A row's first spell, and one past its last. @type {Map<number, [number, number]>} */
    this.spellsOf = new Map();
    this.#takeSpells(spells);
    this.move = movesOf(moves, work);
    /** Recorded decisions with every machine's score; null without them. */
    this.choices = wire.choices?.scores ? new Choices(wire.choices) : null;
    /** When keepers copied the global state; null without such copies. */
    this.made = wire.copies ?? null;
    this.stolen = stolenOf(this);
    this.refused = refusedOf(this);
    /** When each task ends, and when the last task of each block ends. */
    this.end = new Float64Array(count);
    this.lastEnd = new Float64Array(Math.ceil(count / BLOCK));
    this.#endBlocks();
  }

  /**
   * Compute when each task leaves its keeper, reaches a machine's queue, leaves it, and starts. A task that never
   * queues at a machine reaches it when it starts.
   *
   * @param {Wire["tasks"]} tasks
   */
  #walkLegs(tasks) {
    /** @type {Record<LegMeta["part"], Uint32Array>} */
    const parts = {
      framework: whole(tasks.framework),
      processing: whole(tasks.processing),
      communication: whole(tasks.communication),
      worker: whole(tasks.worker),
    };
    const { count } = this;
    const legs = this.work.legs.map((leg) => ({ ...leg, lengths: parts[leg.part] }));
    const at = legs.findIndex((leg) => leg.place === "worker");
    for (let row = 0; row < count; row += 1) {
      let now = this.arrival[row];
      let left = now;
      let there = 0;
      let done = 0;
      legs.forEach((leg, place) => {
        if (place === at) there = now;
        now += leg.lengths[row] * leg.fraction;
        if (leg.place === "queue") left = now;
        if (place === at) done = now;
      });
      // Only intermediate instants are rounded: the start is the exact sum of the parts.
      const start =
        this.arrival[row] + parts.framework[row] + parts.processing[row] + parts.communication[row] + parts.worker[row];
      this.begun[row] = start;
      this.leaves[row] = left;
      const stands = at >= 0 && parts.worker[row] > 0;
      if (this.central?.[row]) [there, done] = [start - parts.worker[row], start];
      this.reaches[row] = stands ? there : start;
      this.served[row] = stands ? done : start;
    }
  }

  /** @param {Wire["spells"]} spells */
  #takeSpells(spells) {
    for (let place = 0; place < spells.count; place += 1) {
      const row = this.spell.row[place];
      this.spellsOf.set(row, [this.spellsOf.get(row)?.[0] ?? place, place + 1]);
    }
  }

  #endBlocks() {
    for (let row = 0; row < this.count; row += 1) this.end[row] = this.#endOf(row);
    for (let row = 0; row < this.count; row += 1) {
      const block = Math.floor(row / BLOCK);
      if (this.end[row] > this.lastEnd[block]) this.lastEnd[block] = this.end[row];
    }
  }

  /** @param {number} row */
  #endOf(row) {
    if (this.ran[row] === NEVER) return Infinity;
    const spells = this.spellsOf.get(row);
    return spells ? this.spell.end[spells[1] - 1] : this.begun[row] + this.ran[row];
  }

  /** @param {number} row */
  taskOf(row) {
    return this.task ? this.task[row] : row;
  }

  /** Return a task's row; -1 if the track lacks it. @param {number} task */
  rowOf(task) {
    const { task: tasks } = this;
    if (!tasks) return task < this.count ? task : -1;
    const row = countHolding(this.count, (place) => tasks[place] < task);
    return tasks[row] === task ? row : -1;
  }

  /**
   * Call seen(row) for every task that arrived by `now` and had not ended by `after`, in order of arrival.
   *
   * @param {number} now
   * @param {number} after
   * @param {(row: number) => void} seen
   */
  present(now, after, seen) {
    const { arrival, end, lastEnd, count } = this;
    for (let block = 0; block < lastEnd.length; block += 1) {
      let row = block * BLOCK;
      if (arrival[row] > now) return;
      if (lastEnd[block] < after) continue;
      const last = Math.min(count, row + BLOCK);
      for (; row < last && arrival[row] <= now; row += 1) if (end[row] >= after) seen(row);
    }
  }

  /**
   * Return the index of the spell in which a task that lost its machine runs at an instant, or -1 while it waits again.
   *
   * @param {number} row
   * @param {number} now
   */
  spellAt(row, now) {
    const [first, last] = /** @type {[number, number]} */ (this.spellsOf.get(row));
    for (let place = last - 1; place >= first; place -= 1)
      if (this.spell.start[place] <= now) return now < this.spell.end[place] ? place : -1;
    return -1;
  }

  /**
   * Return the range of movements with from < at <= to: the first index, and one past the last.
   *
   * @param {number} from
   * @param {number} to
   */
  movesBetween(from, to) {
    return [countUpTo(this.move.at, from), countUpTo(this.move.at, to)];
  }
}
