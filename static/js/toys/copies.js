/**
 * The toy of stale views: several schedulers share all machines. Each takes the job that has waited longest, copies the
 * state, decides, and claims a machine that was free in the copy. If the machine is taken by then, the claim is refused
 * and the job waits for another decision. The rules are Omega's (docs/explanation/schedulers/omega.md), for jobs of one
 * task and messages without delay.
 */

import { STREAM_CLAIM, below } from "./draws.js";
import { Events } from "./events.js";
import { emptyRun } from "./work.js";

// Kinds of events in their order at one instant; arrivals come last.
const END = 1;
const DECIDED = 2;
const REPLY = 4;
const ARRIVAL = 64;

/**
 * @typedef {object} Scheduler
 * @property {number} job  the job in progress, or -1
 * @property {number} since  when the copy was made
 * @property {number} freed  ends of tasks until then
 * @property {number} vain  ends until the last copy without room, or -1
 * @property {Uint8Array} copy  1 for each free machine
 * @property {number[]} ready
 * @property {{job: number, since: number, freed: number}[]} stuck  jobs that found no room; they are retried after a
 *   task ends
 *
 * @typedef {{who: number, job: number, committed?: boolean}} Reply
 */

/**
 * @param {import("./work.js").Work} work
 * @param {{schedulers: number, think: number}} rules  think: duration of a decision in nanoseconds, which is the age of
 *   its copy
 * @returns {import("./work.js").Run}
 */
export function copies(work, rules) {
  const cell = new Cell(work, rules);
  work.jobs.forEach((job, number) => {
    cell.events.add(job.arrival, ARRIVAL, number);
  });
  for (let event = cell.events.take(); event; event = cell.events.take()) {
    cell.now = event.at;
    if (event.kind === END) cell.end(/** @type {number} */ (event.what));
    else if (event.kind === DECIDED) cell.claim(/** @type {number} */ (event.what));
    else if (event.kind === REPLY) cell.reply(/** @type {Reply} */ (event.what));
    else cell.arrive(/** @type {number} */ (event.what));
  }
  return cell.run;
}

class Cell {
  /** @param {import("./work.js").Work} work @param {{schedulers: number, think: number}} rules */
  constructor(work, rules) {
    this.work = work;
    this.rules = rules;
    this.run = emptyRun(work);
    /** @type {Events<number | Reply>} */
    this.events = new Events();
    this.now = 0;
    this.freed = 0;
    this.free = new Uint8Array(work.machines).fill(1);
    this.since = new Float64Array(work.jobs.length);
    /** How many decisions each job has had; those that found no machine sent no request. */
    this.decisions = new Int32Array(work.jobs.length);
    /** @type {Scheduler[]} */
    this.schedulers = Array.from({ length: rules.schedulers }, () => ({
      job: -1,
      since: 0,
      freed: -1,
      vain: -1,
      copy: this.free.slice(),
      ready: [],
      stuck: [],
    }));
  }

  /** @param {number} job */
  arrive(job) {
    const who = job % this.schedulers.length;
    this.run.story.push({ at: this.now, kind: "queued", task: job, place: who });
    this.since[job] = this.now;
    this.schedulers[who].ready.push(job);
    this.begin(who);
  }

  /** Copy the state and begin a decision if the scheduler is free. @param {number} who */
  begin(who) {
    const me = this.schedulers[who];
    if (me.job >= 0) return;
    const job = this.next(me);
    if (job < 0) return;
    me.job = job;
    me.copy.set(this.free);
    me.since = this.now;
    me.freed = this.freed;
    this.decisions[job] += 1;
    this.run.story.push({ at: this.now, kind: "copied", task: job, who, free: [...me.copy] });
    this.events.add(this.now + this.rules.think, DECIDED, who);
  }

  /** Return the job to try now, or -1: the job of its list that has waited longest. @param {Scheduler} me */
  next(me) {
    for (;;) {
      const ready = me.ready[0] ?? -1;
      const stuck = me.stuck.length && me.stuck[0].freed !== this.freed ? me.stuck[0].job : -1;
      if (ready < 0 && stuck < 0) return -1;
      const again = ready < 0 || (stuck >= 0 && this.since[stuck] <= this.since[ready]);
      const job = again ? stuck : ready;
      if (again) me.stuck.shift();
      else me.ready.shift();
      if (me.vain !== this.freed) return job;
      this.setAside(me, job, this.freed);
    }
  }

  /** Set a job aside until a task ends. @param {Scheduler} me @param {number} job @param {number} freed */
  setAside(me, job, freed) {
    this.since[job] = this.now;
    me.stuck.push({ job, since: this.now, freed });
  }

  /** Finish the decision: claim a machine that was free in the copy. @param {number} who */
  claim(who) {
    const me = this.schedulers[who];
    const { job } = me;
    const machine = me.vain === me.freed ? -1 : this.search(me);
    if (machine < 0) {
      me.vain = me.freed;
      me.job = -1;
      this.setAside(me, job, me.freed);
      this.run.story.push({ at: this.now, kind: "found nothing", task: job, who });
      this.events.add(this.now, REPLY, { who, job: -1 });
      return;
    }
    this.run.tasks[job].tries += 1;
    const refused = !this.free[machine];
    this.run.story.push({
      at: this.now,
      kind: refused ? "refused" : "started",
      task: job,
      who,
      machine,
      from: me.since,
    });
    if (refused) me.vain = -1;
    else this.start(job, machine);
    this.events.add(this.now, REPLY, { who, job: refused ? job : -1, committed: true });
  }

  /** @param {number} job @param {number} machine */
  start(job, machine) {
    this.free[machine] = 0;
    const task = this.run.tasks[job];
    Object.assign(task, { machine, start: this.now, end: this.now + this.work.jobs[job].duration });
    this.events.add(task.end, END, job);
  }

  /** Return the first machine that is free in the copy, starting from a random one. @param {Scheduler} me */
  search(me) {
    const { machines, seed } = this.work;
    const first = below(seed, STREAM_CLAIM, me.job, this.decisions[me.job], machines);
    for (let step = 0; step < machines; step += 1) {
      const machine = (first + step) % machines;
      if (me.copy[machine]) return machine;
    }
    return -1;
  }

  /**
   * Continue after a reply; a refused job waits again.
   * @param {Reply} what
   */
  reply({ who, job, committed }) {
    const me = this.schedulers[who];
    if (committed) me.job = -1;
    if (job >= 0) {
      this.since[job] = this.now;
      me.ready.push(job);
    }
    this.begin(who);
  }

  /** End a task: each idle scheduler looks for work again. @param {number} job */
  end(job) {
    this.free[this.run.tasks[job].machine] = 1;
    this.freed += 1;
    for (let who = 0; who < this.schedulers.length; who += 1) this.begin(who);
  }
}
