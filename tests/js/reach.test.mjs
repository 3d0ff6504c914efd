import assert from "node:assert/strict";
import test from "node:test";

import { forOthers, reachWords } from "../../static/js/features/sharing/reach.js";

const HERE = "http://127.0.0.1:8000";
const THERE = "http://192.0.2.7:8000";

test("links go by the address that others can open", () => {
  assert.equal(forOthers(`${HERE}/e/abc?t=1`, THERE), `${THERE}/e/abc?t=1`);
  assert.equal(forOthers(`${HERE}/e/abc`, ""), `${HERE}/e/abc`);
});

test("a page that only this computer can open says so, and what to do", () => {
  assert.match(reachWords("", HERE), /HOST=lan/);
  assert.match(reachWords(THERE, HERE), /192\.0\.2\.7:8000/);
  assert.equal(reachWords(THERE, THERE), "");
});
