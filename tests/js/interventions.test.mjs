import assert from "node:assert/strict";
import test from "node:test";

import {
  changesFor,
  eventTime,
  faultEvents,
  faultTrouble,
  timeTrouble,
} from "../../static/js/features/interventions/changes.js";
import { offersFor, periodFor } from "../../static/js/run/possible_events.js";
import { groupState, nameOf, rackOf, rackStarts, serviceOf } from "../../static/js/run/places.js";

const meta = {
  machines: 8,
  owners: ["GM 0", "GM 1"],
  marks: [],
  queues: [{ name: "q0", share: 0.8, owner: 0 }],
  clusters: [
    {
      name: "a",
      first: 0,
      machines: 4,
      racks: [2, 2],
      partitions: [
        { owner: 0, first: 0, machines: 2 },
        { owner: 1, first: 2, machines: 2 },
      ],
    },
    { name: "b", first: 4, machines: 4, racks: [4], partitions: [{ owner: 0, first: 4, machines: 4 }] },
  ],
  layers: [
    { name: "load", label: "Load", kind: "level", role: "load" },
    { name: "outage", label: "Out of service", kind: "level", role: "service" },
  ],
};
const picture = {
  t_ns: 0,
  counters: {},
  layers: {
    load: Uint8Array.of(255, 0, 0, 255, 0, 0, 0, 0),
    outage: Uint8Array.of(0, 0, 128, 255, 255, 255, 255, 255),
  },
};
const megha = {
  supports: ["machine_faults", "master_faults", "share_changes"],
  supports_under: { "public-simulator": ["constraints"] },
};
const offers = (target, { scheduler = megha, experiment = {}, t_s = 12 } = {}) =>
  offersFor({ experiment, scheduler, meta, picture, target, t_s, end_s: 100 });
const ids = (target, options) => offers(target, options).map((each) => each.id);

test("a machine is offered what makes sense in its state", () => {
  assert.deepEqual(ids({ kind: "machine", machine: 0 }), ["fail-time", "fail", "drain"]);
  assert.deepEqual(ids({ kind: "machine", machine: 2 }), ["fail-time", "fail", "recover"]);
  assert.deepEqual(ids({ kind: "machine", machine: 3 }), ["recover"]);
  assert.deepEqual(ids({ kind: "cluster", name: "b" }), ["recover"]);
  assert.deepEqual(ids({ kind: "rack", rack: 0 }), ["fail-time", "fail-random", "fail", "drain"]);
});

test("events name their target and the viewer's instant as the contract has it", () => {
  const [time] = offers({ kind: "rack", rack: 0 });
  assert.deepEqual(time.events, [{ at_s: 12, kind: "fail", target: { rack: 0 }, duration_s: 10 }]);
  assert.deepEqual(offers({ kind: "owner", owner: 1 })[1].events, [
    { at_s: 12, kind: "fail", target: { global_master: 1 } },
  ]);
  assert.deepEqual(offers({ kind: "local_master", name: "a" })[1].events[0].target, { local_master: "a" });
  assert.deepEqual(
    offers({ kind: "queue", name: "q0" }).map((each) => [each.events[0].kind, each.events[0].value]),
    [
      ["burst", { rate_factor: 3 }],
      ["set", { share: 1 }],
      ["set", { share: 0.4 }],
    ],
  );
});

test("nothing is offered that the scheduler does not honour, or not under its profile", () => {
  const sparrow = { supports: ["constraints"] };
  for (const target of [
    { kind: "machine", machine: 0 },
    { kind: "cluster", name: "a" },
    { kind: "owner", owner: 0 },
  ]) {
    assert.deepEqual(ids(target, { scheduler: sparrow }), []);
    assert.deepEqual(ids(target, { experiment: { scheduler: { params: { profile: "public-simulator" } } } }), []);
  }
  assert.deepEqual(ids({ kind: "queue", name: "q0" }, { scheduler: sparrow }), ["burst"]);
});

