import assert from "node:assert/strict";
import test from "node:test";
import {
  addCustom,
  changeCustom,
  copyFrom,
  parseColumn,
  pasteColumn,
  renameCustom,
  scaleAll,
} from "../../static/js/experiment/constraint_bulk.js";
import { asksOf, demand, places, rows } from "../../static/js/experiment/constraints.js";
import {
  setAsk,
  setMix,
  setOffer,
  setShare,
  setSoft,
  withAsks,
  withCatalogue,
} from "../../static/js/experiment/constraint_edits.js";
import { History } from "../../static/js/kit/history.js";
import { Latest } from "../../static/js/kit/latest.js";

const number = (value, evidence) => ({ value, evidence });
const numbered = {
  name: "megha-21",
  mixes: [{ name: "google-a" }, { name: "google-b" }],
  constraints: [
    ["c00", 0.4, 0.08],
    ["c01", 0.7, 0.2],
    ["c02", 0.1, 0.3],
  ].map(([name, offer, ask]) => ({
    name,
    label: name,
    axis: null,
    machine_shares: { "google-a": number(offer, "measured"), "google-b": number(offer + 0.1, "synthetic") },
    task_share: number(ask, "authors' code"),
    slowdown: null,
  })),
  asks: {
    probabilities: { c00: 0.08, c01: 0.2, c02: 0.3 },
    scale_to_share: true,
    classes: [
      { weight: 0.5, factor: 1 },
      { weight: 0.5, factor: 0.6 },
    ],
  },
};
const named = {
  name: "phoenix-9",
  mixes: [{ name: "phoenix" }],
  constraints: [
    ["isa", 1, 0.6],
    ["clock", 0.2, 0.4],
  ].map(([name, offer, ask]) => ({
    name,
    label: name,
    axis: "cpu",
    machine_shares: { phoenix: number(offer, "authors' code") },
    task_share: number(ask, "synthetic"),
    slowdown: number(1.8, "published"),
  })),
  asks: { probabilities: { isa: 0.6, clock: 0.4 }, per_task: [1], unit: "job" },
};
const catalogues = [numbered, named, { name: "custom", mixes: [{ name: "custom" }], constraints: [], asks: null }];
const plain = {
  seed: 1,
  topology: {
    clusters: [
      { name: "a", repeat: 2, machines: [{ count: 10 }, { count: 30, cpus: 8, attributes: { clock_ghz: 3.1 } }] },
      { name: "b", machines: [{ count: 20 }] },
    ],
  },
  workload: { kind: "synthetic" },
};
const near = (found, wanted, off = 1e-3) => assert.ok(Math.abs(found - wanted) <= off, `${found} is not ${wanted}`);
const row = (experiment, catalogue, name, place) =>
  rows(experiment, catalogue, place).find((each) => each.name === name);
const frozen = (experiment) => {
  const text = JSON.stringify(experiment);
  return () => assert.equal(JSON.stringify(experiment), text);
};

test("choosing a catalogue gives every cluster its first mix, and none of it takes everything away", () => {
  const unchanged = frozen(plain);
  const chosen = withCatalogue(plain, "megha-21", catalogues);
  assert.deepEqual(
    chosen.topology.clusters.map((each) => each.constraint_mix),
    ["google-a", "google-a"],
  );
  assert.deepEqual(withCatalogue(setOffer(chosen, "c00", 0.2), "", catalogues), plain);
  unchanged();
});

test("rows say what machines offer, who says so, and what tasks ask for", () => {
  const chosen = withCatalogue(plain, "megha-21", catalogues);
  const found = row(chosen, numbered, "c02");
  assert.deepEqual([found.offer, found.offerEvidence, found.askEvidence], [0.1, "measured", "authors' code"]);
  const edited = row(setOffer(chosen, "c02", 0.5), numbered, "c02");
  assert.deepEqual([edited.offer, edited.offerEvidence], [0.5, "yours"]);
  assert.equal(row(setMix(chosen, 1, "google-b"), numbered, "c02").offerEvidence, "mixed");
});

