import assert from "node:assert/strict";
import test from "node:test";

import {
  boundsOf,
  countCertain,
  filterStages,
  filterSystems,
  kindOf,
  presetOf,
  tellBounds,
  tellCell,
  tellPreset,
} from "../../static/js/features/composer/matrix_cells.js";
import {
  axisOf,
  boxOf,
  choicesOf,
  countCombinations,
  openStages,
  planOf,
  stripOf,
  suggest,
  tellCombination,
  tellSpread,
} from "../../static/js/features/composer/stage_combinations.js";

const cell = (stage, ...candidates) => ({ stage, candidates, evidence: candidates.length > 1 ? "open" : "tables" });
const SYSTEMS = [
  {
    name: "Condor",
    origin: "academia",
    era: "before",
    clusters: "multi",
    pipeline: {
      scheduler: "pipeline",
      params: { t2: "srtf" },
      basis: "abstract",
      stages: [
        { stage: "J3", policy: "fair", ours: false, note: "By users." },
        { stage: "T2", policy: "srtf", ours: true, note: "" },
        { stage: "R5", policy: "none", ours: false, note: "" },
      ],
      open: [
        { stage: "T2", choices: ["fifo", "srtf", "random", "heft"] },
        { stage: "R5", choices: ["first_fit", "best_fit"] },
      ],
    },
    cells: [cell("J3", "full"), cell("T2", "none", "partial"), cell("R4", "full"), cell("R5", "none")],
  },
  {
    name: "Borg",
    origin: "industry",
    era: "since",
    clusters: "multi",
    pipeline: { scheduler: "pipeline", params: { j3: "fair" } },
    cells: [
      cell("J3", "partial"),
      cell("T2", "none", "full"),
      cell("R4", "none"),
      { ...cell("R5", "partial"), evidence: "prose" },
    ],
  },
];
const needs = [{ stage: "R4", what: "which machines have room" }];
const policies = (...names) => names.map((name) => ({ name, label: name.toUpperCase(), needs: [] }));
const STAGES = [
  { id: "J3", group: "J", name: "Sort jobs", param: "j3", policies: policies("fifo", "fair", "shortest") },
  { id: "T2", group: "T", name: "Sort tasks", param: "t2", policies: policies("fifo", "srtf", "random", "heft") },
  { id: "R4", group: "R", name: "Filter", param: "r4", policies: policies("free_now") },
  {
    id: "R5",
    group: "R",
    name: "Select",
    param: "r5",
    policies: policies("first_fit", "best_fit").map((each) => ({ ...each, needs })),
  },
];
const DEFAULTS = { j3: "none", t2: "fifo", r4: "free_now", r5: "first_fit" };
const names = (systems) => systems.map((system) => system.name);
const pick = (id, ...chosen) => ({ stage: STAGES.find((stage) => stage.id === id), names: chosen });

test("cells are told with what they may be and how that is known", () => {
  const [condor, borg] = SYSTEMS;
  assert.deepEqual(condor.cells.map(kindOf), ["full", "open", "full", "none"]);
  assert.equal(tellCell(condor, STAGES[0], condor.cells[0]), "Condor, J3 Sort jobs: specified.");
  assert.equal(
    tellCell(condor, STAGES[1], condor.cells[1]),
    "Condor, T2 Sort tasks: not recoverable from what is published: not mentioned or partly specified.",
  );
  assert.match(
    tellCell(borg, STAGES[3], borg.cells[3]),
    /partly specified, which follows only with the paper's prose\.$/,
  );
  assert.deepEqual(countCertain(SYSTEMS, STAGES), { certain: 6, all: 8 });
  assert.deepEqual(countCertain(SYSTEMS, filterStages(STAGES, ["T"])), { certain: 0, all: 2 });
});

test("filters add up, and bounds are of what they leave", () => {
  assert.deepEqual(names(filterSystems(SYSTEMS, {})), ["Condor", "Borg"]);
  assert.deepEqual(names(filterSystems(SYSTEMS, { text: " OR", era: "since" })), ["Borg"]);
  assert.deepEqual(names(filterSystems(SYSTEMS, { origin: "academia", clusters: "single" })), []);
  assert.deepEqual(boundsOf(SYSTEMS, "T2"), [0, 75]);
  assert.deepEqual(boundsOf(SYSTEMS, "J3"), [75, 75]);
  assert.equal(tellBounds([75, 75]), "75");
  assert.equal(tellBounds([0, 100 / 3]), "0 to 33.3");
});

test("a pipeline is known as a preset, and says whose choice each policy is", () => {
  assert.equal(presetOf(SYSTEMS, { t2: "srtf" }, DEFAULTS).name, "Condor");
  assert.equal(presetOf(SYSTEMS, { j3: "fair", t2: "fifo" }, DEFAULTS).name, "Borg");
  assert.equal(presetOf(SYSTEMS, { j3: "fair", t2: "srtf" }, DEFAULTS), null);
  assert.equal(
    tellPreset(SYSTEMS[0], STAGES[0]),
    "Condor's row: specified. The policy follows its paper's abstract or public page. By users.",
  );
  assert.match(
    tellPreset(SYSTEMS[0], STAGES[1]),
    /row: not recoverable from what is published\. The policy is our choice\.$/,
  );
  assert.equal(tellPreset(SYSTEMS[0], STAGES[3]), "Condor's row: not mentioned.");
});

