/**
 * Translate a syntax tree into values of a graph. The counterpart of scheduler_core/policy/expressions.py, in the same
 * order: the numbers of values and constants depend on it.
 */

import { ALIASES, FOLDED, FOLDS, FUNCTIONS, HOOKS, NEEDS, OPS, WORDS } from "../../contract/policy_table.js";
import { refuse } from "./unread.js";

/** @import { Graph } from "./nodes.js" */
/** @import { Attribute, Binary, Call, Compare, Each, Name, Node } from "./trees.js" */
/** @import { Limits } from "./lines.js" */

/**
 * What an expression may name: definitions above it, settings and the objects of the hook.
 * @typedef {object} Scope
 * @property {Graph} graph
 * @property {readonly string[]} objects  those of the hook
 * @property {(number: number) => number} constant  returns the place of a constant
 * @property {Map<string, number>} settings
 * @property {Map<string, unknown>} definitions
 * @property {Limits} limits
 * @property {Map<string, number>} values  those of the definitions, computed before
 * @property {string} each  the variable of the fold, or ""
 * @property {number} fold
 * @property {number} folds
 */

const BINARY = /** @type {Record<string, number>} */ ({
  "+": OPS.ADD,
  "-": OPS.SUB,
  "*": OPS.MUL,
  "/": OPS.DIV,
  "//": OPS.FLOORDIV,
  "%": OPS.MOD,
  "**": OPS.POW,
});
/** @type {Record<string, [op: number, turned: boolean]>} */
const COMPARED = {
  "<": [OPS.LT, false],
  "<=": [OPS.LE, false],
  ">": [OPS.LT, true],
  ">=": [OPS.LE, true],
  "==": [OPS.EQ, false],
  "!=": [OPS.NE, false],
};
const FUNCTION = new Map(FUNCTIONS.map((each) => [each.name, each]));
const FOLD_KINDS = new Map(Object.entries(FOLDS));
const DOMAINS = new Map(Object.entries(FOLDED));
const ALIAS = new Map(Object.entries(ALIASES));
const NUMBERS = new Map(WORDS.map(({ word }, number) => [word, number]));
export const CALLABLE = new Set([...FUNCTION.keys(), ...FOLD_KINDS.keys()]);
const MOST_MULTIPLIED = 8;

/** Translates one expression into values of a graph. */
export class Translator {
  /**
   * @param {number} line  the number of the expression's line
   * @param {Scope} scope
   */
  constructor(line, scope) {
    this.line = line;
    this.scope = scope;
    this.graph = scope.graph;
  }

  /**
   * Return the value of a node.
   * @param {Node} node
   * @returns {number} throws Unread for what the language does not have
   */
  value(node) {
    const { graph } = this;
    switch (node.kind) {
      case "number":
        return this.#number(node.value);
      case "name":
        return this.#name(node);
      case "word":
        return this.#word(node);
      case "binary":
        return this.#binary(node);
      case "unary": {
        const inner = this.value(node.operand);
        return node.op === "+" ? inner : graph.of(node.op === "-" ? OPS.NEG : OPS.NOT, inner);
      }
      case "bool": {
        const [first, ...others] = node.values;
        const op = node.op === "and" ? OPS.AND : OPS.OR;
        return others.reduce((found, other) => graph.of(op, found, this.value(other)), this.value(first));
      }
      case "compare":
        return this.#comparison(node);
      case "choice": {
        const [test, yes] = [this.value(node.test), this.value(node.yes)];
        return graph.of(OPS.SELECT, test, yes, this.value(node.no));
      }
      case "call":
        return this.#call(node);
      default:
        return refuse("no part of the language");
    }
  }

