import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { filtered, isKubernetesJson, Names, Splitter } from "../../static/js/features/traces/cluster_filter.js";
import { experimentOfCluster, numbers } from "../../static/js/features/traces/cluster_found.js";
import { yamlObjects } from "../../static/js/features/traces/cluster_yaml.js";
import { isImportNote, noteWords } from "../../static/js/features/traces/import_notes.js";
import { machineRows, machinesExperiment } from "../../static/js/features/traces/machine_types.js";
import { bytesOf, keyIn, pseudonymsOf } from "../../static/js/features/traces/names_key.js";
import { filteredTexts, hosts, textKind } from "../../static/js/features/traces/slurm_filter.js";

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

test("a saved key gives a name the pseudonyms that it has in an import", async () => {
  const key = "6b".repeat(32);
  assert.equal(keyIn(`${key.toUpperCase()}\n`), key);
  assert.deepEqual([keyIn(""), keyIn(key.slice(2)), keyIn(`${key}0`), keyIn("x".repeat(64))], ["", "", "", ""]);
  assert.deepEqual(bytesOf(key), new Uint8Array(32).fill(107));
  const found = await pseudonymsOf("node-0000", "slurm", bytesOf(key));
  assert.equal(found[0], "node-3512ffb7e6b1");
  assert.deepEqual(
    found.map((one) => one.split("-")[0]),
    ["node", "partition", "account", "user", "qos"],
  );
});

