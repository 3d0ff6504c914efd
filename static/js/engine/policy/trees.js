/**
 * Parse an expression to a syntax tree, within bounds: the part of Python's grammar that policies use. The counterpart
 * of scheduler_core/policy/trees.py, which lets Python parse.
 */

import { KEYWORDS, TRUTHS } from "../../contract/policy_table.js";
import { refuse } from "./unread.js";

/** @import { Limits, Token } from "./lines.js" */

/**
 * A node of a tree. `whole`: the number is written as an integer, or is True or False. `start` is the column of the
 * node's first token. An `each` is a Python generator: values of machines that a fold goes over.
 * @typedef {{kind: "number", value: number, whole: boolean}} Plain
 * @typedef {{kind: "name", id: string}} Name
 * @typedef {{kind: "word", owner: Node, name: string}} Attribute
 * @typedef {{kind: "binary", op: string, left: Node, right: Node}} Binary
 * @typedef {{kind: "unary", op: string, operand: Node}} Unary
 * @typedef {{kind: "bool", op: string, values: Node[]}} Bool
 * @typedef {{kind: "compare", left: Node, ops: string[], others: Node[]}} Compare
 * @typedef {{kind: "choice", test: Node, yes: Node, no: Node}} Choice
 * @typedef {{kind: "call", called: Node, given: Node[], start: number}} Call
 * @typedef {{target: Name, over: Node, ifs: Node[]}} Part
 * @typedef {{kind: "each", value: Node, parts: Part[]}} Each
 * @typedef {Plain | Name | Attribute | Binary | Unary | Bool | Compare | Choice | Call | Each} Node
 */

const COMPARISONS = ["<", "<=", ">", ">=", "==", "!="];
const SUMS = ["+", "-"];
const PRODUCTS = ["*", "/", "//", "%"];
const TRUTH = new Map(Object.entries(TRUTHS));
/** An integer with zeros before it, which Python refuses. */
const OCTAL = /^0+[1-9]\d*$/;

/**
 * Return the tree of an expression.
 * @param {number} line  the line's number
 * @param {Token[]} rest
 * @param {Limits} limits
 * @returns {Node} throws Unread where it cannot be read or is nested too deeply
 */
export function parse(line, rest, limits) {
  const parser = new Parser(rest);
  const tree = parser.expression();
  if (parser.next) refuse(`line ${line}: ${parser.next.text}`);
  if (depthOf(tree) > limits.nesting) refuse("nesting");
  return tree;
}

class Parser {
  #at = 0;

  /** @param {Token[]} tokens */
  constructor(tokens) {
    this.tokens = tokens;
  }

  /** @returns {Token | undefined} */
  get next() {
    return this.tokens[this.#at];
  }

  /** Take the next token if it is one of these; return its text, or "". */
  #taken(/** @type {string[]} */ ...texts) {
    const { next } = this;
    if (!next || !texts.includes(next.text)) return "";
    this.#at += 1;
    return next.text;
  }

  #expect(/** @type {string} */ text) {
    if (!this.#taken(text)) refuse(`${text} is missing`);
  }

