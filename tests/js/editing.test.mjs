import assert from "node:assert/strict";
import test from "node:test";

import { changeEvent, unhonoured, without } from "../../static/js/run/event_edits.js";
import { equipped, lackingOf, lackingWords } from "../../static/js/experiment/fitting.js";
import { firstWrong } from "../../static/js/kit/json_wrong.js";
import { typedNumber, typedText } from "../../static/js/kit/typed.js";

test("a number is read as people write it, and what is none is not guessed at", () => {
  const load = { percent: true, most: 1.5 };
  const read = [
    ["90", load],
    ["90 %", load],
    ["0.9", load],
    ["0,9", load],
    ["200%", load],
    ["1,000", {}],
    ["1,000,000", {}],
    ["20k", {}],
    ["1.5M", {}],
    ["250 ms", { unit: "s" }],
    ["2min", { unit: "s" }],
    ["500\u202fms", { unit: "s" }],
    ["1.5 GB", { unit: "GB" }],
    ["1e3", {}],
    ["\u22123", {}],
  ];
  assert.deepEqual(
    read.map(([text, how]) => typedNumber(text, how)),
    [0.9, 0.9, 0.9, 0.9, 2, 1000, 1e6, 20000, 1.5e6, 0.25, 120, 0.5, 1.5, 1000, -3],
  );
  for (const text of ["", "abc", "12 kg", "1.2.3", "5 ms", "Infinity", "1e999"])
    assert.equal(typedNumber(text, {}), null, text);
});

test("a number that a field offers is read as the same number, in every language", () => {
  const before = globalThis.document;
  const documentElement = { lang: "en" };
  globalThis.document = { ...before, documentElement };
  const values = [6.384, 0.125, 1.5, 1234.567, 12, 86400, 0, -2.125, 1e-7];
  const read = (...texts) => texts.map((text) => typedNumber(text, { unit: "s" }));
  try {
    assert.deepEqual(
      values.map((value) => typedNumber(typedText(value), {})),
      values,
    );
    assert.deepEqual(read("6.384", "0.125", "6,384", "1,234.5", "0,125"), [6.384, 0.125, 6384, 1234.5, 0.125]);
    documentElement.lang = "de";
    assert.deepEqual(
      values.map((value) => typedNumber(typedText(value), {})),
      values,
    );
    assert.deepEqual(read("6,384", "0,125", "6.384", "1.234,5", "0.125"), [6.384, 0.125, 6384, 1234.5, 0.125]);
  } finally {
    globalThis.document = before;
  }
});

test("a text that is not JSON is told where it goes wrong, and what is JSON is not", () => {
  const found = (text) => {
    const wrong = firstWrong(text);
    return [wrong.line, text.slice(wrong.from, wrong.to), wrong.words.split(":")[0]];
  };
  assert.deepEqual(found('{"a": 1,\n "b": 2,\n}'), [2, ",", "remove the comma before }"]);
  assert.deepEqual(found('{"a": 1\n "b": 2}'), [2, '"', "a comma is missing before this"]);
  assert.deepEqual(found("{\n'a': 1}"), [2, "'a'", "a name in double quotes is expected here"]);
  assert.deepEqual(found('{"a": True}'), [1, "True", "write True as true"]);
  assert.deepEqual(found('{"a": .5}'), [1, ".5", ".5 is not a number"]);
  assert.deepEqual(found('{"a": [1, 2}'), [1, "}", "} does not close ["]);
  // Whatever the engine refuses has a place, and nothing else has one.
  const whole = JSON.stringify(
    { name: 'x "y" \\ \n', list: [1, -2.5e3, true, null, {}, []], deep: { a: [[0]] } },
    null,
    2,
  );
  assert.equal(firstWrong(whole), null);
  for (let cut = 0; cut < whole.length; cut += 1) {
    for (const text of [
      whole.slice(0, cut),
      whole.slice(0, cut) + whole.slice(cut + 1),
      `${whole.slice(0, cut)},${whole.slice(cut)}`,
    ]) {
      let right = true;
      try {
        JSON.parse(text);
      } catch {
        right = false;
      }
      assert.equal(firstWrong(text) === null, right, JSON.stringify(text));
    }
  }
});

test("what work takes and no machine has is found, and a datacenter is made that has it", () => {
  const topology = { clusters: [{ name: "a", machines: [{ count: 3 }, { count: 2, cpus: 8, memory_gb: 16 }] }] };
  const work = (more) => ({ topology, workload: { kind: "synthetic", demand: { cpus: 1 }, ...more } });
  assert.deepEqual(lackingOf(work({})), {});
  assert.deepEqual(lackingOf(work({ demand: { cpus: 2, memory_gb: 4 } })), {}); // one machine that has it is enough
  const cases = [
    [{ demand: { cpus: 2, memory_gb: 32, gpus: 1 } }, { memory_gb: 32, gpus: 1 }],
    [{ demands: [{ weight: 1, demand: { cpus: 9 } }] }, { cpus: 9 }],
    [
      { drawn_demand: { amounts: { memory_gb: { kind: "lognormal", median: 1, sigma: 1, max: 64 } } } },
      { memory_gb: 64 },
    ],
  ];
  for (const [more, lacking] of cases) {
    assert.deepEqual(lackingOf(work(more)), lacking);
    assert.deepEqual(lackingOf(equipped(work(more))), {});
  }
  assert.equal(lackingWords({ cpus: 2, memory_gb: 4, gpus: 1 }), "2 CPUs, 4 GB of memory and 1 GPU");
});

test("events that a scheduler does not simulate are found, and can be left out", () => {
  const events = [
    { at_s: 1, kind: "fail", target: { machine: 3, rack: null } },
    { at_s: 2, kind: "burst", target: { queue: "q0" }, duration_s: 3, value: { rate_factor: 2 } },
  ];
  const experiment = { scheduler: { name: "x", params: {} }, events };
  assert.deepEqual(unhonoured(experiment, { supports: [] }), [0]);
  assert.deepEqual(unhonoured(experiment, { supports: ["machine_faults"] }), []);
  assert.deepEqual(without(experiment, [0]).events, [events[1]]);
  assert.equal(without(experiment, [0, 1]).events, undefined);
  assert.equal(changeEvent(experiment, 0, { kind: "drain" }, { supports: ["machine_faults"] }).events[0].kind, "drain");
});
