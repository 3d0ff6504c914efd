import assert from "node:assert/strict";
import { test } from "node:test";

import { effect, watch } from "../../static/js/kit/view.js";
import { Studio } from "../../static/js/studio/store.js";

const MEGHA = { name: "megha", label: "Megha" };
const SPARROW = { name: "sparrow", label: "Sparrow" };

function studioOf({ boot = {}, experiment = { name: "Mine", scheduler: { name: "megha" }, seed: 1 } } = {}) {
  const studio = new Studio(boot, {});
  const told = [];
  studio.connect({
    livePreview: { changed: (...both) => told.push(["preview", ...both]) },
    drafts: { keep: (kept) => told.push(["draft", kept]) },
    messages: { status: (run) => told.push(["status", run.state]) },
    running: {
      current: null,
      supersede: () => told.push(["supersede"]),
      later: (act) => told.push(["later", act]),
      submit: (submitted) => told.push(["submit", submitted]),
    },
    trouble: {
      show: (problems) => {
        studio.problems.value = problems;
      },
    },
  });
  studio.show(experiment);
  told.length = 0;
  return { studio, told };
}

test("an edit replaces the experiment, keeps a draft and starts a run after a pause", () => {
  const { studio, told } = studioOf();
  const before = studio.experiment.value;
  studio.edit("seed", 7);
  assert.equal(before.seed, 1);
  assert.equal(studio.experiment.value.seed, 7);
  assert.deepEqual(
    told.map(([what]) => what),
    ["preview", "draft", "supersede", "status", "later"],
  );
  told.at(-1)[1]();
  assert.deepEqual(told.at(-1), ["submit", studio.experiment.value]);
});

test("what is somebody else's is not edited until it is the viewer's own", () => {
  const { studio } = studioOf({ boot: { follows: true } });
  studio.edit("seed", 7);
  assert.equal(studio.experiment.value.seed, 1);
  studio.own();
  studio.edit("seed", 7);
  assert.equal(studio.experiment.value.seed, 7);
});

test("undo and redo go through the experiments, and edits of one gesture are one step", () => {
  const { studio } = studioOf();
  studio.edit("seed", 2);
  studio.edit("seed", 3);
  studio.replace({ ...studio.experiment.value, question: "Why?" });
  studio.undo();
  assert.deepEqual([studio.experiment.value.seed, studio.experiment.value.question], [3, undefined]);
  studio.undo();
  assert.equal(studio.experiment.value.seed, 1);
  studio.redo();
  assert.equal(studio.experiment.value.seed, 3);
});

test("an effect follows the experiment, the schedulers, and whether it may be changed", () => {
  const { studio } = studioOf({ boot: { follows: true } });
  const heard = [];
  const stop = effect(() => {
    heard.push([studio.opened.value.seed, studio.chosen.value?.label, studio.readOnly.value]);
  });
  studio.know([SPARROW, MEGHA]);
  studio.own();
  studio.edit("seed", 2);
  stop();
  studio.edit("seed", 3);
  assert.deepEqual(heard, [
    [1, undefined, true],
    [1, "Megha", true],
    [1, "Megha", false],
    [2, "Megha", false],
  ]);
});

test("nobody reads an experiment before there is one", () => {
  const studio = new Studio({}, {});
  assert.equal(studio.experiment.value, null);
  assert.throws(() => studio.opened.value, /No experiment is open/);
  studio.show({ name: "Mine" });
  assert.equal(studio.opened.value.name, "Mine");
});

test("what a watcher reads while it acts does not call it again", () => {
  const { studio } = studioOf();
  let calls = 0;
  watch(
    () => studio.experiment.value,
    () => {
      calls += 1;
      return [studio.session.value, studio.saved.value, studio.problems.value];
    },
  );
  studio.edit("seed", 2);
  studio.saved.value = { id: "e", slug: "e" };
  studio.problems.value = [{ path: "seed", message: "no" }];
  assert.equal(calls, 2);
});

test("a machine is pinned, or another part kept in sight: the inspector shows it", () => {
  const { studio } = studioOf();
  const map = { pinned: -1, overDrawn: true };
  studio.connect({ stage: { map } });
  studio.pin(3);
  assert.deepEqual([map.pinned, studio.shown.value], [3, { kind: "machine", machine: 3 }]);
  studio.follow({ kind: "task", task: 7 });
  assert.deepEqual([map.pinned, studio.shown.value], [3, { kind: "task", task: 7 }]);
  studio.pin(-1);
  assert.deepEqual([map.pinned, studio.shown.value], [-1, null]);
});

test("back to what the server last took, and only from what it refused", () => {
  const { studio } = studioOf();
  studio.adopt({ id: "e", slug: "e", experiment: { name: "Stored", seed: 4 } });
  studio.edit("seed", -1);
  studio.revert();
  assert.equal(studio.experiment.value.seed, -1);
  studio.problems.value = [{ path: "seed", message: "no" }];
  studio.revert();
  assert.equal(studio.experiment.value.seed, 4);
  assert.deepEqual(studio.problems.value, []);
});

test("a run beside the former one is compared at one instant, and as a whole where it has ended", () => {
  const { studio } = studioOf();
  assert.equal(studio.ghostPicture(), null);
  const store = { growing: "its end", pictureAtTime: (t_ns) => `at ${t_ns}` };
  studio.ghost.value = { store, session: null };
  const player = { ended: false, t_ns: 9, shownNs: 4 };
  studio.connect({ stage: { player } });
  assert.equal(studio.ghostPicture(), "at 4");
  player.ended = true;
  assert.equal(studio.ghostPicture(), "its end");
});
