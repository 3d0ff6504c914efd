import assert from "node:assert/strict";
import { test } from "node:test";

import { newestTasks } from "../../static/js/features/classes/answer_form.js";
import { decisionWords, listOf, questionOf } from "../../static/js/features/classes/ask_form.js";
import { ClassSocket } from "../../static/js/features/classes/class_socket.js";
import { axisName, placeWords } from "../../static/js/features/classes/axes.js";
import { axisOf, nameOf, placeOn, ticksOn, valueOn } from "../../static/js/features/classes/dots.js";
import { useWords } from "../../static/js/kit/words.js";
import { exploredOf } from "../../static/js/features/classes/explore_desk.js";
import { doubtWords } from "../../static/js/features/classes/desk.js";
import { differenceWords, figuresOf, specOf } from "../../static/js/features/classes/explore_form.js";
import {
  kindOf,
  lessonOf,
  minutesOf,
  moved,
  shownBefore,
  shownStep,
} from "../../static/js/features/classes/lesson_draft.js";
import { partOf } from "../../static/js/features/classes/map_part.js";
import { resultView } from "../../static/js/features/classes/result_picture.js";
import { grownAt, lineUntil } from "../../static/js/features/classes/growth.js";
import { drawn, placeOf, scaleWords, ticksOf, tickValues, valueAt } from "../../static/js/features/classes/scale.js";

const LINEAR = { low: 0, high: 10, log: false };
const LOG = { low: 0.01, high: 100, log: true };

test("a value and its place lead to one another on both kinds of scales", () => {
  assert.equal(placeOf(LINEAR, 2.5), 0.25);
  assert.equal(valueAt(LINEAR, 0.25), 2.5);
  assert.ok(Math.abs(placeOf(LOG, 1) - 0.5) < 1e-9);
  assert.equal(valueAt(LOG, 0.5), 1);
  assert.deepEqual([placeOf(LINEAR, -3), placeOf(LINEAR, 30), placeOf(LOG, 0)], [0, 1, 0]);
});

test("what a slider gives lies on the scale, ends included, where the server takes it", () => {
  for (const scale of [LINEAR, LOG, { low: 0.333, high: 0.334, log: false }, { low: -7, high: 7, log: false }])
    for (let place = 0; place <= 1; place += 1 / 64) {
      const value = valueAt(scale, place);
      assert.ok(value >= scale.low && value <= scale.high, `${value}`);
    }
  assert.deepEqual(tickValues(LINEAR), [0, 2.5, 5, 7.5, 10]);
});

test("ticks are round, lie between the ends, and do not read alike", () => {
  assert.deepEqual(tickValues({ low: 0.001, high: 10, log: true }), [0.001, 0.01, 0.1, 1, 10]);
  assert.deepEqual(tickValues({ low: 1, high: 8, log: false }), [2, 4, 6, 8]);
  assert.deepEqual(tickValues({ low: 0.0333, high: 0.0334, log: false }).length, 5);
  const said = ticksOf({ low: 1, high: 2, log: false }, (value) => String(Math.round(value))).map(({ words }) => words);
  assert.deepEqual(said, [...new Set(said)]);
});

test("a scale of times reads in one unit, and a curve's places have theirs", () => {
  const words = (low, high) => [low, high].map((value) => scaleWords({ low, high, log: true, unit: "s" }, value));
  assert.deepEqual(words(0.1, 1000), ["0.1\u202fs", "1,000\u202fs"]);
  assert.deepEqual(words(0.001, 10), ["1\u202fms", "10\u202fs"]);
  const delay = { axis: "Message delay (s)" };
  assert.deepEqual([axisName(delay), placeWords(delay, 0.005)], ["Message delay", "5\u202fms"]);
  assert.equal(placeWords({ axis: "Probe ratio" }, 4), "4");
});

test("a decision is named by its sentence without the numbers of one task", () => {
  const said = "The Local Master of {cluster} refused machine {machine}. The view was stale: {taken}.";
  assert.equal(decisionWords(said), "The Local Master of … refused machine ….");
  assert.equal(decisionWords("It started after {x_s}, behind {y} others."), "It started after …, behind … others.");
});

test("a number grows on straight lines between known instants and keeps its last one", () => {
  const growth = {
    t_s: [0, 2, 4],
    values: [
      [null, 1, 3],
      [null, null, 5],
    ],
  };
  assert.deepEqual(grownAt(growth, 0), [null, null]);
  assert.deepEqual(grownAt(growth, 3), [2, null]);
  assert.deepEqual(grownAt(growth, 9), [3, 5]);
  assert.deepEqual(lineUntil(growth, 3), [
    [2, 1],
    [3, 2],
  ]);
  assert.deepEqual(lineUntil(growth, 4), [
    [2, 1],
    [4, 3],
  ]);
});

