import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { Track } from "../../static/js/run/track.js";
import { LEGS, planes, wireOf } from "./tracks.mjs";

// What the scene asks of a page: colors and sizes of type.
globalThis.document ??= /** @type {any} */ ({
  documentElement: { dataset: {}, lang: "en", style: {} },
  getElementById: () => null,
  createElement: () => ({ style: {}, remove() {} }),
  body: { append() {} },
});
globalThis.getComputedStyle ??= /** @type {any} */ (() => ({ color: "rgb(1 2 3)" }));
globalThis.matchMedia ??= /** @type {any} */ (() => ({ matches: false, addEventListener() {} }));
globalThis.window ??= /** @type {any} */ (globalThis);

const { TasksScene } = await import("../../static/js/draw/work/scene.js");
const { keepersOf, layShelves } = await import("../../static/js/draw/work/shelves.js");
const { ALL_MARKS, flashing, marksOf } = await import("../../static/js/draw/work/marks.js");
const { MARK_SHAPES } = await import("../../static/js/run/roles.js");
const { SAMPLES } = await import("../../static/js/draw/work/samples.js");

/** A pen that takes all strokes and measures texts. */
const pen = new Proxy(
  /** @type {any} */ ({ canvas: { width: 1000, height: 800 }, measureText: () => ({ width: 20 }) }),
  {
    get: (known, name) => known[name] ?? (() => {}),
    set: () => true,
  },
);
const MACHINES = 12;

const layer = (name, role) => ({
  name,
  kind: "level",
  role,
  label: name,
  help: "",
  unit: "tasks",
  full: 32,
  plain: "",
});
const NOTHING = {
  owners: [],
  queues: [{ name: "a" }],
  marks: [],
  clusters: [{ name: "c", first: 0, machines: MACHINES, partitions: [] }],
  machines: MACHINES,
  layers: [layer("outage", "service")],
  groups: null,
};

/** Draw some instants of a run, and say which marks were drawn and which the legend names. */
function shown({ meta = {}, work = {}, tasks, more = {}, picture = {}, machines = MACHINES, long = undefined }) {
  const known = /** @type {any} */ ({
    ...NOTHING,
    ...meta,
    work: { keeper: { role: "queue", label: "Queue", help: "" }, legs: LEGS.sent, moves: [], ...work },
  });
  const wire = wireOf(tasks, more);
  const track = new Track(/** @type {any} */ ({ ...wire, tasks: { ...wire.tasks, long } }), known.work);
  const scene = new TasksScene(/** @type {any} */ ({ width: 1000, height: 800, getContext: () => pen }));
  scene.setTrack(track, known);
  const strip = { x: 0, y: 0, width: 150, height: 800 };
  const places = Float32Array.from({ length: machines }, (_, machine) => 200 + 60 * (machine % 6));
  scene.setPlan(
    /** @type {any} */ ({
      scale: 1,
      strip,
      shelves: layShelves(keepersOf(known, Math.max(...track.keeper) + 1), strip, 1),
      x: places,
      y: Float32Array.from({ length: machines }, (_, machine) => 50 + 60 * Math.floor(machine / 6)),
      ids: Int32Array.from({ length: machines }, (_, machine) => machine),
      count: machines,
      wide: 50,
      high: 50,
      drawn: true,
      left: 200,
      parts: [{ owner: 0, x: 200, y: 50, width: 300, height: 50 }],
      machines: { x: 200, y: 50, width: 400, height: 200 },
      rows: [],
      rowOf: new Int16Array(machines),
    }),
  );
  const drew = new Set();
  for (let now = 0, seq = 1; now <= 3000; now += 50, seq += 1) {
    const layers = {
      outage: new Uint8Array(machines).fill(picture.outage ?? 0),
      queue: picture.queue?.(now) ?? null,
      borrower: picture.borrower,
    };
    for (const name of Object.keys(layers)) if (!layers[name]) delete layers[name];
    const told = /** @type {any} */ ({ seq, t_ns: now * 1000, layers, counters: {}, hists: {} });
    scene.draw(now, { lag: 100, still: false, picture: told, told });
    for (const each of scene.drew) drew.add(each);
  }
  return { drew, named: new Set(marksOf(known, track).map(({ id }) => id)) };
}

const move = (role, more = {}) => ({ reason: 7, role, frm: "keeper", to: "machine", wrong: false, ...more });
const many = (count, of) => Array.from({ length: count }, (_, place) => ({ ...of, job: place }));

