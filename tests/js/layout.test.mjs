import assert from "node:assert/strict";
import test from "node:test";

import { layOut, machineAt } from "../../static/js/draw/map/layout.js";

function datacenter(clusters, machines, owners) {
  return Array.from({ length: clusters }, (_, c) => ({
    name: `lm-${c}`,
    first: c * machines,
    machines,
    partitions: Array.from({ length: owners }, (_, o) => {
      const from = Math.floor((machines * o) / owners);
      return { owner: o, first: c * machines + from, machines: Math.floor((machines * (o + 1)) / owners) - from };
    }).filter((part) => part.machines > 0),
  }));
}

const CASES = [
  [1, 10, 1],
  [1, 11, 3],
  [3, 40, 4],
  [8, 250, 4],
  [10, 1000, 8],
  [25, 160, 25],
  [100, 500, 4],
  [1, 50_000, 1],
  [2500, 20, 1],
  [13, 7, 2],
];
const SIZES = [
  [728, 540],
  [366, 320],
  [1600, 900],
];

for (const [clusters, machines, owners] of CASES) {
  for (const [width, height] of SIZES) {
    test(
      `${clusters} x ${machines} machines, ${owners} owners, in ${width} x ${height}: every cell inside, none ` +
        "over another",
      () => {
        const plan = layOut(datacenter(clusters, machines, owners), width, height);
        const taken = new Uint8Array(width * height);
        for (let machine = 0; machine < clusters * machines; machine += 1) {
          const [x, y] = [plan.x[machine], plan.y[machine]];
          assert.ok(
            x >= 0 && y >= 0 && x + plan.sx <= width && y + plan.sy <= height,
            `machine ${machine} at ${x}, ${y} of ${plan.sx} x ${plan.sy}`,
          );
          assert.equal(taken[y * width + x], 0, `machine ${machine} lies on another`);
          for (let dy = 0; dy < plan.sy; dy += 1) taken.fill(1, (y + dy) * width + x, (y + dy) * width + x + plan.sx);
          assert.equal(machineAt(plan, x, y), machine);
        }
      },
    );
  }
}

test("cells are as large as the space allows", () => {
  const plan = layOut(datacenter(8, 250, 4), 728, 540);
  assert.ok(plan.sx * plan.sy * 2000 > 0.55 * 728 * 540);
});

test("no machine where there is none", () => {
  const plan = layOut(datacenter(2, 10, 1), 400, 300);
  assert.equal(machineAt(plan, -5, 10), -1);
  assert.equal(machineAt(plan, 399, 299) < 20, true);
});

test("nothing to lay out is an empty plan", () => {
  const plan = layOut([], 300, 200);
  assert.deepEqual([plan.blocks, plan.x.length, plan.width, plan.height], [[], 0, 300, 200]);
});

test("a rim stays free at each side, and takes nothing from what lies inside of it", () => {
  const clusters = datacenter(3, 40, 4);
  const inner = layOut(clusters, 712, 524);
  const plan = layOut(clusters, 728, 540, 1, 8);
  assert.deepEqual([plan.width, plan.height, plan.sx, plan.sy], [728, 540, inner.sx, inner.sy]);
  assert.deepEqual(
    plan.x,
    inner.x.map((x) => x + 8),
  );
  assert.deepEqual(
    plan.y,
    inner.y.map((y) => y + 8),
  );
  assert.deepEqual(
    plan.blocks.map((block) => [block.x, block.y]),
    inner.blocks.map((block) => [block.x + 8, block.y + 8]),
  );
});
