import assert from "node:assert/strict";
import { mock, test } from "node:test";

globalThis.window = { history: { replaceState: () => {} }, location: { search: "" } };
globalThis.localStorage = { getItem: () => null, setItem: () => {} };
const { Running } = await import("../../static/js/studio/running.js");

const signal = (value) => ({ value });

/** A page whose requests are answered by hand. */
function page() {
  const asked = [];
  globalThis.fetch = (url, { signal: stop }) =>
    new Promise((resolve, reject) => {
      stop?.addEventListener("abort", () => reject(new DOMException("", "AbortError")));
      asked.push({ url, stop, answer: (body) => resolve(new Response(JSON.stringify(body), { status: 201 })) });
    });
  const state = { readOnly: signal(false), saved: signal({ id: "a" }), savedFrom: signal({}), next: signal(null) };
  const told = [];
  const on = {
    status: () => {},
    problems: () => {},
    failed: (error) => told.push(error),
    kept: () => told.push("kept"),
  };
  return { running: new Running({ ...state, session: signal(null) }, on), asked, told };
}

const rest = () => new Promise((done) => setImmediate(done));

test("what is on its way while the page is left is not stored, and is sent again if the page stays", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { running, asked, told } = page();
  running.submit({ seed: 2 });
  assert.equal(asked.length, 1);
  running.putOff();
  assert.ok(asked[0].stop.aborted);
  asked[0].answer({ id: "b" });
  await rest();
  assert.deepEqual(told, []);
  mock.timers.tick(60_000);
  assert.equal(asked.length, 2);
  asked[1].answer({ id: "b" });
  await rest();
  assert.deepEqual(told, ["kept"]);
  mock.timers.reset();
});

test("a change that waits for its pause while the page is left waits longer; without one nothing is sent", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { running } = page();
  running.putOff();
  const sent = [];
  running.later(() => sent.push("change"), 350);
  running.putOff();
  mock.timers.tick(1000);
  assert.deepEqual(sent, []);
  mock.timers.tick(60_000);
  assert.deepEqual(sent, ["change"]);
  running.putOff();
  mock.timers.tick(60_000);
  assert.deepEqual(sent, ["change"]);
  mock.timers.reset();
});
