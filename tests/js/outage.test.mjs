import assert from "node:assert/strict";
import test from "node:test";

import { isPartitioned } from "../../static/js/experiment/experiment.js";
import { describeMachine, machineRows } from "../../static/js/run/sentences.js";

const meta = {
  owners: [],
  clusters: [{ name: "lm-0", first: 0, machines: 3, partitions: [{ owner: 255, first: 0, machines: 3 }] }],
  layers: [
    { name: "load", label: "Load", kind: "level", role: "load", help: "" },
    { name: "outage", label: "Out of service", kind: "level", role: "service", help: "" },
  ],
};
const picture = { layers: { load: Uint8Array.of(0, 128, 0), outage: Uint8Array.of(0, 128, 255) } };

test("what is out of service is said in words, not as a share", () => {
  const states = [0, 1, 2].map(
    (machine) => machineRows(meta, picture, machine).find((row) => row.label === "State").value,
  );
  assert.deepEqual(states, ["in service", "draining", "failed"]);
  assert.match(describeMachine(meta, picture, 2), /has failed\.$/);
  assert.match(describeMachine(meta, picture, 1), /50.2.% full; it is draining/);
});

test("only a scheduler with an owner layer splits machines among masters", () => {
  assert.equal(isPartitioned({ family: "federated", layers: meta.layers }), false);
  assert.equal(
    isPartitioned({ family: "federated", layers: [{ name: "owner", kind: "category", role: "owner" }] }),
    true,
  );
});
