import assert from "node:assert/strict";
import test from "node:test";

import {
  FIT,
  cameraAt,
  cameraOn,
  cameraOnFew,
  clamped,
  keptOf,
  nearest,
  neighbour,
  originOf,
  panned,
  partsOf,
  placeOf,
  planAt,
  scaleOf,
  seen,
  visible,
  zoomedAt,
} from "../../static/js/draw/map/camera.js";
import { layOut, machineAt } from "../../static/js/draw/map/layout.js";
import { MapEye } from "../../static/js/draw/map/map_eye.js";
import { axesOf, shrunk, stretched } from "../../static/js/draw/map/stretch.js";

function datacenter(clusters, machines, owners) {
  return Array.from({ length: clusters }, (_, c) => ({
    name: `lm-${c}`,
    first: c * machines,
    machines,
    partitions: Array.from({ length: owners }, (__, o) => {
      const from = Math.floor((machines * o) / owners);
      return { owner: o, first: c * machines + from, machines: Math.floor((machines * (o + 1)) / owners) - from };
    }),
  }));
}

const [WIDTH, HEIGHT] = [700, 500];
const plan = layOut(datacenter(25, 2000, 8), WIDTH, HEIGHT);
const CAMERAS = [
  FIT,
  { zoom: 1.7, x: 0.4, y: 0.6 },
  { zoom: 4, x: 0.1, y: 0.95 },
  { zoom: 13.3, x: 0.52, y: 0.31 },
  { zoom: 40, x: 0.8, y: 0.2 },
].map((camera) => clamped(plan, camera));

for (const camera of CAMERAS) {
  test(`at zoom ${camera.zoom}: cells are whole pixels, none lies on another, and each is found where it is`, () => {
    const view = seen(plan, camera);
    const parts = partsOf(view);
    const shown = visible(view, 50_000);
    const taken = new Uint8Array(WIDTH * HEIGHT);
    assert.ok(shown.count > 0);
    for (let slot = 0; slot < shown.count; slot += 1) {
      const [x, y] = [shown.x[slot], shown.y[slot]];
      assert.deepEqual(placeOf(view, parts, shown.ids[slot]), [x, y]);
      for (let py = Math.max(0, y); py < Math.min(HEIGHT, y + view.sy); py += 1) {
        for (let px = Math.max(0, x); px < Math.min(WIDTH, x + view.sx); px += 1) {
          assert.equal(taken[py * WIDTH + px], 0, `machine ${shown.ids[slot]} lies on another`);
          taken[py * WIDTH + px] = 1;
        }
      }
      const [px, py] = [Math.min(WIDTH - 1, Math.max(0, x)), Math.min(HEIGHT - 1, Math.max(0, y))];
      assert.equal(machineAt(view, px, py), shown.ids[slot]);
    }
    const ids = new Set(shown.ids.subarray(0, shown.count));
    for (let pixel = 0; pixel < WIDTH * HEIGHT; pixel += 97) {
      const machine = machineAt(view, pixel % WIDTH, Math.floor(pixel / WIDTH));
      assert.ok(machine < 0 || ids.has(machine), `machine ${machine} is on the screen but not among the visible`);
    }
  });
}

test("at fit the camera changes nothing", () => {
  const view = seen(plan, FIT);
  assert.deepEqual(originOf(plan, FIT), [0, 0]);
  assert.equal(visible(view, 50_000).count, 50_000);
  for (const machine of [0, 1, 24_999, 49_999])
    assert.deepEqual(placeOf(view, partsOf(view), machine), [plan.x[machine], plan.y[machine]]);
});

test("zooming keeps what is under the pointer there, and every step is one", () => {
  let camera = clamped(plan, { zoom: 3, x: 0.5, y: 0.5 });
  const world = (at, px) => planAt(plan, at, px, 130)[0];
  for (const factor of [1.01, 1.3, 2, 0.9, 0.99]) {
    const next = zoomedAt(plan, camera, factor, 200, 130);
    assert.ok(factor > 1 ? scaleOf(plan, next) > scaleOf(plan, camera) : scaleOf(plan, next) < scaleOf(plan, camera));
    assert.ok(Math.abs(world(next, 200) - world(camera, 200)) < 1);
    camera = next;
  }
  for (let step = 0; step < 40; step += 1) camera = zoomedAt(plan, camera, 0.7, 10, 10);
  assert.deepEqual(camera, FIT);
});

test("nothing beyond the edges is ever shown", () => {
  let camera = clamped(plan, { zoom: 5, x: 0.5, y: 0.5 });
  for (const [dx, dy] of [
    [9999, 0],
    [0, 9999],
    [-99_999, -99_999],
  ]) {
    camera = panned(plan, camera, dx, dy);
    const [left, top] = originOf(plan, camera);
    const factor = scaleOf(plan, camera);
    const [wide, high] = [stretched(axesOf(plan).x, WIDTH, factor), stretched(axesOf(plan).y, HEIGHT, factor)];
    assert.ok(left >= -1 && top >= -1 && left + WIDTH <= wide + 1 && top + HEIGHT <= high + 1);
  }
});

test("gaps between clusters and partitions are as wide close up as from afar", () => {
  const gaps = (view) =>
    view.blocks.slice(1, 3).flatMap((block, place) => {
      const before = view.blocks[place];
      return [
        block.x - before.parts.reduce((most, part) => Math.max(most, part.x + part.width), -Infinity),
        block.parts[1].x - block.parts[0].x - block.parts[0].width,
      ];
    });
  const fit = gaps(seen(plan, FIT));
  for (const camera of CAMERAS.slice(1)) {
    gaps(seen(plan, camera)).forEach((gap, place) =>
      assert.ok(Math.abs(gap - fit[place]) <= 1, `${gap} instead of ${fit[place]} at ${camera.zoom}`),
    );
  }
});

