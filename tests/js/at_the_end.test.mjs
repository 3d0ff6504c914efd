import assert from "node:assert/strict";
import { test } from "node:test";

import { askedTask, shownTask } from "../../static/js/studio/panels/inspector_form.js";
import { emptyWords, ofRun } from "../../static/js/studio/panels/waiting.js";
import { Speaking } from "../../static/js/draw/stage/speaking.js";
import { OneRun } from "../../static/js/studio/one_run.js";
import { Player } from "../../static/js/run/player.js";
import { Studio } from "../../static/js/studio/store.js";

const NAME = "allocation_delay";
const SUMMARY = { [`${NAME}_s`]: { p50: 2, p99: 9 } };

test("waits are called those of the whole run wherever they are, and those so far elsewhere", () => {
  const store = {
    ...{ count: 2, startNs: 0, endNs: 20, complete: true, times: [0, 20], hasSteps: false, summary: SUMMARY },
    story: { endNs: 20, tellingNs: 12 },
  };
  for (const studio of [new Studio({}, {}), new OneRun()]) {
    const player = new Player(store, { rate: 1 });
    studio.stage = { player };
    studio.session.value = { store };
    const told = () => ofRun(studio, {}, NAME);
    assert.equal(told().isWhole, false);
    for (let tick = 0; tick < 3; tick += 1) player.tick(100);
    // The map stands at the telling instant, and the charts are of the whole run.
    assert.deepEqual([player.t_ns, player.rests], [12, true]);
    assert.equal(told().isWhole, true);
    assert.equal(told().values.p50, 2e9);
    player.seek(12);
    assert.equal(told().isWhole, false);
    assert.equal(told().values.p50, null);
  }
});

test("a run in which nothing starts promises no waits at any instant", () => {
  assert.notEqual(emptyWords({ p50: null }), emptyWords(null));
  assert.equal(emptyWords(null), emptyWords({ p50: 1 }));
  const studio = new OneRun();
  studio.session.value = { store: { summary: { [`${NAME}_s`]: { p50: null } } } };
  assert.equal(ofRun(studio, {}, NAME).empty, emptyWords({ p50: null }));
});

test("words about the map are of the instant that is drawn wherever the clock stands", () => {
  const speaking = new Speaking();
  const store = {};
  const at = (t_ns, seq = t_ns) => ({ store, seq, t_ns });
  assert.ok(speaking.isDue(20_000, at(1), true));
  speaking.said(20_000, at(1));
  // Playback: now and then.
  assert.ok(!speaking.isDue(21_000, at(2), true));
  // A pause: the instant at which the clock comes to rest, and once.
  assert.ok(!speaking.isDue(21_010, at(3), false));
  assert.ok(!speaking.isDue(21_100, at(3), false));
  assert.ok(speaking.isDue(21_400, at(3), false));
  speaking.said(21_400, at(3));
  assert.ok(!speaking.isDue(60_000, at(3), false));
  // A step, a step within a frame, another run at the same instant.
  for (const next of [at(4), at(5, 4), { ...at(5, 4), store: {} }]) {
    assert.ok(!speaking.isDue(61_000, next, false));
    assert.ok(speaking.isDue(62_000, next, false));
    speaking.said(62_000, next);
  }
});

test("the form for a task takes the typed one, else the one on screen", () => {
  assert.equal(shownTask({ kind: "task", task: 0 }), 0);
  for (const other of [{ kind: "machine", machine: 3 }, null]) assert.equal(shownTask(other), null);
  assert.equal(askedTask("", 0), 0);
  assert.equal(askedTask(" 7", 4), 7);
  assert.equal(askedTask("7", null), 7);
});
