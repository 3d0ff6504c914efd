import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { DEFAULT_EXPERIMENT } from "../../static/js/experiment/default_experiment.js";

test("what the studio opens with is what the shipped recording is of", () => {
  const shipped = new URL("../../fixtures/experiments/studio.json", import.meta.url);
  assert.deepEqual(JSON.parse(readFileSync(shipped, "utf8")), DEFAULT_EXPERIMENT);
});