  /** Take a name that is no keyword. */
  #name() {
    const { next } = this;
    if (next?.kind !== "name" || Object.hasOwn(KEYWORDS, next.text)) refuse("a name is missing");
    this.#at += 1;
    return next.text;
  }

  /** @returns {Node} */
  expression() {
    const yes = this.#either();
    if (!this.#taken("if")) return yes;
    const test = this.#either();
    this.#expect("else");
    return { kind: "choice", test, yes, no: this.expression() };
  }

  /** @returns {Node} */
  #either() {
    return this.#several("or", () => this.#several("and", () => this.#not()));
  }

  /**
   * @param {string} op
   * @param {() => Node} inner
   * @returns {Node}
   */
  #several(op, inner) {
    const values = [inner()];
    while (this.#taken(op)) values.push(inner());
    return values.length > 1 ? { kind: "bool", op, values } : values[0];
  }

  /** @returns {Node} */
  #not() {
    return this.#taken("not") ? { kind: "unary", op: "not", operand: this.#not() } : this.#comparison();
  }

  /** @returns {Node} */
  #comparison() {
    const left = this.#sum();
    /** @type {Compare} */
    const found = { kind: "compare", left, ops: [], others: [] };
    for (let op = this.#taken(...COMPARISONS); op; op = this.#taken(...COMPARISONS)) {
      found.ops.push(op);
      found.others.push(this.#sum());
    }
    return found.ops.length ? found : left;
  }

  #sum() {
    return this.#chain(SUMS, () => this.#chain(PRODUCTS, () => this.#factor()));
  }

  /**
   * @param {string[]} ops
   * @param {() => Node} inner
   */
  #chain(ops, inner) {
    let found = inner();
    for (let op = this.#taken(...ops); op; op = this.#taken(...ops))
      found = { kind: "binary", op, left: found, right: inner() };
    return found;
  }

  /** @returns {Node} */
  #factor() {
    const op = this.#taken(...SUMS);
    if (op) return { kind: "unary", op, operand: this.#factor() };
    const left = this.#primary();
    return this.#taken("**") ? { kind: "binary", op: "**", left, right: this.#factor() } : left;
  }

  /** @returns {Node} */
  #primary() {
    const start = this.next?.column ?? 0;
    let found = this.#atom();
    for (;;) {
      if (this.#taken(".")) found = { kind: "word", owner: found, name: this.#name() };
      else if (this.#taken("(")) found = { kind: "call", called: found, given: this.#given(), start };
      else return found;
    }
  }

  /** @returns {Node} */
  #atom() {
    const { next } = this;
    if (next?.kind === "number") {
      if (OCTAL.test(next.text)) refuse(next.text);
      this.#at += 1;
      return { kind: "number", value: Number(next.text), whole: /^\d+$/.test(next.text) };
    }
    const truth = this.#taken(...TRUTH.keys());
    if (truth) return { kind: "number", value: TRUTH.get(truth) ?? 0, whole: true };
    if (!this.#taken("(")) return { kind: "name", id: this.#name() };
    const inner = this.expression();
    const found = this.next?.text === "for" ? this.#each(inner) : inner;
    this.#expect(")");
    return found;
  }

  /** Read the values of a call, up to its closing bracket. */
  #given() {
    /** @type {Node[]} */
    const found = [];
    while (!this.#taken(")")) {
      const value = this.expression();
      if (!found.length && this.next?.text === "for") {
        found.push(this.#each(value));
        this.#expect(")");
        break;
      }
      found.push(value);
      if (!this.#taken(",")) {
        this.#expect(")");
        break;
      }
    }
    return found;
  }

  /** @returns {Each} */
  #each(/** @type {Node} */ value) {
    /** @type {Part[]} */
    const parts = [];
    while (this.#taken("for")) {
      const target = this.#target();
      this.#expect("in");
      const over = this.#either();
      const ifs = [];
      while (this.#taken("if")) ifs.push(this.#either());
      parts.push({ target, over, ifs });
    }
    return { kind: "each", value, parts };
  }

  /** @returns {Name} */
  #target() {
    if (!this.#taken("(")) return { kind: "name", id: this.#name() };
    const inner = this.#target();
    this.#expect(")");
    return inner;
  }
}

/** Return the nodes below a node. @returns {Node[]} */
export function below(/** @type {Node} */ node) {
  switch (node.kind) {
    case "word":
      return [node.owner];
    case "binary":
      return [node.left, node.right];
    case "unary":
      return [node.operand];
    case "bool":
      return node.values;
    case "compare":
      return [node.left, ...node.others];
    case "choice":
      return [node.test, node.yes, node.no];
    case "call":
      return [node.called, ...node.given];
    case "each":
      return [node.value, ...node.parts.flatMap(({ target, over, ifs }) => [target, over, ...ifs])];
    default:
      return [];
  }
}

/** Return all names in a tree. @returns {string[]} */
export const namesIn = (/** @type {Node} */ node) => (node.kind === "name" ? [node.id] : below(node).flatMap(namesIn));

/** @returns {number} */
const depthOf = (/** @type {Node} */ node) => 1 + Math.max(0, ...below(node).map(depthOf));