test("a finger sets every place that it passes, also when it moves fast and backwards", () => {
  const none = [null, null, null, null, null];
  assert.deepEqual(drawn(none, { x: 0.25, y: 0.5 }, { x: 0.25, y: 0.5 }), [null, 0.5, null, null, null]);
  assert.deepEqual(drawn(none, { x: 0, y: 0 }, { x: 1, y: 1 }), [0, 0.25, 0.5, 0.75, 1]);
  assert.deepEqual(drawn([0, 0, 0, 0, 0], { x: 1, y: 1 }, { x: 0.5, y: 0.5 }), [0, 0, 0.5, 0.75, 1]);
  assert.deepEqual(drawn(none, { x: 0.1, y: 0 }, { x: 0.97, y: 1 }).slice(-1), [1], "a finger need not hit the end");
  assert.deepEqual(drawn(none, { x: 0.5, y: 2 }, { x: 0.5, y: 2 })[2], 1, "above the chart counts as its top");
});

test("the teacher's form asks what the server takes, and never names an answer", () => {
  assert.deepEqual(listOf("1, 2.5;fast  4"), [1, 2.5, "fast", 4]);
  const fields = {
    kind: "curve",
    text: " Draw it ",
    metric: "makespan_s",
    path: "a.b",
    values: "1,2",
    low: "0",
    high: "9",
  };
  assert.deepEqual(questionOf({ ...fields, log: "on" }), {
    kind: "curve",
    text: "Draw it",
    metric: "makespan_s",
    low: 0,
    high: 9,
    log: true,
    path: "a.b",
    values: [1, 2],
  });
  const choice = { ...fields, kind: "choice", vary: "schedulers", best: "least", schedulers: ["megha", "sparrow"] };
  assert.deepEqual(questionOf(choice).schedulers, ["megha", "sparrow"]);
  assert.equal("path" in questionOf(choice), false);
});

test("a machine offers its newest tasks, each once, with what happened to it last", () => {
  const events = [
    { task: 4, text: "4 started" },
    { task: 7, text: "7 started" },
    { task: 4, text: "4 preempted" },
  ];
  assert.deepEqual(newestTasks(events), [
    { task: 4, text: "4 preempted" },
    { task: 7, text: "7 started" },
  ]);
  assert.deepEqual(newestTasks(events, 1), [{ task: 4, text: "4 preempted" }]);
  assert.deepEqual(newestTasks([]), []);
});

/** A document whose elements keep what they are made of. */
function withPictures(t) {
  const before = globalThis.document;
  const createElementNS = (_space, tag) => ({
    tag,
    children: [],
    attributes: {},
    setAttribute(name, value) {
      this.attributes[name] = value;
    },
    append(...children) {
      this.children.push(...children);
    },
  });
  globalThis.document = { createElementNS };
  t.after(() => {
    globalThis.document = before;
  });
}

/** All that a view shows: texts of its templates, and elements. */
const shownIn = (view) =>
  Array.isArray(view)
    ? view.flatMap(shownIn)
    : [view, ...(view?.values ?? []).flatMap(shownIn), ...(view?.children ?? []).flatMap(shownIn)];

test("the strokes of a curve's intervals are explained where some are drawn", (t) => {
  withPictures(t);
  const asked = { kind: "curve", measure: "Wait", unit: "s", axis: "Probe ratio", at: [1, 2, 4], ...LINEAR };
  const growth = { t_s: [0, 8], values: [1, 2, 3].map((value) => [0, value]) };
  const strokes = (intervals, t_s = null) => {
    const result = { answer: [1, 2, 3], intervals, band: [], growth, counts: [], right: [], values: [] };
    const shown = shownIn(resultView({ ...asked, result }, null, t_s));
    return [shown.filter((each) => each?.attributes?.class === "noise-line").length, shown.includes("runs:interval")];
  };
  assert.deepEqual(
    strokes([
      [0.5, 1.5],
      [2, 2],
      [2, 4],
    ]),
    [2, true],
  );
  assert.deepEqual(strokes([null, [2, 2], null]), [0, false], "one seed, or seeds that agree");
  assert.deepEqual(strokes([]), [0, false]);
  assert.deepEqual(
    strokes(
      [
        [0.5, 1.5],
        [2, 2],
        [2, 4],
      ],
      4,
    ),
    [0, false],
    "while the runs play, no answer is shown",
  );
});

