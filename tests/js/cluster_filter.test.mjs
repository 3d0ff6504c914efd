import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { filtered, isKubernetesJson, Names, Splitter } from "../../static/js/features/traces/cluster_filter.js";
import { experimentOfCluster, numbers } from "../../static/js/features/traces/cluster_found.js";

const SECRET = "hunter2secret";
const sample = JSON.parse(readFileSync(new URL("../../fixtures/clusters/kubernetes.json", import.meta.url), "utf-8"));
const names = () => Names.by(new Uint8Array(32).fill(107));

async function lines(files) {
  const { blob } = await filtered(
    files.map((each) => new Blob([JSON.stringify(each)])),
    await names(),
  );
  const text = await blob.text();
  const objects = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return { text, objects };
}

test("pseudonyms are those of the library", async () => {
  // hmac.digest(b"k" * 32, b"node:node-0000", "sha256").hex()[:12] in Python
  assert.equal(await (await names()).of("node", "node-0000"), "node-3512ffb7e6b1");
});

test("nothing leaves but the allowed fields, and names are gone", async () => {
  const items = structuredClone(sample.items);
  for (const it of items) {
    it.metadata.annotations = { note: SECRET };
    it.secret = SECRET;
    if (it.kind !== "Pod") continue;
    Object.assign(it.spec, { hostname: SECRET, volumes: [{ secret: SECRET }], schedulerName: SECRET, later: SECRET });
    Object.assign(it.spec.containers[0], { env: [{ name: "A", value: SECRET }], image: SECRET });
    it.status.message = SECRET;
  }
  items.push({ kind: "Secret", data: { a: SECRET } }, { kind: "Odd", spec: SECRET });
  const { text, objects } = await lines([{ apiVersion: "v1", kind: "List", items }]);
  for (const word of [SECRET, "node-0001", "replicaset-0", "team-", "shop", "zone-a"])
    assert.equal(text.includes(word), false, word);
  assert.equal(objects.filter(({ kind }) => kind === "Pod").length, 420);
  const told = objects.at(-1).notUnderstood;
  assert.equal(told["Pod.spec.later"], 420);
  assert.equal(told["Pod.spec.schedulerName"], 420);
  assert.equal(Object.keys(told).filter((field) => field.startsWith("kind ")).length, 1);
});

test("several files keep a mark between them", async () => {
  const { objects } = await lines([sample, sample.items[0]]);
  assert.equal(objects.filter(({ kind }) => kind === "SchedulerPlaygroundFile").length, 3);
});

test("objects are found however the bytes come", () => {
  const documents = [{ items: [{ kind: "Pod", n: 'a"{]\\' }, { kind: "Node" }] }, { kind: "Node", z: {} }];
  const bytes = new TextEncoder().encode(`${documents.map((each) => JSON.stringify(each)).join("\n")}[{"a":1}]`);
  for (const size of [1, 3, 1000]) {
    const splitter = new Splitter();
    const found = [];
    for (let at = 0; at < bytes.length; at += size) found.push(...splitter.push(bytes.subarray(at, at + size)));
    splitter.end();
    assert.deepEqual(found, [...documents[0].items, documents[1], { a: 1 }]);
  }
});

test("nested and cut-off input is refused", () => {
  assert.throws(() => new Splitter().push(new TextEncoder().encode("[".repeat(100))), /levels/);
  assert.throws(() => new Splitter().push(new TextEncoder().encode("]")), /brackets/);
  const splitter = new Splitter();
  splitter.push(new TextEncoder().encode('{"items": ['));
  assert.throws(() => splitter.end(), /middle/);
});

test("kubectl's JSON is told from other files", async () => {
  assert.equal(await isKubernetesJson(new Blob(['{"apiVersion": "v1"}'])), true);
  assert.equal(await isKubernetesJson(new Blob(["0 1 1 1\n"])), false);
});

test("a cluster's experiment names its trace, and absent numbers are left out", () => {
  const cluster = { experiment: { seed: 1, workload: { kind: "trace" } }, report: {}, charts: {} };
  assert.deepEqual(experimentOfCluster(cluster, "t1").workload, { kind: "trace", trace: "t1" });
  assert.deepEqual(
    numbers({ machines: 2, placed: 0 }).map(([, count]) => count),
    [2, 0],
  );
});
