/** Cells of CSV files, in the same format as `scheduler_core/spreadsheet.py`. */

const FORMULA = /^ *[=+\-@＝＋－＠\t\r\n]/;
const NUMBER = /^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?$/i;

/**
 * Return a value as a CSV cell. A text that a spreadsheet would run as a formula gets a leading apostrophe.
 * @param {string | number | null | undefined} value
 */
export function csvCell(value) {
  if (typeof value !== "string") return value === null || value === undefined ? "" : String(value);
  const text = FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
