/**
 * The thread in which a page simulates. It gets a packed start and the module of its event loop, and tells how far the
 * run is, then its outcome. With a wish it changes the run, and also tells the frames that follow. It asks for nothing:
 * its policy allows no connection (playground/web/static_files.py).
 */

import { outcomeDigest } from "../engine/outcome.js";
import { readStart } from "../engine/start_file.js";
import { machineOf, TouchedRun } from "../engine/touched_run.js";
import { Traveler } from "../engine/traveler.js";

/** @import { Given, Told } from "../engine/here.js" */
/** @import { Wish } from "../engine/touched_run.js" */
/** @import { Journey } from "../engine/traveler.js" */

const SLICE_EVENTS = 50_000;
const TELL_EVERY_MS = 100;
const FRAMES_EVERY_MS = 16;

const tell = (/** @type {Told} */ told) => postMessage(told);

/** @param {Given & {wish: Wish}} given */
async function touch({ start, module, wish }) {
  const began = performance.now();
  const run = await TouchedRun.of(await readStart(start), module, wish);
  const { machine } = run;
  let [frames, told] = [/** @type {import("../contract/contract").Frame[]} */ ([]), 0];
  for (const frame of run.frames()) {
    frames.push(frame);
    if (performance.now() - told < FRAMES_EVERY_MS) continue;
    tell({ frames });
    [frames, told] = [[], performance.now()];
  }
  if (frames.length) tell({ frames });
  const took_ms = performance.now() - began;
  const counts = { tasks: machine.counted("tasks_done"), events: machine.counted("events") };
  tell({ end: { digest: run.digest, cited: "", took_ms, ...counts } });
}

/** @param {Given} given */
async function simulate({ start, module }) {
  const began = performance.now();
  const packed = await readStart(start);
  const machine = await machineOf(packed, module, []);
  let told = performance.now();
  while (machine.advance(SLICE_EVENTS)) {
    if (performance.now() - told < TELL_EVERY_MS) continue;
    told = performance.now();
    tell({ progress: machine.progress });
  }
  const took_ms = performance.now() - began;
  const digest = outcomeDigest(machine);
  const cited = packed.header.outcome_digest;
  const tasks = machine.counted("tasks_done");
  tell({ end: { digest, cited, tasks, events: machine.counted("events"), took_ms } });
}

/** The run that the page goes through event by event. @type {Promise<Traveler> | null} */
let traveler = null;

/** @param {{event: number} | {t_ns: number}} where */
async function go(where) {
  const going = await traveler;
  if (!going) throw new Error("no run was given");
  tell({ stand: "event" in where ? going.to(where.event) : going.toInstant(where.t_ns) });
}

/**
 * @param {Given & {wish?: Wish} | Given & {travel: Journey} | {go: {event: number} | {t_ns: number}}} asked
 * @returns {Promise<unknown>}
 */
function answer(asked) {
  if ("go" in asked) return go(asked.go);
  if (!("travel" in asked)) return asked.wish ? touch({ ...asked, wish: asked.wish }) : simulate(asked);
  traveler = readStart(asked.start).then((start) => Traveler.of(start, asked.module, asked.travel));
  return traveler;
}

addEventListener("message", (event) => {
  answer(event.data).catch((error) => tell({ error: String(error?.message ?? error) }));
});