test("an offer can be written for one group of machines, and for all at once again", () => {
  const chosen = withCatalogue(plain, "megha-21", catalogues);
  const group = { cluster: 0, machines: 1 };
  const once = setOffer(chosen, "c00", 1, group);
  near(row(once, numbered, "c00").offer, (60 * 1 + 40 * 0.4) / 100);
  assert.equal(row(once, numbered, "c00", group).offer, 1);
  assert.equal(row(once, numbered, "c00", { cluster: 1 }).offer, 0.4);
  near(row(setOffer(once, "c00", 0.3), numbered, "c00", group).offer, 0.3);
  assert.deepEqual(
    places(plain).map((each) => each.label),
    ["All machines", "a ×2", "a ×2: 10 × 1 CPUs", "a ×2: 30 × 8 CPUs", "b"],
  );
});

test("scaled asks meet the wanted share, and a changed one leaves the others where they are", () => {
  const chosen = withCatalogue(plain, "megha-21", catalogues);
  near(demand(chosen, numbered).share, 0.5);
  const before = demand(chosen, numbered).by;
  const changed = setAsk(chosen, numbered, "c00", 0.4);
  const after = demand(changed, numbered);
  near(after.by.c00, 0.4);
  near(after.by.c01, before.c01);
  near(after.by.c02, before.c02);
  near(changed.constraints.task_share, after.share);
  assert.ok(after.share > 0.5);
  near(demand(setShare(changed, 0.23), numbered).share, 0.23);
});

test("one constraint a job: shares of the others stay, and the share of constrained jobs follows", () => {
  const chosen = withCatalogue(plain, "phoenix-9", catalogues);
  assert.deepEqual(demand(chosen, named), { share: 0.5, by: { isa: 0.3, clock: 0.2 } });
  const changed = setAsk(chosen, named, "clock", 0.35);
  near(changed.constraints.task_share, 0.65);
  near(demand(changed, named).by.isa, 0.3);
  assert.equal(changed.constraints.asks.unit, "job");
});

test("counted constraints have no classes", () => {
  const chosen = withAsks(withCatalogue(plain, "megha-21", catalogues), numbered, { per_task: [3, 1] });
  assert.ok(!("classes" in chosen.constraints.asks) && !("scale_to_share" in chosen.constraints.asks));
  const back = withAsks(chosen, numbered, { per_task: [] });
  assert.deepEqual(back.constraints.asks.per_task, []);
  assert.ok(asksOf(back, numbered).probabilities.c02 > 0);
});

test("scaling stays within 0 and 100 %", () => {
  const chosen = withCatalogue(plain, "megha-21", catalogues);
  assert.deepEqual(
    rows(scaleAll(chosen, numbered, "offer", 2), numbered).map((each) => each.offer),
    [0.8, 1, 0.2],
  );
  near(demand(scaleAll(chosen, numbered, "ask", 0.5), numbered).by.c02, demand(chosen, numbered).by.c02 / 2);
});

test("a pasted column may be percent or shares, with a heading, decimal commas, and a second column", () => {
  assert.deepEqual(parseColumn("Machines\n37,6 %\n65.7 %\n").values, [[0.376], [0.657]]);
  assert.deepEqual(parseColumn("0.5\t0.1\n1\t0.25").values, [
    [0.5, 0.1],
    [1, 0.25],
  ]);
  assert.deepEqual(parseColumn("50\r\n\r\n25").values, [[0.5], [], [0.25]]);
  assert.deepEqual(parseColumn("0.5\nmany\n0.2").wrong, [{ line: 2, text: "many" }]);
  assert.equal(parseColumn("50\n250").wrong.length, 1);
  const chosen = withCatalogue(plain, "megha-21", catalogues);
  const pasted = pasteColumn(chosen, numbered, "offer", [[0.9, 0.3], [], [0.2]], 0);
  assert.deepEqual(
    rows(pasted, numbered).map((each) => each.offer),
    [0.9, 0.7, 0.2],
  );
  near(demand(pasted, numbered).by.c00, 0.3);
  assert.deepEqual(
    rows(pasteColumn(chosen, numbered, "offer", [[0.9], [0.8]], 2), numbered).map((each) => each.offer),
    [0.4, 0.7, 0.9],
  );
});

