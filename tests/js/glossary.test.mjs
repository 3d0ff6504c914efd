/** Terms of the glossary in a text. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { firstTerm } from "../../static/js/kit/glossary.js";

const TERMS = [
  { words: ["stale view", "stale"], text: "…" },
  { words: ["p99", "p99.9"], text: "…" },
  { words: ["confidence interval", "CI"], text: "…" },
];

test("the first whole word that is a term is found, the longest one at a place", () => {
  assert.deepEqual(firstTerm("With a Stale view p99 grows.", TERMS), { term: TERMS[0], at: 7, length: 10 });
  assert.deepEqual(firstTerm("Its p99.9 grows.", TERMS), { term: TERMS[1], at: 4, length: 5 });
});

test("parts of words are no terms, and abbreviations keep their case", () => {
  assert.equal(firstTerm("staleness, ci", TERMS), null);
  assert.equal(firstTerm("a 95 % CI", TERMS)?.at, 7);
});

test("a term that a part has explained is passed over as a whole, and the next one is found", () => {
  const wanted = (term) => term !== TERMS[0];
  assert.deepEqual(firstTerm("A stale view, its p99.", TERMS, wanted), { term: TERMS[1], at: 18, length: 3 });
  assert.equal(firstTerm("A stale view.", TERMS, wanted), null);
});
