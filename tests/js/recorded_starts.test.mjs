import assert from "node:assert/strict";
import { test } from "node:test";
import { rowsOf, shiftWords, startsWords } from "../../static/js/run/recorded_rows.js";

const page = {
  total: 3,
  first: 0,
  next: null,
  job: [1200, 4, 7],
  recorded_start_s: [4200, 600, 0],
  start_s: [3600, 780, 0],
  shift_s: [-600, 180, 0],
};

test("a difference has its sign, and none without a difference", () => {
  assert.equal(shiftWords(180), "+180\u202fs");
  assert.equal(shiftWords(-600), "\u221210\u202fmin");
  assert.equal(shiftWords(0), "0\u202fs");
});

test("a row has the job, the recorded start, the start in the run, and their difference", () => {
  const rows = rowsOf(page);
  assert.deepEqual(rows[0].words, ["1,200", "01:10:00", "01:00:00", "\u221210\u202fmin"]);
  assert.deepEqual(rows[1].words, ["4", "00:10:00", "00:13:00", "+180\u202fs"]);
  for (const [at, row] of rows.entries()) {
    assert.equal(row.job, page.job[at]);
    assert.equal(row.shift_s, page.start_s[at] - page.recorded_start_s[at]);
  }
});

test("the sentence above the table has the summary's numbers", () => {
  const found = { jobs: 1500, error_s: { mean: 90 }, mean_shift_s: 12, within_60_s: 1300, earlier: 40, later: 160 };
  const words = startsWords(found);
  for (const number of ["1,300", "1,500", "40", "160", "90\u202fs"]) assert.ok(words.includes(number), words);
});
