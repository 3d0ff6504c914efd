/**
 * The toy of masters that borrow: each owns a part of the machines and has a queue. It looks for machines in its view,
 * first its own, then another master's. The machines' own master knows their true state and refuses requests for taken
 * machines. Answers, ends of a master's own tasks and a periodic report refresh its view. The rules are Megha's
 * (docs/explanation/schedulers/index.md), for one cluster, jobs of one task, one queue per master, and decisions
 * without duration.
 */

import { Events } from "./events.js";
import { emptyRun } from "./work.js";

// Kinds of events in their order at one instant.
const END = 4;
const REQUEST = 5;
const REPORT = 6;
const STATE = 8;
const ARRIVAL = 64;
const MATCH = 65;

const GRANTED = "granted";
const REFUSED = "refused";
const ENDED = "ended";

/**
 * @typedef {{masters: number, delay: number, report: number, borrow?: boolean}} Rules delay: of a message; report:
 *   interval of the state reports to all masters; both in nanoseconds
 *
 * @typedef {object} Master
 * @property {Int8Array} view  its belief about each machine's free slots; below 0 while it has requested a taken one
 * @property {number} version  the number of true changes that the view contains
 * @property {number[]} queue
 * @property {boolean} asleep  true if a task found nothing and moved to the queue's end, and the view has gained no
 *   machine since
 * @property {boolean} hopes
 * @property {boolean} pending  true if a match is scheduled
 * @property {number} other  the master whose machines it tries first when its own are taken
 *
 * @typedef {{task: number, who: number, machine: number}} Request
 * @typedef {{who: number, what: string, task: number, version: number}} Message  an answer with the state's version
 */

/**
 * @param {import("./work.js").Work} work
 * @param {Rules} rules
 * @returns {import("./work.js").Run}
 */
export function masters(work, rules) {
  const cluster = new Cluster(work, rules);
  work.jobs.forEach((job, number) => {
    cluster.events.add(job.arrival, ARRIVAL, number);
  });
  for (let event = cluster.events.take(); event && cluster.left; event = cluster.events.take()) {
    cluster.now = event.at;
    if (event.kind === END) cluster.end(/** @type {number} */ (event.what));
    else if (event.kind === REQUEST) cluster.verify(/** @type {Request} */ (event.what));
    else if (event.kind === REPORT) cluster.report();
    else if (event.kind === STATE) cluster.read(/** @type {Message} */ (event.what));
    else if (event.kind === ARRIVAL) cluster.arrive(/** @type {number} */ (event.what));
    else cluster.match(/** @type {number} */ (event.what));
  }
  return cluster.run;
}

/** @param {number} machines @param {number} masters @param {number} part  a part; returns its first machine */
export const firstOf = (machines, masters, part) => Math.floor((part * machines) / masters);

class Cluster {
  /** @param {import("./work.js").Work} work @param {Rules} rules */
  constructor(work, rules) {
    this.work = work;
    this.rules = rules;
    this.run = emptyRun(work);
    /** @type {Events<number | Request | Message | null>} */
    this.events = new Events();
    this.now = 0;
    this.left = work.jobs.length;
    this.free = new Int8Array(work.machines).fill(1);
    this.first = Array.from({ length: rules.masters + 1 }, (_, part) => firstOf(work.machines, rules.masters, part));
    this.owner = Array.from(this.free, (_, machine) => this.first.findLastIndex((first) => first <= machine));
    /** @type {{machine: number, task: number, gain: number}[]} changes of the true state, in order */
    this.changes = [];
    /** @type {Map<number, number>} tasks with an unanswered request, and their machines */
    this.asked = new Map();
    /** @type {Master[]} */
    this.masters = this.first.slice(0, -1).map(() => ({
      view: this.free.slice(),
      version: 0,
      queue: [],
      asleep: false,
      hopes: false,
      pending: false,
      other: 0,
    }));
    this.events.add(rules.report, REPORT, null);
  }

  /** @param {number} number @param {string} kind @param {object} more */
  tell(number, kind, more = {}) {
    this.run.story.push({ at: this.now, kind, task: number, ...more });
  }

  /** @param {number} number */
  arrive(number) {
    const who = this.work.jobs[number].queue;
    this.masters[who].queue.push(number);
    this.tell(number, "queued", { place: who });
    this.wake(who);
  }

  /** @param {number} who */
  wake(who) {
    const me = this.masters[who];
    if (me.pending || !me.queue.length || (me.asleep && !me.hopes)) return;
    me.pending = true;
    this.events.add(this.now, MATCH, who);
  }

