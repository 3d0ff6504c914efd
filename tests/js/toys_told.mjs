/** Runs toys' models for tests of the library: reads cases from standard input, writes what became of each. */

import { readFileSync } from "node:fs";
import { experimentOf } from "../../static/js/toys/experiment.js";
import { MODELS } from "../../static/js/toys/index.js";
import { drawWork, told, withBurst } from "../../static/js/toys/work.js";

const cases = JSON.parse(readFileSync(0, "utf8"));
const found = cases.map(({ model, work: wanted, burst, rules }) => {
  const drawn = drawWork(wanted);
  const work = burst ? withBurst(drawn, burst.at, burst.count, wanted.mean_s) : drawn;
  const run = MODELS[model](work, rules);
  return { experiment: experimentOf(model, work, rules), tasks: run.tasks, told: told(work, run) };
});
process.stdout.write(JSON.stringify(found));
