import assert from "node:assert/strict";
import { test } from "node:test";

import { cutoffsWords } from "../../static/js/features/studies/finding.js";
import { astrayWords, besideWords, cutoffWords } from "../../static/js/run/cutoff.js";

const counts = (short, long, work_short, work_long, cutoff_s = 30) => ({
  short,
  long,
  work_short,
  work_long,
  cutoff_s,
});
const summary = (own, work, rule = "declared") => ({
  by_class: { short: { jobs: own[0] }, long: { jobs: own[1] } },
  by_work_class: { rule, cutoff_s: 30, short: { jobs: work[0] }, long: { jobs: work[1] } },
});

test("a cutoff that does not separate the work is told with the boundary of the work", () => {
  assert.match(astrayWords(counts(700, 0, 630, 70)), /does not separate .*all 700 jobs are short.*30.s/);
  assert.match(astrayWords(counts(0, 1_200, 900, 300)), /all 1,200 jobs are long.*30.s/);
  assert.match(astrayWords(counts(622, 78, 630, 70)), /puts 8 of 700 jobs into the other class.*30.s/);
  assert.match(astrayWords(counts(638, 62, 630, 70)), /puts 8 of 700/);
});

test("a cutoff that separates the work, within a tenth of its smaller class, is not mentioned", () => {
  for (const each of [counts(630, 70, 630, 70), counts(637, 63, 630, 70), counts(0, 0, 0, 0), counts(9, 0, 9, 0)])
    assert.equal(astrayWords(each), "");
});

test("work without classes of its own has none to separate", () => {
  assert.equal(astrayWords(counts(90, 10, 50, 50, null)), "");
  assert.equal(cutoffWords(summary([100, 0], [100, 0], "yahoo")), "");
  assert.equal(besideWords(summary([100, 0], [100, 0], "declared")), "");
  assert.equal(besideWords({}), "");
});

test("a scheduler beside others that has all jobs of work without classes in one class says so", () => {
  assert.equal(besideWords(summary([1_200, 0], [1_200, 0], "yahoo")), "To the scheduler, all 1,200 jobs are short.");
  assert.equal(astrayWords(counts(0, 9, 0, 9, null)), "To the scheduler, all 9 jobs are long.");
});

test("a sentence about a preview says so", () => {
  assert.match(cutoffWords(summary([700, 0], [630, 70]), true), /^In the preview: The scheduler's cutoff .*30.s/);
  assert.equal(cutoffWords(summary([630, 70], [630, 70]), true), "");
});

test("a summary without classes, or of a scheduler without a cutoff, says nothing", () => {
  const { by_work_class } = summary([1, 1], [1, 1]);
  for (const each of [null, undefined, {}, { by_work_class }]) assert.equal(cutoffWords(each), "");
  assert.equal(cutoffWords(summary([630, 70], [630, 70])), "");
  assert.match(cutoffWords(summary([700, 0], [630, 70])), /30.s/);
});

test("a study names the schedulers of a cutoff once", () => {
  const study = { schedulers: [{ label: "Sparrow" }, { label: "Hawk" }, { label: "Eagle" }] };
  const cutoffs = [0, 1, 2].map((scheduler) => ({
    scheduler,
    ...counts(scheduler ? 700 : 630, scheduler ? 0 : 70, 630, 70),
  }));
  assert.match(cutoffsWords(study, { cutoffs }), /^Hawk and Eagle: .*all 700 jobs are short/);
  assert.equal(cutoffsWords(study, {}), "");
});
