// Run start files by the page's own scripts in node: node run_start_file.mjs FOLDER NAME…; one line of JSON for each.
import fs from "node:fs";
import path from "node:path";
import { Machine } from "../../static/js/engine/machine.js";
import { outcomeDigest } from "../../static/js/engine/outcome.js";
import { readStart } from "../../static/js/engine/start_file.js";

const [folder, ...names] = process.argv.slice(2);
for (const name of names) {
  const start = await readStart(fs.readFileSync(path.join(folder, `${name}.start`)));
  const machine = await Machine.of(start, fs.readFileSync(path.join(folder, start.header.module)));
  const began = performance.now();
  while (machine.advance(700));
  const counts = Object.fromEntries(["events", "messages", "tasks_done", "now_ns"].map((each) => [each, machine.counted(each)]));
  console.log(JSON.stringify({ name, digest: outcomeDigest(machine), told: start.header.outcome_digest, ms: performance.now() - began, ...counts }));
}
