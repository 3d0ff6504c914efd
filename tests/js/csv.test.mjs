/** Cells of CSV files: no formula, whoever chose the text. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { csvCell } from "../../static/js/kit/csv.js";

test("a text that begins like a formula becomes text, and numbers stay", () => {
  for (const text of ["=1+1", "+a", "-a", "@a", "＝1", "＋1", "－a", "＠a", " =1"])
    assert.equal(csvCell(text), `'${text}`);
  for (const text of ["Ada", "-5", "+1e3", "a=b"]) assert.equal(csvCell(text), text);
  assert.deepEqual([-5, 0, null, undefined].map(csvCell), ["-5", "0", "", ""]);
});

test("no part of a text is a formula where a semicolon or a tab separates", () => {
  for (const [text, cell] of [
    ["a;=1+1", "a;'=1+1"],
    ["a\t@x", "a\t'@x"],
    ["a; ＝1", "a; '＝1"],
    ["=1;=1", "'=1;'=1"],
    ["1;-5", "1;'-5"],
    ["\t=1", "'\t'=1"],
    ["a; b = 1", "a; b = 1"],
  ])
    assert.equal(csvCell(text), cell);
});

test("separators are quoted", () => {
  assert.equal(csvCell('a,"b"'), '"a,""b"""');
  assert.equal(csvCell("=a\nb"), '"\'=a\nb"');
});
