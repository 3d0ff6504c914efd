import assert from "node:assert/strict";
import test from "node:test";

import {
  formerWords,
  heldValues,
  otherVersionWords,
  underTodaysRules,
} from "../../static/js/experiment/former_rules.js";

const value = (name, then, today, unit = "") => ({
  path: `scheduler.params.${name}`,
  label: name.replaceAll("_", " "),
  unit,
  value: then,
  today,
});
const FORMER = { version: "0.1.0", values: [value("first_fit", false, true), value("wait_s", 5, 0.5, "s")] };
const EXPERIMENT = { seed: 1, scheduler: { name: "megha", params: { first_fit: false, wait_s: 5, kept: 1 } } };

test("a value that somebody changed is no longer kept", () => {
  assert.deepEqual(heldValues(EXPERIMENT, FORMER), FORMER.values);
  const changed = { ...EXPERIMENT, scheduler: { name: "megha", params: { first_fit: true, wait_s: 5 } } };
  assert.deepEqual(heldValues(changed, FORMER), [FORMER.values[1]]);
  assert.deepEqual(heldValues({ scheduler: { name: "sparrow" } }, FORMER), []);
  assert.deepEqual(heldValues(EXPERIMENT, null), []);
  assert.deepEqual(heldValues(null, FORMER), []);
});

test("the page says which version, which values and what they are today", () => {
  const words = formerWords("0.1.0", FORMER.values).replaceAll("\u202f", " ");
  assert.equal(
    words,
    "This experiment was made under the rules of version 0.1.0. " +
      "It keeps those rules: first fit off (today on), wait s 5 s (today 500 ms).",
  );
  const many = Array.from({ length: 5 }, (_, i) => value(`p${i}`, null, i));
  assert.match(formerWords("0.1.0", many), /p0 none \(today 0\), .*p2 none \(today 2\), 2 more\.$/);
});

test("the page names an earlier version also where all rules are today's", () => {
  assert.match(otherVersionWords("0.1.0", "0.2.0"), /made with version 0\.1\.0\..* version 0\.2\.0/);
  assert.equal(otherVersionWords("0.2.0", "0.2.0"), "");
  assert.equal(otherVersionWords(undefined, "0.2.0"), "");
});

test("today's values take the place of the former ones, and nothing else changes", () => {
  assert.deepEqual(underTodaysRules(EXPERIMENT, FORMER.values), {
    seed: 1,
    scheduler: { name: "megha", params: { first_fit: true, wait_s: 0.5, kept: 1 } },
  });
  assert.equal(EXPERIMENT.scheduler.params.first_fit, false);
});
