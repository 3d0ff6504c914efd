/** The contents of a toy's picture at an instant: each task's place, and the current events. No canvas, no page. */

import { countHolding } from "../kit/search.js";
import { firstOf } from "./masters.js";
import { SECOND } from "./work.js";

/** How long an event stays visible, in simulated nanoseconds. */
export const SEEN = 0.7 * SECOND;

/** How long a scheduler's copy stays visible after its decision. */
const KEPT = 4 * SECOND;

/**
 * @typedef {object} Shown
 * @property {number} number
 * @property {"waiting" | "running"} state
 * @property {number} queue
 * @property {number} position  in its queue
 * @property {number} machine
 * @property {number} left  the fraction of its duration that a running task still has
 */

export class Picture {
  /**
   * @param {import("./work.js").Work} work
   * @param {import("./work.js").Run} run
   * @param {string} picture
   * @param {number} parts  schedulers or masters
   */
  constructor(work, run, picture, parts) {
    this.work = work;
    this.run = run;
    this.parts = parts;
    this.picture = picture;
    /** When the last task has arrived. */
    this.ends = (work.jobs.at(-1)?.arrival ?? 0) + SECOND;
  }

  /** @param {number} number  the job; returns its queue */
  queueOf(number) {
    if (this.picture === "lines") return this.run.tasks[number].machine;
    if (this.picture === "schedulers") return number % this.parts;
    return this.picture === "masters" ? this.work.jobs[number].queue : 0;
  }

  /** @param {number} t @returns {Shown[]} tasks in order of arrival */
  at(t) {
    /** @type {Shown[]} */
    const shown = [];
    /** @type {number[]} */
    const lengths = [];
    for (let number = 0; number < this.work.jobs.length; number += 1) {
      const job = this.work.jobs[number];
      if (job.arrival > t) break;
      const task = this.run.tasks[number];
      if (task.end <= t) continue;
      const queue = this.queueOf(number);
      const waiting = task.start > t;
      const position = waiting ? (lengths[queue] ?? 0) : -1;
      if (waiting) lengths[queue] = position + 1;
      const left = waiting ? 1 : (task.end - t) / job.duration;
      shown.push({ number, state: waiting ? "waiting" : "running", queue, position, machine: task.machine, left });
    }
    return shown;
  }

  /** Return the recent events, with their age as a fraction of their visible time. @param {number} t */
  happenings(t) {
    const found = [];
    for (let at = this.#firstAfter(t - SEEN); at < this.run.story.length && this.run.story[at].at <= t; at += 1) {
      const one = this.run.story[at];
      found.push({ ...one, age: (t - one.at) / SEEN });
    }
    return found;
  }

  /** Return the schedulers' last copies and the completed fraction of each decision. */
  copies(/** @type {number} */ t, /** @type {number} */ think) {
    /** @type {Map<number, {free: number[], done: number}>} */
    const found = new Map();
    for (let at = this.#firstAfter(t - KEPT); at < this.run.story.length && this.run.story[at].at <= t; at += 1) {
      const one = this.run.story[at];
      const done = Math.min(1, (t - one.at) / think);
      if (one.kind === "copied")
        found.set(/** @type {number} */ (one.who), { free: /** @type {number[]} */ (one.free), done });
    }
    return found;
  }

  /** @param {number} t  an instant; returns the index of the first event after it */
  #firstAfter(t) {
    const { story } = this.run;
    return countHolding(story.length, (place) => story[place].at <= t);
  }
}

/** Return the master that owns a machine. @param {number} machine @param {number} machines @param {number} masters */
export function ownerOf(machine, machines, masters) {
  let owner = 0;
  while (owner + 1 < masters && firstOf(machines, masters, owner + 1) <= machine) owner += 1;
  return owner;
}