test("nothing leaves but the allowed fields, and names are gone", async () => {
  const items = structuredClone(sample.items);
  for (const it of items) {
    it.metadata.annotations = { note: SECRET };
    it.secret = SECRET;
    if (it.kind !== "Pod") continue;
    const volumes = [{ secret: SECRET }, { persistentVolumeClaim: { claimName: SECRET } }];
    Object.assign(it.spec, { hostname: SECRET, volumes, schedulerName: SECRET, later: SECRET });
    const ports = [
      { hostPort: 80, hostIP: SECRET, name: SECRET },
      { hostPort: 81, hostIP: "0.0.0.0" },
    ];
    Object.assign(it.spec.containers[0], { env: [{ name: "A", value: SECRET }], image: SECRET, ports });
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
  assert.equal(told["Pod.spec.volumes[].persistentVolumeClaim"], 420);
  const named = objects.at(-1).notUnderstoodIn["Pod.spec.later"];
  assert.equal(named.length, 5);
  for (const each of named) assert.match(each, /^Pod pod-[0-9a-f]{12}$/);
  const [bound, open] = objects.find(({ kind }) => kind === "Pod").spec.containers[0].ports;
  assert.match(bound.hostIP, /^address-[0-9a-f]{12}$/);
  assert.equal(open.hostIP, "0.0.0.0");
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

const fixture = (/** @type {string} */ name) =>
  readFileSync(new URL(`../../fixtures/clusters/${name}`, import.meta.url), "utf-8");

test("of Slurm's texts only the columns that are read leave, and names are gone", async () => {
  const rows = [
    "JobID JobName User Account Partition State Submit Start End AllocCPUS ReqMem AllocTRES NodeList Comment Dir Odd",
    `7 ${SECRET} ada physics fast CANCELLED+ 2026-01-05T08:00:00 Unknown Unknown 4 2Gn ` +
      `cpu=4,gres/gpu:a100=2,${SECRET}=1 None ${SECRET} /${SECRET} ${SECRET}`,
    `8_[1-3] ${SECRET} ada physics fast COMPLETED 2026-01-05T08:00:00 2026-01-05T08:01:00 2026-01-05T09:00:00 4 2Gn ` +
      "cpu=4 web[01-02],db x y z",
    [SECRET, "a", "b", "c", "d", ...Array(7).fill(SECRET), "x", "y", "z", "a"].join(" "),
  ];
  const sacctText = rows.map((row) => row.replaceAll(" ", "|")).join("\n");
  const nodesText = [
    `NodeName=web01 CPUTot=8 RealMemory=1000 State=IDLE+DRAIN Comment=${SECRET}`,
    `   Gres=gpu:a100:2(S:0-1) ActiveFeatures=avx2,${SECRET} Reason=${SECRET}\n`,
    `PartitionName=fast Nodes=web[01-02] MaxTime=2-00:00:00 AllowGroups=${SECRET}\n`,
  ].join("\n");
  const key = await names();
  const text = await (await filteredTexts([new Blob([sacctText]), new Blob([nodesText])], key)).text();
  for (const word of [SECRET, "ada", "physics", "fast", "web", "db", "a100", "avx2"])
    assert.equal(text.includes(word), false, word);
  const [mark, header, cancelled, array, wrong, again, node, partition] = text.split("\n");
  assert.equal(mark, again);
  assert.match(header, /^JobID\|JobName\|/);
  assert.equal(cancelled.split("|")[5], "CANCELLED");
  assert.equal(cancelled.split("|")[12], "");
  const shown = await Promise.all(["web01", "web02", "db"].map((name) => key.of("node", name)));
  assert.equal(array.split("|")[12], shown.join(","));
  assert.equal(array.split("|")[0], "8_[1-3]");
  assert.equal(wrong.replaceAll(/user-\w+|account-\w+|partition-\w+|node-\w+/g, "").replaceAll("|", ""), "");
  assert.match(
    node,
    new RegExp(`^NodeName=${shown[0]} CPUTot=8 RealMemory=1000 State=IDLE\\+DRAIN Gres=gpu:gpu-\\w+:2`),
  );
  assert.match(partition, new RegExp(`Nodes=${shown[0]},${shown[1]} MaxTime=2-00:00:00 AllowGroups=set$`));
});

test("of what is counted and not obeyed, no more leaves than that it is there", async () => {
  const key = await names();
  const jobs = `JobID|Constraints|Licenses|Reservation|ReqTRES\n1|${SECRET}|(null)||cpu=1,gres/${SECRET}=2`;
  const nodes = `NodeName=n Weight=7 Gres=${SECRET}:2,gpu:1 Owner=N/A\nReservationName=${SECRET} Users=${SECRET}`;
  const text = await (await filteredTexts([new Blob([jobs]), new Blob([nodes])], key)).text();
  assert.equal(text.includes(SECRET), false);
  const [, , job, , node, reservation] = text.split("\n");
  assert.equal(job, "1|set|||cpu=1,gres/other=1");
  assert.match(node, /^NodeName=node-\w+ Weight=set Gres=other:1,gpu:1$/);
  assert.equal(reservation, `ReservationName=${await key.of("ReservationName", SECRET)}`);
});

test("of dependencies kinds, numbers and signs leave, and pseudonyms of job names only for singletons", async () => {
  const key = await names();
  const sent = async (/** @type {string[]} */ ...conditions) => {
    const rows = conditions.map((each, at) => `${at}|${SECRET}|ada|${each}`);
    const text = ["JobID|JobName|User|Dependency", ...rows].join("\n");
    const [, , ...found] = (await (await filteredTexts([new Blob([text])], key)).text()).trimEnd().split("\n");
    return found.map((row) => row.split("|"));
  };
  const plain = ["afterok:1:2_7(unfulfilled),after:3+5", "afterany:1?afternotok:2", "12,13", "aftercorr:7_*(failed)"];
  const user = await key.of("user", "ada");
  assert.deepEqual(
    await sent(...plain),
    plain.map((each, at) => [String(at), "", user, each.replace(/\(\w+\)/, "")]),
  );
  const other = ["(null)", SECRET, `afterok:${SECRET}`, `1,${SECRET}`, `1(${SECRET.toUpperCase()})`, "expand:5"];
  assert.deepEqual(
    (await sent(...other)).map((row) => row[3]),
    ["", ...Array(5).fill("other")],
  );
  const name = await key.of("jobname", SECRET);
  const single = ["singleton(unfulfilled),afterok:1", "afterok:1(unfulfilled)?singleton(unfulfilled)", ""];
  assert.deepEqual(await sent(...single), [
    ["0", name, user, "singleton,afterok:1"],
    ["1", name, user, "afterok:1?singleton"],
    ["2", name, user, ""],
  ]);
});

test("texts are told apart by their first lines, and other files are left alone", () => {
  const kinds = ["sacct.txt", "scontrol-nodes.txt", "scontrol-partitions.txt", "machines.csv"].map((name) =>
    textKind(fixture(name)),
  );
  assert.deepEqual(kinds, ["sacct", "scontrol", "scontrol", "machines"]);
  assert.deepEqual(["0.5 3 1.0\n", "arrival,duration\n1,2\n", "job|start\n"].map(textKind), ["", "", ""]);
  // A header may have cells without names: SWF's first line, and a table's numbered rows.
  assert.deepEqual(["; Version: 2.2\n1 0 0\n", ",arrival,duration\n0,1,2\n"].map(textKind), ["", ""]);
  assert.deepEqual(hosts("n[1-3,7],gpu01,a[008-010]b"), ["n1", "n2", "n3", "n7", "gpu01", "a008b", "a009b", "a010b"]);
});

test("a CSV of machine types becomes an experiment here, and a wrong line is named", () => {
  const made = machinesExperiment(machineRows(fixture("machines.csv")));
  assert.deepEqual(
    made.topology.clusters.map(({ name, machines }) => [name, machines.map(({ count }) => count)]),
    [
      ["east", [40, 10]],
      ["west", [4]],
    ],
  );
  assert.throws(() => machinesExperiment(machineRows("count,cpus\n1,8\nx,8\n")), /Line 3/);
});

test("YAML gives what JSON gives, and aliases are refused", async () => {
  const [node, pod] = ["Node", "Pod"].map((kind) => sample.items.find((each) => each.kind === kind));
  const yaml = [node, pod].map((each) => `- ${JSON.stringify(each)}`).join("\n");
  const text = `apiVersion: v1\nkind: List\nitems:\n${yaml}\n`;
  const key = await names();
  const [fromYaml, fromJson] = await Promise.all(
    [text, JSON.stringify({ apiVersion: "v1", kind: "List", items: [node, pod] })].map(async (each) =>
      (await filtered([new Blob([each])], key)).blob.text(),
    ),
  );
  assert.equal(fromYaml, fromJson);
  const plain = "---\napiVersion: v1\nkind: Node\nmetadata:\n  name: a\n---\napiVersion: v1\nkind: Pod\n";
  assert.deepEqual(
    yamlObjects(plain).map(({ kind }) => kind),
    ["Node", "Pod"],
  );
  assert.throws(() => yamlObjects("a: &x [1]\nb: *x\n"), /alias/);
  assert.throws(() => yamlObjects("a: [1\n"), /Line/);
});

test("every note that the library's import writes is known here, and another stays as it is", () => {
  const root = new URL("../../scheduler_core/inventory/", import.meta.url);
  const sources = ["slurm/read.py", "build/experiment.py", "build/layout.py", "kubernetes/read.py"];
  const text = sources.map((name) => readFileSync(new URL(name, root), "utf-8")).join("\n");
  const told = [...text.matchAll(/notes\.append\(\s*((?:f?"[^"]*"\s*(?:if \w+\s*else\s*)?)+)\)/g)].flatMap(
    ([, words]) =>
      words.split(/\bif \w+\s*else\b/).map((each) => [...each.matchAll(/"([^"]*)"/g)].map(([, part]) => part).join("")),
  );
  told.push(...[...text.matchAll(/^\s+"[a-z ]+": "(\{\} pods [^"]*)",$/gm)].map(([, words]) => words));
  assert.equal(told.length, 16);
  for (const words of told) {
    const note = words
      .replaceAll("{state}", "CANCELLED")
      .replaceAll("{kind}", "Job")
      .replaceAll("{OTHERS}", "others")
      .replace(/\{[^}]*\}/g, "1,234")
      .replace("more than 1,234;", "more than 64;");
    assert.ok(isImportNote(note), note);
    assert.equal(noteWords(note), note);
  }
  assert.equal(noteWords("Something else."), "Something else.");
});
