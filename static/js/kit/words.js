/**
 * Texts of the page in the reader's language. Sources have them in English, `playground/locale/en.json` lists them by
 * feature, and another language is a file of the same shape beside it. The page carries that file's texts only when it
 * is shown in the language.
 */

/** @typedef {Record<string, string>} Forms  the forms of a text by plural category: {one: "…", other: "…"} */
/** @typedef {Record<string, string | Forms>} Catalogue  an English text (of two forms the first): its translation */

/** @type {Catalogue | null} */
let catalogue = null;

/** @returns {Catalogue} */
function words() {
  if (catalogue === null) {
    const element = globalThis.document?.getElementById("words");
    catalogue = element ? JSON.parse(element.textContent ?? "{}") : {};
  }
  return catalogue ?? {};
}

/**
 * Use this catalogue from here on.
 * @param {Catalogue} found
 */
export function useWords(found) {
  catalogue = found;
}

/** The page's language, as Intl takes it. */
export function language() {
  return globalThis.document?.documentElement?.lang || "en";
}

/** @type {Map<string, Intl.PluralRules>} */
const rules = new Map();

/** The plural category of a number in the page's language: "one", "few", "other". */
function categoryOf(/** @type {number} */ n) {
  const spoken = language();
  let found = rules.get(spoken);
  if (!found) {
    found = new Intl.PluralRules(spoken);
    rules.set(spoken, found);
  }
  return found.select(n);
}

/**
 * A text with its places filled: gettext("{n} runs", {n: 3}).
 * @param {string} text
 * @param {Record<string, unknown>} [values]
 */
export function gettext(text, values = {}) {
  const found = words()[text];
  return filled(typeof found === "string" ? found : text, values);
}

/**
 * The form for a number: English has one for 1 and one for all others, a translation as many as its language.
 * @param {string} one
 * @param {string} many
 * @param {number} n
 * @param {Record<string, unknown>} [values]
 */
export function ngettext(one, many, n, values = {}) {
  const forms = words()[one];
  const text =
    typeof forms === "object" ? (forms[categoryOf(n)] ?? forms.other ?? many) : (forms ?? (n === 1 ? one : many));
  return filled(text, { n, ...values });
}

/** Fields of what the library declares that a person reads. */
const READ = new Set(["label", "help", "plain", "title", "unit", "text"]);

/**
 * What the library declares, such as a run's layers and counters, with the texts that a person reads in the page's
 * language.
 * @template T
 * @param {T} data
 * @returns {T}
 */
export function declared(data) {
  return Object.keys(words()).length ? /** @type {T} */ (inWords(data, "")) : data;
}

/**
 * @param {unknown} data
 * @param {string} field
 * @returns {unknown}
 */
function inWords(data, field) {
  if (typeof data === "string") {
    const found = READ.has(field) ? words()[data] : data;
    return typeof found === "string" ? found : data;
  }
  if (Array.isArray(data)) return data.map((each) => inWords(each, field));
  if (data === null || typeof data !== "object") return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, name === "experiment" ? value : inWords(value, name)]),
  );
}

/** A text as a sentence begins. */
export const capital = (/** @type {string} */ text) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * A label within a sentence: English begins it small unless it is an abbreviation, other languages keep it.
 * @param {string} label
 */
export function midSentence(label) {
  if (!language().startsWith("en")) return label;
  return label.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase());
}

/**
 * @param {string} text
 * @param {Record<string, unknown>} values
 */
function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/**
 * Join parts as sentences: each begins with a capital and ends with one full stop, unless it ends otherwise.
 * @param {(string | null | undefined | false)[]} parts
 */
export function sentences(parts) {
  return parts
    .filter((part) => typeof part === "string" && part !== "")
    .map(String)
    .map((part, place) => {
      const text = place === 0 ? part : capital(part);
      return /[.?!…]$/.test(text) ? text : `${text}.`;
    })
    .join(" ");
}
