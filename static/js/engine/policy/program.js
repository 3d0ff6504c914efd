/**
 * A policy as a program: rows of numbers that the kernel of the scheduler `own` interprets. The counterpart of
 * scheduler_core/policy/program.py. A text that cannot be read has no program; what is wrong with it, the server says.
 */

import { ALIASES, HOOKS, KEYWORDS, LIMITS, LONGEST_NAME, MOST_TERMS, OBJECTS } from "../../contract/policy_table.js";
import { OPS, RESERVED } from "../../contract/policy_table.js";
import { CALLABLE, Translator } from "./expressions.js";
import { COLUMNS, laidOut } from "./layout.js";
import { readLines, statementOf } from "./lines.js";
import { Graph } from "./nodes.js";
import { namesIn, parse } from "./trees.js";
import { refuse, Unread } from "./unread.js";

/** @import { Code } from "./layout.js" */
/** @import { Limits, Statement, Token } from "./lines.js" */
/** @import { Node } from "./trees.js" */
/** @import { Scope } from "./expressions.js" */

/**
 * A policy that can be run: its settings, its rows, its constants and its hooks' places. A setting's value is the
 * constant at `at`. `words` are the numbers of the words that the rows read.
 * @typedef {{name: string, default: number, low: number, high: number, at: number}} Setting
 * @typedef {{settings: Setting[], rows: number[][], constants: number[], hooks: Record<string, Code>,
 *   words: number[]}} Policy
 * @typedef {{line: number, tree: Node}} Expression
 */

const MEANINGS = new Set([
  ...Object.keys(KEYWORDS),
  "param",
  ...HOOKS.map(({ name }) => name),
  ...OBJECTS,
  ...Object.keys(ALIASES),
  ...CALLABLE,
]);

/**
 * Return the policy of a text; null for a text that is no policy.
 * @param {string} text
 * @param {readonly string[]} [reserved]  names that no setting may have
 * @param {Limits} [limits]
 * @returns {Policy | null}
 */
export function compilePolicy(text, reserved = RESERVED, limits = LIMITS) {
  const made = new Made(reserved, limits);
  try {
    for (const line of readLines(text, limits)) made.take(statementOf(line));
    return made.assembled();
  } catch (error) {
    if (error instanceof Unread) return null;
    throw error;
  }
}

/** What the lines have given so far. */
class Made {
  /** @type {Map<string, Setting>} */
  #settings = new Map();
  /** @type {Map<string, number>} */
  #settingAt = new Map();
  /** @type {Map<string, Expression | null>} */
  #definitions = new Map();
  /** The definitions that each definition reads, and those that they read. @type {Map<string, Set<string>>} */
  #reads = new Map();
  /** @type {Map<string, Expression & {visible: string[]}>} */
  #hooks = new Map();
  /** @type {Set<string>} */
  #seen = new Set();
  /** @type {number[]} */
  #pool = [];
  /** @type {Map<number, number>} */
  #places = new Map();
  /** @type {Scope} */
  #everything;

  /**
   * @param {readonly string[]} reserved
   * @param {Limits} limits
   */
  constructor(reserved, limits) {
    this.reserved = reserved;
    this.limits = limits;
    this.#everything = this.#scope(OBJECTS, this.#definitions);
  }

