import test from "node:test";
import assert from "node:assert/strict";

import { assemble } from "../../static/js/features/graphs/job_graphs.js";
import { MEASURES, measureOf } from "../../static/js/features/graphs/measures.js";
import { choiceAt, fitsGround } from "../../static/js/features/graphs/fits_now.js";
import { fitsScene } from "../../static/js/features/graphs/fits_scene.js";
import { lanesOf, skippedFor, turnsAt, turnsGround } from "../../static/js/features/graphs/turns_now.js";
import { turnWords, turnsPlace, turnsScene } from "../../static/js/features/graphs/turns_scene.js";

const S = 1e9;
const META = {
  resources: ["cpus", "memory_gb"],
  capacity: [10, 100],
  queues: [
    { name: "large", share: 0.8 },
    { name: "small", share: 0.2 },
  ],
  reasons: [{ code: 10, name: "least_share" }],
  experiment: { scheduler: { params: {} } },
};
// Job 0 runs eight tasks from 0 to 2 s and has two more; job 1 is memory-heavy; job 2 comes when job 1 is done.
const TABLES = {
  jobs: {
    queue: [0, 1, 1],
    arrival_us: [0, 1e6, 3e6],
    end_us: [5e6, 3e6, 4e6],
    tasks: [10, 3, 1],
    path_us: [1e6, 1e6, 1e6],
    first_stage: [0, 1, 2],
    stages: [1, 1, 1],
  },
  stages: {
    job: [0, 1, 2],
    first: [0, 10, 13],
    tasks: [10, 3, 1],
    duration_us: [2e6, 2e6, 1e6],
    demand: [
      [1, 5],
      [1, 20],
      [1, 20],
    ],
    parents: [[], [], []],
    critical: [true, true, true],
    name: [null, null, null],
  },
  placements: {
    task: Array.from({ length: 14 }, (_, task) => task),
    machine: Array(14).fill(0),
    start_us: [...Array(8).fill(0), 2.5e6, 2.5e6, 1e6, 1e6, 2e6, 3e6],
    end_us: [...Array(8).fill(2e6), 4e6, 5e6, 3e6, 3e6, 3e6, 4e6],
    reason: Array(14).fill(10),
  },
};
const BY = { queues: META.queues, weight: () => 1 };
const graphs = assemble(TABLES, META);

/** The rows at an instant, by a reason's name. */
function rows(t_s, name = "least_share", params = {}) {
  const meta = { ...META, experiment: { scheduler: { params } } };
  const measure = MEASURES[name];
  const ground = turnsGround(graphs, measure, meta);
  return { ground, measure, turns: turnsAt(graphs, ground, measure, t_s * S, BY) };
}

const how = (more = {}) => ({
  width: 800,
  height: 200,
  lanes: 2,
  hue: (number) => number,
  name: (number) => `job ${number}`,
  measure: MEASURES.least_share,
  counts: /** @type {const} */ ("dominant"),
  shown: [0, 1],
  most: 10,
  ...more,
});

test("a scheduler's order is known by the reasons with which it starts tasks", () => {
  assert.equal(measureOf(META), MEASURES.least_share);
  assert.equal(measureOf({ reasons: [{ name: "opened" }, { name: "least_queue" }] })?.of, "queues");
  assert.equal(measureOf({ reasons: [{ name: "shortest" }] }), null);
});

test("a job keeps its row while it is there, and the next one takes a row that is free", () => {
  assert.deepEqual([...lanesOf(graphs).lane], [0, 1, 1]);
  assert.equal(lanesOf(graphs).lanes, 2);
});

test("of the jobs whose tasks wait, the one with the smallest dominant share is next in line", () => {
  const { turns } = rows(1.5);
  assert.deepEqual(
    turns.map(({ number, holds, fair, runs, waits, next }) => [number, holds, fair, runs, waits, next]),
    [
      [0, 0.8, 0.5, 8, 2, false],
      [1, 0.4, 0.5, 2, 1, true],
    ],
  );
  const done = rows(2.7).turns;
  assert.deepEqual(
    done.map(({ waits, next }) => [waits, next]),
    [
      [0, false],
      [0, false],
    ],
  );
});

test("where one resource is shared, or running tasks, only that is counted", () => {
  const cpus = rows(1.5, "least_of_one", { resource: "cpus" });
  assert.deepEqual(
    cpus.turns.map(({ holds }) => holds),
    [0.8, 0.2],
  );
  assert.deepEqual(cpus.ground.shown, [0, 1]);
  const tasks = rows(1.5, "fewest", { resource: "tasks" });
  assert.equal(tasks.ground.counts, "tasks");
  assert.equal(tasks.ground.most, 10);
  assert.deepEqual(
    tasks.turns.map(({ holds }) => holds),
    [0.8, 0.2],
  );
});

test("queues are beside their own shares, and the one farthest below its share is next", () => {
  const { turns, measure } = rows(1.5, "least_queue");
  assert.deepEqual(
    turns.map(({ number, holds, fair, next }) => [number, holds, fair, next]),
    [
      [0, 0.8, 0.8, true],
      [1, 0.4, 0.2, false],
    ],
  );
  const name = (number) => META.queues[number].name;
  assert.match(turnWords(turns[1], { measure, name }, turns[0])[0], /^1 task waits: large/);
  assert.equal(turns[0].alone, false);
  const alone = turnWords({ ...turns[0], alone: true }, { measure, name }, turns[0]);
  assert.equal(alone[0], "next: only its tasks wait", "it may hold more than jobs of which no task waits");
  const least = (turn, weighed) =>
    turnWords(
      turn,
      { measure: MEASURES.least_share, name: (job) => `job ${job}`, weighed },
      { ...turns[0], number: 3 },
    );
  assert.equal(least({ ...turns[0], next: true }, false)[0], "next: holds the least of the waiting jobs");
  assert.equal(least({ ...turns[0], next: true }, true)[0], "next: holds the least for its weight");
  assert.match(least({ ...turns[1], next: false }, true)[0], /job 3 holds less for its weight$/);
  const tied = { ...turns[0], number: 5, waits: 2, next: false };
  assert.equal(least(tied, false)[0], "2 tasks wait: equal, job 3 came first");
});

