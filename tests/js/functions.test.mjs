import assert from "node:assert/strict";
import { test } from "node:test";

import { sources } from "./catalogue.mjs";
import { functionsOf } from "./functions.mjs";

const MOST = 60;

test("a function's lines are counted as written", () => {
  const source = "class A {\n  // what it does\n  go() {\n\n    return 1;\n  }\n}\nconst b = (x) =>\n  x + 1;\n";
  assert.deepEqual(functionsOf(source), [
    { name: "go", line: 3, lines: 4 },
    { name: "b", line: 8, lines: 2 },
  ]);
});

test("no function of the page is longer than 60 lines as written", () => {
  const long = sources().flatMap(({ name, source }) =>
    functionsOf(source)
      .filter(({ lines }) => lines > MOST)
      .map(({ name: called, line, lines }) => `${name}:${line} ${called}: ${lines} lines`),
  );
  assert.deepEqual(long, []);
});
