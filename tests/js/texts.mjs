/**
 * Finds the texts that a script gives to the page: literals in places where a person reads them, and whether they go
 * through gettext or ngettext. It reads tokens, not a syntax tree, and knows places by the names around them.
 */

/** Attributes and properties whose value a person reads. */
const READ = new Set(
  [
    "title",
    "aria-label",
    "placeholder",
    "data-tip",
    "alt",
    "label",
    "help",
    "question",
    "note",
    "text",
    "about",
  ].concat(["aria-valuetext", "textContent", "tip", "sentence", "words", "empty"]),
);
/** Calls whose arguments a person reads: elements' children, dialogs, notices. */
const SAYS = new Set(["notice", "say", "openDialog", "confirm", "figure", "fold", "part", "complain"]);
const WRAPS = new Set(["gettext", "ngettext"]);
const BEFORE_REGEX = /[([{,;:=!&|?+\-*%<>~^]$|\b(return|typeof|case|of|in)$/;
const HAS_WORD = /\p{L}{2,}/u;

/**
 * The literals of a source in places that a person reads: {from, to, template, wrapped, text}.
 * @param {string} source
 */
export function textsOf(source) {
  return new Scanner(source).texts;
}

class Scanner {
  constructor(source) {
    this.source = source;
    this.at = 0;
    this.texts = [];
    this.#code([], "");
  }

  /** Walk code up to a closing bracket; `around` are the calls and objects that it lies in, the innermost last. */
  #code(around, close) {
    const { source } = this;
    /** What stands where a literal would come: {kind: "call" | "object" | "array" | "block", name, args, key}. */
    const place = around.at(-1);
    while (this.at < source.length) {
      const char = source[this.at];
      if (char === close) {
        this.at += 1;
        return;
      }
      if (source.startsWith("//", this.at)) this.#skipTo("\n");
      else if (source.startsWith("/*", this.at)) this.#skipTo("*/");
      else if (char === '"' || char === "'") this.#string(char, around);
      else if (char === "`") this.#template(around);
      else if (char === "/" && this.#regexHere()) this.#regex();
      else if ("([{".includes(char)) this.#open(char, around);
      else {
        if (char === "," && place) {
          place.args += 1;
          place.key = "";
        } else if (char === ":" && place?.kind === "object") place.key = this.#keyBefore();
        this.at += 1;
      }
    }
  }

  #skipTo(end) {
    const found = this.source.indexOf(end, this.at + 2);
    this.at = found < 0 ? this.source.length : found + end.length;
  }

  #before() {
    return this.source.slice(Math.max(0, this.at - 80), this.at).trimEnd();
  }

  #regexHere() {
    return BEFORE_REGEX.test(this.#before());
  }

  #regex() {
    const end = /^\/(?:\\.|\[(?:\\.|[^\]])*\]|[^/\\[\n])+\/[a-z]*/.exec(this.source.slice(this.at));
    this.at += end ? end[0].length : 1;
  }

  #keyBefore() {
    return /["']?([\w-]+)["']?$/.exec(this.#before())?.[1] ?? "";
  }

  #open(char, around) {
    const before = this.#before();
    this.at += 1;
    const name = /([\w$]+)$/.exec(before)?.[1] ?? "";
    const isCall = char === "(" && name && !/\b(if|for|while|switch|catch|function|return)$/.test(before);
    const isObject = char === "{" && /[([,:=?]$|\breturn$|=>\s*\($|\|\|$|\?\?$/.test(before);
    const kind = isCall ? "call" : char === "[" ? "array" : isObject ? "object" : "block";
    const close = { "(": ")", "[": "]", "{": "}" }[char];
    this.#code([...around, { kind, name: isCall ? name : "", args: 0, key: "" }], close);
  }

  /** Whether a person reads what stands here. */
  #isRead(around) {
    if (/[=!]==$/.test(this.#before())) return false;
    const assigned = /(?:\.|\b)([\w-]+) \+?= ?(?:[^;=]*[?:+] ?)?$/.exec(this.#before().replace(/\s+/g, " "));
    if (assigned && READ.has(assigned[1]) && around.at(-1)?.kind !== "object") return true;
    // Past brackets that only group, and past lists, to the call or the object around.
    for (const place of around.toReversed()) {
      if (place.kind === "object") return READ.has(place.key);
      if (place.kind === "call" && WRAPS.has(place.name)) continue;
      if (place.kind === "call") return (place.name === "h" && place.args >= 2) || SAYS.has(place.name);
      if (place.kind === "block" && place.name === "" && place.args > 0) return false;
    }
    return false;
  }

  #found(from, template, around) {
    const text = this.source.slice(from + 1, this.at - 1);
    const plain = (template ? text.replace(/\$\{[^}]*\}/g, "") : text).replace(/\\u[0-9a-f]{4}/g, "");
    if (!HAS_WORD.test(plain)) return;
    const wrapped = around.some((place) => place.kind === "call" && WRAPS.has(place.name));
    this.texts.push({ from, to: this.at, template, wrapped, text });
  }

  #string(quote, around) {
    const from = this.at;
    const read = this.#isRead(around);
    this.at += 1;
    while (this.at < this.source.length && this.source[this.at] !== quote)
      this.at += this.source[this.at] === "\\" ? 2 : 1;
    this.at += 1;
    const isKey = /^\s*:(?!:)/.test(this.source.slice(this.at, this.at + 3)) && around.at(-1)?.kind === "object";
    if (read && !isKey) this.#found(from, false, around);
  }

  #template(around) {
    const from = this.at;
    const read = this.#isRead(around);
    this.at += 1;
    while (this.at < this.source.length && this.source[this.at] !== "`") {
      if (this.source[this.at] === "\\") this.at += 2;
      else if (this.source.startsWith("${", this.at)) {
        this.at += 2;
        this.#code([...around, { kind: "block", name: "", args: 1, key: "" }], "}");
      } else this.at += 1;
    }
    this.at += 1;
    if (read) this.#found(from, true, around);
  }
}
