import assert from "node:assert/strict";
import { test } from "node:test";
import { triedWords } from "../../static/js/run/why/change_part.js";
import { jumpsOf, marksOf, nearest } from "../../static/js/run/jumps.js";
import {
  cutName,
  firstWidth,
  planOf,
  shownOf,
  stepFrom,
  stepsOf,
  stylesOf,
  tellInstant,
  tellMessage,
  tellQuiet,
  tellSpan,
  ticksOf,
  windowAt,
} from "../../static/js/features/messages/message_plan.js";
import { changesFor, faultEvents, faultTrouble } from "../../static/js/features/interventions/changes.js";

const META = {
  marks: [
    { kind: "preemption", label: "Task preempted" },
    { kind: "refusal", label: "Stale request refused" },
  ],
  queues: [
    { name: "q0", share: 0.8 },
    { name: "q1", share: 0.2 },
  ],
  clusters: [{ name: "lm-0" }],
  owners: ["GM 0", "GM 1"],
};
const LOG = {
  from_s: 0,
  until_s: 2,
  delay_s: 0.1,
  over: "end",
  lanes: [
    { id: "gm-0", label: "GM 0", help: "A GM.", sent: 1, received: 1 },
    { id: "lm-0", label: "LM a", help: "An LM.", sent: 1, received: 1 },
    { id: "machine-3", label: "machine 3", help: "", sent: 0, received: 1 },
  ],
  kinds: [
    { kind: "request", label: "Request", help: "Asks." },
    { kind: "granted", label: "Granted", help: "" },
    { kind: "heartbeat", label: "Heartbeat", help: "", quiet: true },
  ],
  messages: [
    { kind: "request", frm: "gm-0", to: "lm-0", sent_s: 0, arrives_s: 0.1, task: 7 },
    { kind: "granted", frm: "lm-0", to: "gm-0", sent_s: 0.1, arrives_s: 0.2, task: 7 },
    { kind: "heartbeat", frm: "lm-0", to: "machine-3", sent_s: 0.15, arrives_s: 0.25, task: null },
  ],
  spans: [{ lane: "machine-3", task: 7, start_s: 0.2, end_s: 1 }],
  notes: [{ t_s: 0.1, task: 7, sentence: "Matched." }],
};
const told = (t_s) => `${t_s} s`;

test("what one can jump to comes from the run's marks; next and previous are strictly later and earlier", () => {
  assert.deepEqual(
    jumpsOf(META).map((each) => each.id),
    ["event", "decision", "mark-preemption", "mark-refusal", "slowest"],
  );
  const marks = [
    { t_ns: 1, kind: "a" },
    { t_ns: 5, kind: "b" },
    { t_ns: 5, kind: "a" },
    { t_ns: 9, kind: "a" },
  ];
  assert.equal(nearest(marks, 1, 1).t_ns, 5);
  assert.equal(nearest(marks, 5, -1).t_ns, 1);
  assert.equal(nearest(marks, 9, 1), null);
  assert.equal(nearest([], 0, -1), null);
  assert.deepEqual(marksOf(marks, "b").length, 1);
});

test("hidden kinds take their lanes with them, and steps are every sending and arrival once", () => {
  const shown = shownOf(LOG, new Set(["heartbeat"]));
  assert.deepEqual(
    shown.lanes.map((lane) => lane.id),
    ["gm-0", "lm-0"],
  );
  assert.equal(shown.spans.length, 0);
  assert.deepEqual(
    shownOf(LOG, new Set(), [0.21, 0.3]).lanes.map((lane) => lane.id),
    ["lm-0", "machine-3"],
  );
  const steps = stepsOf(shown.messages);
  assert.deepEqual(steps, [0, 0.1, 0.2]);
  assert.equal(stepFrom(steps, 0, 1), 0.1);
  assert.equal(stepFrom(steps, 0.1, -1), 0);
  assert.equal(stepFrom(steps, 0.2, 1), null);
});

test("an arrow in flight carries its dot as far as its time has gone", () => {
  const shown = shownOf(LOG, new Set());
  const plan = planOf(shown, [0, 1], 0.15, 600);
  const [request, granted, beat] = plan.arrows;
  assert.deepEqual([request.state, granted.state, beat.state], ["there", "flying", "flying"]);
  assert.ok(Math.abs(granted.dot[0] - (granted.x1 + granted.x2) / 2) < 1e-6);
  assert.equal(plan.bars[0].state, "later");
  assert.equal(plan.bars[0].y, plan.lanes[2].y);
});

