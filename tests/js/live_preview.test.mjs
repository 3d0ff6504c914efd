/** What is told of a preview after the full run of the same experiment has ended. */

import assert from "node:assert/strict";
import test from "node:test";

import { LivePreview } from "../../static/js/studio/live_preview.js";

const [BEFORE, AFTER] = [{ name: "before" }, { name: "after" }];
const SUMMARY = { allocation_delay_s: { p50: 1, p99: 2 } };
const ANSWER = /** @type {any} */ ({ state: "done", preview: 1, summary: SUMMARY });
const FULL = /** @type {any} */ ({
  experiment: AFTER,
  state: "done",
  run: { state: "done" },
  store: { summary: SUMMARY },
});

/** The preview of a control that moved from one experiment to the next; the server has the question. */
async function moved(t, send = async () => ({ preview: 1, socket_url: "/ws" })) {
  const page = {
    WebSocket: EventTarget,
    window: { location: { href: "http://a/", protocol: "http:" } },
    document: { querySelector: () => new EventTarget(), body: { dataset: {} } },
    requestAnimationFrame: () => 0,
  };
  const before = Object.fromEntries(Object.keys(page).map((name) => [name, globalThis[name]]));
  Object.assign(globalThis, page);
  t.after(() => Object.assign(globalThis, before));
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const studio = { experiment: { value: AFTER }, readOnly: { value: false }, session: { value: null } };
  const live = new LivePreview(/** @type {any} */ (studio));
  live.previews.send = /** @type {any} */ (send);
  live.changed(/** @type {any} */ (BEFORE), /** @type {any} */ (AFTER));
  await new Promise(setImmediate);
  return live;
}

test("a late preview is still compared with the full run: a busy server once took the words away", async (t) => {
  const live = await moved(t);
  t.mock.timers.tick(1500); // the page no longer waits for the answer
  assert.equal(live.previews.busy, false);
  live.settled(FULL);
  assert.equal(live.words, "");
  live.previews.answered(/** @type {any} */ (AFTER), ANSWER);
  assert.match(live.words, /^Full run: .*, as in the preview/);
  assert.equal(live.summary(), null, "the charts follow the run");
});

test("a question that takes long to arrive still gets its comparison", async (t) => {
  const live = await moved(t, () => new Promise(() => {}));
  t.mock.timers.tick(1500);
  assert.equal(live.previews.busy, false);
  live.settled(FULL);
  live.previews.answered(/** @type {any} */ (AFTER), ANSWER);
  assert.match(live.words, /^Full run: /);
});

test("what the full run said stays while the next preview is compiled", async (t) => {
  const live = await moved(t);
  live.previews.answered(/** @type {any} */ (AFTER), ANSWER);
  live.settled(FULL);
  live.previews.answered(/** @type {any} */ (BEFORE), /** @type {any} */ ({ state: "compiling", preview: 2 }));
  live.previews.answered(/** @type {any} */ (BEFORE), { ...ANSWER, preview: 2 });
  assert.match(live.words, /^Full run: /);
});

test("a drag that begins before the comparison starts from the experiment on screen", async (t) => {
  const live = await moved(t);
  live.settled(FULL);
  live.changed(/** @type {any} */ (AFTER), /** @type {any} */ ({ name: "next" }));
  assert.equal(live.base, AFTER);
});
