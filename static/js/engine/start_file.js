/**
 * Read the packed start of a run (scheduler_core/run/start_file.py): which module goes on from it, how the arguments of
 * its event loop lie in memory, and which result the library got.
 */

const FORMAT = 1;

/**
 * A column: its name, its place in a row, its bytes, and where its planes lie in the body; -1 for a column of zeros.
 * @typedef {[name: string, at: number, size: number, planes: number]} Column
 * @typedef {{name: string, row: number, shape: number[], strides: number[], columns: Column[],
 *   room?: number}} PackedArray  `room`: rows that there is to be memory for
 * @typedef {{name: string, arrays: PackedArray[]}} Argument
 * @typedef {{format: number, core_version: string, kernel: string, module: string, until_ns: string,
 *   outcome_digest: string, tasks_done: number, arguments: Argument[], touch?: import("./touch.js").Touch,
 *   drawn?: import("./touch.js").DrawnLayer[], settings?: Setting[], variants?: Variant[],
 *   turns?: import("./turning.js").Turn[], meta?: Record<string, unknown>}} Header
 * @typedef {{header: Header, body: Uint8Array}} Start
 *
 * What a page may change (scheduler_core/run/page_start.py): a setting with its values, `own` is the place of the
 * run's; and the start of each other combination, `at` has the place of each setting's value. `meta` has what differs
 * in the run's metadata.
 * @typedef {string | number | boolean | null} Value
 * @typedef {{path: string, values: Value[], own: number}} Setting
 * @typedef {Omit<Header, "format" | "core_version" | "settings" | "variants"> & {at: number[]}} Variant
 */

/** Return the number of rows of an array. */
export const rowsOf = (/** @type {PackedArray} */ array) => array.shape.reduce((product, side) => product * side, 1);

/**
 * Unpack a start.
 * @param {ArrayBuffer | Uint8Array<ArrayBuffer>} packed
 * @returns {Promise<Start>} rejects for other bytes, and for a file of another format
 */
export async function readStart(packed) {
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(unpacked).arrayBuffer());
  const length = new DataView(bytes.buffer).getUint32(0, true);
  /** @type {Header} */
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  if (header.format !== FORMAT) throw new Error(`a start file of format ${header.format}; this page reads ${FORMAT}`);
  return { header, body: bytes.subarray(4 + length) };
}

/** Return the header alone, which names the module that a start needs. */
export async function readHeader(/** @type {ArrayBuffer} */ packed) {
  return (await readStart(packed)).header;
}

/** Return whether all settings have the run's own values. */
export const isOwn = (/** @type {Header} */ { settings = [] }, /** @type {number[]} */ at) =>
  settings.every(({ own }, place) => at[place] === own);

/**
 * Return the header of the run under other values; `at` has the place of each setting's value.
 * @param {Header} header
 * @param {number[]} at
 * @returns {Header}
 */
export function headerAt(header, at) {
  if (isOwn(header, at)) return header;
  const found = header.variants?.find((each) => each.at.every((value, place) => value === at[place]));
  if (!found) throw new Error("this start does not have these settings");
  return { ...header, touch: undefined, drawn: undefined, turns: undefined, ...found };
}

/**
 * Write an array's rows: a column's planes hold the lowest byte of every row first, then the next one.
 * @param {Uint8Array} memory  zeros from `place` on
 * @param {number} place
 * @param {PackedArray} array
 * @param {Uint8Array} body
 */
export function writeRows(memory, place, array, body) {
  const rows = rowsOf(array);
  for (const [, at, size, planes] of array.columns) {
    if (planes < 0) continue;
    for (let byte = 0; byte < size; byte++) {
      const from = planes + byte * rows;
      let to = place + at + byte;
      for (let row = 0; row < rows; row++, to += array.row) memory[to] = body[from + row];
    }
  }
}
