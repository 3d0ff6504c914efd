import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { posix } from "node:path";
import { test } from "node:test";

const JS = new URL("../../static/js/", import.meta.url);
/**
 * The floors of the page, lowest first. A module imports from its own room and from rooms of lower floors, never from a
 * room beside it. `features/*` stands for each feature: a room of its own. Every folder and every root file is here.
 */
const FLOORS = [
  ["kit", "level.js", "theme.js"],
  ["contract"],
  ["experiment"],
  ["run"],
  ["engine"],
  ["draw/scenes"],
  ["draw/charts"],
  ["draw/map"],
  ["draw/work"],
  ["draw/stage"],
  ["toys"],
  ["features/*"],
  ["studio"],
  ["pages"],
];
const BOOT_SCRIPTS = ["level.js", "theme.js"];

const modules = readdirSync(JS, { recursive: true }).filter((name) => /\.(js|d\.ts)$/.test(name));

/** The room of a module: its folder, of `draw` and `features` with the folder below. */
function roomOf(name) {
  const parts = name.split("/");
  return parts.slice(0, ["draw", "features"].includes(parts[0]) && parts.length > 2 ? 2 : 1).join("/");
}
const floorOf = (room) =>
  FLOORS.findIndex((rooms) => rooms.includes(room) || (rooms.includes("features/*") && room.startsWith("features/")));

/** The modules that one imports: at once, later by `import()`, or by passing on. Types in comments do not count. */
function importsOf(name) {
  const source = readFileSync(new URL(name, JS), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
  return [...source.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)"(\.[^"]+)"/g)]
    .map(([, path]) => posix.normalize(posix.join(posix.dirname(name), path)))
    .filter((path) => !path.startsWith(".."));
}

const imports = modules.flatMap((name) => importsOf(name).map((path) => ({ name, path })));
const told = (found) => found.map(({ name, path }) => `${name}: ${path}`);

test("every folder and every root file has a floor, and every floor has a folder or file", () => {
  const rooms = new Set(modules.map(roomOf));
  assert.deepEqual(
    [...rooms].filter((room) => floorOf(room) < 0),
    [],
  );
  const empty = FLOORS.flat().filter((room) => room !== "features/*" && !rooms.has(room));
  assert.deepEqual(empty, []);
});

test("imports are seen: static, later and through several lines", () => {
  assert.ok(importsOf("pages/studio.js").includes("studio/store.js"));
  assert.ok(importsOf("studio/panels/work.js").includes("kit/view.js"));
  assert.ok(importsOf("studio/editing.js").includes("studio/editor_sheet.js"));
  assert.ok(importsOf("features/composer/composer.js").includes("features/composer/pipeline.js"));
});

test("a module imports from its own room and from lower floors only", () => {
  const wrong = imports.filter(({ name, path }) => {
    const [from, to] = [roomOf(name), roomOf(path)];
    return from !== to && floorOf(to) >= floorOf(from);
  });
  assert.deepEqual(told(wrong), []);
});

test("pages and scripts that start before the page are not imported, so that each stands alone", () => {
  const alone = imports.filter(({ path }) => path.startsWith("pages/") || BOOT_SCRIPTS.includes(path));
  assert.deepEqual(told(alone), []);
});

test("no modules import each other in a circle", () => {
  const circles = [];
  const done = new Set();
  const visit = (name, way) => {
    if (way.includes(name)) circles.push([...way.slice(way.indexOf(name)), name].join(" > "));
    if (way.includes(name) || done.has(name)) return;
    for (const path of importsOf(name)) visit(path, [...way, name]);
    done.add(name);
  };
  for (const name of modules) visit(name, []);
  assert.deepEqual(circles, []);
});
