/** Find what runs on a machine of the datacenter, in a machine that runs an event loop. */

import { Table } from "./painting.js";

/** @import { Machine } from "./machine.js" */

const RUNNING = 3;

/**
 * Return the task that has run longest on a machine at an instant, the first of several; -1 if none runs there.
 * @param {Machine} machine  it has processed all events before the instant
 * @param {number} number  the machine of the datacenter
 * @param {number} t_ns
 */
export function longestRunning(machine, number, t_ns) {
  const [state, where, start, lasts] = ["state", "machine", "last_start_ns", "duration_ns"].map(
    (name) => new Table(machine, "World.task", name),
  );
  let [longest, since_ns] = [-1, t_ns + 1];
  for (let task = 0; task < state.rows; task++) {
    if (state.at(task) !== RUNNING || where.at(task) !== number) continue;
    const start_ns = start.at(task);
    if (start_ns < since_ns && start_ns + lasts.at(task) > t_ns) [longest, since_ns] = [task, start_ns];
  }
  return longest;
}
