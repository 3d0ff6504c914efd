// A thread that loads an event loop as the page's thread does, runs it, and tells the milliseconds of each step.
import { Machine } from "/static/js/engine/machine.js";
import { outcomeDigest } from "/static/js/engine/outcome.js";
import { readStart } from "/static/js/engine/start_file.js";

const bytesOf = async (address) => (await fetch(address, { cache: "no-store" })).arrayBuffer();

addEventListener("message", async ({ data: { start, module, spin } }) => {
  const times = [performance.now()];
  const note = () => times.push(performance.now());
  const [packed, code] = await Promise.all([bytesOf(start), bytesOf(module)]);
  note();
  const compiled = await WebAssembly.compile(code);
  note();
  const unpacked = await readStart(packed);
  note();
  const machine = await Machine.of(unpacked, compiled);
  note();
  while (machine.advance(10_000));
  note();
  const same = outcomeDigest(machine) === unpacked.header.outcome_digest;
  const [fetched, compile, unpack, place, run] = times.slice(1).map((at, step) => at - times[step]);
  postMessage({ fetched, compile, unpack, place, run, same, spin: new Function(`return (${spin})()`)() });
});
