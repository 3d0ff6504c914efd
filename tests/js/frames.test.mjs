import assert from "node:assert/strict";
import test from "node:test";

import { countHolding, countUpTo } from "../../static/js/kit/search.js";
import { FrameStore } from "../../static/js/run/frames.js";
import { applyFrame } from "../../static/js/run/frame_picture.js";

const MACHINES = 40;
const EDGES = [0, 1024, 2048, 4096, 8192];

function bytesOf(list) {
  return new Uint8Array(new Uint32Array(list).buffer);
}

/** A small generator of numbers, so that every run of the tests sees the same frames. */
function numbers(seed) {
  let state = seed;
  return (below) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state % below;
  };
}

/** A run of `count` frames with a key frame every 32, and the true picture at each. */
function makeRun(count, seed = 1) {
  const next = numbers(seed);
  const load = new Uint8Array(MACHINES);
  const bins = new Array(EDGES.length).fill(0);
  const frames = [];
  const truth = [];
  for (let seq = 0; seq < count; seq += 1) {
    const key = seq % 32 === 0;
    const changed = new Map();
    for (let i = 0; i < 5; i += 1) changed.set(next(MACHINES), next(256));
    for (const [machine, value] of changed) load[machine] = value;
    const bin = next(EDGES.length);
    bins[bin] += 1 + next(3);
    frames.push({
      v: 1,
      seq,
      from_seq: seq,
      t_ns: seq * 1000,
      key,
      state: "running",
      counters: { events: seq * 7 },
      layers: {
        load: key
          ? { full: load.slice() }
          : { idx: bytesOf([...changed.keys()]), val: Uint8Array.from(changed.values()) },
      },
      hist: {
        wait: key ? { edges: EDGES, idx: bins.map((_, i) => i), val: bins.slice() } : { idx: [bin], val: [bins[bin]] },
      },
      series: { use: [[seq * 1000, seq / count]] },
      marks: seq % 3 === 0 ? [[seq * 1000 - 1, "refusal", next(MACHINES), seq]] : [],
    });
    truth.push({ load: [...load], bins: bins.slice(), events: seq * 7 });
  }
  return { frames, truth };
}

function storeOf(frames) {
  const store = new FrameStore();
  for (const frame of frames) store.append(frame);
  return store;
}

function seen(picture) {
  return { load: [...picture.layers.load], bins: [...picture.hists.wait.counts], events: picture.counters.events };
}

/** What a slow viewer gets: frames from..to as one. */
function merged(frames) {
  const [first] = frames;
  const last = frames[frames.length - 1];
  const state = { seq: -1, t_ns: 0, state: "", counters: {}, layers: { load: new Uint8Array(MACHINES) }, hists: {} };
  const touched = new Map();
  const bins = new Map();
  for (const frame of frames) {
    if (frame.layers.load.full) {
      frame.layers.load.full.forEach((value, machine) => touched.set(machine, value));
    } else
      new Uint32Array(frame.layers.load.idx.slice().buffer).forEach((machine, i) =>
        touched.set(machine, frame.layers.load.val[i]),
      );
    frame.hist.wait.idx.forEach((bin, i) => bins.set(bin, frame.hist.wait.val[i]));
  }
  applyFrame(state, first.key ? first : { ...first, layers: {}, hist: {} });
  return {
    ...last,
    from_seq: first.seq,
    key: first.key,
    layers: {
      load: first.key
        ? { full: Uint8Array.from({ length: MACHINES }, (_, m) => touched.get(m)) }
        : { idx: bytesOf([...touched.keys()]), val: Uint8Array.from(touched.values()) },
    },
    hist: { wait: { ...(first.key ? { edges: EDGES } : {}), idx: [...bins.keys()], val: [...bins.values()] } },
    series: { use: frames.flatMap((frame) => frame.series.use) },
    marks: frames.flatMap((frame) => frame.marks),
  };
}

test("a picture at any frame, in any order, is the one that replay gives", () => {
  const { frames, truth } = makeRun(150);
  const store = storeOf(frames);
  const next = numbers(9);
  for (let visit = 0; visit < 400; visit += 1) {
    const index = next(150);
    assert.deepEqual(seen(store.pictureAt(index)), truth[index], `frame ${index}`);
  }
  for (let index = 149; index >= 0; index -= 1) assert.deepEqual(seen(store.pictureAt(index)), truth[index]);
});

test("pictures do not change when the run grows", () => {
  const { frames, truth } = makeRun(100);
  const store = storeOf(frames.slice(0, 50));
  assert.deepEqual(seen(store.pictureAt(49)), truth[49]);
  for (const frame of frames.slice(50)) store.append(frame);
  assert.deepEqual(seen(store.pictureAt(49)), truth[49]);
  assert.deepEqual(seen(store.pictureAt(20)), truth[20]);
  assert.deepEqual(seen(store.pictureAt(99)), truth[99]);
});

