/**
 * Texts of the page in the reader's language. Written in English; the page carries a catalogue only for another one
 * (`makemessages -d djangojs` finds the texts by the name of these functions).
 */

/** @typedef {Record<string, string | string[]>} Catalogue  a text: its translation, or its forms */

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
 * The form for a number, where a language has one for one and one for more.
 * @param {string} one
 * @param {string} many
 * @param {number} n
 * @param {Record<string, unknown>} [values]
 */
export function ngettext(one, many, n, values = {}) {
  const forms = words()[one];
  const text = Array.isArray(forms) ? forms[n === 1 ? 0 : forms.length - 1] : n === 1 ? one : many;
  return filled(text, { n, ...values });
}

/**
 * @param {string} text
 * @param {Record<string, unknown>} values
 */
function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}
