/** Cells of CSV files, in the same format as `scheduler_core/spreadsheet.py`. */

const FORMULA = /^ *[=+\-@＝＋－＠\t\r\n]/;
/** Where commas are decimal, spreadsheets take a semicolon or a tab inside of a cell for the end of the cell. */
const BEGINNING = /([;\t][ \t]*)(?=[=+\-@＝＋－＠])/g;
const NUMBER = /^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?$/i;

/**
 * Return a value as a CSV cell. A part of a text that a spreadsheet would run as a formula gets a leading apostrophe.
 * @param {string | number | null | undefined} value
 */
export function csvCell(value) {
  if (typeof value !== "string") return value === null || value === undefined ? "" : String(value);
  const guarded = value.replaceAll(BEGINNING, "$1'");
  const text = FORMULA.test(value) && !NUMBER.test(value) ? `'${guarded}` : guarded;
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
