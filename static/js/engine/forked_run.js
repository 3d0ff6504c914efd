/** The run of a packed start again and again, each time with other values of the parameters that lie in its rules. */

import { Machine } from "./machine.js";
import { figuresOf, hasStanding } from "./measuring.js";
import { outcomeDigest } from "./outcome.js";
import { withRoom, writeIncidents } from "./touch.js";
import { rowsOfRun } from "./touched_run.js";
import { writeTurns } from "./turning.js";

/** @import { Figures, Measured } from "./measuring.js" */
/** @import { Start } from "./start_file.js" */
/** @import { Row } from "./touch.js" */
/** @import { Values } from "./turning.js" */

/**
 * What a fork came to: its numbers, the digest of its outcome, and how many tasks are done and events were simulated.
 * @typedef {{figures: Figures, digest: string, tasks: number, events: number}} Forked
 */

/** Few enough that a newer fork does not wait for an older one. */
const SLICE_EVENTS = 10_000;

export class ForkedRun {
  #fresh;

  /**
   * @param {Machine} machine
   * @param {Row[]} rows  the run's incidents
   * @param {Measured & {tasks: number}} how  `tasks`: the run ends when this many are over
   */
  constructor(machine, rows, how) {
    if (hasStanding(machine)) throw new Error("this page does not measure runs that begin with running tasks");
    this.machine = machine;
    this.rows = rows;
    this.how = how;
    this.#fresh = machine.bytes.slice();
  }

  /**
   * @param {Start} start
   * @param {BufferSource} module
   * @param {Measured & {tasks: number}} how
   */
  static async of(start, module, how) {
    const { touch } = start.header;
    const rows = rowsOfRun(start.header, []);
    return new ForkedRun(await Machine.of(touch ? withRoom(start, rows.length) : start, module), rows, how);
  }

  /**
   * Simulate the run with these values.
   * @param {Values} values
   * @returns {Generator<null, Forked>} null after each slice
   */
  *steps(values) {
    const { machine, rows, how } = this;
    machine.bytes.set(this.#fresh);
    writeTurns(machine, values);
    if (machine.start.header.touch) writeIncidents(machine, rows);
    machine.set("tasks_wanted", Math.min(machine.counted("tasks_wanted"), how.tasks));
    while (machine.advance(SLICE_EVENTS)) yield null;
    const [tasks, events] = [machine.counted("tasks_done"), machine.counted("events")];
    return { figures: figuresOf(machine, how), digest: outcomeDigest(machine), tasks, events };
  }
}
