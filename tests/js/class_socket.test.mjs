/** A phone tells its forks on the class's socket: what it hears, and what a lost connection means. */

import assert from "node:assert/strict";
import test from "node:test";

import { ClassSocket } from "../../static/js/features/classes/class_socket.js";
import { isAway } from "../../static/js/contract/api.js";
import { decode } from "../../static/vendor/msgpack/decode.mjs";
import { Encoder } from "../../static/vendor/msgpack/Encoder.mjs";

const encoder = new Encoder();
const FORK = { values: { "scheduler.params.heartbeat_s": 2.5 }, start: "cd", digest: "ab", figures: { makespan_s: 3 } };

/** A connection whose other end is the test. */
class Line extends EventTarget {
  static OPEN = 1;
  /** @type {Line[]} */
  static all = [];
  readyState = 0;
  sent = [];

  constructor() {
    super();
    Line.all.push(this);
  }

  send(bytes) {
    this.sent.push(decode(bytes));
  }

  close() {}

  hears(message) {
    this.dispatchEvent(Object.assign(new Event("message"), { data: encoder.encode(message) }));
  }

  breaks(code) {
    this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event("close"), { code }));
  }
}

function joined(t) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const page = { location: { href: "http://a/", protocol: "http:" }, addEventListener: () => {} };
  const document = { addEventListener: () => {}, visibilityState: "visible", documentElement: { lang: "en" } };
  const before = { WebSocket: globalThis.WebSocket, window: globalThis.window, document: globalThis.document };
  Object.assign(globalThis, { WebSocket: Line, window: page, document });
  t.after(() => Object.assign(globalThis, before));
  Line.all = [];
  const ended = [];
  const on = { told: () => {}, link: () => {}, ended: (code) => ended.push(code) };
  const socket = new ClassSocket("x", on);
  Line.all[0].readyState = Line.OPEN;
  return { socket, line: Line.all[0], ended };
}

test("a fork is stored, or refused with the server's problems", async (t) => {
  const { socket, line } = joined(t);
  const stored = socket.tellFork(FORK);
  assert.deepEqual(line.sent, [{ fork: FORK }]);
  line.hears({ stored: "ab" });
  await stored;
  const refused = socket.tellFork(FORK);
  const problems = [{ path: "start", message: "is not the start of this class", allowed: "", remedy: "" }];
  line.hears({ refused: { type: "another-start", title: "Another run", status: 409, problems } });
  await assert.rejects(refused, { status: 409, message: "Another run", problems });
});

test("after a lost connection the same fork may be told again; before the next one is there, too", async (t) => {
  const { socket, line } = joined(t);
  const told = socket.tellFork(FORK);
  line.breaks(1006);
  await assert.rejects(told, isAway);
  await assert.rejects(socket.tellFork(FORK), isAway);
  t.mock.timers.tick(60_000);
  const next = Line.all[1];
  await assert.rejects(socket.tellFork(FORK), isAway, "it is not open yet");
  next.readyState = Line.OPEN;
  const again = socket.tellFork(FORK);
  next.hears({ stored: "ab" });
  await again;
});

test("a class that is over takes no fork, and nobody tries again", async (t) => {
  const { socket, line, ended } = joined(t);
  const told = socket.tellFork(FORK);
  line.hears({ error: "removed", message: "The teacher removed you from this class." });
  await assert.rejects(told, (error) => !isAway(error));
  await assert.rejects(socket.tellFork(FORK), (error) => !isAway(error));
  assert.deepEqual(ended, ["removed"]);
});
