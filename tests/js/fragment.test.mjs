import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { deflateRawSync } from "node:zlib";

import { canonical, fromFragment, LinkError, toFragment } from "../../static/js/experiment/fragment.js";

// Made once by another deflate; links that people hold have to open for good.
const KEPT_LINK =
  "#x1.NY1LDoMgFEX3cscMatsRW-gSjDFUXpQKPMPHpjHsvRDj8P7OPeCVI0i8aEsQiNNCOlsKkMcVOZoXhXKGTo07hWjYQ3bVItKQD4HEG1ue" +
  "f2032RxTLUH2B5yaFuPpFBNnnyCfZRAX3TqUocK_HFbLSjfAh99nX4VgdmXHqm4COgeV6nNsuu_EfWic1fg6gvG23qCUPw";
const EXPERIMENT = {
  schema_version: 1,
  name: "Kept",
  seed: 3,
  topology: { clusters: [{ name: "lm", machines: [{ count: 4 }] }] },
  workload: { kind: "inline", jobs: [{ arrival_s: 0, durations_s: [1, 2] }] },
  scheduler: { name: "megha" },
};

const packed = (text) => `#x1.${deflateRawSync(Buffer.from(text)).toString("base64url")}`;

const KEPT_SECOND =
  "#x2.NYxBCsIwEEXv8tdBanU1V_AIpZTYDDaaZGSSKFJydymly8d__61INjIIN34XGGgNnEHoTv2pg0GeF3Y1sILWQ438WCzaPkY7fVizlwQ6G2Rm" +
  "B7oYFHlLkMdv-82h5sKaQcOKaOfFJ95hlpoK6NpGc9RDRBubwVf0FcS6LfCU--5bVf-xYcqgzsBVtcVLyhsPZ9OPW-flkwPBp-ATo7U_";

test("a link of the first format opens under the rules of the first version", () => {
  assert.deepEqual(fromFragment(KEPT_LINK), { ...EXPERIMENT, rules: "0.1.0" });
});

test("a link of the second format opens and names its rules", () => {
  assert.deepEqual(fromFragment(KEPT_SECOND), { ...EXPERIMENT, rules: "0.2.0" });
});

test("a link says under which rules it was made, those of the experiment before those of the page", () => {
  assert.equal(fromFragment(toFragment(EXPERIMENT, "0.2.0")).rules, "0.2.0");
  assert.equal(fromFragment(toFragment({ ...EXPERIMENT, rules: "0.1.0" }, "0.2.0")).rules, "0.1.0");
});

test("what goes into a link comes out of it", () => {
  const link = toFragment({ ...EXPERIMENT, name: "Größe 🦊", question: "" });
  assert.match(link, /^#x2\.[A-Za-z0-9_-]+$/);
  assert.deepEqual(fromFragment(link), { ...EXPERIMENT, name: "Größe 🦊", question: "" });
});

test("one experiment has one link, whatever the order of its keys", () => {
  const turned = Object.fromEntries(Object.entries(EXPERIMENT).reverse());
  assert.equal(toFragment(turned), toFragment(EXPERIMENT));
  assert.equal(canonical({ b: [1, null, "x"], a: undefined }), '{"b":[1,null,"x"]}');
});

test("a fragment that is no link is nobody's", () => {
  for (const other of ["", "#", "#top", "#x", "#x1", "#x2", "#y1.abc"]) assert.equal(fromFragment(other), null);
});

test("a link from a later version says so", () => {
  assert.throws(
    () => fromFragment("#x3.abc"),
    (error) => error instanceof LinkError && /newer version/.test(error.message),
  );
});

test("damaged links are told apart from faults", () => {
  const good = toFragment(EXPERIMENT);
  for (const bad of [
    "#x1.",
    "#x1.%%%",
    good.slice(0, -10),
    `${good.slice(0, 12)}AAAA${good.slice(16)}`,
    packed("[1]"),
    packed("1"),
    packed("{"),
    packed(""),
  ]) {
    assert.throws(() => fromFragment(bad), LinkError, bad.slice(0, 40));
  }
});

test("a link that swells is refused before it fills the memory", () => {
  assert.throws(() => fromFragment(packed(" ".repeat(3_000_000))), /larger than the limit/);
  assert.throws(() => fromFragment(packed(JSON.stringify({ a: "x".repeat(50_000_000) }))), /larger than the limit/);
  assert.throws(() => fromFragment(`#x1.${"A".repeat(300_000)}`), /too long/);
});

test("an experiment too large for a link is told to take the short one", () => {
  const noise = Array.from({ length: 60_000 }, (_, i) => Math.sin(i));
  assert.throws(() => toFragment({ ...EXPERIMENT, noise }), /short link/);
});

test("each policy of the examples takes less than 1 kB of a link", () => {
  const folder = new URL("../../fixtures/policies/", import.meta.url);
  const own = (params) => toFragment({ ...EXPERIMENT, scheduler: { name: "own", params } }, "0.2.0");
  const without = own({}).length;
  const files = readdirSync(folder).filter((name) => name.endsWith(".policy"));
  assert.ok(files.length > 10);
  for (const name of files) {
    const policy = readFileSync(new URL(name, folder), "utf8");
    assert.ok(own({ policy }).length - without < 1000, name);
  }
});
