import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Density, waitingBy } from "../../static/js/draw/work/density.js";
import { parseRecording } from "../../static/js/contract/recording.js";

const file = new URL("../../fixtures/known/gallery-old-news.zip", import.meta.url);
const { frames, meta, density: wire, summary } = parseRecording(new Uint8Array(readFileSync(file)));

test("a shipped run without its track tells who waits where in every frame", () => {
  const density = new Density(wire);
  assert.deepEqual([density.count, density.shelves, density.keepers], [frames.length, 4, meta.owners.length]);
  for (const { t_ns, counters } of frames) {
    const counts = waitingBy(density, { t_ns: Number(t_ns), counters }, 4);
    const all = counts.reduce((sum, each) => sum + each, density.machines[density.at(Number(t_ns))]);
    // In 2 of this run's 535 frames the density counts one task less.
    assert.ok([0, 1].includes(counters.tasks_waiting - all), `${all} of ${counters.tasks_waiting} at ${t_ns} ns`);
  }
});

test("rates of starts add up to all tasks, and what is not known is not told", () => {
  const density = new Density(wire);
  const end = density.times[density.count - 1];
  const rates = density.rates(end, end);
  const all = (rates.reduce((sum, each) => sum + each, 0) * end) / 1e9;
  assert.ok(all >= summary.tasks.completed && all <= summary.tasks.completed * 1.1, String(all));
  assert.ok(Math.abs(density.usual - all / (end / 1e9)) < 1);
  assert.equal(
    density.rates(0, 1e9).reduce((sum, each) => sum + each, 0),
    0,
  );
  const picture = { t_ns: 0, counters: { tasks_waiting: 7 } };
  assert.deepEqual([waitingBy(null, picture, 4), waitingBy(null, picture, 1)], [null, [7]]);
});
