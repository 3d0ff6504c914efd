import { roundTop } from "../../static/js/kit/scales.js";
import test from "node:test";
import assert from "node:assert/strict";

import {
  askedTask,
  assemble,
  isAltruistic,
  isFromLeftover,
  placementsOf,
  progressOf,
  readyOf,
  spanOf,
  stageName,
} from "../../static/js/features/graphs/job_graphs.js";
import { giftsAt, giftsOf, givingSpans, tellGifts } from "../../static/js/features/graphs/gifts.js";
import { boxOf, ganttHit, ganttScene, ganttStep } from "../../static/js/features/graphs/gantt_scene.js";
import { ganttRows, rowTops } from "../../static/js/features/graphs/gantt_place.js";
import {
  BOX,
  fitting,
  graphPlan,
  graphScene,
  graphStep,
  stageAt,
} from "../../static/js/features/graphs/graph_scene.js";
import {
  binsOf,
  jobShare,
  largestJobs,
  leftoverPool,
  queueShares,
  resourcesByUse,
  weightsThere,
} from "../../static/js/features/graphs/job_shares.js";
import { givenScene } from "../../static/js/features/graphs/given_scene.js";
import { groundOf, standingAt } from "../../static/js/features/graphs/standing.js";
import { layered } from "../../static/js/draw/scenes/layered.js";
import { lineScene } from "../../static/js/draw/scenes/line_scene.js";
import {
  improvementOf,
  pairAt,
  pairsOf,
  pairsPlace,
  pairsScene,
  sameJobs,
} from "../../static/js/draw/scenes/job_pairs.js";
import { parentsHolding, tellJob, tellStage, tellTask } from "../../static/js/features/graphs/job_sentences.js";
import { rect, sceneSvg, text } from "../../static/js/draw/scenes/scene.js";
import { timeTicks } from "../../static/js/kit/time_axis.js";

const S = 1e9;
const META = {
  machines: 1,
  resources: ["cpus", "memory_gb"],
  capacity: [1, 0],
  clusters: [{ name: "pool", first: 0, machines: 1 }],
  queues: [{ name: "q0", share: 1 }],
  reasons: [
    { code: 20, name: "must_start" },
    { code: 21, name: "left_over" },
    { code: 10, name: "least_share" },
  ],
};
// Carbyne's Figure 2 as it ran: the first job gives up room that its plan does not need yet.
const FIGURE = {
  jobs: {
    queue: [0, 0],
    arrival_us: [0, 0],
    end_us: [2.1e6, 1e6],
    tasks: [6, 2],
    path_us: [1.1e6, 1e6],
    first_stage: [0, 3],
    stages: [3, 1],
  },
  stages: {
    job: [0, 0, 0, 1],
    first: [0, 2, 5, 6],
    tasks: [2, 3, 1, 2],
    duration_us: [1e6, 1e6, 1e5, 1e6],
    demand: [
      [0.04, 0],
      [0.21, 0],
      [0.1, 0],
      [0.29, 0],
    ],
    parents: [[], [], [0, 1], []],
    critical: [true, true, true, true],
    name: ["s0", "s1", "s2", null],
  },
  placements: {
    task: [0, 1, 2, 3, 4, 5, 6, 7],
    machine: [0, 0, 0, 0, 0, 0, 0, 0],
    start_us: [1e6, 1e6, 0, 0, 1e6, 2e6, 0, 0],
    end_us: [2e6, 2e6, 1e6, 1e6, 2e6, 2.1e6, 1e6, 1e6],
    reason: [20, 20, 20, 21, 20, 20, 20, 21],
  },
};
const figure = () => assemble(FIGURE, META);
const near = (found, expected, within = 1e-9) =>
  assert.ok(Math.abs(found - expected) <= within, `${found} is not ${expected}`);

test("a stage tells how many of its tasks wait, run and are done at an instant", () => {
  const graphs = figure();
  assert.deepEqual(progressOf(graphs, 1, 0.5 * S), { waiting: 1, running: 2, done: 0, held: [] });
  assert.deepEqual(progressOf(graphs, 1, 1 * S), { waiting: 0, running: 1, done: 2, held: [] });
  assert.deepEqual(progressOf(graphs, 2, 1.5 * S), { waiting: 1, running: 0, done: 0, held: [0, 1] });
  assert.deepEqual(spanOf(graphs, 1), [0, 2 * S]);
  assert.equal(readyOf(graphs, 2), 2 * S);
  assert.deepEqual(placementsOf(graphs, 1), [6, 8]);
  assert.equal(graphs.placements.stage[5], 2);
});