test("one's own constraints start as a copy, are renamed wherever they are named, and removed from there", () => {
  const chosen = withCatalogue(withCatalogue(plain, "megha-21", catalogues), "custom", catalogues);
  assert.deepEqual(
    chosen.constraints.custom.map((each) => each.name),
    ["c00", "c01", "c02"],
  );
  let next = setSoft(setOffer(setAsk(chosen, null, "c01", 0.3), "c01", 0.6, { cluster: 1 }), "c01", true, 1.5);
  next = renameCustom(next, "c01", "gpu");
  assert.equal(next.topology.clusters[1].constraint_shares.gpu, 0.6);
  assert.deepEqual(next.constraints.soft, [{ name: "gpu", slowdown: 1.5 }]);
  near(demand(next, null).by.gpu, 0.3);
  const gone = renameCustom(next, "gpu", null);
  assert.ok(!JSON.stringify(gone).includes("gpu"));
  assert.equal(addCustom(gone).constraints.custom.length, 3);
});

test("an attribute decides instead of a share, and the share comes back", () => {
  const chosen = withCatalogue(plain, "custom", catalogues);
  const compared = changeCustom(setOffer(chosen, "fast", 0.9, { cluster: 0 }), 0, {
    attribute: "clock_ghz",
    comparison: ">=",
    value: 2.5,
  });
  assert.ok(!("machine_share" in compared.constraints.custom[0]) && !compared.topology.clusters[0].constraint_shares);
  near(row(compared, null, "fast").offer, 0.6);
  assert.equal(changeCustom(compared, 0, { attribute: undefined }).constraints.custom[0].machine_share, 0.5);
});

test("copying from a catalogue takes its numbers, its rows into one's own list", () => {
  const own = withCatalogue(plain, "custom", catalogues);
  const copied = copyFrom(own, catalogues, "phoenix-9", "phoenix");
  assert.deepEqual(
    copied.constraints.custom.map((each) => each.name),
    ["fast", "isa", "clock"],
  );
  assert.equal(row(copied, null, "clock").offer, 0.2);
  near(row(copied, null, "isa").ask / row(copied, null, "clock").ask, 1.5);
  const mixed = copyFrom(withCatalogue(plain, "megha-21", catalogues), catalogues, "megha-21", "google-b", "offer");
  near(row(mixed, numbered, "c00").offer, 0.5);
});

test("edits of one gesture are undone together, and redone", () => {
  const history = new History(500);
  history.record("a", "x", 0);
  history.record("b", "x", 100);
  history.record("c", "y", 200);
  assert.equal(history.undo("d"), "c");
  assert.equal(history.undo("c"), "a");
  assert.equal(history.undo("a"), undefined);
  assert.equal(history.redo("a"), "c");
  history.record("c", "x", 210);
  assert.equal(history.redo("e"), undefined);
  assert.equal(history.undo("e"), "c");
});

test("a sealed gesture and a late edit are steps of their own", () => {
  const history = new History(500);
  history.record("a", "x", 0);
  history.seal();
  history.record("b", "x", 10);
  history.record("c", "x", 1000);
  assert.equal(history.past.length, 3);
  history.hold();
  history.record("d", "x", 1010);
  history.record("e", "x", 9000);
  assert.equal(history.past.length, 4);
});

test("while one answer is under way only the newest question waits", async () => {
  const asked = [];
  const shown = [];
  let answer = null;
  const latest = new Latest(
    (value) => {
      asked.push(value);
      return new Promise((done) => {
        answer = done;
      });
    },
    { done: (_, value) => shown.push(value), failed: assert.fail },
  );
  const settle = async () => {
    answer();
    for (let turn = 0; turn < 5; turn += 1) await null;
  };
  for (const value of [1, 2, 3, 4]) latest.ask(value);
  await settle();
  await settle();
  assert.deepEqual(asked, [1, 4]);
  assert.deepEqual(shown, [1, 4]);
  latest.ask(5);
  latest.drop();
  await settle();
  assert.deepEqual(shown, [1, 4]);
});
