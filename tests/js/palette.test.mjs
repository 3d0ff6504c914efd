import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { hueOfJob, hueOf } from "../../static/js/draw/work/colours.js";
import { CALM, HUES, PAPER } from "../../static/js/kit/palette.js";

test("colors on paper are those of the light theme", () => {
  const css = readFileSync(new URL("../../static/css/tokens.css", import.meta.url), "utf8");
  const light = Object.fromEntries(
    [...css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}),/g)].map(([, name, colour]) => [name, colour]),
  );
  for (const [role, colour] of Object.entries(PAPER)) if (role in light) assert.equal(colour, light[role], role);
  assert.ok(Object.keys(PAPER).filter((role) => role in light).length >= 10);
});

test("a job has one hue on the map and in pictures of graphs", () => {
  const queues = [{ owner: 1 }, { owner: 1 }, { owner: 0 }];
  const track = { queue: [0, 1, 2, 2], job: [0, 9, 2, 3], long: null };
  for (const meta of [
    { owners: ["a", "b"], queues },
    { owners: [], queues },
    { owners: [], queues: queues.slice(0, 1) },
  ]) {
    const { index } = hueOf(meta, track);
    for (const [row, job] of track.job.entries()) assert.equal(hueOfJob(meta, job, track.queue[row]), index(row));
  }
});

test("jobs never take the red that stands for what went wrong", () => {
  const red = HUES.findIndex(([hue]) => hue === 25);
  assert.equal(red, 6);
  assert.ok(!CALM.includes(red) && CALM.length === HUES.length - 1);
});
