import assert from "node:assert/strict";
import test from "node:test";

import { nextPlace, spotsOf } from "../../static/js/draw/charts/figure_keys.js";
import { chooseLevel, tickChanges } from "../../static/js/draw/charts/ticks.js";

const level = (...values) => ({ values, texts: values.map(String) });
const LEVELS = [level(0, 100), level(0, 50, 100), level(0, 25, 50, 75, 100)];

test("ticks are the finest for which there is room, and at least two", () => {
  const most = (many) => (texts) => texts.length <= many;
  assert.equal(chooseLevel(LEVELS, 0, 100, most(3)), LEVELS[1]);
  assert.equal(chooseLevel(LEVELS, 0, 100, most(8)), LEVELS[2]);
  assert.equal(chooseLevel(LEVELS, 20, 60, most(8)), LEVELS[2]);
  // With room for one only, two are shown: an axis with one tick tells no scale.
  assert.equal(chooseLevel(LEVELS, 0, 100, most(1)), LEVELS[0]);
  assert.equal(chooseLevel(LEVELS, 51, 60, most(8)), null);
});

test("long texts need more room", () => {
  const long = [level(0, 100), { values: [0, 50, 100], texts: ["0 s", "1 h 30 min 15 s", "3 h 0 min 30 s"] }];
  const axis = { type: "linear", range: [0, 100], _length: 300, tickmode: "auto" };
  assert.deepEqual(tickChanges({ xaxis: long }, { xaxis: axis })["xaxis.tickvals"], [0, 100]);
  assert.deepEqual(tickChanges({ xaxis: long }, { xaxis: { ...axis, _length: 400 } })["xaxis.tickvals"], [0, 50, 100]);
  // Up and down, only lines count.
  assert.deepEqual(tickChanges({ yaxis: long }, { yaxis: axis })["yaxis.tickvals"], [0, 50, 100]);
});

test("an axis gets other ticks only when its range or its length asks for them", () => {
  const axis = { type: "linear", range: [0, 100], _length: 150, tickmode: "array", tickvals: [0, 50, 100] };
  assert.deepEqual(tickChanges({ xaxis: LEVELS }, { xaxis: axis }), {});
  assert.deepEqual(tickChanges({ xaxis: LEVELS }, { xaxis: { ...axis, _length: 900 } }), {
    "xaxis.tickmode": "array",
    "xaxis.tickvals": LEVELS[2].values,
    "xaxis.ticktext": LEVELS[2].texts,
  });
  // Zoomed in beyond the finest level, plotly finds ticks of its own.
  assert.deepEqual(tickChanges({ xaxis: LEVELS }, { xaxis: { ...axis, range: [51, 60] } }), {
    "xaxis.tickmode": "auto",
  });
  const log = { ...axis, type: "log", range: [0, 2] };
  assert.deepEqual(tickChanges({ xaxis: [level(1, 10, 100)] }, { xaxis: log })["xaxis.tickvals"], [1, 10, 100]);
});

const DATA = [
  { type: "scatter", hoverinfo: "skip", x: [0, 9], y: [0, 0] },
  { type: "scatter", hoverinfo: "text", x: [1, 2], y: [3, 4], hovertext: ["a<br>b", "c"], customdata: [7, 8] },
  { type: "scatter", hoverinfo: "text", visible: "legendonly", x: [1], y: [1], hovertext: ["hidden"] },
  { type: "scatter", hoverinfo: "text", x: [1, 2, 3], y: [3, 4, 5], hovertext: ["d", "e", "f"] },
];

test("the keyboard reads the lines that are shown, not guides", () => {
  const lines = spotsOf(DATA);
  assert.deepEqual(
    lines.map((line) => line.map((spot) => spot.words)),
    [
      ["a, b", "c"],
      ["d", "e", "f"],
    ],
  );
  assert.deepEqual(lines[0][1], { curve: 1, point: 1, words: "c", opens: 8 });
  const heat = spotsOf([{ type: "heatmap", z: [[1, null]], hovertext: [["cell", ""]], customdata: [[5, null]] }]);
  assert.deepEqual(heat, [[{ curve: 0, point: [0, 0], words: "cell", opens: 5 }]]);
});

test("arrows go next point, previous point and from line to line, and stop at the ends", () => {
  const lines = spotsOf(DATA);
  assert.deepEqual(nextPlace(lines, null, "ArrowRight"), [0, 0]);
  assert.deepEqual(nextPlace(lines, [0, 0], "ArrowRight"), [0, 1]);
  assert.deepEqual(nextPlace(lines, [0, 1], "ArrowRight"), [0, 1]);
  assert.deepEqual(nextPlace(lines, [0, 0], "ArrowUp"), [1, 0]);
  assert.deepEqual(nextPlace(lines, [1, 2], "ArrowUp"), [1, 2]);
  assert.deepEqual(nextPlace(lines, [1, 2], "Home"), [1, 0]);
  // A line that was hidden meanwhile: from the start.
  assert.deepEqual(nextPlace(lines, [5, 0], "ArrowLeft"), [0, 0]);
  assert.equal(nextPlace([], null, "ArrowRight"), null);
});
