// Run one start under one change after the other in node, with a machine that stays: node run_warm.mjs FOLDER NAME; one
// line of JSON for each wish of NAME.json. `same`: the frames are those of a machine of its own, and so is the digest.
import fs from "node:fs";
import path from "node:path";
import { outcomeDigest } from "../../static/js/engine/outcome.js";
import { readStart } from "../../static/js/engine/start_file.js";
import { TouchedRun } from "../../static/js/engine/touched_run.js";
import { WarmRun } from "../../static/js/engine/warm.js";

const [folder, name] = process.argv.slice(2);
const start = await readStart(fs.readFileSync(path.join(folder, `${name}.start`)));
const module = fs.readFileSync(path.join(folder, start.header.module));
const wishes = JSON.parse(fs.readFileSync(path.join(folder, `${name}.json`), "utf8"));
const print = (frame) => JSON.stringify(frame, (_, value) => (ArrayBuffer.isView(value) ? [...value] : value));
const warm = new WarmRun(start, module);
for (const { stops, ...wish } of wishes) {
  const { machine, steps, from_ns } = await warm.go(wish);
  const told = [];
  let picture = null;
  for (const step of steps) {
    if (step && "picture" in step) picture = step.picture;
    else if (step) told.push(print(step.frame));
    if (stops && told.length === stops) break; // a newer wish has come
  }
  const fresh = await TouchedRun.of(start, module, wish);
  const frames = [...fresh.frames()].map(print);
  const digest = outcomeDigest(machine);
  const same = digest === fresh.digest && JSON.stringify(told) === JSON.stringify(frames);
  const seen = picture && { t_ns: picture.t_ns, key: picture.key, counters: picture.counters };
  console.log(JSON.stringify({ digest, from_ns, same, frames: told.length, seen }));
}