test("the window keeps inside the log, and its first width shows a few messages", () => {
  assert.deepEqual(windowAt(LOG, 0, 0.5), [0, 0.5]);
  assert.equal(windowAt(LOG, 2, 0.5)[0], 1.5);
  assert.deepEqual(windowAt(LOG, 0.39, 0.5), windowAt(LOG, 0.01, 0.5));
  assert.ok(windowAt(LOG, 0.41, 0.5)[0] > 0);
  assert.ok(firstWidth(LOG) > LOG.delay_s && firstWidth(LOG) <= 2);
  const later = [{ ...LOG.messages[0], sent_s: 30, arrives_s: 30.1 }];
  assert.equal(firstWidth({ ...LOG, messages: [...LOG.messages, ...later] }), firstWidth(LOG));
  assert.ok(firstWidth({ ...LOG, task: 7, messages: [...LOG.messages, ...later] }) > 30);
  assert.match(tellQuiet({ all: later }, 2, told), /next one \(30 s\)/);
  assert.equal(cutName("RM north-hall-of-the-old-datacentre-2", 100), "RM north-…re-2");
});

test("no two kinds look alike, and refusals have their own colour", () => {
  const styles = stylesOf([
    ...Array.from({ length: 12 }, (_, at) => ({ kind: `k${at}` })),
    { kind: "no", refuses: true },
    { kind: "lost", refuses: true },
  ]);
  assert.equal(new Set(Object.values(styles).map((style) => JSON.stringify(style))).size, 14);
  assert.deepEqual(
    Object.keys(styles).filter((kind) => styles[kind].role === "alarm"),
    ["no", "lost"],
  );
});

test(
  "lanes: of too many those of the first messages, both ends; beside few those that run something; closer " +
    "where there is no room",
  () => {
    const lanes = Array.from({ length: 60 }, (_, at) => ({ id: `l${at}`, label: `lane ${at}` }));
    const messages = Array.from({ length: 30 }, (_, at) => ({
      kind: "a",
      frm: `l${at}`,
      to: `l${59 - at}`,
      sent_s: at,
      arrives_s: at + 1,
      task: null,
    }));
    const shown = shownOf({ ...LOG, lanes, messages, spans: [] }, new Set());
    assert.deepEqual([shown.lanes.length, shown.left, shown.messages.length], [40, 20, 20]);
    const few = shownOf(
      { ...LOG, lanes, messages, spans: [{ lane: "l7", task: 1, start_s: 0, end_s: 9 }] },
      new Set(),
      [0, 0.5],
    );
    assert.deepEqual(
      few.lanes.map((lane) => lane.id),
      ["l0", "l7", "l59"],
    );
    assert.ok(planOf(shown, [0, 1], 0, 600, 300).laneHeight < planOf(few, [0, 1], 0, 600, 300).laneHeight);
  },
);

test("ticks are round, inside the window, and have as many digits as they need", () => {
  assert.deepEqual(
    ticksOf([1234.5, 1234.512], 4).map((tick) => tick.label),
    ["1,234.500\u202fs", "1,234.505\u202fs", "1,234.510\u202fs"],
  );
  assert.deepEqual(
    ticksOf([0, 100], 5).map((tick) => tick.t_s),
    [0, 20, 40, 60, 80, 100],
  );
});

test("messages and instants are told in words", () => {
  assert.match(
    tellMessage(LOG, LOG.messages[0], told),
    /^Request about task 7: GM 0 to LM a, sent at 0 s, arrived after 100\u202fms\. Asks\.$/,
  );
  assert.match(
    tellInstant(LOG, shownOf(LOG, new Set()), 0.1, told),
    /LM a gets “request” about task 7; LM a sends “granted” about task 7\. 1 on their way\. Matched\.$/,
  );
  assert.match(
    tellMessage(LOG, { ...LOG.messages[0], arrives_s: 0, task: null, job: 4 }, told),
    /^Request about job 4: .* arrived at once\./,
  );
  assert.equal(tellSpan({ task: null, job: 4, start_s: 1, end_s: 2 }, told), "Decides about job 4 from 1 s to 2 s.");
});