test("a question about a stage is about a task that waits, else one that runs", () => {
  const graphs = figure();
  assert.equal(askedTask(graphs, 1, 0.5 * S), 4);
  assert.equal(askedTask(graphs, 1, 1.5 * S), 4);
  assert.equal(askedTask(graphs, 0, 0.5 * S), 0);
});

test("who holds back and what started from leftover is read off the reasons of starts", () => {
  const graphs = figure();
  assert.ok(isAltruistic(graphs, 0));
  assert.deepEqual(
    [2, 3, 7].map((at) => isFromLeftover(graphs, at)),
    [false, true, true],
  );
  const fair = assemble(
    { ...FIGURE, placements: { ...FIGURE.placements, reason: FIGURE.placements.reason.map(() => 10) } },
    META,
  );
  assert.ok(!isAltruistic(fair, 0));
});

test("at an instant each job is told what it holds beside its equal share, what it gives, and which tasks wait", () => {
  const graphs = figure();
  const ground = groundOf(graphs);
  const [giver, taker] = standingAt(graphs, ground, 0.5 * S);
  near(giver.holds, 0.42);
  near(giver.gives, 0.08);
  assert.deepEqual([giver.fair, giver.waits, taker.waits, taker.gives], [0.5, 3, 0, 0]);
  near(taker.holds - taker.fair, 0.08);
  assert.equal(standingAt(graphs, ground, 1.5 * S)[1].state, "done");
  const scene = givenScene([giver, taker], { width: 800, height: 200, hue: (job) => job, gift: { from: 0, to: 1 } });
  assert.ok(scene.some((mark) => mark.kind === "rect" && mark.dash));
  const words = scene.filter((mark) => mark.kind === "text").map((mark) => mark.words);
  assert.ok(words.some((each) => each.startsWith("3 tasks wait")));
});

