/** Which question an answer of the server is about. */

import assert from "node:assert/strict";
import test from "node:test";

import { Previews } from "../../static/js/run/previews.js";

/** The message {preview, state: "done"} as MessagePack. */
function done(preview) {
  const text = (/** @type {string} */ word) => [0xa0 + word.length, ...new TextEncoder().encode(word)];
  return Uint8Array.from([0x82, ...text("preview"), preview, ...text("state"), ...text("done")]).buffer;
}

/** A socket whose answers the test gives. */
class Line extends EventTarget {
  static last = null;

  constructor() {
    super();
    Line.last = this;
  }

  close() {}

  answer(preview) {
    this.dispatchEvent(Object.assign(new Event("message"), { data: done(preview) }));
  }
}

function asking(t) {
  const before = { WebSocket: globalThis.WebSocket, window: globalThis.window };
  Object.assign(globalThis, { WebSocket: Line, window: { location: { href: "http://a/", protocol: "http:" } } });
  t.after(() => Object.assign(globalThis, before));
  const heard = [];
  let number = 0;
  const send = async () => {
    number += 1;
    return { preview: number, socket_url: "/ws" };
  };
  const answered = (experiment, { preview }) => heard.push([experiment.name, preview]);
  return { heard, previews: new Previews({ answered, refused: assert.fail, send }) };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 70));

test("an answer under a later number is about the last question: the server asked it again", async (t) => {
  const { heard, previews } = asking(t);
  previews.ask({ name: "first" });
  await settled();
  Line.last.answer(2);
  assert.deepEqual(heard, [["first", 2]]);
});

test("an old answer that comes once more is not taken for one about a newer question", async (t) => {
  const { heard, previews } = asking(t);
  previews.ask({ name: "first" });
  await settled();
  Line.last.answer(1);
  previews.ask({ name: "second" });
  await settled();
  Line.last.answer(1);
  Line.last.answer(2);
  assert.deepEqual(heard, [
    ["first", 1],
    ["second", 2],
  ]);
});
