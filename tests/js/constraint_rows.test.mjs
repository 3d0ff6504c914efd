import test from "node:test";
import assert from "node:assert/strict";

import { constraintCsv, constraintRows } from "../../static/js/run/constraint_rows.js";

const WAIT = { mean: 3, p50: 2, p90: 4, p99: 4, max: 4 };
const WAITS = {
  from_s: 10,
  every_s: 5,
  rows: [
    {
      constraint: null,
      tasks: 1,
      started: 0,
      wait_s: { mean: null },
      tasks_by_span: [0, 1],
      mean_s_by_span: [null, null],
    },
    { constraint: 'a "b"', tasks: 3, started: 3, wait_s: WAIT, tasks_by_span: [2, 1], mean_s_by_span: [4, 1] },
  ],
};

test("each span has a shade against the longest mean, and none where no task started", () => {
  const { most_ns, rows } = constraintRows(WAITS);
  assert.equal(most_ns, 4e9);
  assert.deepEqual(
    rows.map((row) => row.cells.map((cell) => cell.shade)),
    [
      [null, null],
      [1, 0.25],
    ],
  );
  assert.deepEqual([rows[0].mean_ns, rows[1].mean_ns, rows[1].name], [null, 3e9, 'a "b"']);
  assert.deepEqual([rows[1].cells[1].from_ns, rows[1].cells[1].until_ns, rows[1].cells[1].tasks], [15e9, 20e9, 1]);
});

test("the file has a line for each constraint and span", () => {
  assert.equal(
    constraintCsv(WAITS),
    [
      "constraint,from_s,until_s,tasks,mean_wait_s",
      ",10,15,0,",
      ",15,20,1,",
      '"a ""b""",10,15,2,4',
      '"a ""b""",15,20,1,1',
      "",
    ].join("\n"),
  );
});
