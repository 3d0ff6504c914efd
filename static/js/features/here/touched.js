/** The frames and the metadata of a run that a viewer has changed: up to a first touch, those of the run before. */

import { firstDifference, hasTarget, incidentRows } from "../../engine/touch.js";
import { FrameStore } from "../../run/frames.js";

/** @import { Meta } from "../../contract/contract" */
/** @import { Wish } from "../../engine/touched_run.js" */
/** @import { DrawnLayer, Failure } from "../../engine/touch.js" */
/** @import { Header } from "../../engine/start_file.js" */

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
 * @param {DrawnLayer[]} painted
 * @returns {M}
 */
export function drawnMeta(meta, painted) {
  const drawn = new Set(painted.map((layer) => layer.name));
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
 * Return the frames of the changed run on the screen that another change leaves as they are: all before the first
 * failure that differs. Null if the changes differ in more than failures, or if its frames do not reach so far.
 * @param {{store: FrameStore, failures: Failure[], of?: string} | null} shown
 * @param {{failures: Failure[], of: string}} changes
 * @param {Header} header
 * @returns {{store: FrameStore, from_ns: number} | null}
 */
export function keptFrames(shown, { failures, of }, { touch }) {
  if (!touch || !shown || shown.of !== of) return null;
  const differ_ns = firstDifference(incidentRows(touch, shown.failures), incidentRows(touch, failures));
  if (differ_ns === null || BigInt(Math.round(shown.store.endNs)) < differ_ns) return null;
  return { store: shown.store, from_ns: Number(differ_ns) };
}

/**
 * Return a store with the frames before the first change, and what is to be simulated after them. Frames follow at the
 * times of the run before, and one at the change itself. Under other settings no frame of the run before stays.
 * @param {FrameStore} before
 * @param {{failures: Failure[], extras?: {at_s: number}[], at?: number[] | null, turned?: object | null}} changes  at
 *   least one
 * @param {{store: FrameStore, from_ns: number} | null} [kept]  the frames that stay, if they are known
 * @returns {{store: FrameStore, wish: Wish}}
 */
export function beginTouched(before, { failures, extras = [], at = null, turned = null }, kept = null) {
  const store = new FrameStore();
  const grid = before.times.slice(0, -1); // the last frame is the end of that run
  const step_ns = Math.max(1, (grid.at(-1) ?? 0) - (grid.at(-2) ?? 0)) || before.endNs / 400;
  const set = at ? { at } : {};
  if ((at || turned) && !kept) {
    const { edges } = before.frames[0]?.hist?.allocation_delay ?? {};
    return { store, wish: { failures, ...set, times_ns: grid, step_ns, seq: 0, edges: edges ?? [] } };
  }
  const from_ns = kept?.from_ns ?? Math.min(...[...failures, ...extras].map((each) => each.at_s)) * 1e9;
  for (const frame of (kept?.store ?? before).frames) if (Number(frame.t_ns) < from_ns) store.append(frame);
  const later = grid.filter((t_ns) => t_ns > from_ns);
  const seq = store.lastSeq + 1;
  return { store, wish: { failures, ...set, times_ns: [Math.round(from_ns), ...later], step_ns, seq } };
}

/**
 * Return the failures whose machines and tasks a start has: other settings may have fewer of them.
 * @param {Header} header
 * @param {Failure[]} failures
 */
export const possible = ({ touch }, failures) =>
  touch ? failures.filter((each) => hasTarget(touch, each.target)) : [];
