/** Describe jobs, stages and tasks of a run at an instant. */

import { duration, three, whole } from "../../kit/format.js";
import { clusterOf } from "../../run/sentences.js";
import { isFromLeftover, progressOf, spanOf, stageName } from "./job_graphs.js";
import { counted } from "../../kit/counts.js";
import { levelNow } from "../../kit/level_now.js";
import { capital, gettext, ngettext } from "../../kit/words.js";
import { clusterName, queueName } from "../../kit/names.js";

/**
 * @import { Meta } from "../../contract/contract"
 * @import { Graphs } from "./job_graphs.js"
 */

/** @type {Record<string, (amount: number) => string>} */
const AMOUNTS = {
  cpus: (/** @type {number} */ amount) => ngettext("{amount} CPU", "{amount} CPUs", amount, { amount: three(amount) }),
  memory_gb: (/** @type {number} */ amount) => gettext("{amount} GB of memory", { amount: three(amount) }),
  gpus: (/** @type {number} */ amount) => ngettext("{amount} GPU", "{amount} GPUs", amount, { amount: three(amount) }),
};

/**
 * @param {Graphs} graphs
 * @param {number} stage
 */
export function demandText(graphs, stage) {
  const parts = graphs.stages.demand[stage]
    .map((/** @type {number} */ amount, /** @type {number} */ resource) => {
      const name = graphs.resources[resource];
      return amount > 0 ? (AMOUNTS[name]?.(amount) ?? `${three(amount)} ${name}`) : "";
    })
    .filter(Boolean);
  return parts.length ? parts.join(", ") : gettext("nothing");
}

/**
 * Return "1 runs", "3 run": the number of running tasks.
 * @param {number} number
 */
function runs(number) {
  return ngettext("{count} runs", "{count} run", number, { count: whole(number) });
}

/**
 * Describe a task with its stage, job, machine and times.
 * @param {Graphs} graphs
 * @param {Meta} meta
 * @param {number} at
 */
export function tellTask(graphs, meta, at) {
  const { placements, stages, jobs } = graphs;
  const stage = placements.stage[at];
  const job = stages.job[stage];
  const whose = gettext("Task {task}, {stage} of job {job}{queue}", {
    task: whole(placements.task[at]),
    stage: stageName(graphs, stage),
    job: whole(job),
    queue: meta.queues.length > 1 ? ` (${queueName(meta.queues[jobs.queue[job]].name)})` : "",
  });
  if (placements.start[at] < 0)
    return gettext("{task}: never started. It asks for {demand}.", {
      task: whose,
      demand: demandText(graphs, stage),
    });
  const where =
    meta.machines > 1
      ? gettext(" on machine {machine} of {cluster}", {
          machine: whole(placements.machine[at]),
          cluster: clusterName(clusterOf(meta, placements.machine[at]).name),
        })
      : "";
  const until =
    placements.end[at] < 0
      ? gettext("and had not ended")
      : gettext("to {end}, {took}", {
          end: duration(placements.end[at]),
          took: duration(placements.end[at] - placements.start[at]),
        });
  const left = isFromLeftover(graphs, at) ? gettext(" It started on capacity that other jobs left over.") : "";
  return gettext("{task}{where}: from {start} {until}. It holds {demand}.{leftover}", {
    task: whose,
    where,
    start: duration(placements.start[at]),
    until,
    demand: demandText(graphs, stage),
    leftover: left,
  });
}

/**
 * Describe a job's outcome in numbers.
 * @param {Graphs} graphs
 * @param {Meta} meta
 * @param {number} job
 */
export function tellJob(graphs, meta, job) {
  const { jobs } = graphs;
  const queue =
    meta.queues.length > 1 ? gettext(" of {queue}", { queue: queueName(meta.queues[jobs.queue[job]].name) }) : "";
  const took =
    jobs.end[job] < 0
      ? gettext("it has not ended")
      : gettext("it took {time}", { time: duration(jobs.end[job] - jobs.arrival[job]) });
  const alone =
    jobs.path[job] > 0 ? gettext(", at least {time} by its critical path", { time: duration(jobs.path[job]) }) : "";
  return gettext("Job {job}{queue}: {stages}, {tasks}; arrived at {arrival}, {took}{alone}.", {
    job: whole(job),
    queue,
    stages: counted.stage(jobs.stages[job]),
    tasks: counted.task(jobs.tasks[job]),
    arrival: duration(jobs.arrival[job]),
    took,
    alone,
  });
}

/**
 * Describe a stage at an instant: its progress, the demand of each task, and what it waits for.
 * @param {Graphs} graphs
 * @param {number} stage
 * @param {number} t_ns
 */
export function tellStage(graphs, stage, t_ns) {
  const { stages } = graphs;
  const { waiting, running, done, held } = progressOf(graphs, stage, t_ns);
  const [begin, end] = spanOf(graphs, stage);
  const marks = [
    stages.critical[stage] ? gettext("On the critical path.") : "",
    stages.parents[stage].length
      ? gettext("Waits for {stages}.", { stages: counted.stage(stages.parents[stage].length) })
      : "",
  ];
  const times =
    begin === Infinity
      ? gettext("No task of it ever started.")
      : end === Infinity
        ? gettext("Runs from {begin}.", { begin: duration(begin) })
        : gettext("Runs from {begin} to {end}.", { begin: duration(begin), end: duration(end) });
  const now = held.length
    ? gettext(" Now held up by {held}.", { held: held.map((parent) => stageName(graphs, parent)).join(", ") })
    : "";
  return [
    gettext("{stage}: of {tasks} {waiting}, {running}, {done} done.{now} Each task: {demand}, at most {longest}.", {
      stage: capital(stageName(graphs, stage)),
      tasks: counted.task(stages.tasks[stage]),
      waiting: counted.wait(waiting),
      running: runs(running),
      done: whole(done),
      now,
      demand: demandText(graphs, stage),
      longest: duration(stages.duration[stage]),
    }),
    times,
    ...marks.filter(Boolean),
  ].join(" ");
}

/**
 * Describe the parents that block a stage, with their progress; "" if none does.
 * @param {Graphs} graphs
 * @param {number} stage
 * @param {number} t_ns
 */
export function parentsHolding(graphs, stage, t_ns) {
  const { held } = progressOf(graphs, stage, t_ns);
  if (!held.length) return "";
  /** @param {number} parent */
  const one = (parent) => {
    const { waiting, running, done } = progressOf(graphs, parent, t_ns);
    const end = spanOf(graphs, parent)[1];
    return gettext("{stage} ({done} of {tasks} done, {running}, {waiting}{ends})", {
      stage: stageName(graphs, parent),
      done: whole(done),
      tasks: whole(graphs.stages.tasks[parent]),
      running: runs(running),
      waiting: counted.wait(waiting),
      ends: end === Infinity ? "" : gettext("; it ends at {end}", { end: duration(end) }),
    });
  };
  return gettext("Held up by {held}.", { held: held.map(one).join(", ") });
}

/**
 * Explain how to choose a job; only the Lab has a search field.
 * @param {Graphs} options
 */
export function tellNone({ left, jobs }) {
  const only = left ? gettext(" Only the first {count} jobs are shown.", { count: whole(jobs.count) }) : "";
  return levelNow() === "lab"
    ? gettext("Choose a job: click one, or search.{only}", { only })
    : gettext("Click a job to read about it.{only}", { only });
}