  /** Match tasks while the view has free machines. @param {number} who */
  match(who) {
    const me = this.masters[who];
    me.pending = false;
    while (me.queue.length && (!me.asleep || me.view.some((free) => free > 0))) {
      const machine = this.search(who);
      if (machine < 0) {
        me.queue.push(/** @type {number} */ (me.queue.shift()));
        me.asleep = true;
        break;
      }
      const task = /** @type {number} */ (me.queue.shift());
      me.view[machine] -= 1;
      this.asked.set(task, machine);
      this.run.tasks[task].tries += 1;
      this.tell(task, "asked", { who, machine });
      this.events.add(this.now + this.rules.delay, REQUEST, { task, who, machine });
    }
    if (!me.queue.length) me.asleep = false;
    me.hopes = false;
  }

  /** Return a machine that looks free: first of its own part, then of the others' in turn. @param {number} who */
  search(who) {
    const me = this.masters[who];
    const own = this.searchPart(me, who);
    if (own >= 0 || this.rules.borrow === false) return own;
    const parts = this.masters.length;
    for (let step = 0; step < parts; step += 1) {
      const part = (me.other + step) % parts;
      const machine = part === who ? -1 : this.searchPart(me, part);
      if (machine < 0) continue;
      me.other = (part + 1) % parts;
      return machine;
    }
    return -1;
  }

  /** Return the first free machine of a part (first fit), or -1. @param {Master} me @param {number} part */
  searchPart(me, part) {
    for (let machine = this.first[part]; machine < this.first[part + 1]; machine += 1) {
      if (me.view[machine] > 0) return machine;
    }
    return -1;
  }

  /** Answer a request from the true state. @param {Request} request */
  verify({ task, who, machine }) {
    const granted = this.free[machine] > 0;
    if (granted) {
      const start = this.now + this.rules.delay;
      const end = start + this.work.jobs[task].duration;
      Object.assign(this.run.tasks[task], { machine, start, end });
      this.change(machine, task, -1);
      if (this.owner[machine] !== who) this.tell(task, "lent", { who, machine });
      this.tell(task, "started", { who, machine });
      this.events.add(end + this.rules.delay, END, task);
    } else this.tell(task, "refused", { who, machine });
    this.send(who, granted ? GRANTED : REFUSED, task);
  }

  /** @param {number} machine @param {number} task @param {number} gain */
  change(machine, task, gain) {
    this.free[machine] += gain;
    this.changes.push({ machine, task, gain });
  }

  /** Send an answer; every answer carries the state. @param {number} who @param {string} what @param {number} task */
  send(who, what, task) {
    const version = this.changes.length;
    this.events.add(this.now + this.rules.delay, STATE, { who, what, task, version });
  }

  /** @param {number} task */
  end(task) {
    this.left -= 1;
    this.change(this.run.tasks[task].machine, task, 1);
    this.send(this.work.jobs[task].queue, ENDED, task);
  }

  report() {
    this.events.add(this.now + this.rules.report, REPORT, null);
    this.events.add(this.now + this.rules.delay, STATE, { who: -1, what: "", task: -1, version: this.changes.length });
    this.tell(-1, "reported");
  }

  /** @param {Message} message */
  read({ who, what, task, version }) {
    for (let reader = 0; reader < this.masters.length; reader += 1) {
      if (who >= 0 && who !== reader) continue;
      this.update(reader, version);
      const machine = this.asked.get(task);
      if (what === REFUSED && machine !== undefined) {
        this.asked.delete(task);
        this.gain(this.masters[reader], machine);
        this.masters[reader].queue.push(task);
      }
      this.wake(reader);
    }
  }

  /** Advance the view to a version of the state; machines with unanswered requests stay deducted. */
  update(/** @type {number} */ who, /** @type {number} */ version) {
    const me = this.masters[who];
    for (; me.version < version; me.version += 1) {
      const { machine, task, gain } = this.changes[me.version];
      const own = gain < 0 && this.work.jobs[task].queue === who && this.asked.get(task) === machine;
      if (own) this.asked.delete(task);
      else if (gain > 0) this.gain(me, machine);
      else me.view[machine] += gain;
    }
    if (me.asleep && me.view.some((free) => free > 0)) me.hopes = true;
  }

  /** @param {Master} me @param {number} machine */
  gain(me, machine) {
    me.view[machine] += 1;
    if (me.asleep && me.view[machine] > 0) me.hopes = true;
  }
}