  #number(/** @type {number} */ value) {
    if (!Number.isFinite(value)) refuse("no finite number");
    return this.#constant(value);
  }

  #constant(/** @type {number} */ value) {
    return this.graph.add(OPS.CONST, [this.scope.constant(value)]);
  }

  #name(/** @type {Name} */ { id }) {
    const { scope } = this;
    if (id === scope.each) refuse(`${id} is a machine`);
    const setting = scope.settings.get(id);
    if (setting !== undefined) return this.graph.add(OPS.CONST, [setting]);
    if (scope.definitions.has(id)) return scope.values.get(id) ?? refuse(`${id} is not computed`);
    if (id === "now" || ALIAS.has(id)) return this.#read(ALIAS.get(id) ?? id);
    return refuse(`no line defines ${id}`);
  }

  #word(/** @type {Attribute} */ { owner, name }) {
    if (owner.kind !== "name") return refuse("no word");
    if (owner.id === this.scope.each) return this.#read(`machine.${name}`, true);
    return this.#read(`${owner.id}.${name}`);
  }

  /** Return the value of a word; `isEach`: of the fold's machine. */
  #read(/** @type {string} */ text, isEach = false) {
    const { graph, scope } = this;
    const number = NUMBERS.get(text) ?? refuse(`${text} is no word`);
    const { of, needs } = WORDS[number];
    if (!isEach && !scope.objects.includes(of)) refuse(`${text} cannot be used here`);
    if (!isEach) return graph.add(OPS.WORD, [number], needs);
    if (needs & (NEEDS.TASK | NEEDS.JOB) && !scope.objects.includes("task")) refuse(`${text} cannot be used here`);
    return graph.add(OPS.EACH, [number], (needs & ~NEEDS.MACHINE) | NEEDS.FOLDED, scope.fold);
  }

  #binary(/** @type {Binary} */ node) {
    const [left, right] = [this.value(node.left), this.value(node.right)];
    const power = node.op === "**" && node.right.kind === "number" && node.right.whole ? node.right.value : 0;
    if (power < 1 || power > MOST_MULTIPLIED) return this.graph.of(BINARY[node.op], left, right);
    let found = left;
    for (let more = 1; more < power; more++) found = this.graph.of(OPS.MUL, found, left);
    return found;
  }

  #comparison(/** @type {Compare} */ node) {
    let [found, left] = [-1, this.value(node.left)];
    for (const [place, op] of node.ops.entries()) {
      const [kind, turned] = COMPARED[op];
      const right = this.value(node.others[place]);
      const one = turned ? this.graph.of(kind, right, left) : this.graph.of(kind, left, right);
      found = found < 0 ? one : this.graph.of(OPS.AND, found, one);
      left = right;
    }
    return found;
  }

  #call(/** @type {Call} */ node) {
    if (node.called.kind !== "name" || !CALLABLE.has(node.called.id)) return refuse("no function");
    const name = node.called.id;
    const [first] = node.given;
    const fold = FOLD_KINDS.get(name);
    if (node.given.length === 1 && first.kind === "each" && fold !== undefined) return this.#fold(name, fold, first);
    const declared = FUNCTION.get(name) ?? refuse(`${name} needs machines to go over`);
    if (node.given.length < declared.least || node.given.length > declared.most) refuse("arguments");
    const given = node.given.map((each) => this.value(each));
    return this.#function(node, declared, given);
  }

  /**
   * @param {Call} node
   * @param {typeof FUNCTIONS[number]} declared
   * @param {number[]} given
   */
  #function(node, { name, op }, given) {
    const { graph, scope } = this;
    if (name === "random") {
      if (scope.each) refuse("random() cannot stand in a fold");
      const site = this.line * 1024 + node.start;
      return graph.add(OPS.RANDOM, [site], NEEDS.TASK | (scope.objects.includes("machine") ? NEEDS.MACHINE : 0));
    }
    if (name === "clip") return graph.of(OPS.MIN, graph.of(OPS.MAX, given[0], given[1]), given[2]);
    if (op !== null) return graph.of(op, given[0]);
    const each = name === "min" ? OPS.MIN : OPS.MAX;
    return given.slice(1).reduce((found, other) => graph.of(each, found, other), given[0]);
  }

  /**
   * @param {string} name
   * @param {number} kind
   * @param {Each} over
   */
  #fold(name, kind, over) {
    const { scope } = this;
    const [part] = over.parts;
    if (scope.each) refuse("a fold in a fold");
    if (over.parts.length > 1) refuse("a fold over more than one thing");
    const domain = part.over.kind === "name" ? part.over.id : "";
    if (!DOMAINS.has(domain)) refuse("a fold over something else");
    if (domain === "rack" && !scope.objects.includes("rack")) refuse("no rack");
    if (this.#isTaken(part.target.id)) refuse(`${part.target.id} has a meaning already`);
    scope.folds += 1;
    if (scope.folds > scope.limits.folds) refuse("folds");
    return this.#folded(name, kind, over);
  }

  #isTaken(/** @type {string} */ name) {
    const { settings, definitions, objects } = this.scope;
    const isNamed = settings.has(name) || definitions.has(name) || ALIAS.has(name) || objects.includes(name);
    return (
      isNamed || CALLABLE.has(name) || HOOKS.some((hook) => hook.name === name) || ["now", "machine"].includes(name)
    );
  }

  /**
   * @param {string} name
   * @param {number} kind
   * @param {Each} over
   */
  #folded(name, kind, { value: inner, parts: [part] }) {
    const { graph, scope } = this;
    const number = scope.folds;
    [scope.each, scope.fold] = [part.target.id, number];
    const value = name === "count" ? this.#constant(1) : this.value(inner);
    if (name === "count" && !(inner.kind === "name" && inner.id === scope.each)) refuse("count counts machines");
    const all = this.#constant(1);
    const condition = part.ifs.reduce((found, one) => graph.of(OPS.AND, found, this.value(one)), all);
    [scope.each, scope.fold] = ["", -1];
    const domain = part.over.kind === "name" ? part.over.id : "";
    const inside = (graph.values[value].needs | graph.values[condition].needs) & ~NEEDS.FOLDED;
    const needs = inside | NEEDS.OTHERS | (domain === "rack" ? NEEDS.MACHINE : 0);
    return graph.add(OPS.FOLD, [kind, DOMAINS.get(domain) ?? 0, value, condition, number], needs);
  }
}
