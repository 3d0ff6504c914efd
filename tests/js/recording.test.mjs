import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { FrameStore } from "../../static/js/run/frames.js";
import { percentile } from "../../static/js/kit/histogram.js";
import { openRecording, parseRecording } from "../../static/js/contract/recording.js";
import { upgradeMeta } from "../../static/js/contract/upgrade_meta.js";
import { problemsOf } from "../../static/js/contract/api.js";
import { backOff } from "../../static/js/contract/socket.js";

const { meta, frames, summary } = parseRecording(
  new Uint8Array(readFileSync(new URL("../../fixtures/recordings/landing.zip", import.meta.url))),
);

test("the landing page's recording opens and its pictures fit its meta", () => {
  const store = new FrameStore();
  for (const frame of frames) assert.equal(store.append(frame), true);
  assert.equal(store.lastSeq, store.count - 1);
  assert.ok(store.complete);
  const picture = store.pictureAt(store.count >> 1);
  for (const layer of meta.layers) assert.equal(picture.layers[layer.name].length, meta.machines);
  for (const mark of store.marks) assert.ok(meta.marks.some((kind) => kind.kind === mark.kind));
});

test("percentiles from its histogram agree with the exact summary", () => {
  const store = new FrameStore();
  for (const frame of frames) store.append(frame);
  const hist = store.pictureAt(store.count - 1).hists.allocation_delay;
  for (const [name, share] of [
    ["p50", 0.5],
    ["p90", 0.9],
    ["p99", 0.99],
    ["p99.9", 0.999],
  ]) {
    const exact = summary.allocation_delay_s[name] * 1e9;
    const found = percentile(hist, share);
    assert.ok(found > exact / 1.13 && found < exact * 1.13, `${name}: ${found} for ${exact}`);
  }
});

test("seeking in it equals playing it", () => {
  const played = new FrameStore();
  const jumped = new FrameStore();
  for (const frame of frames) {
    played.append(frame);
    jumped.append(frame);
  }
  for (const index of [400, 3, 250, 249, 31, 32, 33, 16, 15]) {
    for (let at = 0; at <= index; at += 1) played.pictureAt(at);
    assert.deepEqual(jumped.pictureAt(index), played.pictureAt(index), `frame ${index}`);
  }
});

test("a file that is no recording is refused in words", () => {
  assert.throws(() => parseRecording(new Uint8Array([1, 2, 3, 4])));
});

test("problems are read from any of the shapes they come in", () => {
  const [found] = problemsOf({ problems: [{ path: "a.b", message: "is 0", allowed: "above 0", remedy: "" }] });
  assert.deepEqual(found, { path: "a.b", message: "is 0", allowed: "above 0", remedy: "" });
  assert.equal(problemsOf({ detail: [{ loc: ["body", "x"], msg: "no" }] })[0].path, "body.x");
  assert.deepEqual(problemsOf(null), []);
});

test("pauses between attempts grow and stay bounded", () => {
  assert.ok(backOff(0, 0) >= 250);
  for (let attempt = 1; attempt < 30; attempt += 1) {
    assert.ok(backOff(attempt, 0.5) >= backOff(attempt - 1, 0.5));
    assert.ok(backOff(attempt, 1) <= 15_000);
  }
});

test("meta of an older recording gets its roles, meta of today stays as it is", () => {
  const { meta } = openRecording(
    new Uint8Array(readFileSync(new URL("../../fixtures/recordings/landing.zip", import.meta.url))),
  );
  const roles = Object.fromEntries(meta.layers.map((layer) => [layer.name, layer.role]));
  assert.equal(meta.format, 3);
  assert.deepEqual(
    ["owner", "load", "lent", "borrower", "outage"].map((name) => roles[name]),
    ["owner", "load", "lent", "borrower", "service"],
  );
  assert.equal(meta.scheduler.composes, false);
  assert.equal(upgradeMeta(meta), meta);
  assert.deepEqual(
    meta.marks.map((mark) => [mark.kind, mark.role]).filter(([, role]) => role),
    ["refusal", "repartition", "preemption", "fault"].map((kind) => [kind, kind]),
  );
  const between = { format: 2, scheduler: {}, layers: [{ name: "load", role: "" }], marks: [{ kind: "steal" }] };
  assert.deepEqual(upgradeMeta(between), { ...between, format: 3, marks: [{ kind: "steal", role: "" }] });
  const old = { scheduler: { family: "pipeline" }, layers: [{ name: "of_cpus" }, { name: "queue", role: "backlog" }] };
  const made = upgradeMeta(old);
  assert.equal(made.scheduler.composes, true);
  assert.deepEqual(
    made.layers.map((layer) => layer.role),
    ["resource", "backlog"],
  );
});
