/**
 * The page's texts in the reader's language. Sources contain English; `playground/locale/en.json` lists the texts by
 * feature, and another language is a file of the same shape beside it. The page includes that file's texts only if it
 * is shown in that language.
 */

/** @typedef {Record<string, string>} Forms  a text's forms by plural category: {one: "…", other: "…"} */
/** @typedef {Record<string, string | Forms>} Catalogue  English text (the singular of two forms) → translation */

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
 * Use this catalogue from now on.
 * @param {Catalogue} found
 */
export function useWords(found) {
  catalogue = found;
}

/** Return the page's language as an Intl locale. */
export function language() {
  return globalThis.document?.documentElement?.lang || "en";
}

/** @type {Map<string, Intl.PluralRules>} */
const rules = new Map();

/** Return the plural category of a number in the page's language: "one", "few", "other". */
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
 * Return a translated text with its placeholders filled: gettext("{n} runs", {n: 3}).
 * @param {string} text
 * @param {Record<string, unknown>} [values]
 */
export function gettext(text, values = {}) {
  const found = words()[text];
  return filled(typeof found === "string" ? found : text, values);
}

/**
 * Return the plural form for a number. English has two forms; a translation has as many as its language needs.
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

/** Fields of library declarations that contain texts for readers. */
const READ = new Set(["label", "help", "plain", "title", "unit", "text"]);

/**
 * Translate the reader's texts in the library's declarations, such as a run's layers and counters.
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

/** Return the name of a measured number, which the server gives in English, in the page's language. */
export const measureName = (/** @type {string} */ label) => declared({ label }).label;

/** Capitalize the first letter. */
export const capital = (/** @type {string} */ text) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * Return a label for use within a sentence: English lowercases the first letter unless the label is an abbreviation.
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
 * Join parts as sentences: capitalize each and end it with a full stop unless it already ends with punctuation.
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
