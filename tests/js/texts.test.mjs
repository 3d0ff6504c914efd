import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

import { textsOf } from "./texts.mjs";

/** What a template literal has where a value goes. */
const HOLE = ["$", "{kind}"].join("");
const JS = new URL("../../static/js/", import.meta.url);
/** Lists whose texts go through gettext where they are shown. */
const LISTS = new Set(["kit/keys.js"]);
/**
 * How many texts are not given to gettext yet: mostly sentences with numbers, which have to be written anew with named
 * places. The count may only fall: lower it with each text that goes through gettext.
 */
const LEFT = 195;

test("texts are found where a person reads them, and not where code does", () => {
  const found = (source) => textsOf(source).map(({ text, wrapped }) => [text, wrapped]);
  assert.deepEqual(found('h("button", { class: "big wide", title: "Undo it", onclick }, "Undo", icon)'), [
    ["Undo it", false],
    ["Undo", false],
  ]);
  assert.deepEqual(found('h("p", {}, gettext("Nothing yet"))'), [["Nothing yet", true]]);
  assert.deepEqual(found('h("p", {}, ngettext("one run", "{n} runs", n))'), [
    ["one run", true],
    ["{n} runs", true],
  ]);
  assert.deepEqual(found('note.textContent = late ? "Too late" : "In time"; note.className = "quiet note";'), [
    ["Too late", false],
    ["In time", false],
  ]);
  assert.deepEqual(found(`if (kind === "machine") this.studio.messages.notice(\`No ${HOLE} here\`, "", 40);`), [
    [`No ${HOLE} here`, false],
  ]);
  assert.deepEqual(found("const a = /it's \"quoted\"/; // h('p', {}, 'a comment')\nelement.append(a);"), []);
  assert.deepEqual(found('h("li", {}, list.map((one) => h("a", { href: "/some/place" }, one)))'), []);
});

test("texts that do not go through gettext only become fewer", () => {
  const left = readdirSync(JS, { recursive: true })
    .filter((name) => name.endsWith(".js") && !LISTS.has(name))
    .flatMap((name) => textsOf(readFileSync(new URL(name, JS), "utf8")).map((each) => ({ name, ...each })))
    .filter((each) => !each.wrapped);
  const told = left.map(({ name, text }) => `${name}: ${text.slice(0, 80)}`).join("\n");
  assert.ok(left.length <= LEFT, `${left.length} texts, at most ${LEFT}; give new ones to gettext:\n${told}`);
  assert.ok(left.length >= LEFT, `only ${left.length} texts are left: lower LEFT, so that they stay as few`);
});
