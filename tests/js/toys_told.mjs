/**
 * Runs toys' models for tests of the library: reads cases from standard input, writes what became of each. A case is a
 * model with its work and rules, or a variant of a panel of the page.
 */

import { readFileSync } from "node:fs";
import { experimentOf } from "../../static/js/toys/experiment.js";
import { MODELS } from "../../static/js/toys/index.js";
import { PANELS } from "../../static/js/toys/panels.js";
import { drawWork, told, withBurst } from "../../static/js/toys/work.js";

const cases = JSON.parse(readFileSync(0, "utf8"));
const found = cases.map((each) => {
  const { model, work: wanted, burst, rules } = each.panel ? PANELS[each.panel][each.variant] : each;
  const drawn = drawWork(wanted);
  const work = burst ? withBurst(drawn, burst.at, burst.count, wanted.mean_s) : drawn;
  const run = MODELS[model](work, rules);
  return { experiment: experimentOf(model, work, rules), tasks: run.tasks, told: told(work, run) };
});
process.stdout.write(JSON.stringify(found));
