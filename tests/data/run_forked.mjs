// Run a start with other values in node, as a phone does: node run_forked.mjs FOLDER; one line of JSON for each fork.
// forks.json holds `how` (static/js/engine/forked_run.js) and `forks`, a list of values by path.
import fs from "node:fs";
import path from "node:path";
import { ForkedRun } from "../../static/js/engine/forked_run.js";
import { readStart } from "../../static/js/engine/start_file.js";

const [folder] = process.argv.slice(2);
const read = (name) => fs.readFileSync(path.join(folder, name));
const start = await readStart(read("run.start"));
const { how, forks } = JSON.parse(read("forks.json").toString());
const run = await ForkedRun.of(start, read(start.header.module), how);
for (const values of forks) {
  const steps = run.steps(values);
  let step = steps.next();
  while (!step.done) step = steps.next();
  console.log(JSON.stringify(step.value));
}
