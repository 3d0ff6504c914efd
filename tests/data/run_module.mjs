// Run an event loop from its module in node, to the end: node run_module.mjs FOLDER. The third engine of test_modules.py.
//
// FOLDER holds loop.wasm, start.json and start.bin: the arrays before the first event. It gets end.bin: the arrays at the end.
import fs from "node:fs";
import path from "node:path";

const [ENOUGH, LOG_FULL] = [2, 3];
const LINE = 64;
const folder = process.argv[2];
const start = JSON.parse(fs.readFileSync(path.join(folder, "start.json"), "utf8"));
const bytes = fs.readFileSync(path.join(folder, "start.bin"));

const memory = new WebAssembly.Memory({ initial: Math.ceil((2 ** 21 + 2 * bytes.length) / 65536) + 1 });
const { instance } = await WebAssembly.instantiate(fs.readFileSync(path.join(folder, "loop.wasm")), { env: { memory } });
const { run, heap } = instance.exports;
const view = new DataView(memory.buffer);
const all = new Uint8Array(memory.buffer);

// The result and the error lie first, then the words of the arrays, then the arrays.
const result = heap.value;
let word = result + LINE;
let end = result + 65536;
const places = [];

/** Lay out the arrays of one named tuple and return where their words begin. */
function layOut(arrays) {
  const begins = word;
  for (const array of arrays) {
    const size = array.items * array.bytes;
    all.set(bytes.subarray(array.at, array.at + size), end);
    places.push([end, size]);
    for (const value of [0, 0, array.items, array.bytes, end, ...array.shape, ...array.strides]) {
      view.setBigInt64(word, BigInt(value), true);
      word += 8;
    }
    end += Math.ceil(size / LINE) * LINE + LINE;
  }
  return begins;
}

const world = layOut(start.world);
const state = layOut(start.state);
let reason = ENOUGH;
while (reason === ENOUGH || reason === LOG_FULL) {
  const status = run(result, result + 16, world, state, BigInt(start.until_ns), BigInt(start.events));
  if (status !== 0) throw new Error(`the loop raised an error, status ${status}`);
  reason = Number(view.getBigInt64(result, true));
  view.setBigInt64(places[0][0] + start.log_size, 0n, true); // Python drains the log between two slices
}
const out = Buffer.concat(places.map(([at, size]) => all.subarray(at, at + size)));
fs.writeFileSync(path.join(folder, "end.bin"), out);
console.log(JSON.stringify({ reason }));
