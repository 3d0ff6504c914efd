/** Cells of CSV files: no formula, whoever chose the text. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { csvCell } from "../../static/js/kit/csv.js";

test("a text that begins like a formula becomes text, and numbers stay", () => {
  for (const text of ["=1+1", "+a", "-a", "@a", "＝1", "＋1", "－a", "＠a", "\t=1", " =1"])
    assert.equal(csvCell(text), `'${text}`);
  for (const text of ["Ada", "-5", "+1e3", "a=b"]) assert.equal(csvCell(text), text);
  assert.deepEqual([-5, 0, null, undefined].map(csvCell), ["-5", "0", "", ""]);
});

test("separators are quoted", () => {
  assert.equal(csvCell('a,"b"'), '"a,""b"""');
  assert.equal(csvCell("=a\nb"), '"\'=a\nb"');
});
