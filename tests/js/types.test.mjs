/** The type `any` in the pages' scripts: how many places say it. The number only shrinks. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";

const SCRIPTS = new URL("../../static/js/", import.meta.url).pathname;
const BUILT = join(SCRIPTS, "built");
/** The places that say `any`. Each is a value of a shape that the page does not know. */
const KNOWN = 6;

const COMMENT = /\/\*\*[\s\S]*?\*\//g;
const TAG = /@(?:param|property|returns|template|type|typedef)\b/g;

/** Return the end of the braces that begin at `from`. */
function closing(text, from) {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === "{") depth += 1;
    if (text[at] === "}") depth -= 1;
    if (depth === 0) return at;
  }
  return text.length;
}

/** Return the types in a script's comments: what the tags have in braces, and the defaults of type parameters. */
function typesIn(source) {
  return (source.match(COMMENT) ?? []).flatMap((comment) =>
    [...comment.matchAll(TAG)].flatMap((tag) => {
      const rest = comment.slice(tag.index + tag[0].length);
      if (/^\s*\{/.test(rest)) return [rest.slice(0, closing(rest, rest.indexOf("{")) + 1)];
      return tag[0] === "@template" ? (rest.match(/^\s*\[\w+\s*=[^\]\n]*\]/) ?? []) : [];
    }),
  );
}

const countIn = (source) =>
  typesIn(source)
    .join("\n")
    .match(/\bany\b/g)?.length ?? 0;

function counts() {
  return readdirSync(SCRIPTS, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && each.name.endsWith(".js"))
    .map((each) => join(each.parentPath, each.name))
    .filter((path) => !path.startsWith(BUILT))
    .map((path) => ({ path: path.slice(SCRIPTS.length), count: countIn(readFileSync(path, "utf8")) }))
    .filter(({ count }) => count > 0);
}

test("the places that say any are found in parameters, casts, records and defaults of type parameters", () => {
  assert.equal(countIn("/** @param {any} one the first of any kind */"), 1);
  assert.equal(countIn("f(/** @type {Record<string, any>} */ (two)); // any"), 1);
  assert.equal(countIn("/** @typedef {{a: any,\n *   b: any[]}} Both */"), 2);
  assert.equal(countIn("/** @template [T=any] */"), 1);
  assert.equal(countIn("/** @returns {Company} any */"), 0);
});

test("the number of places that say any only shrinks", () => {
  const found = counts();
  const sum = found.reduce((total, { count }) => total + count, 0);
  const listed = found.map(({ path, count }) => `${path}: ${count}`).join("\n");
  assert.ok(
    sum <= KNOWN,
    `static/js says any at ${sum} places, and at most ${KNOWN} are allowed. Give the new places a type: one of the ` +
      `contract, a typedef of the module, a type parameter, or unknown with a check. All places:\n${listed}`,
  );
  assert.ok(sum >= KNOWN, `static/js says any at ${sum} places only: set KNOWN in this test to ${sum}.`);
});