test("sentences tell a task, a stage, a job and what holds a stage up", () => {
  const graphs = figure();
  assert.equal(stageName(graphs, 3), "stage 0");
  assert.equal(
    tellTask(graphs, META, 3),
    "Task 3, s1 of job 0: from 0\u202fs to 1\u202fs, 1\u202fs. It holds 0.21 CPUs. " +
      "It started on capacity that other jobs left over.",
  );
  assert.match(
    tellStage(graphs, 2, 1.5 * S),
    /S2: of 1 task 1 waits, 0 run, 0 done\. Now held up by s0, s1\..*On the critical path\. Waits for 2 stages\.$/,
  );
  assert.match(
    tellJob(graphs, META, 0),
    /3 stages, 6 tasks; arrived at 0\u202fs, it took 2\.1\u202fs, at least 1\.1\u202fs/,
  );
  assert.match(
    parentsHolding(graphs, 2, 0.5 * S),
    /^Held up by s0 \(0 of 2 done, 0 run, 2 wait; it ends at 2\u202fs\), s1 \(0 of 3 done, 2 run, 1 waits/,
  );
  assert.equal(parentsHolding(graphs, 1, 0.5 * S), "");
});

test("a layout puts every stage after its parents and no two on one another", () => {
  let seed = 7;
  const random = () => {
    seed = (seed * 48271) % 2147483647;
    return seed / 2147483647;
  };
  for (const count of [1, 2, 30, 400]) {
    const parents = Array.from({ length: count }, (_, node) =>
      Array.from({ length: node }, (_unused, other) => other).filter(() => random() < 2 / count),
    );
    const { layer, y, layers, height } = layered(parents);
    parents.forEach((own, node) =>
      assert.equal(layer[node], own.length ? 1 + Math.max(...own.map((parent) => layer[parent])) : 0),
    );
    for (let one = 0; one < layers; one += 1) {
      const own = [...y].filter((_, node) => layer[node] === one).sort((a, b) => a - b);
      for (let place = 1; place < own.length; place += 1) assert.ok(own[place] - own[place - 1] >= 1 - 1e-9);
    }
    assert.ok(Math.min(...y) >= 0 && Math.max(...y) <= height - 1 + 1e-9);
  }
  assert.deepEqual(layered([]), { layer: new Int32Array(0), y: new Float64Array(0), layers: 0, height: 0 });
});

test("a chain is drawn as a straight line", () => {
  const { y } = layered([[], [0], [1], [2]]);
  assert.deepEqual([...y], [0, 0, 0, 0]);
});

test("boxes of a graph are found where they are drawn, and arrow keys follow its edges", () => {
  const graphs = figure();
  const plan = graphPlan(graphs, 0);
  const camera = fitting(plan, 700, 400);
  for (let stage = 0; stage < 3; stage += 1) {
    const at = [
      (plan.x[stage] + BOX.w / 2) * camera.scale + camera.x,
      (plan.y[stage] + BOX.h / 2) * camera.scale + camera.y,
    ];
    assert.ok(at[0] > 0 && at[0] < 700 && at[1] > 0 && at[1] < 400);
    assert.equal(stageAt(plan, camera, ...at), stage);
  }
  assert.equal(stageAt(plan, camera, 1, 1), -1);
  assert.equal(graphStep(plan, 0, 1, 0), 2);
  assert.equal(graphStep(plan, 0, 0, 1), 1);
  assert.ok([0, 1].includes(graphStep(plan, 2, -1, 0)));
  const words = graphScene(graphs, plan, camera, { t_ns: 0.5 * S, width: 700, height: 400 })
    .filter((mark) => mark.kind === "text")
    .map((mark) => mark.words);
  assert.deepEqual(words, ["s0", "2 of 2 wait", "s1", "2 of 3 run", "s2", "1 held up"]);
});

test("bars of one row never overlap, and each is found under its middle", () => {
  const graphs = figure();
  for (const by of ["jobs", "machines"]) {
    const model = ganttRows(graphs, by);
    assert.equal(model.rows.length, by === "jobs" ? 2 : 1);
    const view = { span: [0, model.end], scroll: 0, width: 600, height: 300, tops: rowTops(model, 278, false) };
    for (let at = 0; at < graphs.placements.count; at += 1) {
      const box = boxOf(graphs, model, view, at);
      assert.deepEqual(ganttHit(graphs, model, view, box.x + box.w / 2, box.y + box.h / 2), { kind: "task", at });
      for (let other = 0; other < at; other += 1) {
        const there = boxOf(graphs, model, view, other);
        assert.ok(
          box.x >= there.x + there.w - 1e-6 ||
            there.x >= box.x + box.w - 1e-6 ||
            box.y >= there.y + there.h - 1e-6 ||
            there.y >= box.y + box.h - 1e-6,
          `${at} and ${other} overlap`,
        );
      }
    }
    assert.equal(ganttHit(graphs, model, view, 300, 5), null);
    assert.deepEqual(ganttHit(graphs, model, view, 20, 40), { kind: "row", row: 0 });
  }
});

test("arrow keys go along a row and to the nearest task of the next one", () => {
  const graphs = figure();
  const model = ganttRows(graphs, "jobs");
  assert.equal(ganttStep(graphs, model, -1, 1, 0), 2);
  assert.equal(ganttStep(graphs, model, 2, 1, 0), 3);
  assert.equal(ganttStep(graphs, model, 5, 1, 0), 5);
  assert.equal(ganttStep(graphs, model, 2, 0, 1), 6);
  assert.equal(ganttStep(graphs, model, 6, 0, 1), 6);
});

function manyTasks(jobs, tasks) {
  const rows = Array.from({ length: jobs * tasks }, (_, at) => at);
  return assemble(
    {
      jobs: {
        queue: Array(jobs).fill(0),
        arrival_us: Array(jobs).fill(0),
        end_us: Array(jobs).fill(tasks * 10),
        tasks: Array(jobs).fill(tasks),
        path_us: Array(jobs).fill(10),
        first_stage: Array.from({ length: jobs }, (_, job) => job),
        stages: Array(jobs).fill(1),
      },
      stages: {
        job: Array.from({ length: jobs }, (_, job) => job),
        first: Array.from({ length: jobs }, (_, job) => job * tasks),
        tasks: Array(jobs).fill(tasks),
        duration_us: Array(jobs).fill(10),
        demand: Array.from({ length: jobs }, () => [0.01, 0]),
        parents: Array.from({ length: jobs }, () => []),
        critical: Array(jobs).fill(true),
        name: Array(jobs).fill(null),
      },
      placements: {
        task: rows,
        machine: rows.map((at) => at % 7),
        start_us: rows.map((at) => (at % tasks) * 10),
        end_us: rows.map((at) => (at % tasks) * 10 + 10),
        reason: rows.map(() => 10),
      },
    },
    META,
  );
}

test("a hundred thousand tasks are drawn as no more bars than there are pixels", () => {
  const graphs = manyTasks(100, 1000);
  const model = ganttRows(graphs, "jobs");
  const view = { span: [0, model.end], scroll: 0, width: 364, height: 522, tops: rowTops(model, 500, false) };
  const inside = ganttScene(graphs, model, view)
    .filter((mark) => mark.kind === "clip")[1]
    .inside.filter((mark) => mark.kind === "rect");
  assert.ok(inside.length > 100 * 100 && inside.length <= 100 * 302, String(inside.length));
  const zoomed = ganttScene(graphs, model, { ...view, span: [0, model.end / 500] })
    .filter((mark) => mark.kind === "clip")[1]
    .inside.filter((mark) => mark.kind === "rect");
  assert.ok(zoomed.length >= 200 && zoomed.length <= 400, String(zoomed.length));
});

test("shares are means over bins, exact to the part of a bin", () => {
  const graphs = figure();
  const bins = { count: 3, length: 0.7 * S, end: 2.1 * S };
  const share = jobShare(graphs, bins, 0);
  // 0.42 until 1 s, 0.29 until 2 s, then 0.1.
  near(share[0], 0.42);
  near(share[1], (0.42 * 0.3 + 0.29 * 0.4) / 0.7);
  near(share[2], (0.29 * 0.6 + 0.1 * 0.1) / 0.7);
  near(queueShares(graphs, bins, 1)[0][0], 0.42 + 0.58);
  assert.deepEqual(
    [...weightsThere(graphs, bins)].map((value) => Math.round(value * 1e6) / 1e6),
    [2, 1 + Math.round((0.3 / 0.7) * 1e6) / 1e6, 1],
  );
  assert.deepEqual(largestJobs(graphs, 5), [0, 1]);
  assert.equal(binsOf(graphs, 10).end, 2.1 * S);
});

test("the largest share of several resources is the one that counts", () => {
  const two = assemble(
    {
      ...FIGURE,
      stages: {
        ...FIGURE.stages,
        demand: [
          [0.04, 1],
          [0.21, 1],
          [0.1, 1],
          [0.29, 1],
        ],
      },
    },
    { ...META, capacity: [1, 4] },
  );
  near(jobShare(two, { count: 1, length: 1 * S, end: 1 * S }, 0)[0], 0.5);
  assert.deepEqual(resourcesByUse(two), [1, 0]);
});

test("the leftover pool of Figure 2: one half less what the first job's plan needs, drawn by both", () => {
  const graphs = figure();
  const pool = leftoverPool(graphs, { count: 2, length: 1 * S, end: 2 * S }, 0);
  // In the first second plans hold one task of 0.21 and one of 0.29.
  near(pool.left[0], 0.5);
  near(pool.drawn[0], 0.21 + 0.29);
  near(pool.given[0], 0.5 - 0.21 + Math.min(0.5 - 0.29, 0.29));
  assert.deepEqual(
    pool.givers[0].map(([job]) => job),
    [0, 1],
  );
  assert.deepEqual(
    pool.drawers[0].map(([job]) => job),
    [1, 0],
  );
  near(pool.drawn[1], 0);
});

test("shares that are given away are told with who gives and who takes, and marked in the rows of the givers", () => {
  const gifts = giftsOf(figure(), () => 1);
  assert.deepEqual(
    giftsAt(gifts, 0.5 * S).givers.map(([job]) => job),
    [0, 1],
  );
  assert.match(tellGifts(gifts, 0.5 * S), /^Now 2 jobs give away 50.% .* job 0 \(29.%\), job 1 \(21.%\).* hold 50.%/);
  assert.equal(tellGifts(gifts, 2.05 * S), "Now no job gives a part of its share away.");
  const [[from, to]] = givingSpans(gifts, 0);
  assert.ok(from === 0 && to >= 1 * S && to < 2.1 * S);
});

test("paired factors: how many times as fast, by nearest rank", () => {
  const mine = { count: 4, arrival: [0, 0, 0, 0], end: [1 * S, 2 * S, 4 * S, -1] };
  const other = { count: 4, arrival: [0, 0, 0, 0], end: [2 * S, 2 * S, 2 * S, 1 * S] };
  const pairs = pairsOf(mine, other);
  assert.deepEqual([...pairs.jobs], [0, 1, 2]);
  assert.deepEqual([...pairs.factor], [2, 1, 0.5]);
  assert.deepEqual(improvementOf(pairs), { mean: 3.5 / 3, median: 1, faster: 1, slower: 1 });
  const place = pairsPlace(pairs, 500, 400);
  assert.equal(pairAt(pairs, 500, 400, place.x(2 * S), place.y(4 * S)), 2);
  assert.equal(pairAt(pairs, 500, 400, 0, 0), -1);
  const dots = pairsScene(pairs, { width: 500, height: 400, names: ["A", "B"] }).filter((mark) => mark.kind === "dot");
  assert.deepEqual(
    dots.map((mark) => Boolean(mark.stroke)),
    [false, false, true],
  ); // slower ones are rings
  assert.deepEqual(improvementOf(pairsOf({ count: 0, arrival: [], end: [] }, other)), {
    mean: 0,
    median: 0,
    faster: 0,
    slower: 0,
  });
});

test("jobs of other work are not paired", () => {
  const { jobs } = figure();
  assert.ok(sameJobs(jobs, FIGURE.jobs));
  assert.ok(sameJobs(jobs, { tasks: [6], path_us: [1.1e6] }));
  assert.ok(!sameJobs(jobs, { tasks: [6, 2], path_us: [1.1e6, 2e6] }));
  assert.ok(!sameJobs(jobs, { tasks: [6, 3], path_us: [1.1e6, 1e6] }));
});

test("lines step from bin to bin inside their box", () => {
  const bins = { count: 2, length: 1 * S, end: 2 * S };
  const scene = lineScene(bins, [{ values: [0.5, 1], role: "data" }], {
    span: [0, 2 * S],
    most: 1,
    width: 266,
    height: 234,
    cursor: 1 * S,
  });
  const drawn = scene
    .find((mark) => mark.kind === "clip")
    .inside.find((mark) => mark.kind === "line" && mark.stroke === "data");
  assert.deepEqual(drawn.points, [
    [52, 110],
    [152, 110],
    [152, 10],
    [252, 10],
  ]);
  assert.equal(roundTop(0), 0.1);
  near(roundTop(0.43), 0.5);
});

test("ticks of time are round and in one unit", () => {
  assert.deepEqual(
    timeTicks(0, 1700 * S, 4).map((tick) => tick.label),
    ["0", "10\u00a0min", "20\u00a0min"],
  );
  assert.deepEqual(
    timeTicks(0, 2.1 * S, 5).map((tick) => tick.label),
    ["0", "0.5\u00a0s", "1\u00a0s", "1.5\u00a0s", "2\u00a0s"],
  );
  assert.ok(timeTicks(0, 1e5, 5).length <= 6);
  assert.deepEqual(
    timeTicks(0, 6e5, 5).map((tick) => tick.label),
    ["0", "0.2\u00a0ms", "0.4\u00a0ms", "0.6\u00a0ms"],
  );
});

test("ticks of an axis beyond two hours count hours", () => {
  const labels = (from, to, most) => timeTicks(from * 60 * S, to * 60 * S, most).map((tick) => tick.label);
  assert.deepEqual(labels(0, 330, 12), [
    "0",
    ...["30 min", "1 h", "1 h 30 min", "2 h", "2 h 30 min", "3 h", "3 h 30 min", "4 h", "4 h 30 min", "5 h"].map(
      (label) => label.replace(/(\d) /g, "$1\u00a0"),
    ),
    "5\u00a0h 30\u00a0min",
  ]);
  assert.deepEqual(labels(0, 330, 6), ["0", "1\u00a0h", "2\u00a0h", "3\u00a0h", "4\u00a0h", "5\u00a0h"]);
  assert.deepEqual(labels(0, 90, 3), ["0", "30\u00a0min", "60\u00a0min", "90\u00a0min"]);
});

test("an export is SVG with the words escaped", () => {
  const svg = sceneSvg([rect(1, 2, 3, 4, [0, 1]), text(5, 6, 'a < b & "c"')], {
    width: 100,
    height: 50,
    title: "T<",
    subtitle: "s",
  });
  assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="100" height="122"/);
  assert.match(svg, /a &#60; b &#38; &#34;c&#34;/);
  assert.ok(!svg.includes("T<<"));
});
