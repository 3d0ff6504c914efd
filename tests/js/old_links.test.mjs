// Links that people hold open for good. What stands here was copied from address bars of earlier versions: never change
// an address, only what it has to mean.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import vm from "node:vm";

import { readViewState } from "../../static/js/run/view_state.js";

const NOTHING = readViewState("");

const VIEWS = {
  "?t=36.169998&layer=load&speed=0.5&paused=1": { t_s: 36.169998, layer: "load", speed: 0.5, paused: true },
  "?t=12.5&zoom=3&centre=120": { t_s: 12.5, zoom: 3, centre: 120 },
  "?show=machine.17&owners=0.2": { show: { kind: "machine", machine: 17 }, owners: [0, 2] },
  "?show=task.57240": { show: { kind: "task", task: 57240 } },
  "?show=partition.3.1": { show: { kind: "partition", cluster: 3, owner: 1 } },
  "?show=cluster.lm-1": { show: { kind: "cluster", name: "lm-1" } },
  "?show=queue.prod&picture=gantt&job=4": { show: { kind: "queue", name: "prod" }, picture: "gantt", job: 4 },
  "?moment=longest_wait": { moment: "longest_wait" },
  "?follow&run=dVYxdOB4&t=1": { t_s: 1 },
};

test("views of old links are read as they were", () => {
  for (const [search, view] of Object.entries(VIEWS)) assert.deepEqual(readViewState(search), { ...NOTHING, ...view });
});

const script = await readFile(new URL("../../static/js/level.js", import.meta.url), "utf8");

/** The level at which an address opens, for a visitor who chose one before or none. */
function levelAt(address, chosen = null) {
  const { pathname, search, hash } = new URL(address, "http://x");
  const root = { dataset: {} };
  vm.runInNewContext(script, {
    location: { pathname, search, hash },
    document: { documentElement: root },
    localStorage: { getItem: () => chosen },
    URLSearchParams,
  });
  return root.dataset;
}

test("links of before there were levels open the Lab, unless the visitor chose another level", () => {
  for (const address of [
    "/studio/4fTqKz2mWc?t=36.17&layer=load",
    "/e/warm-otter-12",
    "/e/warm-otter-12?t=4&show=task.14",
    "/studio?gallery=old-news",
    "/studio#x1.NY1LDoMgFEX3cscMatsRW-gSjDFUXpQK",
  ]) {
    assert.deepEqual(levelAt(address), { level: "lab", levelSaid: "false" }, address);
    assert.equal(levelAt(address, "watch").level, "watch");
    assert.equal(levelAt(`${address.split(/[?#]/)[0]}?level=play`, "watch").level, "play");
  }
  assert.deepEqual(levelAt("/studio"), { level: "watch", levelSaid: "true" });
  assert.equal(levelAt("/studio", "everything").level, "watch");
});
