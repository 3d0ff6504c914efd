import assert from "node:assert/strict";
import test from "node:test";

import { comparedCaption, nowCaption, shareWithin, waitCaption, withinCaption } from "../../static/js/run/captions.js";
import { tellingPaths } from "../../static/js/studio/telling.js";

const plain = (text) => text.replaceAll(/[\u202f\u00a0]/g, " ");
const EDGES = [0, 1e3, 1e6, 1e7, 1e8, 1e9];
const hist = (...counts) => ({ edges: EDGES, counts });

test("a caption says the tail and the middle, and changes with them", () => {
  assert.equal(
    plain(waitCaption({ p50: 8e6, p99: 2.5e9 })),
    "1 task in 100 waits more than 2.50 s; half wait less than 8.00 ms.",
  );
  assert.equal(plain(waitCaption({ p50: 0, p99: 2.5e9 })), "1 task in 100 waits more than 2.50 s; half start at once.");
  assert.equal(waitCaption({ p50: 0, p99: 0 }), "99 tasks in 100 start at once.");
  assert.equal(waitCaption({ p50: null, p99: null }), "");
});

test("the curve's caption takes the first round time that half of the tasks reach, and says how it was before", () => {
  const now = hist(10, 10, 40, 20, 20, 0);
  assert.equal(shareWithin(now, 1e7), 0.6);
  assert.match(plain(withinCaption(now, null)), /^60(\.0)? % of the tasks started within 10\.0 ms\.$/);
  assert.match(plain(withinCaption(now, hist(0, 0, 20, 0, 0, 80))), /10\.0 ms; before the change, 20(\.0)? %\.$/);
  assert.equal(withinCaption(null, null), "");
});

test("two numbers are the same within a twentieth", () => {
  assert.match(comparedCaption(1e9, 2e9), /^Shorter than before your change/);
  assert.match(comparedCaption(2e9, 1e9), /^Longer than before your change/);
  assert.match(comparedCaption(1.02e9, 1e9), /^About as before/);
  assert.equal(comparedCaption(1e9, null), "");
  assert.equal(nowCaption({ busy: 3, machines: 4, waiting: 0 }), "Now 3 of 4 machines are busy.");
  assert.equal(nowCaption({ busy: 3, machines: 4, waiting: 7 }), "Now 3 of 4 machines are busy; 7 tasks wait.");
});

test("telling controls are those of the question, else of the scheduler, else its own parameters", () => {
  const controls = (...paths) => paths.map((path) => ({ path, moves: 1 }));
  const swept = [
    { name: "one", scheduler: "megha", controls: controls("a") },
    { name: "two", scheduler: "megha", controls: controls("b") },
  ];
  assert.equal(tellingPaths({ gallery: "two", scheduler: "megha", swept })[0], "b");
  assert.equal(tellingPaths({ scheduler: "megha", swept })[2], "a", "after the load, which every experiment has");
  // The visitor has chosen another scheduler: what the question's own sweep says is about the first one.
  const other = tellingPaths({ gallery: "two", scheduler: "hawk", swept, declared: ["scheduler.params.cap"] });
  assert.ok(!other.includes("b"));
  assert.ok(other.indexOf("scheduler.params.cap") < other.indexOf("workload.tasks_per_job"));
});

test("a signature's controls are its own sweep's, after the setting that it proposes to turn", () => {
  const signature = { name: "hawk", controls: ["c", "d"], turn: { path: "t" } };
  assert.deepEqual(tellingPaths({ opened: "hawk", scheduler: "hawk", signature }).slice(0, 3), ["t", "c", "d"]);
  // The work is another one: the load comes first, then what the sweep of the signature found.
  const elsewhere = tellingPaths({ scheduler: "hawk", signature });
  assert.equal(elsewhere[2], "c");
  assert.ok(!elsewhere.includes("t"));
});