  /** Return the place of a constant. */
  #constant(/** @type {number} */ number) {
    const known = this.#places.get(number);
    if (known !== undefined) return known;
    this.#places.set(number, this.#pool.length);
    return this.#pool.push(number) - 1;
  }

  /**
   * @param {readonly string[]} objects
   * @param {Map<string, Expression | null>} definitions
   * @returns {Scope}
   */
  #scope(objects, definitions) {
    const constant = (/** @type {number} */ number) => this.#constant(number);
    const [graph, values, settings] = [new Graph(), new Map(), this.#settingAt];
    return {
      graph,
      objects,
      constant,
      settings,
      definitions,
      limits: this.limits,
      values,
      each: "",
      fold: -1,
      folds: 0,
    };
  }

  /** Take one line over. */
  take(/** @type {Statement} */ statement) {
    const { form, name, line } = statement;
    if (this.#seen.has(name)) refuse(`${name} is there already`);
    if (form !== "hook") this.#refuseTaken(statement);
    this.#seen.add(name);
    if (form === "param") {
      this.#takeSetting(statement);
      return;
    }
    if (form === "name") this.#definitions.set(name, null);
    const expression = { line: line.number, tree: parse(line.number, statement.rest, this.limits) };
    const scope = this.#everything;
    scope.folds = 0;
    if (form === "hook") {
      this.#hooks.set(name, { ...expression, visible: [...this.#definitions.keys()] });
      return;
    }
    scope.values.set(name, new Translator(expression.line, scope).value(expression.tree));
    this.#definitions.set(name, expression);
    this.#reads.set(name, this.#names(expression.tree));
  }

  #refuseTaken(/** @type {Statement} */ { form, name }) {
    if (form === "param" && this.reserved.includes(name)) refuse(`${name} is a parameter`);
    if (MEANINGS.has(name)) refuse(`${name} has a meaning already`);
    if (name.length > LONGEST_NAME) refuse("a long name");
  }

  #takeSetting(/** @type {Statement} */ { name, rest }) {
    if (this.#settings.size >= this.limits.settings) refuse("settings");
    const [value, low, high] = bounds(rest);
    if (low >= high || value < low || value > high) refuse("bounds");
    const at = this.#pool.push(value) - 1;
    this.#settings.set(name, { name, default: value, low, high, at });
    this.#settingAt.set(name, at);
  }

  /** Return the definitions that an expression reads, and those that they read. */
  #names(/** @type {Node} */ tree) {
    const own = namesIn(tree).filter((name) => this.#definitions.has(name));
    return new Set([...own, ...own.flatMap((name) => [...(this.#reads.get(name) ?? [])])]);
  }

  /** Return the policy whose lines have been read. @returns {Policy} */
  assembled() {
    if (!this.#hooks.size) refuse("no hook");
    if (this.#hooks.has("victim") && !this.#hooks.has("preempt")) refuse("victim without preempt");
    /** @type {number[][]} */
    const rows = [];
    /** @type {Record<string, Code>} */
    const hooks = {};
    for (const { name, objects } of HOOKS) {
      const hook = this.#hooks.get(name);
      if (!hook) continue;
      const visible = new Map(hook.visible.map((each) => [each, this.#definitions.get(each) ?? null]));
      const scope = this.#scope(objects, visible);
      const result = this.#hooked(scope, hook);
      hooks[name] = laidOut(rows, scope.graph, result, name === "score" ? terms(scope, hook) : []);
    }
    if (rows.length > this.limits.instructions) refuse("instructions");
    const read = rows.filter(([op]) => op === OPS.WORD || op === OPS.EACH).map(([, number]) => number);
    return {
      settings: [...this.#settings.values()],
      rows: rows.map((row) => [...row, ...Array(1 + COLUMNS - row.length).fill(0)]),
      constants: this.#pool.length ? this.#pool : [0],
      hooks,
      words: [...new Set(read)].sort((a, b) => a - b),
    };
  }

  /** Return a hook's value; the definitions that it reads come first, in their order. */
  #hooked(/** @type {Scope} */ scope, /** @type {Expression} */ expression) {
    const wanted = this.#names(expression.tree);
    for (const name of scope.definitions.keys()) {
      const definition = this.#definitions.get(name);
      if (!wanted.has(name) || !definition) continue;
      scope.values.set(name, new Translator(definition.line, scope).value(definition.tree));
    }
    return new Translator(expression.line, scope).value(expression.tree);
  }
}

/** Return value, low and high of a `param` line: = NUMBER from A to B. */
function bounds(/** @type {Token[]} */ rest) {
  const tokens = [...rest];
  const found = ["=", "from", "to"].map((word) => {
    if (tokens.shift()?.text !== word) refuse(`${word} is missing`);
    const sign = tokens[0]?.text === "-" ? -1 : 1;
    if (sign < 0) tokens.shift();
    const token = tokens.shift();
    const number = token?.kind === "number" ? Number(token.text) : Number.NaN;
    if (!Number.isFinite(number)) refuse("a number is missing");
    return sign * number + 0;
  });
  if (tokens.length) refuse("too much");
  return found;
}

/** Return the values of the terms of a sum, if they are not too many. */
function terms(/** @type {Scope} */ scope, /** @type {Expression} */ { line, tree }) {
  /** @type {number[]} */
  const found = [];
  const waiting = [tree];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.kind === "binary" && (node.op === "+" || node.op === "-")) waiting.push(node.right, node.left);
    else found.push(new Translator(line, scope).value(node));
  }
  return found.length <= MOST_TERMS ? found : [];
}
