/** The policy language for the editor: the tokens of a line, and completions. */

/**
 * @import { PolicyLanguage } from "../../contract/api.js"
 * @import { Completion, CompletionContext } from "../../../vendor/codemirror/codemirror.js"
 */

/**
 * A line as the editor hands it to a tokenizer.
 * @typedef {object} Line
 * @property {() => boolean} eatSpace
 * @property {() => void} skipToEnd
 * @property {() => boolean} sol
 * @property {() => string | void} next
 * @property {(pattern: string | RegExp, consume?: boolean) => RegExpMatchArray | null} match
 */

const OBJECT = /^[A-Za-z_]\w*/;
const NUMBER = /^(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/;
const PLAIN = ["and", "or", "not", "if", "else", "for", "in", "from", "to", "param"];
/** Matches an unfinished word before the cursor, with the object before a dot. */
const WORD = /[A-Za-z_][\w.]*/;

/**
 * Return a tokenizer for highlighting; each call consumes one token.
 * @param {PolicyLanguage} language
 */
export function streamOf(language) {
  const hooks = new Set(language.hooks.map(({ name }) => name));
  const functions = new Set(language.functions.map(({ name }) => name));
  const words = new Set(language.words.map(({ word }) => word));
  return {
    name: "policy",
    token(/** @type {Line} */ stream) {
      if (stream.eatSpace()) return null;
      if (stream.match("#")) {
        stream.skipToEnd();
        return "comment";
      }
      if (stream.match(NUMBER)) return "number";
      const first = stream.sol();
      const found = stream.match(OBJECT);
      if (!found) {
        stream.next();
        return null;
      }
      const rest = stream.match(/^\.\w*/);
      const name = found[0] + (rest ? rest[0] : "");
      if (first && hooks.has(name) && stream.match(/^\s*:/, false)) return "heading";
      if (PLAIN.includes(name)) return "keyword";
      if (words.has(name)) return "variableName";
      return functions.has(name) ? "typeName" : null;
    },
  };
}

/**
 * Return completions at the cursor: hooks at the beginning of a line, else words and functions.
 * @param {PolicyLanguage} language
 * @param {(context: CompletionContext) => boolean} begins  returns true if the cursor is in the first word of a line
 */
export function completionsOf(language, begins) {
  /** @type {Completion[]} */
  const hooks = [
    ...language.hooks.map(({ name, help }) => ({ label: `${name}: `, info: help, type: "keyword" })),
    ...PLAIN.slice(-1).map((label) => ({ label, type: "keyword" })),
  ];
  /** @type {Completion[]} */
  const words = [
    ...language.words.map(({ word, unit, help }) => ({ label: word, detail: unit, info: help, type: "variable" })),
    ...language.functions.map(({ name, help }) => ({ label: name, info: help, type: "function" })),
  ];
  return (/** @type {CompletionContext} */ context) => {
    const under = context.matchBefore(WORD);
    if (!under && !context.explicit) return null;
    const options = begins(context) ? hooks : words;
    // A whole word needs no list, which would lie over the lines below.
    const text = under?.text ?? "";
    const nearby = options.filter(({ label }) => label.startsWith(text));
    if (!context.explicit && nearby.length === 1 && nearby[0].label === text) return null;
    return { from: under ? under.from : context.pos, options };
  };
}