/** Runs that show all marks between them. */
const CASES = {
  copies: {
    work: { keeper: { role: "scheduler", label: "Scheduler", help: "" } },
    tasks: many(2, { keeper: 0, machine: 1, ran: 900 }),
    more: { copies: { count: 1, at: planes([0]), keeper: Uint8Array.of(0) } },
  },
  queue: {
    work: { decision: "choose", moves: [move("throw", { frm: "machine", to: "keeper" })] },
    tasks: [
      { framework: 100, machine: 1, ran: 900 },
      { framework: 200, job: 1, machine: 2, ran: 900 },
      ...many(4000, { framework: 9000, machine: 3, ran: 10 }),
    ],
    more: { moves: [{ at: 500, reason: 7, task: 0, machine: 1, frm: -1, to: -1 }] },
  },
  rounds: {
    work: { decision: "round", moves: [move("give")] },
    tasks: many(5, { framework: 100, machine: 1, ran: 900 }),
    more: { moves: [{ at: 500, reason: 7, task: 0, machine: 1, frm: -1, to: -1 }] },
  },
  faults: {
    work: { moves: [move("throw", { frm: "machine", to: "keeper", wrong: true })] },
    tasks: many(3, { machine: 1, ran: 900, worker: 200 }),
    more: { moves: [{ at: 500, reason: 7, task: 0, machine: 1, frm: -1, to: -1 }] },
    picture: { outage: 255 },
  },
  probes: {
    meta: {
      layers: [layer("queue", "backlog"), layer("outage", "service")],
      marks: [{ kind: "steal", label: "Stolen" }],
    },
    work: {
      keeper: { role: "job", label: "Job", help: "" },
      legs: LEGS.probed,
      moves: [move("steal", { frm: "machine_frm" })],
    },
    tasks: many(3, { communication: 9, worker: 900, machine: 1, ran: 900 }),
    more: { moves: [{ at: 500, reason: 7, task: 0, machine: 1, frm: 2, to: -1 }] },
    picture: { queue: (now) => new Uint8Array(MACHINES).fill(now < 400 ? 255 : 40) },
  },
  central: {
    work: {
      keeper: { role: "job", label: "Job", help: "", central: { label: "Central scheduler", help: "" } },
      legs: LEGS.probed,
    },
    tasks: [{ communication: 9, worker: 900, machine: 1, ran: 900 }],
    long: Uint8Array.of(1),
  },
  masters: {
    meta: {
      owners: ["A", "B"],
      queues: [
        { name: "a", owner: 0 },
        { name: "b", owner: 1 },
      ],
      clusters: [
        {
          name: "c",
          first: 0,
          machines: MACHINES,
          partitions: [
            { owner: 0, first: 0, machines: 6 },
            { owner: 1, first: 6, machines: 6 },
          ],
        },
      ],
      layers: [layer("borrower", "borrower"), layer("outage", "service")],
    },
    work: {
      keeper: { role: "owner", label: "Master", help: "" },
      gate: "Local Master",
      refresh: { period_ns: 900_000, first_ns: [500_000] },
      moves: [move("bounce", { wrong: true }), move("borrow", { reason: 8, frm: "keeper_frm", to: "keeper_to" })],
    },
    tasks: [
      { keeper: 0, queue: 0, machine: 1, ran: 900 },
      { keeper: 1, queue: 1, arrival: 300, machine: 2, ran: 900 },
    ],
    more: {
      moves: [
        { at: 400, reason: 7, task: 0, machine: 1, frm: -1, to: -1 },
        { at: 600, reason: 8, task: 0, machine: 7, frm: 1, to: 0 },
      ],
    },
    picture: { borrower: new Uint8Array(MACHINES) },
  },
  workers: {
    work: {
      keeper: { role: "job", label: "Job", help: "" },
      moves: [
        move("shed", { frm: "machine", to: "keeper" }),
        move("overtake", { reason: 8, frm: "", to: "machine" }),
        move("bounce", { reason: 9 }),
      ],
    },
    tasks: many(2, { communication: 9, worker: 900, machine: 1, ran: 900 }),
    more: {
      moves: [
        { at: 500, reason: 7, task: 0, machine: 1, frm: -1, to: -1 },
        { at: 600, reason: 8, task: 0, machine: 1, frm: -1, to: -1 },
        { at: 650, reason: 9, task: 0, machine: 1, frm: -1, to: -1 },
      ],
    },
  },
};

test("the legend names every mark that is drawn, and every mark is drawn somewhere", () => {
  const all = new Set();
  for (const [name, each] of Object.entries(CASES)) {
    const { drew, named } = shown(/** @type {any} */ (each));
    assert.deepEqual(
      [...drew].filter((mark) => !named.has(mark)),
      [],
      name,
    );
    for (const mark of drew) all.add(mark);
  }
  assert.deepEqual(
    ALL_MARKS.filter((mark) => !all.has(mark)),
    [],
  );
  assert.deepEqual(Object.keys(SAMPLES).sort(), [...ALL_MARKS].sort());
});

test("the legend does not name what a run cannot show", () => {
  const { named } = shown(/** @type {any} */ ({ tasks: many(2, { machine: 1, ran: 900 }) }));
  assert.deepEqual([...named].sort(), ["full", "one-job", "running", "sign", "task"]);
});

test("where tasks are drawn only marks flash that are no movements", () => {
  const meta = /** @type {any} */ ({
    marks: [{ kind: "conflict" }, { kind: "reserved" }, { kind: "probe", quiet: true }],
  });
  const marks = [{ kind: "conflict" }, { kind: "reserved" }, { kind: "probe" }];
  assert.deepEqual(flashing(marks, { meta, tasks: { drawn: true } }), [{ kind: "reserved" }]);
  assert.deepEqual(flashing(marks, { meta, tasks: { drawn: false } }), marks);
});

test("the legend has a sign for each shape of a mark", async () => {
  const styles = await readFile(new URL("../../static/css/map.css", import.meta.url), "utf8");
  assert.deepEqual(
    MARK_SHAPES.filter((shape) => !styles.includes(`.legend-${shape} {`)),
    [],
  );
});
