/**
 * Change parameters whose whole effect lies in the rules of a packed start, as scheduler_core/world/turning.py says:
 * the start tells which they are, and what a value writes.
 */

import { heapOf, kindOf, writeHeap } from "./heap.js";
import { hasRoom, writeProgram } from "./program.js";

/** @import { Machine } from "./machine.js" */
/** @import { PolicyWrite, Program } from "./program.js" */
/** @import { Header, Value } from "./start_file.js" */

/**
 * What a value of a parameter writes into the row of rules: the value times `per`, a number for each value, or the
 * times of the first events of a kind, spread over a period that an earlier write has set. A policy is another program.
 * @typedef {{array: string, column: string, per: number, least: number | null} |
 *   {array: string, column: string, numbers: [value: Value, number: number][]} |
 *   {array: string, kind: number, period: string} | PolicyWrite} Write
 * @typedef {{path: string, most: number | null, writes: Write[]}} Turn  `most`: the largest value with room
 * @typedef {Record<string, Value | Program>} Values  values by path
 */

/** @returns {value is Program} */
const isProgram = (/** @type {unknown} */ value) => typeof value === "object" && value !== null && "code" in value;

/** Return a number as a whole one. Half ones go to the even neighbor, as Python's `round` does it. */
export function whole(/** @type {number} */ exact) {
  const low = Math.floor(exact);
  const rest = exact - low;
  return BigInt(rest > 0.5 || (rest === 0.5 && low % 2 !== 0) ? low + 1 : low);
}

/** Return whether a start lets a page give a parameter a value. */
export function canTurn(
  /** @type {Header} */ { turns = [] },
  /** @type {string} */ path,
  /** @type {unknown} */ value,
) {
  const turn = turns.find((each) => each.path === path);
  if (!turn || (turn.most !== null && (typeof value !== "number" || value > turn.most))) return false;
  return turn.writes.every((write) => {
    if ("policy" in write) return isProgram(value) && hasRoom(value);
    if ("numbers" in write) return write.numbers.some(([each]) => each === value);
    return typeof value === "number" && Number.isFinite(value) && value >= 0;
  });
}

/**
 * Give parameters of a machine before its first event other values.
 * @param {Machine} machine
 * @param {Values} values
 */
export function writeTurns(machine, values) {
  for (const [path, value] of Object.entries(values)) {
    const turn = machine.start.header.turns?.find((each) => each.path === path);
    if (!turn || !canTurn(machine.start.header, path, value))
      throw new Error("this start does not have these settings");
    for (const write of turn.writes) {
      if ("policy" in write) {
        if (isProgram(value)) writeProgram(machine, write.state, value);
      } else if ("kind" in write) spread(machine, write);
      else if (!isProgram(value)) setRule(machine, write.array, write.column, numberOf(write, value));
    }
  }
}

/**
 * @param {Exclude<Write, {kind: number} | PolicyWrite>} write
 * @param {Value} value
 */
function numberOf(write, value) {
  if ("numbers" in write) return BigInt(write.numbers.find(([each]) => each === value)?.[1] ?? 0);
  const number = whole(Number(value) * write.per);
  return write.least !== null && number < BigInt(write.least) ? BigInt(write.least) : number;
}

/**
 * @param {Machine} machine
 * @param {string} array
 * @param {string} column
 * @param {bigint} number
 */
function setRule(machine, array, column, number) {
  machine.view.setBigInt64(machine.column(array, column).place, number, true);
}

/** Spread the first events of a kind over one period. */
function spread(
  /** @type {Machine} */ machine,
  /** @type {{array: string, kind: number, period: string}} */ { array, kind, period },
) {
  const period_ns = machine.view.getBigInt64(machine.column(array, period).place, true);
  const events = heapOf(machine);
  const mine = events.filter(([, order]) => kindOf(order) === BigInt(kind));
  for (const event of mine) event[0] = (period_ns * (event[2] + 1n)) / BigInt(mine.length);
  writeHeap(machine, events);
}
