import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { posix } from "node:path";
import { test } from "node:test";

const JS = new URL("../../static/js/", import.meta.url);
/** Folders by floor: a module imports from its own floor and from those below. */
const FLOORS = [["kit", "experiment", "run", "map", "work", "toys"], ["features", "studio"], ["pages"]];
const floorOf = (path) => FLOORS.findIndex((folders) => folders.includes(path.split("/")[0]));

const modules = readdirSync(JS, { recursive: true }).filter((name) => name.endsWith(".js") && name.includes("/"));

/** The modules that one imports when it is loaded; types in comments and `import()` are not meant. */
function importsOf(name) {
  const source = readFileSync(new URL(name, JS), "utf8");
  return [...source.matchAll(/^(?:import|export|\})(?!\()[^"\n]*"(\.[^"]+)";$/gm)]
    .map(([, path]) => posix.normalize(posix.join(posix.dirname(name), path)))
    .filter((path) => !path.startsWith(".."));
}

test("every folder is on a floor, and every import is seen", () => {
  assert.deepEqual(
    modules.filter((name) => floorOf(name) < 0),
    [],
  );
  assert.ok(importsOf("pages/studio.js").includes("studio/store.js"));
  assert.ok(importsOf("studio/panels/work.js").includes("kit/dom.js"));
});

test("no module imports from a floor above", () => {
  const upward = modules.flatMap((name) =>
    importsOf(name)
      .filter((path) => floorOf(path) > floorOf(name))
      .map((path) => `${name}: ${path}`),
  );
  assert.deepEqual(upward, []);
});

test("pages are not imported, so that each stands alone", () => {
  const between = modules.flatMap((name) =>
    importsOf(name)
      .filter((path) => path.startsWith("pages/"))
      .map((path) => `${name}: ${path}`),
  );
  assert.deepEqual(between, []);
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

test("no script is longer than 300 lines", () => {
  const linesOf = (name) => readFileSync(new URL(name, JS), "utf8").split("\n").length - 1;
  assert.deepEqual(
    modules.filter((name) => linesOf(name) > 300),
    [],
  );
});
