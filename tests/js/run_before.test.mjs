import assert from "node:assert/strict";
import test from "node:test";

import { keepBefore, runBefore } from "../../static/js/run/run_before.js";

/** A browser's store, which may be full. */
function store({ full = false } = {}) {
  const kept = new Map();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem(key, value) {
      if (full) throw new Error("full");
      kept.set(key, value);
    },
  };
}

test("the run that another took the place of is known after reopening, for the last fifty", () => {
  try {
    globalThis.localStorage = /** @type {any} */ (store());
    assert.equal(runBefore("r_2"), null);
    keepBefore("r_2", "r_1");
    keepBefore("r_3", "r_2");
    assert.deepEqual([runBefore("r_2"), runBefore("r_3")], ["r_1", "r_2"]);
    keepBefore("r_2", "r_0");
    assert.equal(runBefore("r_2"), "r_0");
    for (let at = 10; at < 60; at++) keepBefore(`r_${at}`, "r_1");
    assert.deepEqual([runBefore("r_3"), runBefore("r_10")], [null, "r_1"]);
  } finally {
    delete globalThis.localStorage;
  }
});

test("a browser that keeps nothing, or something else, forgets the run before", () => {
  try {
    globalThis.localStorage = /** @type {any} */ (store({ full: true }));
    keepBefore("r_2", "r_1");
    assert.equal(runBefore("r_2"), null);
    const broken = store();
    globalThis.localStorage = /** @type {any} */ (broken);
    for (const text of ["{", "3", '{"r_2": "r_1"}', '["r_2"]']) {
      broken.setItem("playground:run-before", text);
      assert.equal(runBefore("r_2"), null, text);
    }
  } finally {
    delete globalThis.localStorage;
  }
});
