/**
 * Read the packed start of a run (scheduler_core/run/start_file.py): which module goes on from it, how the arguments of
 * its event loop lie in memory, and which result the library got.
 */

const FORMAT = 1;

/**
 * A column: its name, its place in a row, its bytes, and where its planes lie in the body; -1 for a column of zeros.
 * @typedef {[name: string, at: number, size: number, planes: number]} Column
 * @typedef {{name: string, row: number, shape: number[], strides: number[], columns: Column[]}} PackedArray
 * @typedef {{name: string, arrays: PackedArray[]}} Argument
 * @typedef {{format: number, core_version: string, kernel: string, module: string, until_ns: string,
 *   outcome_digest: string, tasks_done: number, arguments: Argument[], touch?: import("./touch.js").Touch}} Header
 * @typedef {{header: Header, body: Uint8Array}} Start
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
