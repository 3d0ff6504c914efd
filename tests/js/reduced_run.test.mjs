import assert from "node:assert/strict";
import test from "node:test";

import {
  addEvent,
  changeEvent,
  choicesFor,
  eventWords,
  kindsFor,
  newEvent,
  removeEvent,
  retarget,
  spanOf,
  targetsFor,
  typedValue,
  valueText,
} from "../../static/js/run/event_edits.js";
import { total } from "../../static/js/kit/histogram.js";
import { ownerShares, withDeserved } from "../../static/js/run/owner_shares.js";
import { confirmWords, histOf, offBy, percentilesOf, reducedWords } from "../../static/js/run/reduced_run.js";

const answer = {
  reduced: { tasks: 20000, of_tasks: 120000, simulated_s: 7.31 },
  summary: { allocation_delay_s: { p50: 0.002, p99: 1.2 } },
  hist: { allocation_delay: { edges: [0, 1, 2, 4], idx: [0, 2], val: [3, 5] } },
};

test("a preview tells its histogram and how much of the run it is", () => {
  const hist = histOf(answer, "allocation_delay");
  assert.deepEqual([...hist.counts], [3, 0, 5, 0]);
  assert.equal(total(hist.counts), 8);
  assert.equal(histOf({ hist: { allocation_delay: { edges: [0], idx: [], val: [] } } }, "allocation_delay"), null);
  assert.equal(histOf(undefined, "allocation_delay"), null);
  assert.match(reducedWords(answer), /^the first 7\.31.s: 20,000 of 120,000 tasks, same seed and machines$/);
  assert.equal(reducedWords({ reduced: null }), "the whole run");
});

test("the full run says how far the preview was off", () => {
  const words = confirmWords(answer, { allocation_delay_s: { p50: 0.002, p99: 1.5 } }, "allocation_delay");
  assert.match(
    words,
    /^Full run: p50 .* 2\.00.ms, as in the preview; p99 is 1\.50.s, not 1\.20.s \(20.% off\), at its end\.$/,
  );
  assert.match(
    confirmWords(answer, { allocation_delay_s: { p50: 0, p99: 0.001 } }, "allocation_delay"),
    /p50 is 0.s, not 2\.00.ms \(far off\); p99 is 1\.00.ms, not 1\.20.s \(far off\)/,
  );
  assert.equal(confirmWords(answer, {}, "allocation_delay"), "");
  assert.deepEqual([offBy(0, 0), offBy(null, 1), offBy(2, 1), offBy(1, 0)], [0, null, 1, Infinity]);
  assert.equal(percentilesOf(answer.summary, "allocation_delay").p99, 1.2e9);
});

test("what an experiment does on the way is said in words", () => {
  assert.equal(eventWords({ kind: "fail", target: { machine: null, rack: 3 } }), "Rack 3 fails");
  assert.equal(
    eventWords({ kind: "set", target: { scheduler: true }, value: { heartbeat_s: 0.5 } }),
    "The scheduler is changed: heartbeat_s=0.5",
  );
});

test("shares of masters come from the frame: used, borrowed, lent", () => {
  const meta = {
    machines: 4,
    owners: ["GM 0", "GM 1"],
    clusters: [{ name: "a", first: 0, machines: 4, partitions: [] }],
    queues: [
      { name: "x", share: 0.6, owner: 0 },
      { name: "y", share: 0.2, owner: 1 },
    ],
    layers: [
      { name: "owner", kind: "category", role: "owner" },
      { name: "load", kind: "level", role: "load" },
      { name: "lent", kind: "level", role: "lent" },
      { name: "borrower", kind: "category", role: "borrower" },
    ],
  };
  const layers = {
    owner: Uint8Array.of(0, 0, 1, 1),
    load: Uint8Array.of(255, 0, 255, 255),
    lent: Uint8Array.of(0, 0, 255, 0),
    borrower: Uint8Array.of(255, 255, 0, 255),
  };
  const found = withDeserved(ownerShares(meta, { layers }), meta.queues);
  const near = (value, wanted) => assert.ok(Math.abs(value - wanted) < 1e-9, `${value} is not ${wanted}`);
  for (const [place, key, wanted] of [
    [0, "deserved", 0.75],
    [0, "used", 0.5],
    [0, "borrowed", 0.25],
    [0, "lent", 0],
    [1, "used", 0.25],
    [1, "lent", 0.25],
    [1, "borrowed", 0],
  ])
    near(found[place][key], wanted);
  assert.equal(ownerShares({ ...meta, owners: [] }, { layers }), null);
  assert.equal(ownerShares({ ...meta, outline: true }, { layers }), null);
});

const experiment = {
  topology: { global_masters: 2, clusters: [{ name: "lm", repeat: 2, machines: [{ count: 5 }] }] },
  scheduler: { name: "megha" },
};
const megha = { supports: ["machine_faults", "master_faults", "share_changes", "parameter_changes"] };

test("a new event has all that its kind needs, and another kind or target brings its own", () => {
  assert.deepEqual(newEvent("fail", 3, experiment, megha, "local_master"), {
    at_s: 3,
    kind: "fail",
    target: { local_master: "lm-0" },
  });
  assert.deepEqual(newEvent("burst", 3, experiment, megha), {
    at_s: 3,
    kind: "burst",
    target: { queue: "q0" },
    duration_s: 10,
    value: { rate_factor: 3 },
  });
  const one = addEvent(experiment, newEvent("set", 1, experiment, megha, "queue"));
  assert.deepEqual(one.events[0].value, { share: 0.25 });
  assert.deepEqual(retarget(one, 0, "scheduler", megha).events[0], {
    at_s: 1,
    kind: "set",
    target: { scheduler: true },
    value: {},
  });
  assert.deepEqual(changeEvent(one, 0, { kind: "drain" }, megha).events[0], {
    at_s: 1,
    kind: "drain",
    target: { machine: 0 },
  });
  const lasting = addEvent(experiment, { at_s: 1, kind: "fail", target: { rack: 1 }, duration_s: 4 });
  assert.deepEqual(changeEvent(lasting, 0, { duration_s: undefined }, megha).events[0], {
    at_s: 1,
    kind: "fail",
    target: { rack: 1 },
  });
  assert.equal(changeEvent(lasting, 0, { kind: "recover" }, megha).events[0].duration_s, undefined);
  assert.equal(spanOf(lasting, 0), 5);
  assert.equal("events" in removeEvent(lasting, 0), false);
});

test("only what the scheduler honours is offered", () => {
  const sparrow = { supports: ["constraints"] };
  assert.deepEqual(
    kindsFor(experiment, sparrow).map(([kind]) => kind),
    ["burst"],
  );
  assert.deepEqual(targetsFor("fail", experiment, { supports: ["machine_faults"] }), ["machine", "rack", "cluster"]);
  assert.deepEqual(choicesFor("cluster", experiment), ["lm-0", "lm-1"]);
  assert.equal(choicesFor("machine", experiment), null);
  assert.deepEqual(typedValue("heartbeat_s=10, queue = bypass,on=true"), {
    heartbeat_s: 10,
    queue: "bypass",
    on: true,
  });
  assert.equal(valueText({ a: 1, b: "x" }), "a=1, b=x");
});
