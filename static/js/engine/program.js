/** Write another policy into a packed start of the scheduler `own`, before its first event. */

import { rowsOf } from "./start_file.js";

/** @import { Machine } from "./machine.js" */
/** @import { Header, PackedArray, Start } from "./start_file.js" */

/**
 * What the arrays of a start were packed for (scheduler_core/schedulers/own/turning.py): the numbers of the words that
 * have columns, what its hooks depend on, and the limits of one decision.
 * @typedef {{columns: number[], needs: Record<string, number>, kept_needs: number, held: boolean, data: boolean,
 *   sampled: boolean, step_limit: number, steps_of_one: number, victims: number}} HasPolicy
 * @typedef {{state: string, policy: HasPolicy}} PolicyWrite  `state`: the argument with the arrays
 *
 * A compiled policy: its rows, its constants, the places of its hooks, and columns of the rules. `unkept`: no score
 * can be kept.
 * @typedef {{code: number[][], constants: number[], hooks: number[][], unkept: boolean,
 *   rules: Record<string, number>}} Program
 */

const HOOK_COLUMNS = ["first", "machine", "end", "result", "there"];
const NOBODY = -1;
/** Memory for the largest program: rows of code, and numbers in a text. */
const [ROWS, CONSTANTS] = [400, 2_048];

/** Return the write that a start has for its policy, if it has one. */
export const policyWrite = (/** @type {Header} */ { turns = [] }) =>
  /** @type {PolicyWrite | undefined} */ (turns.flatMap(({ writes }) => writes).find((write) => "policy" in write));

/** Return whether a program has room. */
export const hasRoom = (/** @type {Program} */ { code, constants }) =>
  code.length <= ROWS && constants.length <= CONSTANTS;

/** Return the start with memory for any program. */
export function withProgramRoom(/** @type {Start} */ start) {
  const state = policyWrite(start.header)?.state;
  if (!state) return start;
  const roomy = (/** @type {PackedArray} */ array) => {
    const rows = { code: ROWS * (array.shape[1] ?? 1), register: ROWS, constant: CONSTANTS }[array.name];
    return rows === undefined ? array : { ...array, room: Math.max(rows, rowsOf(array)) };
  };
  const widened = start.header.arguments.map((argument) =>
    argument.name === state ? { ...argument, arrays: argument.arrays.map(roomy) } : argument,
  );
  return { ...start, header: { ...start.header, arguments: widened } };
}

/**
 * Write a program into a machine that has room for it.
 * @param {Machine} machine
 * @param {string} state
 * @param {Program} program
 */
export function writeProgram(machine, state, { code, constants, hooks, unkept, rules }) {
  const { view } = machine;
  const width = code[0].length;
  const { place: rows } = machine.array(`${state}.code`);
  for (const [place, number] of code.flat().entries()) view.setInt32(rows + 4 * place, number, true);
  machine.showSides(`${state}.code`, [code.length, width]);
  machine.showSides(`${state}.register`, [code.length]);
  const { place: first } = machine.array(`${state}.constant`);
  for (const [place, number] of constants.entries()) view.setFloat64(first + 8 * place, number, true);
  machine.showSides(`${state}.constant`, [constants.length]);
  for (const [place, name] of HOOK_COLUMNS.entries()) {
    const column = machine.column(`${state}.hook`, name);
    for (const [hook, numbers] of hooks.entries())
      view.setInt32(column.place + hook * column.row, numbers[place], true);
  }
  for (const [name, number] of Object.entries(rules))
    view.setBigInt64(machine.column(`${state}.rules`, name).place, BigInt(number), true);
  if (unkept) {
    const kept = machine.column(`${state}.kind`, "kept");
    for (let kind = 0; kind < kept.rows; kind++) view.setInt32(kept.place + kind * kept.row, NOBODY, true);
  }
}
