/**
 * Whether a packed start has the arrays of another policy, and what a page then writes into it. The counterpart of what
 * scheduler_core/schedulers/own/{protocol,packing}.py pack from a policy.
 */

import { HOOKS, NEEDS, OPS, RESERVED, WORDS } from "../../contract/policy_table.js";
import { rowsOf } from "../start_file.js";
import { compilePolicy } from "./program.js";

/** @import { Header } from "../start_file.js" */
/** @import { HasPolicy, Program } from "../program.js" */
/** @import { Code } from "./layout.js" */
/** @import { Policy } from "./program.js" */

const ALL_HOOKS = HOOKS.map(({ name }) => name);
/** The hooks that say which machines a task may use. */
const PLACED = ["filter", "preempt", "victim"];
/** The bits of these hooks that make two waiting tasks different kinds. */
const KINDS = NEEDS.PRIORITY | NEEDS.QUEUE | NEEDS.JOB | NEEDS.TASK;
const DATA_WORDS = ["machine.has_data", "rack.has_data"];
const HELD_WORD = "job.dominant_share";
/** What a fold goes over if not the whole cluster. */
const RACK = 0;

/** @returns {number} */
const needsOf = (/** @type {Record<string, number>} */ needs, /** @type {string[]} */ names) =>
  names.reduce((found, name) => found | (needs[name] ?? 0), 0);

/** Return whether a score may be kept. */
function keeps(/** @type {HasPolicy} */ { kept_needs, sampled }, /** @type {Record<string, number>} */ needs) {
  return !sampled && (needsOf(needs, ["filter", "score"]) & ~kept_needs) === 0;
}

/** Return what says which waiting tasks are alike: to the order, and to filter and room. */
function alike(/** @type {Record<string, number>} */ needs) {
  const placed = needsOf(needs, PLACED);
  return `${placed & KINDS} ${(placed | needsOf(needs, ["order"])) & NEEDS.TASK}`;
}

/**
 * Return what a page writes for a policy; null if the start lacks an array for it.
 * @param {Header} header
 * @param {HasPolicy} has
 * @param {string} text
 * @param {Record<string, unknown>} given  the scheduler's parameters, the policy's settings among them
 * @returns {Program | null}
 */
export function programFor(header, has, text, given) {
  const policy = compilePolicy(text);
  const constants = policy && constantsOf(policy, given);
  if (!policy || !constants) return null;
  const needs = Object.fromEntries(Object.entries(policy.hooks).map(([name, code]) => [name, code.needs]));
  const read = policy.words.map((number) => WORDS[number]);
  if (policy.words.some((number) => WORDS[number].fixed && !has.columns.includes(number))) return null;
  if (alike(needs) !== alike(has.needs)) return null;
  const [kept, wasKept] = [keeps(has, needs), keeps(has, has.needs)];
  const held = read.some(({ word }) => word === HELD_WORD);
  if ((kept && !wasKept) || (held && !has.held)) return null;
  if (!has.data && read.some(({ word }) => DATA_WORDS.includes(word))) return null;
  if (costOf(policy, sizesOf(header), has.victims) > has.steps_of_one) return null;
  const placed = needsOf(needs, PLACED);
  return {
    code: policy.rows,
    constants,
    hooks: ALL_HOOKS.map((name) => placeOf(policy.hooks[name])),
    unkept: wasKept && !kept,
    rules: {
      static: Number((needsOf(needs, ["order"]) & (NEEDS.STATE | NEEDS.NOW | NEEDS.OTHERS)) === 0),
      timed: Number((placed & NEEDS.NOW) !== 0 || has.sampled),
      restless: Number("filter" in policy.hooks || "preempt" in policy.hooks),
      held: Number(held),
      most_steps: has.step_limit,
    },
  };
}

const placeOf = (/** @type {Code | undefined} */ code) =>
  code ? [code.first, code.machine, code.end, code.result, 1] : [0, 0, 0, 0, 0];

/**
 * Return a policy's constants with its settings as given; null for a value that the server refuses.
 * @param {Policy} policy
 * @param {Record<string, unknown>} given
 */
function constantsOf({ constants, settings }, given) {
  const names = new Set([...RESERVED, ...settings.map(({ name }) => name)]);
  if (!Object.keys(given).every((name) => names.has(name))) return null;
  const found = [...constants];
  for (const { name, default: usual, low, high, at } of settings) {
    const value = given[name] ?? usual;
    if (typeof value !== "number" || !(value >= low && value <= high)) return null;
    found[at] = value;
  }
  return found;
}

/** @typedef {{entries: number, machines: number, rack: number}} Sizes  `rack`: machines of the largest rack */

/** @returns {Sizes} */
function sizesOf(/** @type {Header} */ header) {
  const arrays = header.arguments.flatMap(({ arrays }) => arrays);
  const rows = (/** @type {string} */ name) => {
    const array = arrays.find((each) => each.name === name);
    return array ? rowsOf(array) : 0;
  };
  const racks = header.touch?.racks ?? [];
  const rack = racks.slice(1).map((end, place) => end - racks[place]);
  return { entries: rows("entry"), machines: rows("machine"), rack: Math.max(1, ...rack) };
}

/**
 * Return the most steps of one decision.
 * @param {Policy} policy
 * @param {Sizes} sizes
 * @param {number} victims  the most tasks of a machine that one decision looks at to preempt them
 */
function costOf({ rows, hooks }, { entries, machines, rack }, victims) {
  const looked = "preempt" in hooks ? machines * victims : 0;
  const there = looked ? machines : 0;
  /** @type {Record<string, [prepared: number, answered: number]>} */
  const often = {
    order: [entries, entries],
    filter: [1 + there, machines + there],
    score: [1 + there, machines + there],
    preempt: [looked, looked],
    victim: [looked, looked],
  };
  let steps = machines;
  for (const [name, { first, machine, end }] of Object.entries(hooks)) {
    const [prepared, answered] = often[name];
    for (let at = first; at < end; ) {
      const times = at < machine ? prepared : answered;
      const [op, , domain, , , behind] = rows[at];
      const size = op === OPS.FOLD ? behind - at : 1;
      steps += times * (op === OPS.FOLD ? (domain === RACK ? rack : machines) * size : 1);
      at += size;
    }
  }
  return steps;
}