test("merged frames end in the same pictures", () => {
  const { frames, truth } = makeRun(96);
  const store = storeOf([
    frames[0],
    merged(frames.slice(1, 9)),
    frames[9],
    merged(frames.slice(10, 40)),
    merged(frames.slice(40, 96)),
  ]);
  assert.equal(store.count, 5);
  assert.deepEqual(seen(store.pictureAt(store.indexAt(9000))), truth[9]);
  assert.deepEqual(seen(store.pictureAt(store.indexAt(39_000))), truth[39]);
  assert.deepEqual(seen(store.pictureAt(4)), truth[95]);
  assert.equal(store.series.use.t.length, 96);
  assert.equal(store.marks.length, storeOf(frames).marks.length);
});

test("frames seen before change nothing, a delta after a gap is refused, a key frame heals it", () => {
  const { frames, truth } = makeRun(70);
  const store = storeOf(frames.slice(0, 10));
  assert.equal(store.append(frames[9]), false);
  assert.equal(store.append(frames[12]), false);
  assert.equal(store.lastSeq, 9);
  assert.equal(store.append(frames[32]), true);
  assert.deepEqual(seen(store.pictureAtTime(32_000)), truth[32]);
});

test("a run cannot begin with a delta", () => {
  const { frames } = makeRun(3);
  assert.equal(new FrameStore().append(frames[1]), false);
});

test("a frame sent again after a reconnect, partly known, adds only what is new", () => {
  const { frames, truth } = makeRun(30);
  const store = storeOf(frames.slice(0, 20));
  assert.equal(store.append(merged(frames.slice(15, 25))), true);
  assert.deepEqual(seen(store.pictureAt(20)), truth[24]);
  assert.equal(store.series.use.t.length, 25);
  assert.equal(store.marks.length, storeOf(frames.slice(0, 25)).marks.length);
});

test("time finds its frame: before, at, between, after", () => {
  const store = storeOf(makeRun(20).frames);
  assert.deepEqual(
    [-5, 0, 999, 1000, 1500, 19_000, 1e9].map((t) => store.indexAt(t)),
    [0, 0, 0, 1, 1, 19, 19],
  );
  assert.equal(new FrameStore().indexAt(5), -1);
});

test("who stands still on an event sees the first frame that has it in, elsewhere the last before", () => {
  const store = storeOf(makeRun(20).frames); // a mark 1 ns before every third frame
  assert.deepEqual(
    [2999, 2600, 1400, 2000, 3000, 1e9].map((t) => store.indexSeen(t)),
    [3, 3, 1, 2, 3, 19],
  );
  assert.deepEqual([store.indexSeen(1400, true), store.indexSeen(2000, true), store.indexSeen(1e9, true)], [2, 2, 19]);
  assert.equal(store.indexSeen(3899), 3); // the mark before it is in it
  store.marks = [{ t_ns: 1100 }];
  assert.deepEqual([store.indexSeen(1099), store.indexSeen(1950)], [2, 2]); // an address says the next microsecond
  assert.equal(new FrameStore().indexSeen(5, true), -1);
});

test("marks: next, previous, between", () => {
  const store = storeOf(makeRun(10).frames);
  const times = store.marks.map((mark) => mark.t_ns);
  assert.equal(store.nextMark(times[0]).t_ns, times[1]);
  assert.equal(store.previousMark(times[1]).t_ns, times[0]);
  assert.equal(store.previousMark(times[0]), null);
  assert.equal(store.nextMark(1e9), null);
  assert.deepEqual(
    store.marksBetween(times[0], times[2]).map((mark) => mark.t_ns),
    times.slice(1, 3),
  );
});

test("the last frame brings the summary", () => {
  const { frames } = makeRun(3);
  const store = storeOf([...frames.slice(0, 2), { ...frames[2], end: { seed: 1 } }]);
  assert.equal(store.complete, true);
  assert.deepEqual(store.summary, { seed: 1 });
});

test("countUpTo counts values up to a limit, countHolding places up to the first that does not hold", () => {
  assert.deepEqual(
    [0, 1, 2].map((count) => countHolding(count, () => true)),
    [0, 1, 2],
  );
  assert.equal(
    countHolding(9, (place) => place < 4),
    4,
  );
  assert.deepEqual(
    [0, 1, 2, 5, 9].map((limit) => countUpTo([1, 2, 2, 5], limit)),
    [0, 1, 3, 4, 4],
  );
});
