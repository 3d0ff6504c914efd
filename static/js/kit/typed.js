/** Numbers as people type them into a field: "90 %", "250 ms", "1,000", "0,9", "20k". */

import { language } from "./words.js";

/** @type {Record<string, number>} */
const SECONDS = { h: 3600, min: 60, s: 1, ms: 1e-3, µs: 1e-6, μs: 1e-6, us: 1e-6 };
/** @type {Record<string, number>} */
const LARGE = { k: 1e3, K: 1e3, M: 1e6 };

/** Whether the page's language groups thousands with a point and begins decimals with a comma. */
const pointGroups = () => new Intl.NumberFormat(language()).format(1234567.5).includes(",5");

/**
 * A comma parts thousands where it stands so, else it is the decimal one.
 * @param {string} text
 */
function plain(text) {
  const close = text.replace(/[\s\u00a0\u202f]/g, "").replace("\u2212", "-");
  if (/^[-+]?\d{1,3}(\.\d{3})+(,\d*)?$/.test(close) && pointGroups())
    return close.replaceAll(".", "").replace(",", ".");
  if (/^[-+]?\d{1,3}(,\d{3})+(\.\d*)?$/.test(close)) return close.replaceAll(",", "");
  return /^[-+]?\d*,\d+$/.test(close) ? close.replace(",", ".") : close;
}

/**
 * The number that a text says, or null. `unit`: of the field; `percent`: whether the field shows its value in percent,
 * and `most`: then a bare number above it is meant in percent, too.
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
 * Without what binary fractions leave behind.
 * @param {number} value
 */
function tidied(value) {
  return Number(value.toPrecision(12));
}
