import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const JS = new URL("../../static/js/", import.meta.url);
/** The modules that make elements by `h()`: canvases, with what lies over them. All other elements are views. */
const BY_HAND = ["draw/map/map.js", "draw/map/minimap.js", "draw/scenes/canvas_picture.js"];

const modules = readdirSync(JS, { recursive: true }).filter((name) => name.endsWith(".js"));
const importsH = (name) =>
  /import \{[^}]*\bh\b[^}]*\} from "[^"]*kit\/dom\.js"/.test(readFileSync(new URL(name, JS), "utf8"));

test("no further module makes elements by hand", () => {
  const further = modules.filter((name) => importsH(name) && !BY_HAND.includes(name));
  assert.deepEqual(further, [], "write these as views: show() or made() of kit/view.js");
});

test("a module that has become a view leaves the list", () => {
  const left = BY_HAND.filter((name) => !modules.includes(name) || !importsH(name));
  assert.deepEqual(left, [], "remove these from BY_HAND");
});
