/** Read and write the events that a run has in its heap (scheduler_core/engine/events.py). */

/** @import { Machine } from "./machine.js" */

/** @typedef {[time_ns: bigint, order: bigint, a: bigint, b: bigint]} Event */

const COLUMNS = ["time_ns", "order", "a", "b"];
/** Bits of an event's order below its kind. */
const KIND_SHIFT = 48n;

/** Return the kind of an event from its order. */
export const kindOf = (/** @type {bigint} */ order) => order >> KIND_SHIFT;

/** @returns {Event[]} */
export function heapOf(/** @type {Machine} */ machine) {
  const columns = COLUMNS.map((name) => machine.column("World.heap", name));
  return Array.from(
    { length: machine.counted("heap_size") },
    (_, row) =>
      /** @type {Event} */ (columns.map(({ place, row: size }) => machine.view.getBigInt64(place + row * size, true))),
  );
}

/** Replace the heap. A sorted array is a heap. */
export function writeHeap(/** @type {Machine} */ machine, /** @type {Event[]} */ events) {
  const columns = COLUMNS.map((name) => machine.column("World.heap", name));
  events.sort((a, b) => Number(a[0] - b[0] || a[1] - b[1]));
  for (const [row, event] of events.entries())
    for (const [place, column] of columns.entries())
      machine.view.setBigInt64(column.place + row * column.row, event[place], true);
  machine.set("heap_size", events.length);
}
