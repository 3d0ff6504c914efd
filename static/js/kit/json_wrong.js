/**
 * Find the first JSON syntax error and describe it. JavaScript engines word such errors differently, some without a
 * position.
 */

import { gettext } from "./words.js";

class Wrong extends Error {
  /**
   * @param {string} words
   * @param {number} from
   * @param {number} to
   */
  constructor(words, from, to) {
    super(words);
    this.from = from;
    this.to = to;
  }
}

/** @type {Record<string, string>} */
const WORDS = { True: "true", False: "false", None: "null", NULL: "null", undefined: "null" };

/** Return {line, from, to, words} of the first syntax error in a text; null if none is found. */
export function firstWrong(/** @type {string} */ text) {
  try {
    new Reader(text).whole();
  } catch (error) {
    if (!(error instanceof Wrong)) return null; // nested too deeply to parse
    const from = Math.min(error.from, Math.max(0, text.length - 1));
    return {
      line: text.slice(0, from).split("\n").length,
      from,
      to: Math.max(from + 1, Math.min(error.to, text.length)),
      words: error.message,
    };
  }
  return null;
}

class Reader {
  constructor(/** @type {string} */ text) {
    this.text = text;
    this.at = 0;
  }

  fail(/** @type {string} */ words, from = this.at, to = from + 1) {
    throw new Wrong(words, from, to);
  }

  blank() {
    while (/\s/.test(this.text[this.at] ?? "")) this.at += 1;
    if (this.text.startsWith("//", this.at) || this.text.startsWith("/*", this.at))
      this.fail(gettext("JSON has no comments"), this.at, this.at + 2);
  }

  whole() {
    this.value();
    this.blank();
    if (this.at < this.text.length)
      this.fail(gettext("the experiment has ended already; remove the rest"), this.at, this.text.length);
  }

  value() {
    this.blank();
    const first = this.text[this.at];
    if (first === "{") return this.list("}");
    if (first === "[") return this.list("]");
    if (first === '"') return this.string();
    if (first === undefined) this.fail(gettext("the text ends where a value is expected"));
    return this.word();
  }

  /** Read the members of an object or array up to its end. */
  list(/** @type {string} */ end) {
    const open = this.at;
    let comma = -1;
    for (this.at += 1; ; ) {
      this.blank();
      const next = this.text[this.at];
      if (next === end) {
        if (comma >= 0) this.fail(gettext("remove the comma before {bracket}", { bracket: end }), comma);
        this.at += 1;
        return;
      }
      if (next === undefined)
        this.fail(
          gettext("“{bracket}” is never closed: add “{closing}” at the end", {
            bracket: this.text[open],
            closing: end,
          }),
          open,
        );
      if (next === ",")
        this.fail(
          comma >= 0 ? gettext("there is one comma too many") : gettext("something is missing before this comma"),
        );
      if (next === "}" || next === "]")
        this.fail(gettext("{closing} does not close {bracket}", { closing: next, bracket: this.text[open] }));
      if (end === "}") this.name();
      this.value();
      comma = this.after(end);
    }
  }

  /** Read what follows a member: return the comma's position, or -1 before the end. */
  after(/** @type {string} */ end) {
    this.blank();
    const next = this.text[this.at];
    if (next === ",") {
      this.at += 1;
      return this.at - 1;
    }
    if (next !== undefined && next !== end && next !== "}" && next !== "]")
      this.fail(gettext("a comma is missing before this"));
    return -1;
  }

  name() {
    if (this.text[this.at] !== '"')
      this.fail(gettext("a name in double quotes is expected here"), this.at, this.at + this.rest().length);
    this.string();
    this.blank();
    if (this.text[this.at] !== ":") this.fail(gettext("a colon is missing after the name"));
    this.at += 1;
  }

  string() {
    const open = this.at;
    for (this.at += 1; ; this.at += 1) {
      const next = this.text[this.at];
      if (next === undefined || next === "\n") this.fail(gettext("the closing quote is missing"), open, this.at);
      if (next === '"') {
        this.at += 1;
        return;
      }
      if (next === "\\") {
        if (!/^\\(["\\/bfnrt]|u[0-9a-fA-F]{4})/.test(this.text.slice(this.at, this.at + 6)))
          this.fail(
            gettext('after a backslash, use one of " \\ / b f n r t, or u and four digits'),
            this.at,
            this.at + 2,
          );
        this.at += 1;
      } else if (next < " ") this.fail(gettext("a tab inside quotes is written \\t"));
    }
  }

  rest() {
    return /^[^\s,:{}[\]]*/.exec(this.text.slice(this.at, this.at + 200))?.[0] || this.text[this.at] || " ";
  }

  /** Read a number, true, false or null. */
  word() {
    const found = this.rest();
    if (/^(true|false|null|-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?)$/.test(found)) {
      this.at += found.length;
      return;
    }
    const [from, to] = [this.at, this.at + found.length];
    if (WORDS[found]) this.fail(gettext("write {found} as {words}", { found, words: WORDS[found] }), from, to);
    if (/^['‘’“”]/.test(found)) this.fail(gettext("use straight double quotes"), from, to);
    if (/^[-+.\d]/.test(found))
      this.fail(gettext("{found} is not a number: write numbers as 0.5, 12 or 1e6", { found }), from, to);
    this.fail(
      /^[\w]/.test(found)
        ? gettext("{found} must be in double quotes", { found })
        : gettext("a value is expected here"),
      from,
      to,
    );
  }
}
