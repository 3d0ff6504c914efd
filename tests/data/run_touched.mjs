// Run starts with changes in node: node run_touched.mjs FOLDER NAME…; one line of JSON for each wish. NAME.json holds
// the wish (static/js/engine/touched_run.js), or a list of them.
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { headerAt, readStart } from "../../static/js/engine/start_file.js";
import { TouchedRun } from "../../static/js/engine/touched_run.js";
import { applyFrame, emptyPicture } from "../../static/js/run/frame_picture.js";

const [folder, ...names] = process.argv.slice(2);
const hash = (bytes) => createHash("sha256").update(bytes).digest("hex");
for (const name of names) {
  const start = await readStart(fs.readFileSync(path.join(folder, `${name}.start`)));
  const asked = JSON.parse(fs.readFileSync(path.join(folder, `${name}.json`), "utf8"));
  for (const wish of Array.isArray(asked) ? asked : [asked]) await tell(name, start, wish);
}

async function tell(name, start, wish) {
  const { module } = wish.at ? headerAt(start.header, wish.at) : start.header;
  const run = await TouchedRun.of(start, fs.readFileSync(path.join(folder, module)), wish);
  const picture = emptyPicture();
  picture.hists.allocation_delay = { edges: [], counts: new Float64Array(0) };
  const frames = [];
  for (const frame of run.frames()) {
    applyFrame(picture, frame);
    const layers = Object.fromEntries(Object.entries(picture.layers).map(([each, bytes]) => [each, hash(bytes)]));
    const series = Object.fromEntries(Object.entries(frame.series).map(([each, [[, value]]]) => [each, value]));
    const waits = [...picture.hists.allocation_delay.counts];
    frames.push({ t_ns: picture.t_ns, counters: { ...picture.counters }, layers, series, waits });
  }
  console.log(JSON.stringify({ name, digest: run.digest, frames }));
}
