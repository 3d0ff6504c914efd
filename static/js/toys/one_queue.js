/** The toy of one queue: the first free machine takes the task that has waited longest. */

import { Events } from "./events.js";
import { emptyRun } from "./work.js";

const END = 1;
const ARRIVAL = 2;

/**
 * @param {import("./work.js").Work} work
 * @returns {import("./work.js").Run}
 */
export function oneQueue(work) {
  const run = emptyRun(work);
  /** @type {Events<number>} */
  const events = new Events();
  work.jobs.forEach((job, number) => {
    events.add(job.arrival, ARRIVAL, number);
  });
  const free = Array.from({ length: work.machines }, (_, machine) => machine);
  /** @type {number[]} */
  const queue = [];
  for (let event = events.take(); event; event = events.take()) {
    const { at, kind, what: number } = event;
    if (kind === ARRIVAL) {
      queue.push(number);
      run.story.push({ at, kind: "queued", task: number, place: 0 });
    } else free.push(run.tasks[number].machine);
    while (queue.length && free.length) {
      const task = /** @type {number} */ (queue.shift());
      const machine = /** @type {number} */ (free.shift());
      const end = at + work.jobs[task].duration;
      run.tasks[task] = { machine, start: at, end, tries: 1 };
      run.story.push({ at, kind: "started", task, machine });
      events.add(end, END, task);
    }
  }
  return run;
}
