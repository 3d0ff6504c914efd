/**
 * Draws the boxes of waiting tasks of recordings for a test that counts again in Python: reads {file, frames} from
 * standard input, writes for each frame the number beside each box and how many squares were drawn in it, from near
 * and from afar, the numbers of the sentences beside the picture, and with the first frame each task's hue.
 */

import { readFileSync } from "node:fs";

globalThis.document ??= /** @type {any} */ ({
  documentElement: { dataset: {}, lang: "en", style: {} },
  getElementById: () => null,
  createElement: () => ({ style: {}, remove() {} }),
  createTreeWalker: () => ({}),
  createComment: () => ({}),
  body: { append() {} },
});
globalThis.getComputedStyle ??= /** @type {any} */ (() => ({ color: "rgb(1 2 3)" }));
globalThis.matchMedia ??= /** @type {any} */ (() => ({ matches: false, addEventListener() {} }));
globalThis.window ??= /** @type {any} */ (globalThis);

const { parseRecording } = await import("../../static/js/contract/recording.js");
const { Density } = await import("../../static/js/draw/work/density.js");
const { TasksScene } = await import("../../static/js/draw/work/scene.js");
const { keepersIn, keepersOf, layShelves } = await import("../../static/js/draw/work/shelves.js");
const { FrameStore } = await import("../../static/js/run/frames.js");
const { nowSays } = await import("../../static/js/run/says.js");
const { hueOf } = await import("../../static/js/draw/work/colours.js");
const { Track } = await import("../../static/js/run/track.js");

const STRIP = { x: 0, y: 0, width: 150, height: 800 };
/** A pen that keeps the rectangles and texts that lie on the strip. */
const drawn = { rects: [], texts: [] };
const pen = new Proxy(
  /** @type {any} */ ({
    canvas: { width: 1000, height: 800 },
    measureText: () => ({ width: 20 }),
    fillRect: (x, y, width, height) => drawn.rects.push([x, y, width, height]),
    fillText: (text, x, y) => drawn.texts.push([text, x, y]),
  }),
  { get: (known, name) => known[name] ?? (() => {}), set: () => true },
);

function planOf(machines, shelves, near) {
  const places = Float32Array.from({ length: machines }, (_, machine) => 200 + 60 * (machine % 6));
  return {
    scale: 1,
    strip: STRIP,
    shelves,
    x: places,
    y: Float32Array.from({ length: machines }, (_, machine) => 50 + 60 * Math.floor(machine / 6)),
    ids: Int32Array.from({ length: machines }, (_, machine) => machine),
    count: machines,
    wide: 50,
    high: 50,
    drawn: near,
    left: 200,
    parts: [],
    machines: { x: 200, y: 50, width: 400, height: 200 },
    rows: [],
    rowOf: new Int16Array(machines),
  };
}

/** The number beside a box, and the squares in it. What flies begins in a box, and is none of its squares. */
function readBox({ box, name, room, at }) {
  const [count] = drawn.texts
    .filter(([, x, y]) => Math.abs(x - box.x - box.width) < 1 && Math.abs(y - box.y + 5) < 1)
    // Two queues have a number each: "8 + 9".
    .map(([text]) => text.split(" + ").reduce((sum, each) => sum + Number(each.replaceAll(",", "")), 0));
  const inside = ([x, y, width, height]) =>
    width === height && width >= 3 && width <= 7 && y >= box.y - 2 && y < box.y + box.height && x < STRIP.width;
  return { name, room, count, squares: scene.track ? at.length : drawn.rects.filter(inside).length };
}

const { file, frames: wanted } = JSON.parse(readFileSync(0, "utf8"));
const { meta, frames, track: wire, density } = parseRecording(new Uint8Array(readFileSync(file)));
const store = new FrameStore();
for (const frame of frames) store.append(frame);
const scene = new TasksScene(/** @type {any} */ ({ width: 1000, height: 800, getContext: () => pen }));
if (wire) scene.setTrack(new Track(wire, meta.work), meta);
else scene.setDensity(new Density(density), meta);
/** What tasks are colored by, and the hue of each: told once. */
const by = scene.track ? hueOf(meta, scene.track) : null;
const hues = by && { by: by.by, of: Array.from(scene.track.job, (_, row) => by.index(row)) };
const names = keepersOf(meta, scene.track ? keepersIn(scene.track) : scene.density.keepers);
const found = wanted.map((place, at) => {
  const picture = store.pictureAt(place);
  const boxes = [true, false].map((near) => {
    if (near && !wire) return null;
    const shelves = layShelves(names, STRIP, 1);
    scene.setPlan(/** @type {any} */ (planOf(meta.machines, shelves, near)));
    [drawn.rects, drawn.texts] = [[], []];
    scene.draw(picture.t_ns / (scene.track?.unit_ns ?? 1), { lag: 0, still: true, picture, told: picture });
    return shelves.map(readBox);
  });
  return { t_ns: picture.t_ns, near: boxes[0], far: boxes[1], says: nowSays(meta, picture), hues: at ? null : hues };
});
process.stdout.write(JSON.stringify(found));
