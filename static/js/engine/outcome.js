/** The digest of a run's outcome, as the library computes it (scheduler_core/run/tables.py). */

import { sha256 } from "./sha256.js";

/** @import { Machine } from "./machine.js" */

const TASK_DONE = 4;
const NEVER = -1;

/** Return the sha256 over first start, end, machine and attempts of all tasks, as 64-bit numbers, by column. */
export function outcomeDigest(/** @type {Machine} */ machine) {
  const of = (/** @type {string} */ name) => machine.column("World.task", name);
  const [first, end, state, held, attempts] = ["first_start_ns", "end_ns", "state", "machine", "attempts"].map(of);
  const { rows, row } = first;
  const { view } = machine;
  const words = new DataView(new ArrayBuffer(4 * 8 * rows));
  // By halves, which is several times as fast as whole 64-bit numbers.
  const write = (/** @type {number} */ column, /** @type {number} */ task, /** @type {number} */ value) => {
    const to = 8 * (column * rows + task);
    words.setInt32(to, value, true);
    words.setInt32(to + 4, value < 0 ? -1 : 0, true);
  };
  const copy = (/** @type {number} */ column, /** @type {number} */ task, /** @type {number} */ from) => {
    const to = 8 * (column * rows + task);
    words.setInt32(to, view.getInt32(from, true), true);
    words.setInt32(to + 4, view.getInt32(from + 4, true), true);
  };
  const small = (/** @type {{place: number}} */ column, /** @type {number} */ task) =>
    view.getInt32(column.place + task * row, true);
  for (let task = 0; task < rows; task++) {
    const tried = small(attempts, task);
    const ended = small(state, task) === TASK_DONE;
    copy(0, task, first.place + task * row);
    if (ended) copy(1, task, end.place + task * row);
    else write(1, task, NEVER);
    write(2, task, tried > 0 ? small(held, task) : NEVER);
    write(3, task, tried);
  }
  return sha256(new Uint8Array(words.buffer));
}
