// What the bar says while the scheduler is compiled.
import assert from "node:assert/strict";
import { test } from "node:test";

import { barValue, stateWords } from "../../static/js/run/run_words.js";

test("compiling tells functions done of functions known and the time that is left", () => {
  const run = { state: "compiling", progress: 0, eta_s: 8.2, compiled: { done: 30, known: 120 } };
  assert.match(stateWords(run), /^Compiling: 30 of 120 functions, 9\ss left$/);
  assert.equal(barValue(run), 0.25);
  const unknown = { state: "compiling", progress: 0, eta_s: null, compiled: null };
  assert.equal(stateWords(unknown), "Compiling, first time only…");
  assert.equal(barValue(unknown), 0);
  assert.equal(barValue({ state: "running", progress: 0.5, compiled: null }), 0.5);
});
