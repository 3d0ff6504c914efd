import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

import { Machine } from "../../static/js/engine/machine.js";
import { sha256 } from "../../static/js/engine/sha256.js";
import { readStart, writeRows } from "../../static/js/engine/start_file.js";

test("digests are those of node for messages around the length of a block", () => {
  for (const length of [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000]) {
    const message = Uint8Array.from({ length }, (_, place) => (7 * place) % 256);
    assert.equal(sha256(message), createHash("sha256").update(message).digest("hex"), `${length} bytes`);
  }
});

test("a column's planes become its rows, and a column of zeros stays zero", () => {
  const array = {
    name: "a",
    row: 8,
    shape: [2],
    strides: [8],
    columns: [
      ["x", 0, 2, 1],
      ["y", 4, 4, -1],
    ],
  };
  const memory = new Uint8Array(24);
  writeRows(memory, 4, array, Uint8Array.from([99, 1, 2, 3, 4]));
  assert.deepEqual([...memory.subarray(4, 20)], [1, 3, 0, 0, 0, 0, 0, 0, 2, 4, 0, 0, 0, 0, 0, 0]);
});

test("a start of format 1 that an earlier version wrote can still be read", async () => {
  const start = await readStart(readFileSync(new URL("../data/format-1.start", import.meta.url)));
  assert.equal(start.header.kernel, "schedulers/probing/sparrow/kernel.py:advance");
  const machine = new Machine(start, new WebAssembly.Memory({ initial: 200 }));
  const tasks = machine.column("World.task", "duration_ns");
  assert.equal(tasks.rows, machine.counted("tasks_wanted"));
  assert.ok(machine.view.getBigInt64(tasks.place, true) > 0n);
});

test("a start of another format is refused", async () => {
  const header = Buffer.from(JSON.stringify({ format: 2 }));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(header.length);
  await assert.rejects(readStart(gzipSync(Buffer.concat([length, header]))), /format 2; this page reads 1/);
});