test("open stages are those that a system leaves open, or all of a pipeline of one's own", () => {
  const left = (system, params) =>
    openStages(STAGES, system, params, DEFAULTS).map(({ stage, why, names: all }) => [stage.id, why, all.length]);
  assert.deepEqual(left(SYSTEMS[0], {}), [
    ["T2", "not recoverable from the paper", 4],
    ["R5", "not in its row, but needed to run tasks", 2],
  ]);
  assert.deepEqual(left(null, { t2: "none" }), [
    ["J3", "unspecified in this pipeline", 4],
    ["T2", "unspecified in this pipeline", 5],
    ["R4", "", 2],
    ["R5", "", 3],
  ]);
});

test("a choice that the rest of the pipeline cannot go with is no choice", () => {
  const [j3, t2, r4, r5] = openStages(STAGES, null, {}, DEFAULTS);
  assert.deepEqual(choicesOf(STAGES, r4, {}, DEFAULTS), ["free_now"]); // first fit needs it
  assert.deepEqual(choicesOf(STAGES, r5, {}, DEFAULTS), ["first_fit", "best_fit"]); // a task needs a machine
  assert.deepEqual(choicesOf(STAGES, r5, { r4: "none" }, DEFAULTS), []);
  assert.deepEqual(
    [j3, t2].map((each) => choicesOf(STAGES, each, {}, DEFAULTS).length),
    [4, 5],
  );
});

test("as many open stages are suggested as fit, those that matter most first", () => {
  const wide = (id, count) => ({
    stage: { id, param: id.toLowerCase(), policies: [] },
    names: Array.from({ length: count }, (_, at) => `p${at}`),
  });
  const ids = (open, repeats = 3) => Object.keys(suggest(open, repeats));
  // 128 would be too many.
  assert.deepEqual(ids([wide("T5", 2), wide("T2", 8), wide("R4", 1), wide("R5", 8)]), ["T2", "R5"]);
  assert.deepEqual(ids([wide("T5", 2), wide("T6", 2), wide("J3", 3)]), ["J3", "T5", "T6"]);
  assert.deepEqual(ids([wide("T2", 8), wide("R5", 8)], 20), ["T2"]); // 1,280 runs would be
});

test("a study has the two longest lists as axes and all others as schedulers", () => {
  const chosen = [
    pick("J3", "fifo", "fair"),
    pick("T2", "fifo", "srtf", "random"),
    pick("R4", "free_now"),
    pick("R5", "first_fit", "best_fit"),
  ];
  assert.equal(countCombinations(chosen), 12);
  const { plan, combinations } = planOf("pipeline", { charge: true }, chosen, 3);
  assert.equal(combinations, 12);
  assert.deepEqual(plan.axes, [
    { path: "scheduler.params.t2", values: ["fifo", "srtf", "random"] },
    { path: "scheduler.params.j3", values: ["fifo", "fair"] },
  ]);
  assert.deepEqual(plan.schedulers, [
    { name: "pipeline", params: { charge: true, r4: "free_now", r5: "first_fit" } },
    { name: "pipeline", params: { charge: true, r4: "free_now", r5: "best_fit" } },
  ]);
  assert.equal(plan.repeats, 3);
  assert.equal(
    tellCombination({ scheduler: 1, values: ["srtf", "fair"] }, plan, chosen),
    "J3 FAIR, T2 SRTF, R5 BEST_FIT",
  );
});

test("what is too much is said before it is asked", () => {
  const wide = (id, count) => ({
    stage: { id, param: id.toLowerCase(), policies: [] },
    names: Array.from({ length: count }, (_, at) => `p${at}`),
  });
  assert.match(planOf("pipeline", {}, [pick("T2", "fifo")], 3).problem, /at least two/);
  assert.match(
    planOf("pipeline", {}, [wide("T2", 10), wide("R5", 10)], 3).problem,
    /^100 combinations are too many \(limit 96\)/,
  );
  assert.match(planOf("pipeline", {}, [wide("T2", 9), wide("R5", 10)], 20).problem, /^1800 runs are too many/);
  assert.match(
    planOf("pipeline", {}, [wide("A", 3), wide("C", 3), wide("D", 3), wide("E", 3)], 1).problem,
    /D, E have 9 combinations. Besides .* at most 8/,
  );
});

test("a strip keeps every combination in sight, with quartiles behind", () => {
  const cells = [4, 1, 3, 2, 3].map((value, number) => ({ cell: number, value }));
  assert.deepEqual(boxOf(cells.map((each) => each.value)), { low: 1, q1: 2, median: 3, q3: 3, high: 4 });
  assert.equal(boxOf([]), null);
  const axis = axisOf(cells.map((each) => each.value));
  const placed = stripOf(cells, axis);
  assert.deepEqual(
    placed.map((each) => [each.cell.value, each.row]),
    [
      [1, 0],
      [2, 0],
      [3, 0],
      [3, 1],
      [4, 0],
    ],
  );
  assert.ok(placed.every((each) => each.x >= 0.02 && each.x <= 0.98));
  assert.equal(tellSpread(cells), "worst is 4.00 times the best");
  assert.equal(tellSpread([{ value: 2 }, { value: 2 }]), "all alike");
  assert.deepEqual([axisOf([1, 100]).log, axisOf([0, 100]).log, axisOf([5, 5]).place(5)], [true, false, 0.5]);
});
