/** Cells of CSV files, as `scheduler_core/spreadsheet.py` writes them. */

const FORMULA = /^ *[=+\-@＝＋－＠\t\r\n]/;
const NUMBER = /^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?$/i;

/**
 * A cell: a text that a spreadsheet would take for a formula gets an apostrophe before it.
 * @param {string | number | null | undefined} value
 */
export function csvCell(value) {
  if (typeof value !== "string") return value === null || value === undefined ? "" : String(value);
  const text = FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