test("a number's interval is drawn once its runs have ended, and said", (t) => {
  withPictures(t);
  const asked = { kind: "number", measure: "Wait", unit: "s", at: [], ...LINEAR };
  const strokes = (intervals, t_s = null, growth = { t_s: [0, 8], values: [[0, 3]] }) => {
    const result = { answer: 3, intervals, band: [], growth, counts: [], right: [], values: [] };
    const shown = shownIn(resultView({ ...asked, result }, null, t_s));
    return [shown.filter((each) => each?.attributes?.class === "noise-band").length, shown.includes("runs:within")];
  };
  assert.deepEqual(strokes([[2, 4]]), [1, true]);
  assert.deepEqual(strokes([[2, 4]], 4), [0, false], "while the runs play");
  assert.deepEqual(strokes([[3, 3]]), [0, false], "seeds that agree");
});

test("a teacher is told why a question separates too little", () => {
  const none = { tied: [], spread: null, flat: false };
  assert.deepEqual(doubtWords(none), []);
  assert.match(doubtWords({ ...none, tied: [0, 2] }).join(), /\b2\b/);
  assert.match(doubtWords({ ...none, spread: 0.31 }).join(), /\b31\b/);
  assert.equal(doubtWords({ ...none, spread: 0.5, flat: true }).length, 2);
});

test("a try is held against the noise of the teacher's values", () => {
  const words = [5, 2, 3.5, 1, null].map((own) => differenceWords(own, 2, [1.5, 4]));
  assert.equal(new Set(words).size, 5, "more, equal, by chance, less, nothing");
  assert.equal(words[4], "");
  assert.equal(differenceWords(5, 2, undefined), "", "no other seed was run");
});

test("a projector shows few machines, unless a step speaks of machines and names no place", () => {
  const screen = { onScreen: true, points: false };
  assert.deepEqual(partOf({}, screen), { near: null, few: true });
  assert.deepEqual(partOf({ marks: ["part:map", "shelf"] }, screen), { near: null, few: true });
  assert.equal(partOf({ marks: ["layer:lent"] }, screen).few, false);
  assert.equal(partOf({}, { ...screen, points: true }).few, false);
  assert.deepEqual(partOf({ near: 9, marks: ["layer:lent"] }, { ...screen, points: true }), { near: 9, few: true });
  const phone = { onScreen: false, points: false };
  assert.equal(partOf({ near: 9 }, phone).few, false);
  assert.equal(partOf({ near: 9 }, { ...phone, points: true }).few, true, "large enough for a finger");
  assert.equal(partOf({}, { ...phone, points: true }).few, false);
});

const EXPLORE = {
  knobs: [
    { path: "a.probes", label: "Probes", unit: "", kind: "integer", least: 1, most: 8, choices: [], value: 2 },
    {
      path: "a.mode",
      label: "Mode",
      unit: "",
      kind: "choice",
      least: null,
      most: null,
      choices: ["x", "y"],
      value: "x",
    },
    { path: "a.late", label: "Late", unit: "", kind: "switch", least: null, most: null, choices: [], value: true },
  ],
  measures: [{ name: "wait_s.p99", label: "Wait", unit: "s" }],
};

test("a page asks for its class's news in its own language", (t) => {
  const before = { WebSocket: globalThis.WebSocket, window: globalThis.window, document: globalThis.document };
  const addresses = [];
  class Line extends EventTarget {
    constructor(address) {
      super();
      addresses.push(String(address));
    }
  }
  const page = { addEventListener: () => {}, location: { href: "http://a/b?c", protocol: "http:" } };
  const document = { addEventListener: () => {}, documentElement: { lang: "de" } };
  Object.assign(globalThis, { WebSocket: Line, window: page, document });
  t.after(() => Object.assign(globalThis, before));
  new ClassSocket("x", { told: assert.fail, link: assert.fail, ended: assert.fail });
  assert.deepEqual(addresses, ["ws://a/ws/classes/x?lang=de"]);
});

test("the name of a measure on an axis is in the page's language", () => {
  useWords({ "Queueing delay, p99": "Wartezeit, p99" });
  const measures = [{ name: "wait_s.p99", label: "Queueing delay, p99", unit: "s" }];
  assert.equal(axisOf({ ...EXPLORE, measures }, "wait_s.p99", []).label, "Wartezeit, p99");
  useWords({});
});

