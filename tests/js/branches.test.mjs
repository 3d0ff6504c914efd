import assert from "node:assert/strict";
import { test } from "node:test";

import { Branches } from "../../static/js/features/here/branches.js";
import { chosenIn, offered, runsIn } from "../../static/js/features/here/page_dialog.js";
import { signal } from "../../static/js/kit/view.js";

/** A run that a viewer has changed, without a thread. */
function changedRun() {
  const run = { store: "before", meta: { machines: 4 } };
  const touch = {
    run: () => run,
    shown: signal(null),
    end: signal(null),
    failures: signal([]),
    extras: signal([]),
    at: signal(null),
    turned: signal(null),
    restored: [],
    restore: (branch) => touch.restored.push(branch.number),
  };
  return { touch, branches: new Branches(touch) };
}

/** Show a changed run that has ended. */
function show(touch, name) {
  touch.shown.value = { store: name, meta: { machines: 4 } };
  touch.end.value = { digest: name };
  touch.failures.value = [{ kind: "fail", at_s: 1, target: { machine: 0 } }];
}

test("the run before stands beside a changed run, and beside nothing else", () => {
  const { touch, branches } = changedRun();
  branches.beside.value = 0;
  assert.equal(branches.other.value, null, "nothing is changed");
  show(touch, "one");
  assert.deepEqual(branches.other.value, { store: "before", meta: { machines: 4 }, number: 0 });
});

test("a kept branch stands beside what follows, is shown again, and goes", () => {
  const { touch, branches } = changedRun();
  branches.keep();
  assert.deepEqual(branches.kept.value, [], "there is nothing to keep");
  show(touch, "one");
  branches.keep();
  branches.keep();
  assert.deepEqual(
    branches.kept.value.map(({ number, failures }) => [number, failures.length]),
    [[1, 1]],
  );
  show(touch, "two");
  assert.equal(branches.isKept, false);
  assert.equal(branches.other.value.store, "one");
  branches.keep();
  branches.take(1);
  assert.deepEqual(touch.restored, [1]);
  branches.drop(2);
  assert.equal(branches.other.value, null);
  branches.beside.value = 1;
  branches.drop(1);
  show(touch, "three");
  branches.keep();
  assert.equal(branches.kept.value[0].number, 1);
  branches.forget();
  assert.deepEqual([branches.kept.value, branches.beside.value], [[], null]);
});

const experiment = {
  scheduler: { name: "megha", params: { heartbeat_s: 10 } },
  workload: { kind: "synthetic", arrivals: { kind: "poisson", rate_per_s: 3 } },
  network: { message_delay_s: 0.0005 },
};
const scheduler = {
  name: "megha",
  label: "Megha",
  params: { properties: { heartbeat_s: { type: "number", title: "Heartbeat interval", default: 10 } } },
};

test("a page is offered the settings that its run has", () => {
  const paths = offered(experiment, scheduler).flatMap(({ options }) => options.map(({ path }) => path));
  assert.deepEqual(paths, ["scheduler.params.heartbeat_s", "network.message_delay_s"]);
});

test("rows without a setting or a value count for nothing; the run's own value counts once", () => {
  const chosen = chosenIn([
    { path: "a", values: "1, 2, 50 %" },
    { path: "", values: "3" },
    { path: "b", values: " " },
  ]);
  assert.deepEqual(chosen, { a: [1, 2, 0.5] });
  assert.equal(
    runsIn(chosen, () => 2),
    3,
  );
  assert.equal(
    runsIn({ ...chosen, b: [true] }, (path) => path === "a"),
    4 * 2,
  );
  assert.equal(
    runsIn({}, () => 1),
    1,
  );
});
