import assert from "node:assert/strict";
import { test } from "node:test";

import "./page.mjs";

const { completionsOf, streamOf } = await import("../../static/js/features/policy/language.js");
const { costText } = await import("../../static/js/features/policy/cost.js");
const { found, valueText } = await import("../../static/js/features/policy/words.js");

const LANGUAGE = {
  hooks: [{ name: "score", objects: ["machine"], help: "the largest wins" }],
  words: [
    { word: "machine.free_cpus", of: "machine", unit: "CPUs", help: "CPUs that are free", known: "yes" },
    { word: "task.wait_s", of: "task", unit: "s", help: "Time since arrival", known: "yes" },
  ],
  functions: [{ name: "min", least: 2, help: "the smallest" }],
  templates: [],
};

/** A line as CodeMirror's stream gives it. */
class Line {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }
  sol() {
    return this.at === 0;
  }
  next() {
    this.at += 1;
  }
  skipToEnd() {
    this.at = this.text.length;
  }
  eatSpace() {
    return Boolean(this.match(/^\s+/));
  }
  match(pattern, consume = true) {
    const rest = this.text.slice(this.at);
    if (typeof pattern === "string") {
      if (!rest.startsWith(pattern)) return false;
      this.at += pattern.length;
      return true;
    }
    const hit = rest.match(pattern);
    if (hit && consume) this.at += hit[0].length;
    return hit;
  }
}

function pieces(text) {
  const { token } = streamOf(LANGUAGE);
  const line = new Line(text);
  const seen = [];
  while (line.at < text.length) {
    const from = line.at;
    const kind = token(line);
    assert.ok(line.at > from, `no step at ${from} of ${text}`);
    if (kind) seen.push([kind, text.slice(from, line.at)]);
  }
  return seen;
}

test("each piece of a line has its kind, and any text is read to its end", () => {
  assert.deepEqual(pieces("score: 2.5e3 * machine.free_cpus - min(a, 1) # best"), [
    ["heading", "score"],
    ["number", "2.5e3"],
    ["variableName", "machine.free_cpus"],
    ["typeName", "min"],
    ["number", "1"],
    ["comment", "# best"],
  ]);
  assert.deepEqual(pieces("param score = 1 from 0 to 2")[0], ["keyword", "param"]);
  assert.deepEqual(pieces("score machine.nothing §$%&/()='\\"), []);
});

test("hooks are offered at the beginning of a line, words and functions elsewhere", () => {
  const labels = (begins, text) => {
    const context = {
      explicit: false,
      pos: text.length,
      matchBefore: (pattern) => {
        const hit = text.match(new RegExp(`${pattern.source}$`));
        return hit ? { from: text.length - hit[0].length, to: text.length, text: hit[0] } : null;
      },
    };
    return completionsOf(LANGUAGE, () => begins)(context)?.options.map(({ label }) => label) ?? null;
  };
  assert.deepEqual(labels(true, "sc"), ["score: ", "param"]);
  assert.deepEqual(labels(false, "score: machine."), ["machine.free_cpus", "task.wait_s", "min"]);
  assert.equal(labels(false, "score: "), null);
});

test("words are found by all parts of what is looked for, in names and meanings", () => {
  const names = (sought) => found(LANGUAGE.words, sought).map(({ word }) => word);
  assert.deepEqual(names("free cpu"), ["machine.free_cpus"]);
  assert.deepEqual(names("TIME"), ["task.wait_s"]);
  assert.deepEqual(names("free time"), []);
});

test("a value is one number or a range over the machines, with its unit", () => {
  assert.equal(valueText([2, 2], "CPUs"), "2 CPUs");
  assert.equal(valueText([0, 3.5], "CPUs"), "0 to 3.5 CPUs");
  assert.equal(valueText([0.25, 0.25], "1"), "0.25");
  assert.equal(valueText(null, "s"), "");
});

test("a policy's cost is told before the run", () => {
  const experiment = (params = {}) => ({
    topology: { clusters: [{ name: "c", machines: [{ count: 40, cpus: 2 }] }] },
    scheduler: { name: "own", params },
  });
  assert.match(costText({ kept: true, depends: [], once: 0, each: 3 }, experiment()), /kept/);
  const told = costText({ kept: false, depends: ["job", "now"], once: 1, each: 3 }, experiment());
  assert.match(told, /3 for each of 40 machines/);
  assert.match(told, /the job, the time/);
  assert.match(
    costText({ kept: true, depends: [], once: 0, each: 3 }, experiment({ news: "sample", sample: 2 })),
    /of 2 /,
  );
  assert.equal(costText({ kept: true, depends: [], once: 0, each: 0 }, experiment()), "");
});