const RACKS = { ...META, machines: 8, clusters: [{ name: "lm-0", first: 0, machines: 8, racks: [4, 4] }] };

test("a fault takes a machine, a rack or an even share of machines, when it begins, as long as it lasts", () => {
  const asked = { of: "machine", number: 4, at_s: 2, duration_s: 10 };
  assert.deepEqual(faultEvents(asked, 8), [{ at_s: 2, kind: "fail", duration_s: 10, target: { machine: 4 } }]);
  assert.deepEqual(faultEvents({ ...asked, of: "rack", number: 1, duration_s: null }, 8), [
    { at_s: 2, kind: "fail", target: { rack: 1 } },
  ]);
  const quarter = faultEvents({ ...asked, of: "share", number: 25 }, 8);
  assert.deepEqual(
    quarter.map((each) => each.target.machine),
    [0, 4],
  );
  const all = faultEvents({ ...asked, of: "share", number: 100 }, 8).map((each) => each.target.machine);
  assert.deepEqual(all, [0, 1, 2, 3, 4, 5, 6, 7]);
  assert.equal(faultEvents({ ...asked, of: "share", number: 0.1 }, 8).length, 1);
});

test("a fault that cannot be is told at once", () => {
  const machine = { value: "machine", label: "Machine", start: 0, most: 7, unit: "" };
  const asked = { of: "machine", number: 7, at_s: 2, duration_s: null };
  assert.equal(faultTrouble(asked, machine, 2), "");
  assert.equal(faultTrouble({ ...asked, number: 8 }, machine, 2), "Machine: type a number from 0 to 7.");
  assert.match(faultTrouble({ ...asked, number: 1.5 }, machine, 2), /^Machine/);
  assert.match(faultTrouble({ ...asked, number: NaN }, machine, 2), /^Machine/);
  assert.match(faultTrouble({ ...asked, at_s: 1 }, machine, 2), /at 2 s or later/);
  assert.match(faultTrouble({ ...asked, duration_s: 0 }, machine, 2), /above 0/);
  const share = { value: "share", label: "Share", start: 10, most: 100, unit: "%" };
  assert.match(faultTrouble({ ...asked, of: "share", number: 0 }, share, 2), /from above 0 to 100/);
});

test("only what the scheduler honours can be changed, and each change is an event", () => {
  const properties = {
    heartbeat_s: { title: "Heartbeat", default: 10, unit: "s" },
    fairness: { title: "Fair", default: true },
    profile: { enum: ["paper"], default: "paper" },
  };
  const scheduler = {
    supports: ["parameter_changes", "share_changes", "machine_faults", "master_faults"],
    params: { properties },
  };
  const changes = changesFor({ experiment: { scheduler: { params: { heartbeat_s: 5 } } }, scheduler, meta: RACKS });
  assert.deepEqual(
    changes.slice(0, 2).map((each) => each.label),
    ["Heartbeat", "Fair"],
  );
  assert.deepEqual(changes[0].event(3), { kind: "set", target: { scheduler: true }, value: { heartbeat_s: 3 } });
  assert.equal(changes[0].start, 10);
  assert.equal(changes[1].start, false);
  assert.deepEqual(changes.find((each) => each.label === "Share of queue 1").event(0.1).target, { queue: "q1" });
  const fault = changes.find((each) => each.label === "A machine fails");
  assert.deepEqual(
    fault.reaches.map((each) => each.value),
    ["machine", "rack", "share"],
  );
  assert.deepEqual(changesFor({ experiment: {}, scheduler: { supports: [] }, meta: META }), []);
});

test("changes that help are of one seed, and a larger share is given up by the other queues", () => {
  const help = { sentence: "", text: "" };
  const queues = [{ share: 0.5 }, { share: 0.5 }];
  assert.equal(
    triedWords(3, [help, { ...help, experiment: { queues } }]),
    "3 changes replayed. All with the seed of this run: under another seed, the gain may differ. " +
      "If the share of a queue grows, the other queues give it up in proportion to their shares.",
  );
  assert.doesNotMatch(triedWords(3, [{ ...help, experiment: {} }]), /share/);
});