test("the picture has a bar a resource, a line at the fair share, and a frame and a pointer at who is next", () => {
  const { turns } = rows(1.5);
  const scene = turnsScene(turns, how());
  assert.equal(scene.filter((mark) => mark.kind === "area").length, 1);
  assert.equal(scene.filter((mark) => mark.kind === "rect" && mark.stroke === "ink").length, 1);
  const lines = scene.filter((mark) => mark.kind === "line").map((mark) => mark.points[0][0]);
  assert.equal(new Set(lines).size, 1);
  const words = scene.filter((mark) => mark.kind === "text").map((mark) => mark.words);
  assert.ok(words.includes("next: holds the least of the waiting jobs"));
  assert.ok(words.includes("2 tasks wait: job 1 holds less"));
  assert.ok(scene.every((mark) => mark.kind !== "text" || mark.size >= 12));
  assert.equal(turnsScene([], how()).length, 1);
});

test("where there is too little room, rows of those who wait stand close, who is next among them", () => {
  const { turns } = rows(1.5);
  const many = Array.from({ length: 12 }, (_, lane) => ({ ...turns[0], lane, number: lane, waits: 0, next: false }));
  many[11] = { ...many[11], next: true, waits: 1 };
  const place = turnsPlace(many, { width: 360, height: 100, lanes: 12 });
  assert.equal(place.kept.length, 3);
  assert.ok(place.kept.includes(many[11]));
  assert.ok(place.y(many[11]) + place.row <= 100);
  const narrow = turnsScene(many, how({ width: 360, height: 100, lanes: 12 }));
  assert.ok(narrow.every((mark) => mark.kind !== "text" || mark.x < 360));
});

test("a job that is next but waits for its data has let others go first since the first of them started", () => {
  // Job 1 starts two tasks at 1 s; job 0, which runs more, starts two at 2.5 s.
  const late = { ...TABLES, placements: { ...TABLES.placements, start_us: [...TABLES.placements.start_us] } };
  late.placements.start_us[12] = 2.8e6;
  const skipped = assemble(late, META);
  assert.equal(skippedFor(skipped, 1, 2.4 * S), -1);
  const params = { resource: "tasks", wait_s: 0.2, rack_wait_s: 0.2 };
  const meta = { ...META, experiment: { scheduler: { params } } };
  const measure = MEASURES.fewest;
  const ground = turnsGround(skipped, measure, meta);
  assert.equal(ground.wait_ns, 0.4 * S);
  assert.equal(turnsGround(skipped, MEASURES.least_share, meta).wait_ns, 0);
  const turn = { ...rows(1.5).turns[1], skipped: 0.1 * S };
  const scene = turnsScene([turn], how({ measure, wait_ns: ground.wait_ns }));
  assert.equal(scene.filter((mark) => mark.kind === "dot").length, 1, "a clock");
  assert.match(turnWords(turn, { measure, name: String, wait_ns: ground.wait_ns }, turn)[0], /waits for its data/);
  assert.match(turnWords({ ...turn, skipped: -1 }, { measure, name: String, wait_ns: 1 }, turn)[0], /^next: fewest/);
});

test("where machines are free although tasks wait, none of them suits the tasks", () => {
  const { turns } = rows(1.5);
  const [one] = turnWords(turns[1], { measure: MEASURES.poorest, name: String, room: true }, turns[1]);
  assert.equal(one, "1 task waits: no free machine suits it");
  const [full] = turnWords(turns[1], { measure: MEASURES.poorest, name: String, room: false }, turns[1]);
  assert.match(full, /^next on a machine/);
});

test("where the best fit goes first, its own picture serves: pieces in a machine's room, the best one framed", () => {
  const meta = {
    ...META,
    experiment: {
      topology: { clusters: [{ machines: [{ count: 1, cpus: 10, memory_gb: 100 }] }] },
      scheduler: { params: { epsilon: 0, fairness: 0 } },
    },
  };
  const ground = fitsGround(graphs, meta);
  assert.ok(ground && MEASURES.packed.fits);
  // At 3 s four CPUs and 60 GB are free, two tasks of job 0 wait, and the larger piece of job 2 fits better.
  const choice = choiceAt(graphs, ground, 3 * S);
  assert.equal(graphs.placements.task[choice?.at ?? -1], 13);
  const shown = { ...how(), demand: graphs.stages.demand };
  const scene = fitsScene(choice, shown);
  const textsOf = (drawn) => drawn.filter((mark) => mark.kind === "text").map((mark) => mark.words);
  assert.ok(textsOf(scene).includes("no other fits"));
  const candidate = { ...choice.candidates[0], aligned: 0.18, fit: 1 / 3, work: 0.19165, score: 0.14168 };
  const two = textsOf(fitsScene({ ...choice, candidates: [candidate, { ...candidate, score: 0.1 }] }, shown));
  assert.deepEqual(
    two.slice(2, 5).map((each) => each.replaceAll("\u202f", " ")),
    ["18 % of 54 %", "0.333 − 0.191", "= 0.142: best"],
    "what is written adds up",
  );
  assert.equal(scene.filter((mark) => mark.width === 3).length, 1, "one frame");
  const failing = { ...meta, experiment: { ...meta.experiment, events: [{}] } };
  assert.equal(fitsGround(graphs, failing), null, "after a failure the room is not known");
});