test("a master that has failed can recover, and only then", () => {
  const down = { events: [{ at_s: 5, kind: "fail", target: { machine: null, global_master: 1 } }] };
  assert.deepEqual(ids({ kind: "owner", owner: 1 }, { experiment: down }), ["recover"]);
  assert.deepEqual(ids({ kind: "owner", owner: 0 }, { experiment: down }), ["fail-time", "fail"]);
  assert.deepEqual(ids({ kind: "owner", owner: 1 }, { experiment: down, t_s: 3 }), ["fail-time", "fail"]);
  const passed = { events: [{ at_s: 5, kind: "fail", target: { global_master: 1 }, duration_s: 2 }] };
  assert.deepEqual(ids({ kind: "owner", owner: 1 }, { experiment: passed }), ["fail-time", "fail"]);
});

test("racks, names and sums of groups", () => {
  const starts = rackStarts(meta);
  assert.deepEqual(starts, [0, 2, 4]);
  assert.deepEqual(
    [0, 1, 2, 7].map((machine) => rackOf(starts, machine)),
    [0, 0, 1, 2],
  );
  assert.deepEqual(
    [0, 2, 3].map((machine) => serviceOf(meta, picture, machine)),
    ["in service", "draining", "failed"],
  );
  assert.deepEqual(groupState(meta, picture, { kind: "cluster", name: "a" }), {
    machines: 4,
    busy: 2,
    load: 0.5,
    lent: 0,
    failed: 1,
    draining: 1,
  });
  assert.equal(groupState(meta, picture, { kind: "owner", owner: 1 }).machines, 2);
  assert.equal(nameOf(meta, { kind: "machine", machine: 5 }), "Machine 5 of b");
  assert.deepEqual([0.5, 100, 1000, 1e6].map(periodFor), [1, 10, 60, 21_600]);
});

test("what if a machine fails asks which, of what reach, when, and for how long", () => {
  const scheduler = { supports: ["machine_faults"], params: [] };
  const fails = changesFor({ experiment: {}, scheduler, meta }).find((each) => each.does === "fail-machine");
  const reaches = Object.fromEntries(fails.reaches.map((each) => [each.value, each]));
  assert.deepEqual(Object.keys(reaches), ["machine", "rack", "share"]);
  assert.deepEqual([reaches.machine.most, reaches.rack.most, reaches.share.most], [7, 2, 100]);
  const fault = (of, number, duration_s = null) => faultEvents({ of, number, at_s: 12, duration_s }, 8);
  assert.deepEqual(fault("machine", 3, 5), [{ at_s: 12, kind: "fail", duration_s: 5, target: { machine: 3 } }]);
  assert.deepEqual(fault("rack", 1), [{ at_s: 12, kind: "fail", target: { rack: 1 } }]);
  const half = fault("share", 50).map((each) => each.target.machine);
  assert.deepEqual(half, [0, 2, 4, 6], "a share takes as much of each cluster");
  const wrong = (number, at_s = 12, duration_s = null) =>
    faultTrouble({ number, at_s, duration_s }, reaches.machine, 10);
  assert.equal(wrong(7), "");
  assert.match(wrong(8), /from 0 to 7/);
  assert.match(wrong(3, 9), /at 10 s or later/);
  assert.match(wrong(3, 12, 0), /seconds above 0/);
});

test("every change says what it is of, and its time is asked: beginning and duration", () => {
  const scheduler = {
    supports: ["machine_faults", "master_faults"],
    params: { properties: { heartbeat_s: { default: 5 } } },
  };
  const changes = changesFor({ experiment: {}, scheduler, meta });
  const fails = changes.filter((each) => each.does);
  assert.deepEqual(
    fails.map((each) => each.does),
    ["fail-machine", "fail-cluster", "fail-local-master", "fail-global-master"],
  );
  for (const change of fails.filter((each) => !each.reaches)) {
    const event = { ...eventTime({ at_s: 12, duration_s: 5 }), ...change.event(change.start) };
    assert.deepEqual([event.at_s, event.duration_s, event.kind], [12, 5, "fail"]);
  }
  assert.deepEqual(eventTime({ at_s: 12, duration_s: null }), { at_s: 12 });
  assert.equal(timeTrouble({ at_s: 12, duration_s: null }, 12), "");
  assert.match(timeTrouble({ at_s: 11, duration_s: null }, 12), /at 12 s or later/);
  assert.match(timeTrouble({ at_s: Number.NaN, duration_s: null }, 12), /at 12 s or later/);
  assert.match(timeTrouble({ at_s: 12, duration_s: Number.NaN }, 12), /seconds above 0/);
});
