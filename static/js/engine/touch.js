/**
 * Add failures of machines and stops of tasks to a packed start, as the library's scheduler_core/world/planned.py turns
 * an experiment's events into rows of `World.incident`.
 */

import { heapOf, kindOf, writeHeap } from "./heap.js";
import { whole } from "./turning.js";

/** @import { Machine } from "./machine.js" */
/** @import { Start } from "./start_file.js" */

/**
 * What a page may add to an experiment's list of incidents: a machine, a rack or a cluster fails or drains, for a time
 * or until something brings it back; or a task is stopped.
 * @typedef {{machine: number} | {rack: number} | {cluster: string}} Part
 * @typedef {Part | {task: number}} Reached
 * @typedef {{kind: "fail" | "drain" | "recover" | "stop", at_s: number, target: Reached, duration_s?: number}} Failure
 * @typedef {[time_ns: bigint, what: number, first: number, end: number, x: number]} Row
 * @typedef {{name: string, by: "load"} | {name: string, by: "service"} |
 *   {name: string, by: "resource", resource: number} |
 *   {name: string, by: "amount" | "share" | "category", array: string, column: string, level: number}} DrawnLayer
 * @typedef {{incidents: [time_ns: string, what: number, first: number, end: number, x: number][], racks: number[],
 *   clusters: Record<string, [first: number, end: number]>, tasks: number, layers: DrawnLayer[]}} Touch
 */

/** What an incident does, and why a machine is out of service (engine/incidents.py, engine/records.py). */
const [FAIL, DRAIN, RESTORE, STOP] = [0, 1, 2, 9];
const [FAILED, DRAINED] = [1, 2];
const INCIDENT_KIND = 0n;
/** The heap's spare rows (engine/events.py). */
const HEADROOM = 64;

/** Return seconds in whole nanoseconds. */
export const nanoseconds = (/** @type {number} */ seconds) => whole(seconds * 1e9);

/**
 * Return the machines of a target, or null if the datacenter does not have them.
 * @param {Touch} touch
 * @param {Part} target
 * @returns {[first: number, end: number] | null}
 */
export function machinesOf({ racks, clusters }, target) {
  if ("cluster" in target) return clusters[target.cluster] ?? null;
  const [first, end] =
    "rack" in target ? racks.slice(target.rack, target.rack + 2) : [target.machine, target.machine + 1];
  return first >= 0 && end <= (racks.at(-1) ?? 0) ? [first, end] : null;
}

/** Return whether the run has the target. */
export const hasTarget = (/** @type {Touch} */ touch, /** @type {Reached} */ target) =>
  "task" in target ? target.task >= 0 && target.task < touch.tasks : machinesOf(touch, target) !== null;

/** @returns {Row[]} */
function rowsOfFailure(/** @type {Touch} */ touch, /** @type {Failure} */ { kind, at_s, target, duration_s }) {
  if ("task" in target) {
    if (!hasTarget(touch, target)) throw new Error("the workload of this run has no such task");
    return [[nanoseconds(at_s), STOP, target.task, target.task + 1, 0]];
  }
  const machines = machinesOf(touch, target);
  if (!machines) throw new Error("the datacenter of this run has no such machine");
  const [first, end] = machines;
  const at = nanoseconds(at_s);
  if (kind === "recover") return [[at, RESTORE, first, end, FAILED | DRAINED]];
  const [what, why] = kind === "drain" ? [DRAIN, DRAINED] : [FAIL, FAILED];
  /** @type {Row} */
  const out = [at, what, first, end, why];
  if (duration_s === undefined) return [out];
  return [out, [nanoseconds(at_s + duration_s), RESTORE, first, end, why]];
}

/**
 * Return all incidents in order of time: the experiment's own, then the page's where times are equal.
 * @param {Touch} touch
 * @param {Failure[]} failures
 * @returns {Row[]}
 */
export function incidentRows(touch, failures) {
  /** @type {Row[]} */
  const own = touch.incidents.map(([time, what, first, end, x]) => [BigInt(time), what, first, end, x]);
  const rows = [...own, ...failures.flatMap((each) => rowsOfFailure(touch, each))];
  return rows.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0));
}

/** Return the start with memory for a number of incidents, none of which is written. */
export function withRoom(/** @type {Start} */ start, /** @type {number} */ rows) {
  const widened = start.header.arguments.map((argument) => ({
    ...argument,
    arrays: argument.arrays.map((array) =>
      argument.name === "World" && array.name === "incident"
        ? { ...array, shape: [rows], columns: array.columns.map(([name, at, size]) => [name, at, size, -1]) }
        : array,
    ),
  }));
  return /** @type {Start} */ ({ ...start, header: { ...start.header, arguments: widened } });
}

/**
 * Write the incidents into a machine that has memory for them, and schedule each that is still to come.
 * @param {Machine} machine
 * @param {Row[]} rows
 * @param {bigint} [after_ns]  the machine has processed all events up to this instant
 */
export function writeIncidents(machine, rows, after_ns = -1n) {
  const place = (/** @type {string} */ name) => machine.column("World.incident", name);
  const [time, what, first, end, x] = ["time_ns", "what", "first", "end", "x"].map(place);
  const { view } = machine;
  for (const [row, [time_ns, ...rest]] of rows.entries()) {
    view.setBigInt64(time.place + row * time.row, time_ns, true);
    for (const [place, column] of [what, first, end].entries())
      view.setInt32(column.place + row * column.row, rest[place], true);
    view.setBigInt64(x.place + row * x.row, BigInt(rest[3]), true);
  }
  machine.showRows("World.incident", rows.length);
  machine.set("incidents_left", leftAfter(rows, after_ns));
  schedule(machine, rows, after_ns);
}

/** Return the number of incidents after an instant. */
export const leftAfter = (/** @type {Row[]} */ rows, /** @type {bigint} */ after_ns) =>
  rows.filter(([time_ns]) => time_ns > after_ns).length;

/**
 * Return when two lists of incidents first differ; null if they never do.
 * @param {Row[]} rows
 * @param {Row[]} others
 * @returns {bigint | null}
 */
export function firstDifference(rows, others) {
  for (let place = 0; place < Math.max(rows.length, others.length); place++) {
    const [one, other] = [rows[place], others[place]];
    if (one && other && one.every((value, column) => value === other[column])) continue;
    return !one || (other && other[0] < one[0]) ? other[0] : one[0];
  }
  return null;
}

/** Replace the heap's incidents. Incidents have a kind of their own, so numbers may recur. */
function schedule(/** @type {Machine} */ machine, /** @type {Row[]} */ rows, /** @type {bigint} */ after_ns) {
  const events = heapOf(machine).filter(([, order]) => kindOf(order) !== INCIDENT_KIND);
  for (const [number, [time_ns]] of rows.entries())
    if (time_ns > after_ns) events.push([time_ns, BigInt(number), BigInt(number), 0n]);
  if (events.length + HEADROOM > machine.column("World.heap", "a").rows)
    throw new Error("an array of the run is full (too many incidents)");
  writeHeap(machine, events);
}
