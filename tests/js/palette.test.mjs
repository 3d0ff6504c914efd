import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import "./page.mjs";
import { CALM, cellColour, css, HUES, NONE, PAPER, taskColours } from "../../static/js/kit/palette.js";

const { CellPainter } = await import("../../static/js/draw/map/cells.js");
const { cellItems } = await import("../../static/js/draw/stage/legend.js");
const { hueOfJob, hueOf } = await import("../../static/js/draw/work/colours.js");

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

test("short jobs are blue and long jobs orange, also where the datacenter has several queues", () => {
  const [blue, orange] = HUES.map(([hue]) => hue);
  assert.ok(blue > 230 && blue < 280 && orange > 40 && orange < 75);
  const queues = [{ owner: 0 }, { owner: 0 }];
  const track = { queue: [0, 1, 1], job: [0, 1, 2], long: [0, 1, 0] };
  const { by, index } = hueOf({ owners: [], queues, work: { keeper: { role: "job" } } }, track);
  assert.deepEqual([by, ...[0, 1, 2].map(index)], ["length", 0, 1, 0]);
});

test("jobs never take the red that stands for what went wrong", () => {
  const red = HUES.findIndex(([hue]) => hue === 25);
  assert.equal(red, 6);
  assert.ok(!CALM.includes(red) && CALM.length === HUES.length - 1);
});

const JS = new URL("../../static/js/", import.meta.url);
const PALETTE = "kit/palette.js";
const scripts = readdirSync(JS, { recursive: true })
  .filter((name) => name.endsWith(".js"))
  .map((name) => [name, readFileSync(new URL(name, JS), "utf8")]);

test("no script but the palette makes colors, scales or lists of hues of its own", () => {
  const own = {
    "a color":
      /["'`]#(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})["'`;]|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\(["'\d$ .]/i,
    "a named color":
      /(?:fillStyle|strokeStyle|\bfill|\bstroke|colou?r|background):?\s*=?\s*["'](?:black|white|gr[ae]y|red)["']/i,
    "a packed color": /\bpack\(\[/,
    "a list of hues": /\b(?:HUES|COLOU?RS|PALETTE) = \[\s*(?:["']task|\[\d|\d)/,
    "the color of a task or a machine from the style sheet":
      /["'](?:task-(?:second|third|fourth)|cell-(?:free|busy))["']|token\(["']task["']\)/,
  };
  const found = scripts
    .filter(([name]) => name !== PALETTE)
    .flatMap(([name, text]) =>
      Object.entries(own).flatMap(([what, told]) => (told.test(text) ? [`${name}: ${what}`] : [])),
    );
  assert.deepEqual(found, []);
});

test("the style sheet has the palette's colors of tasks and machines in both themes", () => {
  const sheet = readFileSync(new URL("../../static/css/tokens.css", import.meta.url), "utf8");
  const hex = (colour) =>
    `#${colour
      .match(/\d+/g)
      .map((part) => Number(part).toString(16).padStart(2, "0"))
      .join("")}`;
  const wanted = (dark) => {
    const [task, second, third, fourth] = taskColours(dark).strong.map(hex);
    const cells = { "cell-free": hex(cellColour(0, dark)), "cell-busy": hex(cellColour(1, dark)) };
    return { task, "task-second": second, "task-third": third, "task-fourth": fourth, ...cells };
  };
  for (const [name, light] of Object.entries(wanted(false)))
    assert.match(sheet, new RegExp(`--${name}: light-dark\\(${light}, ${wanted(true)[name]}\\);`), name);
});

test("the legend shows the grays and hues in which the cells of that run are painted", () => {
  const load = { name: "load", kind: "level", role: "load", label: "Load", help: "", full: 1, unit: "" };
  const backlog = { name: "backlog", kind: "level", role: "backlog", label: "Waiting", help: "", full: 8, unit: "" };
  const pattern = { name: "kind", kind: "category", role: "pattern", label: "Long", plain: "Short", help: "" };
  const groups = { label: "Groups", help: "", first: [0, 1] };
  const common = { machines: 2, owners: [], clusters: [], marks: [] };
  for (const dark of [false, true])
    for (const layers of [[load], [load, pattern], [load, backlog], [load, backlog, pattern]])
      for (const meta of [
        { ...common, layers },
        { ...common, layers, groups },
      ]) {
        const painter = new CellPainter({ getContext: () => ({}) });
        painter.setMeta(meta);
        painter.setColours(dark, [0, 0, 0]);
        const painted = (owner, at) => css([0, 8, 16].map((bits) => (painter.owners[owner * 256 + at] >>> bits) & 255));
        const ends = layers.includes(backlog) ? [...Array(256).keys()] : [0, 64, 128, 191, 255];
        const known = [...ends.map((at) => painted(NONE, at)), ...[0, 1, 2].map((hue) => painted(hue, 128))];
        const shown = JSON.stringify(cellItems(meta, undefined, dark)).match(/rgb\([\d ]+\)/g);
        assert.ok(shown.includes(painted(NONE, 0)), "idle machines");
        const parts = (colour) => colour.match(/\d+/g).map(Number);
        const near = (one) =>
          known.some((each) => parts(each).every((part, at) => Math.abs(part - parts(one)[at]) <= 1));
        const told = JSON.stringify([dark, layers.map((one) => one.role), Boolean(meta.groups)]);
        assert.deepEqual(
          shown.filter((colour) => !near(colour)),
          [],
          told,
        );
      }
});
