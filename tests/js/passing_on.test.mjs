import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";

import { followWords, hasNews, presentWords, whereTo } from "../../static/js/draw/stage/following.js";
import { KEY_GROUPS, keysOf } from "../../static/js/kit/keys.js";
import { CONTROLS, readLesson, selectorOf, writeLesson } from "../../static/js/features/lessons/lesson.js";
import { gettext, ngettext, useWords } from "../../static/js/kit/words.js";

const JS = new URL("../../static/js/", import.meta.url);

test("a lesson comes back from its link, and odd names do not", () => {
  const lesson = { hide: ["compare", "topology.clusters[0].racks"], fix: ["scheduler.params.heartbeat_s"] };
  const search = writeLesson(lesson, "?t=5&hide=old");
  assert.equal(search, "?t=5&hide=compare,topology.clusters[0].racks&fix=scheduler.params.heartbeat_s");
  assert.deepEqual(readLesson(search), lesson);
  assert.deepEqual(readLesson('?hide=a"]*,ok,ok&fix=ok,b'), { hide: ["ok"], fix: ["b"] });
  assert.equal(writeLesson({ hide: [], fix: [] }, search), "?t=5");
});

test("names of a lesson are controls, panels or places in the experiment", () => {
  assert.equal(selectorOf("compare"), "[data-compare]");
  assert.equal(selectorOf("queues"), ".panel-queues");
  assert.equal(selectorOf("scheduler.name"), '[data-path="scheduler.name"]');
  assert.equal(new Set(CONTROLS.map(([name]) => name)).size, CONTROLS.length);
});

test("a presenter tells what cannot be foreseen", () => {
  const view = { run: "r", t_s: 10, playing: true, rate: 2, owners: [] };
  assert.ok(hasNews(null, view, 0));
  assert.ok(!hasNews(view, { ...view, t_s: 12 }, 1));
  assert.ok(hasNews(view, { ...view, t_s: 30 }, 1));
  assert.ok(hasNews(view, { ...view, owners: [1], t_s: 12 }, 1));
  assert.ok(!hasNews({ ...view, playing: false }, { ...view, playing: false }, 5));
  assert.ok(hasNews({ ...view, playing: false }, { ...view, playing: false, t_s: 10.1 }, 5));
});

test("a viewer goes where the presenter is, unless it is near enough", () => {
  const state = { t_s: 10, playing: true, rate: 2 };
  assert.equal(whereTo(state, 9.5), null);
  assert.equal(whereTo(state, 5), 10);
  assert.equal(whereTo({ ...state, playing: false }, 9.9), 10);
});

test("both are told how it stands", () => {
  const at = { up: true, presenting: false, seen: false, apart: false };
  assert.match(followWords(at), /not here yet/);
  assert.match(followWords({ ...at, seen: true }), /has left/);
  assert.match(followWords({ ...at, presenting: true }), /follow the presenter/);
  assert.match(followWords({ ...at, presenting: true, apart: true }), /without you/);
  assert.equal(presentWords({ watching: 1, up: true }), "Presenting · 1 following");
});

test("texts are translated where there is a catalogue", () => {
  useWords({ "{n} of {all}": "{n} von {all}", "one run": { one: "ein Lauf", other: "{n} Läufe" } });
  assert.equal(gettext("{n} of {all}", { n: 2, all: 4 }), "2 von 4");
  assert.equal(ngettext("one run", "{n} runs", 3), "3 Läufe");
  useWords({});
  assert.equal(ngettext("one run", "{n} runs", 3), "3 runs");
  assert.equal(gettext("left {alone}", {}), "left {alone}");
});

test("the list of keys names every module that listens for keys", () => {
  const listening = readdirSync(JS, { recursive: true }).filter(
    (name) => name.endsWith(".js") && /"keydown"|onkeydown|@keydown/.test(readFileSync(new URL(name, JS), "utf8")),
  );
  const named = new Set(KEY_GROUPS.flatMap((group) => group.modules));
  // Following, and a lesson's map, only notice that somebody acts.
  const noticing = ["features/presenting/presenting.js", "features/classes/map_part.js"];
  assert.deepEqual(
    listening.filter((name) => !named.has(name) && !noticing.includes(name)),
    [],
  );
  for (const name of named) assert.ok(readFileSync(new URL(name, JS), "utf8").length, name);
  assert.ok(keysOf("landing").some((group) => group.pages.includes("*")));
});