test("what is stretched shrinks to where it was", () => {
  const { x } = axesOf(plan);
  for (const factor of [1, 1.5, 7, 40])
    for (let at = 0; at <= WIDTH; at += 13)
      assert.ok(Math.abs(shrunk(x, stretched(x, at, factor), factor) - at) < 1e-6);
});

test("arrows lead from machine to machine over gaps, and back; at the edge they stay", () => {
  const view = seen(plan, clamped(plan, { zoom: 6, x: 0.5, y: 0.5 }));
  const parts = partsOf(view);
  assert.equal(neighbour(view, parts, 0, -1, 0), 0);
  assert.equal(neighbour(view, parts, 0, 1, 0), 1);
  assert.equal(neighbour(view, parts, 1, -1, 0), 0);
  const last = parts[0].across - 1;
  const over = neighbour(view, parts, last, 1, 0);
  assert.ok(over >= parts[1].first, "the next partition comes after the last column");
  assert.equal(neighbour(view, parts, over, -1, 0), last);
  let machine = 0;
  const met = new Set();
  for (let step = 0; step < 400 && !met.has(machine); step += 1) {
    met.add(machine);
    machine = neighbour(view, parts, machine, 0, 1);
  }
  assert.ok(
    placeOf(view, parts, machine)[1] > placeOf(view, parts, 0)[1] + view.height,
    "down leads through the clusters below",
  );
});

test("a machine in the address is in the middle on any screen", () => {
  for (const [width, height] of [
    [700, 500],
    [366, 320],
    [1600, 900],
  ]) {
    const other = layOut(datacenter(25, 2000, 8), width, height);
    const box = { x: other.x[26_000], y: other.y[26_000], width: other.sx * 5, height: other.sy * 5 };
    const camera = cameraOn(other, box);
    const middle = nearest(other, camera.x * width, camera.y * height);
    assert.ok(
      Math.abs(other.x[middle] - other.x[26_000]) <= 5 * other.sx &&
        Math.abs(other.y[middle] - other.y[26_000]) <= 5 * other.sy,
    );
  }
});

test("a place that is kept is drawn again with cells of the same size, however large they are", () => {
  for (let machines = 12; machines < 400; machines += 7) {
    const few = layOut(datacenter(2, machines, 2), WIDTH, HEIGHT);
    for (let zoom = 1.01; zoom < 9; zoom *= 1.13) {
      const camera = clamped(few, { zoom, x: 0.3, y: 0.6 });
      const kept = keptOf(few, camera);
      if (!kept) continue;
      const again = cameraAt(few, JSON.parse(JSON.stringify(kept)));
      assert.equal(scaleOf(few, again), scaleOf(few, camera));
      assert.deepEqual(keptOf(few, again), kept);
    }
  }
});

test("a map that becomes narrower and wide again looks as close as before at the same machine", () => {
  const [wide, narrow] = [WIDTH, WIDTH - 300].map((width) => layOut(datacenter(2, 60, 2), width, HEIGHT));
  for (let zoom = 1.3; zoom < 2.6; zoom += 0.03) {
    const map = { plan: wide, scale: 1, on: {}, meta: { machines: 120 } };
    const eye = new MapEye(map);
    eye.moveTo({ zoom, x: 0.4, y: 0.4 });
    const before = keptOf(wide, eye.camera);
    if (!before) continue;
    for (const plan of [narrow, wide, narrow, wide]) eye.takePlan(plan);
    assert.equal(eye.factor, scaleOf(wide, { zoom }));
  }
});

test("a part around a machine has at most so many machines, on a projector as on a phone", () => {
  const datacenters = [datacenter(6, 120, 4), datacenter(4, 150, 1), datacenter(10, 20, 3), datacenter(25, 2000, 8)];
  for (const clusters of datacenters) {
    const machines = clusters.length * clusters[0].machines;
    for (const [width, height] of [
      [1700, 640],
      [740, 600],
      [366, 320],
    ]) {
      const whole = layOut(clusters, width, height);
      for (const centre of [0, 90, machines - 1]) {
        const view = seen(whole, cameraOnFew(whole, machines, { most: 60, centre }));
        const { count, ids } = visible(view, machines);
        assert.ok(count <= 60 && count > 12, `${count} of ${machines} machines at ${width}`);
        assert.ok(ids.subarray(0, count).includes(centre));
      }
    }
  }
  const few = layOut(datacenter(2, 20, 2), WIDTH, HEIGHT);
  assert.deepEqual(cameraOnFew(few, 40, { most: 60, centre: 3 }), FIT, "all are few");
});

test("a place near an edge is told as it was given, until the viewer moves", () => {
  const map = { plan, scale: 1, on: {}, meta: { machines: 50_000 } };
  const eye = new MapEye(map);
  eye.goTo({ zoom: 2, centre: 0 }); // it lies in a corner, so another machine is in the middle
  assert.notEqual(keptOf(plan, eye.camera).centre, 0);
  assert.equal(eye.place().centre, 0);
  eye.takePlan(layOut(datacenter(25, 2000, 8), WIDTH - 100, HEIGHT));
  assert.equal(eye.place().centre, 0);
  eye.pan(-30, 0);
  assert.notEqual(eye.place().centre, 0);
});
