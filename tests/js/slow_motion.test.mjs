import assert from "node:assert/strict";
import { test } from "node:test";

import { SLOW, sortOf, rateAt, scriptOf } from "../../static/js/features/moments/slow_motion.js";
import { SHELF, Shown, showTask } from "../../static/js/draw/work/showing.js";
import { sentenceOf } from "../../static/js/draw/work/telling.js";
import { Track } from "../../static/js/run/track.js";
import { LEGS, trackOf, wireOf } from "./tracks.mjs";

const moment = (kind, t_ns, task = 0) =>
  /** @type {any} */ ({ kind, t_ns, task, machines: [1], label: "", sentence: "" });

/** Play a script as a page does, 60 frames a second: how many seconds pass before the event, and in the rest. */
function played(script, t_ns) {
  let [now, before, after] = [script.from, 0, 0];
  for (let frame = 0; frame < 6000 && now < script.until; frame += 1) {
    const rate = rateAt(script, now);
    assert.ok(rate >= SLOW && rate <= script.first);
    if (now < t_ns) before += 1 / 60;
    else after += 1 / 60;
    now += (rate * 1e9) / 60;
  }
  return { before, after };
}

test("whatever led to an event is played in some seconds, and the event itself lasts 2 to 4", () => {
  const waited = { arrival: 1e6, framework: 16e6, machine: 1, ran: 1e6 };
  for (const kind of ["longest_wait", "first_bounce", "first_throw", "most_helped", "first_report", "first_borrow"]) {
    const script = scriptOf(moment(kind, 17e9), trackOf([waited]));
    const { before, after } = played(script, 17e9);
    assert.ok(before >= 1.5 && before <= 8, `${kind}: ${before} s before`);
    assert.ok(after >= 2 && after <= 4, `${kind}: ${after} s after`);
    assert.equal(rateAt(script, script.until), 0);
  }
});

test("a round whose prices are known is shown until they can be read", () => {
  const track = trackOf([{ arrival: 1e6, framework: 16e6, machine: 1, ran: 1e6 }]);
  Object.assign(track.work, { decision: "round" });
  const one = moment("at_data", 17e9);
  assert.ok(scriptOf(one, track, true).until > scriptOf(one, track).until);
});

test("a wait is played from the task's arrival, a refusal from the start of the task that was faster", () => {
  const wait = scriptOf(
    moment("longest_wait", 17e9),
    trackOf([{ arrival: 1e6, framework: 16e6, machine: 1, ran: 1e6 }]),
  );
  assert.ok(wait.from < 1e9);
  const tasks = [
    { arrival: 0, framework: 5e6, machine: 1, ran: 1e6 },
    { arrival: 0, framework: 2e6, machine: 1, ran: 1e6 },
  ];
  const refused = trackOf(tasks, { moves: [{ at: 2.1e6, reason: 7, task: 0, machine: 1, other: 2 }] });
  const script = scriptOf(moment("first_bounce", 2.1e9), refused);
  assert.ok(script.from < 2e9 && script.from > 1.8e9);
  assert.ok(scriptOf(moment("first_bounce", 1e6), null).from >= 0);
});

test("every kind of moment has a sort", () => {
  assert.deepEqual(
    ["usual_wait", "first_steal", "most_helped", "most_lost", "worst_bounce", "even_choice", "first_report"].map(
      sortOf,
    ),
    ["wait", "steal", "steal", "throw", "bounce", "decision", "report"],
  );
});

test("a stolen probe stands at the victim until it is stolen", () => {
  const work = {
    keeper: { role: "job", label: "", help: "" },
    legs: LEGS.probed,
    moves: [{ reason: 7, role: "steal", frm: "machine_frm", to: "machine", wrong: false }],
  };
  const tasks = [{ communication: 9, worker: 900, machine: 1, ran: 900 }];
  const wire = wireOf(tasks, { moves: [{ at: 500, reason: 7, task: 0, machine: 1, frm: 2 }] });
  const track = new Track(/** @type {any} */ (wire), /** @type {any} */ (work));
  const shown = new Shown();
  const at = (now) => {
    showTask(track, 0, now, { lag: 0, probing: true }, shown);
    return shown.machine;
  };
  assert.deepEqual([at(400), at(600)], [2, 1]);
});

test("tasks of long jobs come from the central scheduler, which sends them to a machine's queue", () => {
  const keeper = { role: "job", label: "", help: "", central: { label: "Central scheduler", help: "" } };
  const wire = wireOf([
    { communication: 9, worker: 900, machine: 1, ran: 900 },
    { communication: 9, machine: 2, ran: 9 },
  ]);
  const track = new Track(
    /** @type {any} */ ({ ...wire, tasks: { ...wire.tasks, long: Uint8Array.from([1, 0]) } }),
    /** @type {any} */ ({ keeper, legs: LEGS.probed, moves: [] }),
  );
  assert.deepEqual([...track.keeper], [1, 0]);
  assert.deepEqual([track.reaches[0], track.served[0], track.begun[0]], [9, 909, 909]);
  const shown = new Shown();
  showTask(track, 0, 5, { lag: 100, probing: true, film: true }, shown);
  assert.equal(shown.where, SHELF);
  assert.equal(shown.probe, 0);
});

test("a race of probes is slow where they are sent and where a task is fetched, and ends after the last start", () => {
  const probes = [
    { machine: 1, from_ns: 1.01e9, until_ns: 2e9, task: 0 },
    { machine: 2, from_ns: 1.01e9, until_ns: -1, task: -1 },
  ];
  const race = { ...moment("probes_race", 3e9), since_ns: 1e9, probes };
  const script = scriptOf(race, trackOf([{ arrival: 1e6, framework: 2e6, machine: 1, ran: 1e6 }]));
  assert.equal(script.from, 1e9, "from when the job came");
  for (const at of [1e9, 1e9 + script.lag_ns, 2e9, 3e9]) assert.equal(rateAt(script, at), SLOW);
  assert.ok(rateAt(script, 1.5e9) > 10 * SLOW);
  assert.ok(script.until > 3e9);
});

test("a task whose request was refused leaves again when the refusal is seen to be back", () => {
  const tasks = [{ arrival: 0, framework: 500, machine: 1, ran: 900 }];
  const track = trackOf(tasks, { moves: [{ at: 400, reason: 7, task: 0, machine: 2, frm: -1, to: -1 }] });
  const shown = new Shown();
  const at = (now, back) => {
    showTask(track, 0, now, { lag: 100, probing: false, film: true, back }, shown);
    return shown.where;
  };
  assert.equal(at(550, 0), 2, "it flies");
  assert.deepEqual([at(550, 2.2), at(610, 2.2), at(630, 2.2)], [SHELF, SHELF, 2]);
});

test("a sentence about a movement names clusters as the map does", () => {
  const scene = /** @type {any} */ ({
    ...{ choice: { said: "" }, focus: null, flights: [], swept: -1 },
    meta: { clusters: [0, 8].map((first, number) => ({ first, name: `lm-${number}` })) },
    moved: [{ role: "borrow", task: 5, machine: 9, place: 0, wrong: false, share: 0.5 }],
    plan: { drawn: true, shelves: [{ name: "Master 0" }, { name: "Master 1" }] },
    shelfOf: () => ({ name: "Master 1" }),
    track: { rowOf: () => 0, job: [2], move: { frm: [1] } },
  });
  assert.equal(sentenceOf(scene, 0), "Task 5 of Master 1 gets machine 9 elsewhere, in Cluster 1.");
});
