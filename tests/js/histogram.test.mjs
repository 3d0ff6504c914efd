import assert from "node:assert/strict";
import test from "node:test";

import {
  bars,
  binBounds,
  cdf,
  decades,
  percentile,
  percentiles,
  placeLabels,
  total,
} from "../../static/js/kit/histogram.js";

// Lower edges of eight bins an octave, as a recording has them; the last bin is open.
const EDGES = [0];
for (let octave = 0; octave < 30; octave += 1)
  for (let step = 0; step < 8; step += 1) EDGES.push(1024 * 2 ** octave * (1 + step / 8));
EDGES.push(1024 * 2 ** 30);

function histogramOf(values) {
  const counts = new Float64Array(EDGES.length);
  for (const value of values) {
    let bin = 0;
    while (bin + 1 < EDGES.length && EDGES[bin + 1] <= value) bin += 1;
    counts[bin] += 1;
  }
  return { edges: EDGES, counts };
}

/** Nearest rank over the values themselves. */
function exact(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1];
}

test("a percentile lies in the bin of the exact one", () => {
  const values = Array.from({ length: 5000 }, (_, i) => 5e5 * Math.exp(4 * Math.sin(i * 12.9898)) + i);
  const hist = histogramOf(values);
  for (const share of [0.01, 0.5, 0.9, 0.99, 0.999, 1]) {
    const found = percentile(hist, share);
    const truth = exact(values, share);
    assert.ok(found >= truth / 1.126 && found <= truth * 1.126, `${share}: ${found} for ${truth}`);
  }
});

test("percentiles of one value, of zeros, of nothing", () => {
  const [low, high] = binBounds(EDGES, 20);
  const found = percentile(histogramOf([low + 1]), 0.5);
  assert.ok(found > low && found <= high);
  assert.equal(percentile(histogramOf([0, 0, 0]), 0.99), 0);
  assert.equal(percentile(histogramOf([]), 0.5), null);
  assert.deepEqual(Object.keys(percentiles(null)), ["p50", "p90", "p99", "p99.9"]);
});

test("the last bin is open and has an upper bound to draw", () => {
  const last = EDGES.length - 1;
  const [low, high] = binBounds(EDGES, last);
  assert.equal(low, EDGES[last]);
  assert.ok(high > low && Number.isFinite(high));
});

test("a distribution function rises from 0 to 1 at upper bounds", () => {
  const hist = histogramOf([3000, 3000, 50_000, 4e6]);
  const { x, y } = cdf(hist, 1000);
  assert.equal(y[0], 0);
  assert.equal(y.at(-1), 1);
  for (let i = 1; i < x.length; i += 1) assert.ok(x[i] > x[i - 1] && y[i] >= y[i - 1]);
  const at = (value) => y[x.findLastIndex((each) => each <= value)];
  assert.equal(at(10_000), 0.5);
  assert.equal(at(1e6), 0.75);
});

test("zero waits are drawn at the floor", () => {
  const { x } = cdf(histogramOf([0, 0]), 1000);
  assert.equal(x[0], 1000);
  assert.equal(bars(histogramOf([0]), 1000)[0].low, 1000);
});

test("bars lose no task, whatever the grouping", () => {
  const hist = histogramOf([0, 1500, 3000, 3100, 50_000, 51_000, 60_000, 4e6, 1e12]);
  for (const group of [1, 2, 3, 5, 8, 40]) {
    const found = bars(hist, 1000, group);
    assert.equal(
      found.reduce((sum, bar) => sum + bar.count, 0),
      total(hist.counts),
      `group ${group}`,
    );
    for (let i = 1; i < found.length; i += 1) assert.ok(found[i].low >= found[i - 1].high * 0.999, `group ${group}`);
  }
});

test("groups of bins stay where they are when smaller waits appear", () => {
  const before = bars(histogramOf([50_000, 90_000]), 1000, 4);
  const after = bars(histogramOf([5000, 50_000, 90_000]), 1000, 4);
  assert.deepEqual(
    after.slice(-before.length).map((bar) => bar.low),
    before.map((bar) => bar.low),
  );
});

test("an axis covers whole decades around what is there", () => {
  assert.deepEqual(decades(histogramOf([1.2e6, 40e6]), 1000), [1e6, 1e8]);
  assert.equal(decades(histogramOf([]), 1000), null);
});

test("labels of marks cover neither the edge nor each other", () => {
  const placed = (xs, edge = 200) =>
    placeLabels(
      xs.map((x) => ({ text: `p${x}`, x, wide: 30 })),
      [0, edge],
    ).map(({ x, anchor, row }) => [x, anchor, row]);
  assert.deepEqual(placed([10, 100]), [
    [14, "start", 0],
    [104, "start", 0],
  ]);
  assert.deepEqual(
    placed([10, 180]),
    [
      [14, "start", 0],
      [176, "end", 0],
    ],
    "at the edge it stands left of its line",
  );
  assert.deepEqual(
    placed([140, 180]),
    [
      [144, "start", 0],
      [176, "end", 1],
    ],
    "and a row lower than one it would cover",
  );
  assert.deepEqual(
    placed([100, 120]),
    [
      [96, "end", 0],
      [124, "start", 0],
    ],
    "no line runs through a label that has room elsewhere",
  );
  assert.deepEqual(
    placed([10, 12, 14]),
    [
      [14, "start", 0],
      [16, "start", 1],
      [18, "start", 2],
    ],
    "where there is none it stands lower",
  );
  assert.deepEqual(placed([]), []);
});
