import assert from "node:assert/strict";
import { test } from "node:test";
import { exampleFor, unansweredOf } from "../../static/js/studio/meanwhile.js";

const HAWK = { name: "hawk", label: "Hawk", signature: { moves: "/static/hawk.json", still: "/static/hawk.svg" } };
const session = (/** @type {string} */ name, /** @type {string} */ state, count = 0) =>
  /** @type {any} */ ({ experiment: { scheduler: { name } }, run: { state }, store: { count } });

test("the example run of a scheduler is wanted while nothing of it can be shown", () => {
  assert.equal(exampleFor(session("hawk", "compiling"), null, [HAWK]), HAWK);
  assert.equal(exampleFor(session("hawk", "queued"), session("megha", "done", 9), [HAWK]), HAWK);
});

test("no example run where there is a picture of the scheduler, or none was recorded", () => {
  assert.equal(exampleFor(session("hawk", "running"), null, [HAWK]), null);
  assert.equal(exampleFor(session("hawk", "compiling", 1), null, [HAWK]), null);
  assert.equal(exampleFor(session("hawk", "compiling"), session("hawk", "done", 9), [HAWK]), null);
  assert.equal(exampleFor(session("hawk", "compiling"), null, [{ ...HAWK, signature: null }]), null);
  assert.equal(exampleFor(session("hawk", "compiling"), null, []), null);
});

test("the example of a scheduler that was just chosen does not wait for a server that has not answered", () => {
  const megha = session("megha", "done", 9);
  assert.equal(unansweredOf("hawk", megha, megha, [HAWK]), HAWK);
  assert.equal(unansweredOf("hawk", session("hawk", "running"), megha, [HAWK]), null, "it has answered");
  assert.equal(unansweredOf("hawk", megha, session("hawk", "done", 9), [HAWK]), null, "a picture of it is there");
  assert.equal(unansweredOf("hawk", megha, megha, [{ ...HAWK, signature: null }]), null);
});
