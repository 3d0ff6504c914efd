/**
 * Read a policy's text line by line: bounds first, then which of the three forms each line has. The counterpart of
 * scheduler_core/policy/lines.py.
 */

import { HOOKS } from "../../contract/policy_table.js";
import { refuse } from "./unread.js";

/**
 * @typedef {typeof import("../../contract/policy_table.js").LIMITS} Limits
 * @typedef {{kind: "number" | "name" | "op", text: string, column: number}} Token  `column`: from 1
 * @typedef {{number: number, tokens: Token[]}} Line  a line that says something: its number from 1, and its tokens
 *   without blanks and comment
 * @typedef {{form: "param" | "name" | "hook", name: string, line: Line, rest: Token[]}} Statement  a line by its form:
 *   what it defines, and the tokens behind `=` or `:`
 */

const KINDS = [
  /(?<blank>[ \t]+)/,
  /(?<comment>#)/,
  /(?<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)/,
  /(?<name>[A-Za-z_]\w*)/,
  /(?<op>\*\*|\/\/|[<>=!]=|[-+*/%()<>.,:=])/,
];
const TOKEN = new RegExp(KINDS.map(({ source }) => source).join("|"), "y");

const isHook = (/** @type {string} */ name) => HOOKS.some((hook) => hook.name === name);

/**
 * Return the lines that say something.
 * @param {string} text
 * @param {Limits} limits
 * @returns {Line[]} throws Unread for a text that is too long or has foreign characters
 */
export function readLines(text, limits) {
  if (new TextEncoder().encode(text).length > limits.bytes) refuse("bytes");
  const rows = text.replaceAll("\r\n", "\n").replaceAll("\r", "\n").split("\n");
  if (rows.length > limits.lines) refuse("lines");
  return rows
    .map((row, at) => ({ number: at + 1, tokens: tokensOf(row, limits) }))
    .filter(({ tokens }) => tokens.length);
}

/**
 * @param {string} row
 * @param {Limits} limits
 */
function tokensOf(row, limits) {
  if ([...row].length > limits.line_characters) refuse("line_characters");
  /** @type {Token[]} */
  const found = [];
  let [at, depth, before] = [0, 0, ""];
  while (at < row.length) {
    const { kind, text } = tokenAt(row, at);
    if (kind === "name" && before === "number") refuse("a name behind a number");
    if (kind === "comment") break;
    depth += Number(text === "(") - Number(text === ")");
    if (depth > limits.nesting) refuse("nesting");
    if (kind !== "blank") found.push({ kind, text, column: at + 1 });
    [at, before] = [at + text.length, kind];
  }
  return found;
}

/**
 * @param {string} row
 * @param {number} at
 * @returns {{kind: Token["kind"] | "blank" | "comment", text: string}}
 */
function tokenAt(row, at) {
  TOKEN.lastIndex = at;
  const found = TOKEN.exec(row) ?? refuse("a foreign character");
  for (const kind of /** @type {const} */ (["blank", "comment", "number", "name", "op"]))
    if (found.groups?.[kind] !== undefined) return { kind, text: found[0] };
  return refuse("no token");
}

/**
 * Return a line by its form.
 * @param {Line} line
 * @returns {Statement} throws Unread for a line that has none
 */
export function statementOf(line) {
  const [first, second, ...rest] = line.tokens;
  if (first.text === "param" && second?.text !== "=" && second?.text !== ":") {
    if (second?.kind !== "name") refuse("the name of the setting is missing");
    return { form: "param", name: second.text, line, rest };
  }
  if (first.kind !== "name") refuse("no form");
  if (second?.text === ":" && isHook(first.text)) return { form: "hook", name: first.text, line, rest };
  if (second?.text === "=" && !isHook(first.text)) return { form: "name", name: first.text, line, rest };
  return refuse("no form");
}
