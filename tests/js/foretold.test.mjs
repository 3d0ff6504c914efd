import assert from "node:assert/strict";
import test from "node:test";

import { durationRange } from "../../static/js/kit/format.js";
import { atLeastWords, foretoldCells, foretoldConfirmed, foretoldWords } from "../../static/js/run/foretold.js";
import { confirmWords } from "../../static/js/run/reduced_run.js";

const plain = (text) => text.replaceAll("\u202f", " ");
const range = (low, high) => ({ low_s: low, high_s: high });
const foretold = (changes = {}) => ({
  allocation_delay: { p50: range(1.23, 1.57), p90: range(2, 4), p99: range(4.1, 9), "p99.9": null },
  growth: null,
  reason: "wide",
  says: "",
  ...changes,
});
const nobody = { p50: null, p90: null, p99: null, "p99.9": null };

test("a range is rounded outwards and has its unit once", () => {
  const cases = [
    [1.23e9, 1.57e9, "1.2 to 1.6 s"],
    [950e6, 1.4e9, "0.95 to 1.4 s"],
    [1.5e6, 1.5e6, "1.5 ms"],
    [0, 2e3, "0 to 2 µs"],
    [998e6, 998e6, "0.99 to 1 s"],
    [3.01e9, 12.9e9, "3 to 13 s"],
    [650e9, 1300e9, "10 to 22 min"],
    [9000e9, 90000e9, "2.5 to 25 h"],
  ];
  for (const [low, high, words] of cases) assert.equal(plain(durationRange(low, high)), words);
});

test("the preview shows ranges, and says which it cannot tell and why", () => {
  const cells = foretoldCells(foretold());
  assert.deepEqual(Object.values(cells).map(plain), ["1.2 to 1.6 s", "2 to 4 s", "4.1 to 9 s", "cannot tell"]);
  assert.equal(plain(foretoldWords(foretold())), "The median wait will be 1.2 to 1.6 s.");
  assert.equal(
    foretoldWords(foretold({ allocation_delay: nobody, reason: "filling" })),
    "No estimate of the waits yet. The machines are still filling up.",
  );
  const { p50 } = foretold().allocation_delay;
  assert.equal(
    plain(foretoldWords(foretold({ allocation_delay: { ...nobody, p50 }, reason: "uneven" }))),
    "The median wait will be 1.2 to 1.6 s. No estimate of the longest waits yet. " +
      "Some tasks are passed over, and their waits are not known yet.",
  );
});

test("a queue that grows without limit is said to, with its rate where that is known", () => {
  const says = (of, cause, rate) => plain(foretoldWords(foretold({ growth: { of, cause, in_a_minute: rate } })));
  const rate = range(1.2, 1.2);
  assert.equal(says("wait", "machines", rate), "At this load, the wait grows without limit: by 1.2 s each minute.");
  assert.match(
    says("wait", "scheduler", rate),
    /^The scheduler starts fewer tasks than arrive: the wait grows by 1\.2 s/,
  );
  assert.match(says("backlog", "machines", rate), /without limit: each minute .*1\.2 s/);
  assert.match(says("wait", "machines", null), /without limit\./);
});

test("while the preview is compiled, the load alone tells a bound above 1 and nothing below", () => {
  assert.equal(
    plain(atLeastWords(9)),
    "At this load, the wait grows without limit: each minute brings at least 9 s more work than all machines " +
      "together can do.",
  );
  assert.deepEqual([atLeastWords(null), atLeastWords(undefined)], ["", ""]);
});

test("the full run confirms the ranges or names the one that missed", () => {
  const full = { p50: 1.4e9, p90: 3e9, p99: 5e9, "p99.9": 6e9 };
  assert.equal(
    plain(foretoldConfirmed(foretold(), full)),
    "Full run: p50 is 1.40 s, p99 is 5.00 s. The preview was right.",
  );
  assert.equal(
    plain(foretoldConfirmed(foretold(), { ...full, p99: 18.3e9 })),
    "Full run: p99 is 18.3 s. The preview said 4.1 to 9 s.",
  );
  assert.equal(
    plain(foretoldConfirmed(foretold({ allocation_delay: nobody }), full)),
    "Full run: p50 is 1.40 s, p99 is 5.00 s.",
  );
  const answer = { summary: { allocation_delay_s: { p50: 0.007, p99: 0.9 } }, foretold: foretold() };
  const words = confirmWords(answer, { allocation_delay_s: { p50: 1.4, p99: 5 } }, "allocation_delay");
  assert.match(plain(words), /The preview was right\.$/);
});
