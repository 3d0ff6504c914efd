/**
 * The thread in which a page simulates. It gets a packed start and the module of its event loop, and tells how far the
 * run is, then its outcome. It asks for nothing: its policy allows no connection (playground/web/static_files.py).
 */

import { Machine } from "../engine/machine.js";
import { outcomeDigest } from "../engine/outcome.js";
import { readStart } from "../engine/start_file.js";

/** @import { Told } from "../engine/here.js" */

const SLICE_EVENTS = 50_000;
const TELL_EVERY_MS = 100;

const tell = (/** @type {Told} */ told) => postMessage(told);

/** @param {{start: ArrayBuffer, module: ArrayBuffer}} given */
async function simulate({ start, module }) {
  const began = performance.now();
  const packed = await readStart(start);
  const machine = await Machine.of(packed, module);
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

addEventListener("message", (event) => {
  simulate(event.data).catch((error) => tell({ error: String(error?.message ?? error) }));
});
