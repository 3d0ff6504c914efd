/** Jobs, stages and tasks of a run in words, at an instant. */

import { duration, percent, three, whole } from "../../kit/format.js";
import { clusterOf } from "../../run/sentences.js";
import { isFromLeftover, progressOf, spanOf, stageName } from "./job_graphs.js";

const SHORT = { cpus: "CPUs", memory_gb: "GB of memory", gpus: "GPUs" };
const OF_ONE = { cpus: "CPU", gpus: "GPU" };

export function demandText(graphs, stage) {
  const parts = graphs.stages.demand[stage]
    .map((amount, resource) =>
      amount > 0
        ? `${three(amount)} ` +
          ((amount === 1 ? OF_ONE[graphs.resources[resource]] : null) ??
            SHORT[graphs.resources[resource]] ??
            graphs.resources[resource])
        : "",
    )
    .filter(Boolean);
  return parts.length ? parts.join(", ") : "nothing";
}

function count(number, what) {
  return `${whole(number)} ${what}${number === 1 ? "" : "s"}`;
}

function does(number, verb) {
  return `${whole(number)} ${verb}${number === 1 ? "s" : ""}`;
}

/** A task with its stage, job, machine and times. */
export function tellTask(graphs, meta, at) {
  const { placements, stages, jobs } = graphs;
  const stage = placements.stage[at];
  const job = stages.job[stage];
  const whose =
    `Task ${whole(placements.task[at])}, ${stageName(graphs, stage)} of job ${whole(job)}` +
    (meta.queues.length > 1 ? ` (${meta.queues[jobs.queue[job]].name})` : "");
  if (placements.start[at] < 0) return `${whose}: never started. It asks for ${demandText(graphs, stage)}.`;
  const where =
    meta.machines > 1
      ? ` on machine ${whole(placements.machine[at])} of ${clusterOf(meta, placements.machine[at]).name}`
      : "";
  const until =
    placements.end[at] < 0
      ? "and had not ended"
      : `to ${duration(placements.end[at])}, ${duration(placements.end[at] - placements.start[at])}`;
  const left = isFromLeftover(graphs, at) ? " It started on what others had left over." : "";
  return (
    `${whose}${where}: from ${duration(placements.start[at])} ${until}. It holds ${demandText(graphs, stage)}.` +
    `${left}`
  );
}

/** A job's outcome in figures. */
export function tellJob(graphs, meta, job) {
  const { jobs } = graphs;
  const queue = meta.queues.length > 1 ? ` of ${meta.queues[jobs.queue[job]].name}` : "";
  const took = jobs.end[job] < 0 ? "it has not ended" : `it took ${duration(jobs.end[job] - jobs.arrival[job])}`;
  const alone = jobs.path[job] > 0 ? `, at least ${duration(jobs.path[job])} by its critical path` : "";
  return (
    `Job ${whole(job)}${queue}: ${count(jobs.stages[job], "stage")}, ${count(jobs.tasks[job], "task")}; ` +
    `arrived at ${duration(jobs.arrival[job])}, ${took}${alone}.`
  );
}

/** A stage at an instant: how far it is, what each task asks for, and what it waits for. */
export function tellStage(graphs, stage, t_ns) {
  const { stages } = graphs;
  const { waiting, running, done, held } = progressOf(graphs, stage, t_ns);
  const [begin, end] = spanOf(graphs, stage);
  const marks = [
    stages.critical[stage] ? "On the critical path." : "",
    stages.parents[stage].length ? `Waits for ${count(stages.parents[stage].length, "stage")}.` : "",
  ];
  const times =
    begin === Infinity
      ? "No task of it ever started."
      : end === Infinity
        ? `Runs from ${duration(begin)}.`
        : `Runs from ${duration(begin)} to ${duration(end)}.`;
  const now = held.length ? ` Now held up by ${held.map((parent) => stageName(graphs, parent)).join(", ")}.` : "";
  return [
    `${cap(stageName(graphs, stage))}: of ${count(stages.tasks[stage], "task")} ${does(waiting, "wait")}, `,
    `${does(running, "run")}, ${whole(done)} done.${now} Each task: ${demandText(graphs, stage)}, at most `,
    `${duration(stages.duration[stage])}. ${times} ${marks.filter(Boolean).join(" ")}`,
  ]
    .join("")
    .trim();
}

function cap(words) {
  return words[0].toUpperCase() + words.slice(1);
}

export { count, percent };

/** The parents that keep a stage from beginning, with how far each is; "" when none does. */
export function parentsHolding(graphs, stage, t_ns) {
  const { held } = progressOf(graphs, stage, t_ns);
  if (!held.length) return "";
  const one = (parent) => {
    const { waiting, running, done } = progressOf(graphs, parent, t_ns);
    const end = spanOf(graphs, parent)[1];
    return (
      `${stageName(graphs, parent)} (${whole(done)} of ${whole(graphs.stages.tasks[parent])} done, ` +
      `${does(running, "run")}, ${does(waiting, "wait")}` +
      `${end === Infinity ? "" : `; it ends at ${duration(end)}`})`
    );
  };
  return `Held up by ${held.map(one).join(", ")}.`;
}
