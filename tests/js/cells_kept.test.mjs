import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { KeptCells } from "../../static/js/draw/work/cells_kept.js";

const PEN = {};
const scene = (width, height) => ({ canvas: { width, height }, plan: { x: [0, 8] }, inks: {}, track: null });

afterEach(() => {
  delete globalThis.document;
});

test("a map without room keeps nothing, since an empty canvas cannot be drawn on another", () => {
  globalThis.document = { createElement: () => ({ getContext: () => PEN }) };
  assert.equal(new KeptCells().begin(scene(0, 40)), null);
  assert.equal(new KeptCells().begin(scene(40, 0)), null);
  assert.equal(new KeptCells().begin(scene(40, 40)), PEN);
});
