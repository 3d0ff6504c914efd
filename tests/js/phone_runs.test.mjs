/** When a student's phone leaves its forks to the server: a run that takes too long, and one that takes much memory. */

import assert from "node:assert/strict";
import test from "node:test";
import { gzipSync } from "node:zlib";

import { hasRoom, PhoneRuns } from "../../static/js/features/classes/phone_runs.js";

const HEARTBEAT = "scheduler.params.heartbeat_s";
const OWN = { [HEARTBEAT]: 5 };
const FORKED = { digest: "ab", figures: { makespan_s: 3 } };
const START = {
  digest: "cd",
  url: "/api/v1/starts/cd",
  module: "megha.wasm",
  memory_bytes: 5_000_000,
  tasks: 60,
  shares: [1],
  warmup_s: 0,
};

/** A start whose header alone is read. */
function packed() {
  const header = Buffer.from(
    JSON.stringify({ format: 1, turns: [{ path: HEARTBEAT, most: null, writes: [{ at: 0 }] }] }),
  );
  const length = Buffer.alloc(4);
  length.writeUInt32LE(header.length);
  return gzipSync(Buffer.concat([length, header]));
}

/** A thread whose answers the test gives. */
class Thread {
  /** @type {Thread[]} */
  static all = [];
  ended = false;
  /** The values that were asked for, by number. @type {{values: object, number: number}[]} */
  asked = [];

  constructor() {
    Thread.all.push(this);
    this.isAsked = new Promise((resolve) => {
      this.told = resolve;
    });
  }

  postMessage(message) {
    if (!("values" in message)) return;
    this.asked.push(message);
    this.told();
  }

  answer(forked) {
    this.onmessage({ data: { number: this.asked.at(-1).number, told: { forked } } });
  }

  terminate() {
    this.ended = true;
  }
}

/** A phone with this much memory in GiB: what it runs, and what it fetches. */
function phone(t, gib) {
  const names = ["Worker", "fetch", "navigator"];
  const before = names.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]);
  const fetched = [];
  const fetch = async (address) => {
    fetched.push(address);
    return new Response(packed());
  };
  for (const [name, value] of Object.entries({ Worker: Thread, fetch, navigator: { deviceMemory: gib } }))
    Object.defineProperty(globalThis, name, { configurable: true, writable: true, value });
  t.after(() => {
    for (const [name, found] of before) {
      if (found) Object.defineProperty(globalThis, name, found);
      else delete globalThis[name];
    }
  });
  Thread.all = [];
  return { runs: new PhoneRuns("/thread.js"), fetched };
}

const threadOf = async () => {
  while (!Thread.all.length) await soon();
  const [thread] = Thread.all;
  await thread.isAsked;
  return thread;
};

const soon = () => new Promise((resolve) => setImmediate(resolve, "soon"));
const isPending = async (promise) => (await Promise.race([promise, soon()])) === "soon";

test("a fork that the phone simulates in time is told with the digest of its start", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { runs, fetched } = phone(t, 2);
  runs.take(START);
  const trying = runs.simulate({ [HEARTBEAT]: 2 }, OWN);
  const thread = await threadOf();
  assert.deepEqual(thread.asked[0].values, { [HEARTBEAT]: 2 });
  t.mock.timers.tick(19_999);
  assert.ok(await isPending(trying), "there is time left");
  thread.answer(FORKED);
  assert.deepEqual(await trying, { ...FORKED, start: START.digest });
  t.mock.timers.tick(60_000);
  assert.ok(!thread.ended, "the thread stays for the next fork");
  runs.take({ ...START });
  assert.deepEqual(fetched, [START.url, "/api/v1/engine/megha.wasm"], "the same start is fetched once");
});

test("a phone that takes 20 s leaves this fork and all later ones to the server", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { runs } = phone(t, 2);
  runs.take(START);
  const trying = runs.simulate({ [HEARTBEAT]: 2 }, OWN);
  const thread = await threadOf();
  t.mock.timers.tick(20_000);
  assert.equal(await trying, null);
  assert.equal(await runs.simulate({ [HEARTBEAT]: 3 }, OWN), null);
  assert.ok(thread.ended);
  assert.deepEqual([Thread.all.length, thread.asked.length], [1, 1], "it is not asked again");
});

test("a run takes at most a forty-eighth of the device's memory, of 2 GiB where the browser does not tell", () => {
  for (const [gib, most] of [
    [2, 44_739_242],
    [undefined, 44_739_242],
    [0.5, 11_184_810],
    [8, 178_956_970],
  ])
    assert.deepEqual([hasRoom(most, gib), hasRoom(most + 1, gib)], [true, false], `${gib} GiB`);
});

test("a phone without the memory for a run fetches nothing and leaves its forks to the server", async (t) => {
  const { runs, fetched } = phone(t, 0.5);
  runs.take({ ...START, memory_bytes: 12_000_000 });
  assert.equal(await runs.simulate({ [HEARTBEAT]: 2 }, OWN), null);
  assert.deepEqual([fetched, Thread.all], [[], []]);
});

test("a value that the start does not hold is the server's", async (t) => {
  const { runs } = phone(t, 2);
  runs.take(START);
  assert.equal(await runs.simulate({ [HEARTBEAT]: 5, seed: 2 }, { ...OWN, seed: 1 }), null);
  assert.equal(Thread.all[0].asked.length, 0);
});
