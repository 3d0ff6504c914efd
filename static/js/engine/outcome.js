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
  const write = (/** @type {number} */ column, /** @type {number} */ task, /** @type {bigint} */ value) =>
    words.setBigInt64(8 * (column * rows + task), value, true);
  const small = (/** @type {{place: number}} */ column, /** @type {number} */ task) =>
    view.getInt32(column.place + task * row, true);
  for (let task = 0; task < rows; task++) {
    const tried = small(attempts, task);
    const ended = small(state, task) === TASK_DONE;
    write(0, task, view.getBigInt64(first.place + task * row, true));
    write(1, task, ended ? view.getBigInt64(end.place + task * row, true) : BigInt(NEVER));
    write(2, task, BigInt(tried > 0 ? small(held, task) : NEVER));
    write(3, task, BigInt(tried));
  }
  return sha256(new Uint8Array(words.buffer));
}
