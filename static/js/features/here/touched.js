/** The frames and the metadata of a run that a viewer has touched: up to the touch, those of the run before. */

import { FrameStore } from "../../run/frames.js";

/** @import { Meta } from "../../contract/contract" */
/** @import { Wish } from "../../engine/touched_run.js" */
/** @import { Failure, Touch } from "../../engine/touch.js" */

/** What the arrays tell of any scheduler; other counters and series come from the scheduler's own code. */
const COUNTERS = new Set([
  "events",
  "messages",
  "tasks_arrived",
  "tasks_started",
  "tasks_done",
  "jobs_done",
  "tasks_running",
  "tasks_waiting",
]);
const SERIES = new Set(["utilisation", "waiting", "running"]);

/**
 * Return what the metadata says of a run that the page draws by itself.
 * @template {Meta} M
 * @param {M} meta
 * @param {Touch} touch
 * @returns {M}
 */
export function drawnMeta(meta, touch) {
  const drawn = new Set(touch.layers.map((layer) => layer.name));
  const layers = meta.layers.filter((layer) => drawn.has(layer.name));
  const { work: _, ...rest } = meta;
  return /** @type {M} */ ({
    ...rest,
    layers,
    counters: meta.counters.filter((counter) => COUNTERS.has(counter.name)),
    series: meta.series.filter((series) => SERIES.has(series.name)),
    owners: layers.some((layer) => layer.role === "owner") ? meta.owners : [],
  });
}

/**
 * Return a store with the frames before the first failure, and what is to be simulated after them. Frames follow at the
 * times of the run before, and one at the failure itself.
 * @param {FrameStore} before
 * @param {Failure[]} failures  at least one
 * @returns {{store: FrameStore, wish: Wish}}
 */
export function beginTouched(before, failures) {
  const from_ns = Math.min(...failures.map((each) => each.at_s)) * 1e9;
  const store = new FrameStore();
  for (const frame of before.frames) if (Number(frame.t_ns) < from_ns) store.append(frame);
  const grid = before.times.slice(0, -1); // the last frame is the end of that run
  const later = grid.filter((t_ns) => t_ns > from_ns);
  const step_ns = Math.max(1, (grid.at(-1) ?? 0) - (grid.at(-2) ?? 0)) || before.endNs / 400;
  return { store, wish: { failures, times_ns: [Math.round(from_ns), ...later], step_ns, seq: store.lastSeq + 1 } };
}
