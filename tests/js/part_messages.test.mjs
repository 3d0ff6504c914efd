import assert from "node:assert/strict";
import test from "node:test";

import { countRows, lastOnes, tellCounts } from "../../static/js/features/messages/message_counts.js";

const FOUND = {
  from_s: 0,
  until_s: 12,
  whole: true,
  directed: true,
  sent: 1200,
  received: 3,
  kinds: [
    { kind: "request", label: "Request", help: "Asks.", sent: 1200, received: 0 },
    { kind: "granted", label: "Granted", help: "Got.", sent: 0, received: 3 },
  ],
  messages: [
    { kind: "request", frm: "GM 0", to: "LM hall", sent_s: 1, arrives_s: 2, task: 4 },
    { kind: "beat", frm: "LM hall", to: "GM 0", sent_s: 2, arrives_s: 3, task: null },
  ],
};

test("counts say over what they were taken", () => {
  assert.match(tellCounts(FOUND), /^1\S?200 sent, 3 received so far\.$/);
  assert.match(tellCounts({ ...FOUND, whole: false, from_s: 10 }), /received in the 2\ss before 00:00:12\.0\./);
  assert.match(tellCounts({ ...FOUND, directed: false, sent: 5 }), /^5 messages about it so far\.$/);
});

test("what is about a task has one count a kind", () => {
  assert.deepEqual(countRows(FOUND)[1], { label: "Granted", help: "Got.", cells: ["0", "3"] });
  assert.deepEqual(countRows({ ...FOUND, directed: false })[1].cells, ["0"]);
});

test("the last messages come newest first, those without a task too", () => {
  assert.deepEqual(lastOnes(FOUND, 1), [{ t_s: 2, text: "beat: LM hall → GM 0" }]);
  assert.equal(lastOnes(FOUND, 9)[1].text, "Request: GM 0 → LM hall, task 4");
});
