import assert from "node:assert/strict";
import test from "node:test";
import { below, bits, uniform } from "../../static/js/toys/draws.js";
import { Events } from "../../static/js/toys/events.js";
import { experimentOf } from "../../static/js/toys/experiment.js";
import { MODELS } from "../../static/js/toys/index.js";
import { SECOND, drawWork, told, withBurst } from "../../static/js/toys/work.js";

const WANTED = { seed: 3, machines: 12, load: 0.9, mean_s: 4, jobs: 300, shares: [1, 1, 1, 1] };
const RULES = {
  one_queue: {},
  probes: { probes: 2 },
  copies: { schedulers: 3, think: SECOND / 5 },
  masters: { masters: 4, delay: SECOND / 20, report: 5 * SECOND },
};
const ended = (run) => run.tasks.every((task) => Number.isFinite(task.end) && task.machine >= 0);

test("draws are the library's", () => {
  assert.equal(bits(1, 16, 0, 0), 483021040918966443n);
  assert.equal(bits(7, 40, 123, 4), 2765040876425784913n);
  assert.equal(bits(2 ** 53 - 1, 1, 0, 9), 6870247971279106239n);
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5].map((job) => below(5, 16, job, 0, 24)),
    [15, 10, 22, 19, 16, 1],
  );
  assert.equal(uniform(1, 1, 2, 0), 0.7571579423650763);
});

test("events come by time, then by kind, then as they were added", () => {
  const events = new Events();
  for (const [at, kind] of [
    [5, 1],
    [3, 2],
    [3, 1],
    [5, 1],
    [3, 2],
  ])
    events.add(at, kind, `${at} ${kind}`);
  const order = Array.from({ length: 5 }, () => events.take());
  assert.deepEqual(
    order.map((event) => event.seq),
    [2, 1, 4, 0, 3],
  );
  assert.equal(events.take(), undefined);
});

test("work has the load and the shares that were asked for, and a burst in its place", () => {
  const work = drawWork({ ...WANTED, jobs: 20_000, shares: [3, 1] });
  const asked = work.jobs.reduce((sum, job) => sum + job.duration, 0);
  const load = asked / (work.jobs.at(-1).arrival * work.machines);
  assert.ok(Math.abs(load - 0.9) < 0.03, `${load}`);
  const share = work.jobs.filter((job) => job.queue === 0).length / work.jobs.length;
  assert.ok(Math.abs(share - 0.75) < 0.02, `${share}`);
  const more = withBurst(drawWork(WANTED), 10 * SECOND + 1, 8, 4);
  assert.equal(more.jobs.length, 308);
  assert.equal(more.jobs.filter((job) => job.arrival > 10 * SECOND && job.arrival < 10 * SECOND + 9000).length, 8);
  const times = more.jobs.map((job) => job.arrival);
  assert.deepEqual(
    times,
    [...times].sort((one, other) => one - other),
  );
});

test("three tasks for one machine run one after the other", () => {
  const jobs = [0, 1, 2].map((at) => ({ arrival: at * SECOND, duration: 4 * SECOND, queue: 0 }));
  const run = MODELS.one_queue({ seed: 1, machines: 1, jobs }, {});
  assert.deepEqual(
    run.tasks.map((task) => task.start / SECOND),
    [0, 4, 8],
  );
  assert.deepEqual(told({ seed: 1, machines: 1, jobs }, run), {
    mean_s: 3,
    p95_s: 6,
    refused: 0,
    asked: 3,
    borrowed: 0,
  });
});

test("old copies send two tasks to one machine, and one of them is refused", () => {
  const jobs = [1, 2].map((at) => ({ arrival: at * 1000, duration: SECOND, queue: 0 }));
  const work = { seed: 1, machines: 1, jobs };
  const run = MODELS.copies(work, { schedulers: 2, think: SECOND / 10 });
  assert.deepEqual(
    run.story.filter((one) => one.kind === "refused").map((one) => one.task),
    [1],
  );
  // It thinks again at once, finds nothing in its new copy, and waits for the end of the first.
  assert.equal(run.tasks[1].start, run.tasks[0].end + SECOND / 10);
  // A decision that finds nothing sends no request.
  const { refused, asked } = told(work, run);
  assert.deepEqual([refused, asked], [1, 3]);
});

test("a master whose machines are taken borrows, unless it may not", () => {
  const jobs = [1, 2].map((at) => ({ arrival: at * SECOND, duration: 10 * SECOND, queue: 0 }));
  const work = { seed: 1, machines: 2, jobs };
  const rules = { masters: 2, delay: SECOND / 10, report: 5 * SECOND };
  const run = MODELS.masters(work, rules);
  assert.deepEqual([run.tasks[1].machine, told(work, run).borrowed], [1, 1]);
  const alone = MODELS.masters(work, { ...rules, borrow: false });
  assert.equal(alone.tasks[1].machine, 0);
  assert.ok(alone.tasks[1].start > alone.tasks[0].end);
});

for (const [model, rules] of Object.entries(RULES)) {
  test(`${model}: every task runs once, no machine runs two at once, and a seed has one outcome`, () => {
    const work = drawWork(WANTED);
    const run = MODELS[model](work, rules);
    assert.ok(ended(run));
    run.tasks.forEach((task, number) => {
      assert.ok(task.start >= work.jobs[number].arrival);
      assert.equal(task.end - task.start, work.jobs[number].duration);
    });
    for (let machine = 0; machine < work.machines; machine += 1) {
      const turns = run.tasks.filter((task) => task.machine === machine).sort((one, other) => one.start - other.start);
      turns.slice(1).forEach((turn, place) => {
        assert.ok(turn.start >= turns[place].end);
      });
    }
    assert.deepEqual(MODELS[model](drawWork(WANTED), rules), run);
    assert.notDeepEqual(MODELS[model](drawWork({ ...WANTED, seed: 4 }), rules).tasks, run.tasks);
    const times = run.story.map((one) => one.at);
    assert.deepEqual(
      times,
      [...times].sort((one, other) => one - other),
    );
    assert.equal(experimentOf(model, work, rules).workload.jobs.length, 300);
  });
}
