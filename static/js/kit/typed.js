/** Parse numbers as people type them: "90 %", "250 ms", "1,000", "0,9", "20k". */

import { language } from "./words.js";

/** @type {Record<string, number>} */
const SECONDS = { h: 3600, min: 60, s: 1, ms: 1e-3, µs: 1e-6, μs: 1e-6, us: 1e-6 };
/** @type {Record<string, number>} */
const LARGE = { k: 1e3, K: 1e3, M: 1e6 };

/**
 * Return the marks that the page's language writes between thousands and before decimals, as far as people type them.
 * @returns {[group: string, point: string]}
 */
const marks = () => (new Intl.NumberFormat(language()).format(1234567.5).endsWith(",5") ? [".", ","] : [",", "."]);

/**
 * Remove thousands separators and normalize the decimal separator. A comma counts as decimal unless it groups
 * thousands; no group begins with 0, so that 0.125 and 0,125 are an eighth in every language.
 * @param {string} text
 */
function plain(text) {
  const close = text.replace(/[\s\u00a0\u202f]/g, "").replace("\u2212", "-");
  const [group, point] = marks();
  if (new RegExp(`^[-+]?[1-9]\\d{0,2}(\\${group}\\d{3})+(\\${point}\\d*)?$`).test(close))
    return close.replaceAll(group, "").replace(point, ".");
  return /^[-+]?\d*,\d+$/.test(close) ? close.replace(",", ".") : close;
}

/** Write a number as people type it in the page's language, so that `typedNumber` reads the same number. */
export function typedText(/** @type {number} */ value) {
  return String(value).replace(".", marks()[1]);
}

/**
 * Return the number in a text, or null. `unit` is the field's unit. `percent` means that the field shows percent; a
 * bare number above `most` is then read as percent.
 * @param {string} text
 */
export function typedNumber(text, { unit = "", percent = false, most = 1 } = {}) {
  const [, digits, after] = /^\s*([-+\u2212]?[\d.,\s\u00a0\u202f]*(?:[eE][-+]?\d+)?)\s*(.*?)\s*$/.exec(text) ?? [];
  if (!digits || !/\d/.test(digits)) return null;
  const value = Number(plain(digits));
  if (!Number.isFinite(value)) return null;
  if (after === "") return percent && value > most ? value / 100 : value;
  if (after === "%") return value / 100;
  if (unit === "s") return after in SECONDS ? tidied(value * SECONDS[after]) : null;
  if (after === unit) return value;
  return !percent && after in LARGE ? tidied(value * LARGE[after]) : null;
}

/**
 * Round away binary fraction noise.
 * @param {number} value
 */
function tidied(value) {
  return Number(value.toPrecision(12));
}