test("a dot stands where its fork's parameter and its measured number are", () => {
  const fork = { values: { "a.probes": 8, "a.mode": "y", "a.late": false }, figures: { "wait_s.p99": 3 } };
  const forks = [fork, { values: { "a.probes": 1 }, figures: { "wait_s.p99": 1 } }, { values: {}, figures: null }];
  assert.deepEqual(
    [valueOn("a.probes", fork), valueOn("wait_s.p99", fork), valueOn("wait_s.p99", forks[2])],
    [8, 3, null],
  );
  assert.equal(placeOn(axisOf(EXPLORE, "a.probes", forks), 8), 1);
  assert.equal(placeOn(axisOf(EXPLORE, "a.mode", forks), "y"), 0.75);
  // An axis has room for the whole band of the noise. A logarithmic one has no place for 0, where a band is cut.
  const measured = (noise) =>
    axisOf({ ...EXPLORE, noise, measures: [{ name: "w", label: "w", unit: "s" }] }, "w", [
      { values: {}, figures: { w: 2 } },
    ]);
  assert.ok(measured({ w: [1, 9] }).high > 9 && measured({ w: [1, 9] }).low < 1);
  assert.equal(measured({ w: [0, 9] }).low, 0);
  assert.ok(measured({ w: [0, 9_000] }).log && measured({ w: [0, 9_000] }).low > 1);
  assert.equal(placeOn(axisOf(EXPLORE, "a.late", forks), false), 0.25);
  const worded = { ...axisOf(EXPLORE, "a.probes", forks), label: "Probes", unit: "probes per task" };
  assert.ok(
    ticksOn(worded).every(({ words }) => !words.includes("task")),
    "a unit in words is no part of a tick",
  );
  assert.equal(nameOf(worded), "Probes, probes per task");
  useWords({ "probes per task": "Proben je Task" });
  assert.equal(nameOf(worded), "Probes, Proben je Task");
  useWords({});
  const load = { ...worded, label: "Load", unit: "share", low: 0.5, high: 1 };
  assert.equal(nameOf(load), "Load");
  assert.ok(ticksOn(load).every(({ words }) => words.includes("%")));
  const wait = axisOf(EXPLORE, "wait_s.p99", forks);
  assert.deepEqual([wait.log, placeOn(wait, null)], [false, null]);
  assert.ok(wait.low < 1 && wait.high > 3 && wait.low >= 0);
  const wide = axisOf(EXPLORE, "wait_s.p99", [...forks, { values: {}, figures: { "wait_s.p99": 400 } }]);
  assert.ok(wide.log && placeOn(wide, 1) > 0 && placeOn(wide, 400) < 1);
});

test("the teacher's form opens what is ticked, within typed bounds", () => {
  const rows = [
    { path: "a.probes", open: true, least: "1", most: "" },
    { path: "a.mode", open: true, least: undefined, most: undefined },
    { path: "b", open: false, least: "3", most: "4" },
  ];
  assert.deepEqual(exploredOf(rows, "", "wait_s.p99"), {
    parameters: [{ path: "a.probes", least: 1 }, { path: "a.mode" }],
    x: "a.probes",
    y: "wait_s.p99",
  });
});

test("a phone takes the measured numbers out of a preview's summary", () => {
  const summary = { wait_s: { p99: 2 } };
  assert.deepEqual(figuresOf([{ name: "wait_s.p99" }, { name: "no.such" }], summary), {
    "wait_s.p99": 2,
    "no.such": null,
  });
  assert.equal(specOf(EXPLORE.knobs[0]).max, 8);
});

test("the steps of a lesson are recorded, moved, and sent without empty fields", () => {
  const steps = [shownStep({ seed: 1 }, 1.5e9, "load"), { text: "a", notes: "" }, { question: { kind: "choice" } }];
  assert.deepEqual(steps[0].show, { experiment: { seed: 1 }, at_s: 1.5, layer: "load" });
  assert.deepEqual(shownStep({}, 0, null).show, { experiment: {} });
  assert.deepEqual(shownStep({}, 0, null, 7).show, { experiment: {}, near: 7 });
  assert.deepEqual(steps.map(kindOf), ["show", "text", "question"]);
  assert.deepEqual(moved(steps, 2, 1), [steps[0], steps[2], steps[1]]);
  assert.deepEqual(moved(steps, 0, 2), [steps[1], steps[2], steps[0]]);
  assert.equal(shownBefore(steps, 2), steps[0].show);
  assert.equal(shownBefore(steps, 0), null);
  const draft = { title: "t", aims: [" a ", ""], guesses: ["b", " "], point: "", checked: ["c"], steps: [steps[1]] };
  assert.deepEqual(lessonOf(draft), {
    title: "t",
    aims: ["a"],
    guesses: ["b"],
    checked: ["c"],
    steps: [{ text: "a" }],
  });
  assert.equal(minutesOf(steps), 5);
});
