/**
 * Applies the rule of the picture of fits again, for a test that compares it with the decision log: reads {tables,
 * meta} from standard input, writes for each start the task that the picture tells, with its machine and fit.
 */

import { readFileSync } from "node:fs";

const { assemble } = await import("../../static/js/features/graphs/job_graphs.js");
const { choiceAt, fitsGround } = await import("../../static/js/features/graphs/fits_now.js");

const { tables, meta } = JSON.parse(readFileSync(0, "utf8"));
const graphs = assemble(tables, meta);
const ground = fitsGround(graphs, meta);
const { start, task } = graphs.placements;
const told = Array.from(task.keys()).flatMap((at) => {
  const choice = ground && start[at] >= 0 ? choiceAt(graphs, ground, start[at], task[at]) : null;
  if (!choice || choice.at !== at) return [];
  const [best] = choice.candidates;
  return [[task[at], choice.machine, best.aligned, choice.candidates.length, choice.yielding.length]];
});
process.stdout.write(JSON.stringify(told));
