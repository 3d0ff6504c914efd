// What the studio does with a run in this page, in node: node turn_page.mjs FOLDER. FOLDER has `plain.start`, the starts
// of changed experiments by name, and steps.json: what is changed, one after the other. One line of JSON for each.
import "../js/page.mjs";

import fs from "node:fs";
import path from "node:path";

const [folder] = process.argv.slice(2);
const { names, steps, edges, own } = JSON.parse(fs.readFileSync(path.join(folder, "steps.json"), "utf8"));

/** The page's thread, in this one: its script is loaded once for each. */
let threads = 0;
globalThis.Worker = class {
  constructor() {
    threads += 1;
    const [page, number] = [this, threads];
    this.listening = new Promise((resolve) => {
      globalThis.postMessage = (data) => setImmediate(() => page.onmessage?.({ data }));
      globalThis.addEventListener = (_, listen) => resolve(listen);
      this.loaded = import(`../../static/js/pages/engine_worker.js?thread=${number}`);
    });
  }
  async postMessage(data) {
    (await this.listening)({ data });
  }
  terminate() {
    this.onmessage = null;
  }
};
const { Touch } = await import("../../static/js/features/here/touch.js");
const { takePolicy } = await import("../../static/js/features/here/policies.js");
const { FrameStore } = await import("../../static/js/run/frames.js");

const store = new FrameStore();
for (const [seq, t_ns] of [0, 1e9, 2e9, 3e9, 4e9].entries())
  store.append({
    seq,
    from_seq: seq,
    t_ns,
    key: seq === 0,
    state: "running",
    layers: {},
    counters: {},
    hist: { allocation_delay: { edges, idx: [], val: [] } },
  });
store.summary = {};
const asked = [];
const shown = [];
const bytes = (name) => {
  const content = fs.readFileSync(path.join(folder, name));
  return content.buffer.slice(content.byteOffset, content.byteOffset + content.length);
};
const run = {
  store,
  meta: { machines: 40, clusters: [], layers: [], counters: [], series: [], owners: [] },
  t_ns: () => 2.5e9,
  picture: () => null,
  own: (at) => own[at],
  takePolicy,
  script: "thread",
  show: (touched) => shown.push(touched),
  parts: async (wanted) => {
    asked.push(wanted);
    return { start: bytes(`${names[JSON.stringify(wanted.changes)]}.start`), module: async (name) => bytes(name) };
  },
};
const touch = new Touch(() => run);
for (const { overtaken = [], ...change } of steps) {
  const [before, seen] = [asked.length, shown.length];
  const earlier = overtaken.map((each) => touch.change(each));
  const isDone = await touch.change(change);
  await Promise.all(earlier);
  const now = shown.slice(seen);
  console.log(
    JSON.stringify({
      isDone,
      why: touch.why.value,
      digest: touch.end.value?.digest ?? null,
      cited: touch.end.value?.cited ?? null,
      asked: asked.slice(before),
      threads,
      partial: now.filter((each) => each?.partial).map((each) => each.store.endNs),
      first: now[0] ? { partial: now[0].partial ?? false, t_ns: now[0].store.endNs } : null,
      frames: touch.shown.value?.store.count ?? 0,
    }),
  );
}
