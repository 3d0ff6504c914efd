// Go through runs event by event in node: node run_traveled.mjs FOLDER NAME; one line of JSON. It tells whether the way
// there makes a difference: forward in one go, in single events, and back from the end.
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { outcomeDigest } from "../../static/js/engine/outcome.js";
import { readStart } from "../../static/js/engine/start_file.js";
import { Traveler } from "../../static/js/engine/traveler.js";

const [folder, name] = process.argv.slice(2);
const start = await readStart(fs.readFileSync(path.join(folder, `${name}.start`)));
const module = fs.readFileSync(path.join(folder, start.header.module));
const failures = JSON.parse(fs.readFileSync(path.join(folder, `${name}.json`), "utf8"));
const fresh = () => Traveler.of(start, module, { failures, edges: [0, 1], at: null });
const print = ({ frame, event, t_ns, over }) => {
  const layers = Object.entries(frame.layers).map(([layer, { full }]) => [layer, [...full]]);
  const told = JSON.stringify([event, t_ns, over, frame.counters, layers, frame.hist.allocation_delay.val]);
  return createHash("sha256").update(told).digest("hex");
};

const there = await fresh();
const end = there.to(Number.MAX_SAFE_INTEGER);
const digest = await outcomeDigest(there.machine);
const middle = Math.floor(end.event / 2);
const wanted = [middle, middle + 1, 3, end.event - 1, 0];
const back = wanted.map((event) => print(there.to(event)));
const single = await fresh();
const steps = [...wanted].sort((a, b) => a - b);
const forward = new Map(steps.map((event) => [event, print(single.to(event))]));
let [stand, one] = [single.to(0), 0];
while (one < 200) [stand, one] = [single.to(stand.event + 1), one + 1];
const instant = there.toInstant(there.to(middle).t_ns);
const again = print(there.to(Number.MAX_SAFE_INTEGER));
console.log(
  JSON.stringify({
    digest,
    events: end.event,
    over: end.over,
    alike: wanted.every((event, place) => forward.get(event) === back[place]),
    ones: stand.event,
    instant: [instant.t_ns === single.to(middle).t_ns, instant.event >= middle],
    again: again === print(end),
  }),
);
