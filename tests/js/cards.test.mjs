import assert from "node:assert/strict";
import { test } from "node:test";
import { matches } from "../../static/js/features/cards/search.js";
import { figureOf, unseen } from "../../static/js/run/figures_told.js";

test("a card is found by words of its text, in any order", () => {
  const text = "hawk probes and worker queues hybrid datacenter scheduling 2015";
  assert.ok(matches(text, "2015 Hawk"));
  assert.ok(matches(text, "  "));
  assert.ok(!matches(text, "hawk 2016"));
});

const STOLEN = { label: "Probes stolen", of: ["counters.stolen"], per: ["counters.probes"], unit: "%" };
const HAWK = { name: "hawk", signature: { touched: STOLEN, unseen: "Nothing to steal." } };

test("a figure is a quotient of sums, or nothing where a part is missing", () => {
  assert.equal(figureOf(STOLEN, { counters: { stolen: 3, probes: 12 } }), 0.25);
  assert.equal(figureOf({ ...STOLEN, per: [] }, { counters: { stolen: 3 } }), 3);
  assert.equal(figureOf(STOLEN, { counters: { stolen: 3 } }), null);
  assert.equal(figureOf(STOLEN, { counters: { stolen: 0, probes: 0 } }), null);
});

test("a run that does not show the idea says so, and no other does", () => {
  const summary = (stolen) => ({ scheduler: "hawk", counters: { stolen, probes: 10 } });
  assert.equal(unseen([HAWK], summary(0)), "Nothing to steal.");
  assert.equal(unseen([HAWK], summary(1)), "");
  assert.equal(unseen([HAWK], null), "");
  const turned = {
    ...HAWK,
    signature: { ...HAWK.signature, turn: { path: "scheduler.params.steals", from: true, to: false } },
  };
  const params = (steals) => ({ scheduler: { params: { steals } } });
  assert.equal(unseen([turned], summary(0), params(true)), "Nothing to steal.");
  assert.equal(unseen([turned], summary(0), params(false)), "");
  const weighted = {
    name: "wdrf",
    signature: { touched: null, shown: null, needs: "unequal_shares", unseen: "Equal." },
  };
  const queues = (...shares) => ({ queues: shares.map((share) => ({ share })) });
  assert.equal(unseen([weighted], { scheduler: "wdrf" }, queues(0.5, 0.5)), "Equal.");
  assert.equal(unseen([weighted], { scheduler: "wdrf" }, queues(0.8, 0.2)), "");
  const staged = { name: "cpm", signature: { needs: "stages", unseen: "One stage." } };
  assert.equal(unseen([staged], { scheduler: "cpm" }, { workload: { kind: "synthetic" } }), "One stage.");
  assert.equal(unseen([staged], { scheduler: "cpm" }, { workload: { kind: "dag" } }), "");
  assert.equal(unseen([{ name: "hawk" }], summary(0)), "");
});
