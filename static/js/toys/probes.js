/**
 * The toy of probes: each machine has a queue. A task probes some machines, drawn at random, and joins the shortest of
 * their queues; with one probe it joins the drawn machine's queue. Answers are current, and messages take no time.
 */

import { STREAM_PROBE, below } from "./draws.js";
import { Events } from "./events.js";
import { emptyRun } from "./work.js";

const END = 1;
const ARRIVAL = 2;

/**
 * @param {import("./work.js").Work} work
 * @param {{probes: number}} rules  the number of distinct machines that a task probes
 * @returns {import("./work.js").Run}
 */
export function probes(work, rules) {
  const run = emptyRun(work);
  /** @type {Events<number>} */
  const events = new Events();
  work.jobs.forEach((job, number) => {
    events.add(job.arrival, ARRIVAL, number);
  });
  const running = new Uint8Array(work.machines);
  /** @type {number[][]} */
  const queues = Array.from({ length: work.machines }, () => []);
  const serve = (/** @type {number} */ machine, /** @type {number} */ at) => {
    const task = running[machine] ? undefined : queues[machine].shift();
    if (task === undefined) return;
    running[machine] = 1;
    const end = at + work.jobs[task].duration;
    run.tasks[task] = { machine, start: at, end, tries: rules.probes };
    run.story.push({ at, kind: "started", task, machine });
    events.add(end, END, task);
  };
  for (let event = events.take(); event; event = events.take()) {
    const { at, kind, what: number } = event;
    let machine = run.tasks[number].machine;
    if (kind === ARRIVAL) {
      const asked = drawMachines(work, number, rules.probes);
      machine = shortest(asked, queues, running);
      queues[machine].push(number);
      run.story.push({ at, kind: "queued", task: number, place: machine, asked });
    } else running[machine] = 0;
    serve(machine, at);
  }
  return run;
}

/** @param {import("./work.js").Work} work @param {number} job @param {number} count @returns {number[]} */
function drawMachines(work, job, count) {
  /** @type {number[]} */
  const asked = [];
  for (let draw = 0; asked.length < Math.min(count, work.machines); draw += 1) {
    const machine = below(work.seed, STREAM_PROBE, job, draw, work.machines);
    if (!asked.includes(machine)) asked.push(machine);
  }
  return asked;
}

/**
 * Return the probed machine with the fewest tasks; of equal ones the first.
 * @param {number[]} asked
 * @param {number[][]} queues
 * @param {Uint8Array} running
 */
function shortest(asked, queues, running) {
  const length = (/** @type {number} */ machine) => queues[machine].length + running[machine];
  return asked.reduce((best, machine) => (length(machine) < length(best) ? machine : best));
}
