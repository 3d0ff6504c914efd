import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";

import { drawMiniature, HIGH, WIDE } from "../../static/js/features/cards/miniature.js";

const FOLDER = new URL("../../static/img/schedulers/", import.meta.url);
const ALL = new Map(
  readdirSync(FOLDER)
    .filter((name) => name.endsWith(".json"))
    .map((name) => [name.replace(".json", ""), JSON.parse(readFileSync(new URL(name, FOLDER), "utf8"))]),
);
const [COLUMNS, ROWS] = [WIDE / 2, HIGH / 2];
/** How light each ink is; kinds that differ by hue alone are alike. */
const LIGHT = { first: 0.5, second: 0.5, third: 0.5, wrong: 0.4, idle: 0.85, line: 0.6, ink: 0.1, ground: 1 };

/** What is drawn, without hue: the lightness of each point of a small raster. */
function raster(data, at) {
  const points = new Float32Array(COLUMNS * ROWS).fill(1);
  const put = (x, y, ink, strength = 1) => {
    const [column, row] = [Math.floor(x / 2), Math.floor(y / 2)];
    if (column < 0 || row < 0 || column >= COLUMNS || row >= ROWS) return;
    const here = row * COLUMNS + column;
    points[here] += (LIGHT[ink] - points[here]) * strength;
  };
  const rect = (x, y, wide, high, ink, strength) => {
    for (let down = y; down < y + high; down += 2)
      for (let right = x; right < x + wide; right += 2) put(right, down, ink, strength);
  };
  const pen = {
    rect,
    line(x, y, toX, toY, ink, strength) {
      const steps = Math.ceil(Math.hypot(toX - x, toY - y) / 2) || 1;
      for (let step = 0; step <= steps; step += 1)
        put(x + ((toX - x) * step) / steps, y + ((toY - y) * step) / steps, ink, strength);
    },
    dot: (x, y, radius, ink, strength) => rect(x - radius, y - radius, 2 * radius, 2 * radius, ink, strength),
  };
  drawMiniature(pen, data, at);
  return points;
}

/** The part of the points that clearly differ. */
function differ(first, second) {
  let count = 0;
  for (let at = 0; at < first.length; at += 1) if (Math.abs(first[at] - second[at]) > 0.1) count += 1;
  return count / first.length;
}

const INSTANTS = [250, 500, 750];

test("each card's picture moves, and is empty at none of its instants", () => {
  assert.ok(ALL.size >= 45, "a card is missing");
  for (const [name, data] of ALL) {
    const drawn = INSTANTS.map((at) => raster(data, at));
    assert.ok(differ(drawn[0], drawn[1]) > 0.02 && differ(drawn[1], drawn[2]) > 0.02, `${name} stands still`);
    const emptied = {
      waits: [],
      other: [],
      moves: [],
      loads: data.loads?.map((row) => "0".repeat(row.length)),
      jobs: data.jobs && [[1001, 1001, 1001, 0]],
      tasks: data.tasks && [],
      shares: data.shares?.map((row) => row.map(() => 0)),
    };
    const bare = raster({ ...data, ...emptied }, 500);
    assert.ok(differ(drawn[1], bare) > 0.03, `${name} shows nothing`);
  }
});

test("two cards' pictures differ by more than hue", () => {
  const drawn = [...ALL].map(([name, data]) => [name, INSTANTS.map((at) => raster(data, at))]);
  for (const [place, [name, mine]] of drawn.entries()) {
    for (const [other, theirs] of drawn.slice(0, place)) {
      const most = Math.max(...INSTANTS.map((_, at) => differ(mine[at], theirs[at])));
      assert.ok(most > 0.02, `${name} looks like ${other}: ${(100 * most).toFixed(1)} % of the points differ`);
    }
  }
});
