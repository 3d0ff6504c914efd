import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { catalogue, ENGLISH, FOLDER, FORMER, ordered, otherLanguages, sources, written } from "./catalogue.mjs";
import { messagesOf, strayTexts } from "./texts.mjs";
import { three, whole } from "../../static/js/kit/format.js";
import { typedNumber } from "../../static/js/kit/typed.js";
import { gettext, ngettext, useWords } from "../../static/js/kit/words.js";

/** What a template literal has where a value goes. */
const HOLE = ["$", "{kind}"].join("");

test("texts are found where a person reads them, and not where code does", () => {
  const found = (source) => strayTexts(source).map(({ text }) => text);
  assert.deepEqual(found('h("button", { class: "big wide", title: "Undo it", onclick }, "Undo", icon)'), [
    "Undo it",
    "Undo",
  ]);
  assert.deepEqual(found('h("p", {}, gettext("Nothing yet")); ngettext("one run", "{n} runs", n)'), []);
  assert.deepEqual(found('note.textContent = late ? "Too late" : "In time"; note.className = "quiet note";'), [
    "Too late",
    "In time",
  ]);
  assert.deepEqual(found(`if (kind === "machine") this.messages.notice(\`No ${HOLE} here\`, "", 40);`), ["No {} here"]);
  assert.deepEqual(found('const STATES = { done: "Computed", failed: "The run stopped" };'), [
    "Computed",
    "The run stopped",
  ]);
  assert.deepEqual(found('const word = failed ? gettext("Failed") : "draining";'), ["draining"]);
  assert.deepEqual(found("const a = /it's \"quoted\"/; // h('p', {}, 'a comment')\nelement.append(a);"), []);
  assert.deepEqual(found('h("li", {}, list.map((one) => h("a", { href: "/some/place" }, one)))'), []);
  const view = (markup) => found(`const view = () => html\`${markup}\`;`);
  assert.deepEqual(
    view(`\n  <p class="big note">${HOLE}</p>\n  <button @click=${HOLE} ?disabled=${HOLE}>${HOLE}</button>`),
    [],
  );
  const inner = (text) => ["$", "{`", text, "`}"].join("");
  assert.deepEqual(view(`<i .style=${inner("background-color: red")} title=${inner("Too late now")}></i>`), [
    "Too late now",
  ]);
  assert.deepEqual(view(`<p>Nothing yet</p><input aria-label="Name" value=${HOLE} />`), ["Nothing yet Name"]);
  assert.deepEqual(found(`const picture = "<svg " + 'font="of the system">' + body;`), []);
});

test("calls whose text is no literal, or whose places have no values, are mistakes", () => {
  const mistakes = (source) => messagesOf(source).mistakes;
  assert.deepEqual(mistakes('gettext("{n} of " + "{all}", { n, all: 3 }); ngettext("{n} run", "{n} runs", n);'), []);
  assert.deepEqual(mistakes("gettext(label);"), ["1: no literal"]);
  assert.deepEqual(mistakes('gettext("{n} of {all}", { n });'), ["1: no value for {all}"]);
});

test("every text of the scripts goes through gettext", () => {
  const strays = sources().flatMap(({ name, source }) =>
    strayTexts(source).map(({ line, text }) => `${name}:${line}: ${text}`),
  );
  assert.deepEqual(strays, []);
  const mistakes = sources().flatMap(({ name, source }) =>
    messagesOf(source).mistakes.map((each) => `${name}:${each}`),
  );
  assert.deepEqual(mistakes, []);
});

test("the catalogue lists the texts of the scripts: `node tests/js/catalogue.mjs` writes it", () => {
  assert.equal(readFileSync(ENGLISH, "utf8"), written(catalogue()));
});

/** What a reader of another language meets first: these parts are translated, but for what was reworded of late. */
const TRANSLATED = new RegExp(
  "^(kit|experiment|run|map|work|studio|pages|toys|features/(cards|lessons|moments|presenting|sharing|stage|tours)|" +
    "templates/(?!compare|figure|forks|paper|papers|sheet|studies|study|trace|swagger)\\w+|" +
    "server/(?!papers|sheets)\\w+)$",
);
const MISSING_AT_MOST = 0.05;

const formsOf = (text) => (typeof text === "string" ? [text] : Object.values(text));
const placesOf = (text) =>
  [
    ...new Set(
      formsOf(text)
        .join(" ")
        .match(/\{\w+\}/g) ?? [],
    ),
  ].sort();

test("another language's file translates texts that there are, with the same places and its plural forms", () => {
  const english = new Map(Object.values(catalogue()).flatMap((texts) => Object.entries(texts)));
  for (const file of otherLanguages()) {
    const categories = new Intl.PluralRules(file.replace(".json", "")).resolvedOptions().pluralCategories;
    const { [FORMER]: _former, ...parts } = JSON.parse(readFileSync(new URL(file, FOLDER), "utf8"));
    for (const texts of Object.values(parts))
      for (const [text, translation] of Object.entries(texts)) {
        const source = english.get(text);
        assert.ok(source, `${file}: no source has the text “${text}”: run node tests/js/catalogue.mjs`);
        assert.equal(typeof translation, typeof source, text);
        if (typeof source === "object") assert.deepEqual(Object.keys(translation).sort(), [...categories].sort(), text);
        assert.deepEqual(placesOf(translation), placesOf(source), `${file}: ${text}`);
      }
  }
});

test("the parts that a reader meets first are translated", () => {
  const english = catalogue();
  const wanted = Object.keys(english).filter((name) => TRANSLATED.test(name));
  for (const file of otherLanguages()) {
    const found = new Set(Object.values(JSON.parse(readFileSync(new URL(file, FOLDER), "utf8"))).flatMap(Object.keys));
    const all = wanted.flatMap((name) => Object.keys(english[name]));
    const missing = all.filter((text) => !found.has(text));
    // Whoever improves the English need not know the language: a few texts may wait for a translator.
    assert.ok(missing.length <= MISSING_AT_MOST * all.length, `${file} has no\n${missing.join("\n")}`);
  }
});

/** What the server writes on figures, below them and on papers' pages. Half a caption in English is worse than none. */
const WHOLE = ["server/figures", "server/studies", "server/claims", "server/web"];

test("every text of figures, captions, measures and verdicts is translated", () => {
  const english = catalogue();
  for (const file of otherLanguages()) {
    const { [FORMER]: _former, ...parts } = JSON.parse(readFileSync(new URL(file, FOLDER), "utf8"));
    const found = new Set(Object.values(parts).flatMap(Object.keys));
    const missing = WHOLE.flatMap((name) => Object.keys(english[name]).filter((text) => !found.has(text)));
    assert.deepEqual(missing, [], file);
  }
});

test("a translation whose English is gone waits for a translator, and texts follow the catalogue's order", () => {
  const english = { kit: { b: "b", a: "a" }, run: { c: "c" } };
  assert.equal(
    JSON.stringify(ordered({ run: { a: "A", old: "Alt" }, kit: { c: "C" } }, english)),
    '{"kit":{"a":"A"},"run":{"c":"C"},"former":{"old":"Alt"}}',
  );
});

test("a catalogue gives texts, plural forms and numbers of its language", () => {
  try {
    globalThis.document = /** @type {any} */ ({ documentElement: { lang: "pl" }, getElementById: () => null });
    useWords({ Share: "Udostępnij", "{n} run": { one: "{n} bieg", few: "{n} biegi", many: "{n} biegów", other: "?" } });
    assert.equal(gettext("Share"), "Udostępnij");
    assert.equal(gettext("Not translated yet"), "Not translated yet");
    const runs = (n) => ngettext("{n} run", "{n} runs", n);
    assert.deepEqual([1, 2, 5, 22].map(runs), ["1 bieg", "2 biegi", "5 biegów", "22 biegi"]);
    globalThis.document.documentElement.lang = "de";
    assert.deepEqual([whole(1234567), three(0.25)], ["1.234.567", "0,25"]);
    assert.deepEqual(
      ["1.234.567", "0,25", "0.25", "1.234,5"].map((text) => typedNumber(text)),
      [1234567, 0.25, 0.25, 1234.5],
    );
  } finally {
    delete globalThis.document;
    useWords({});
  }
  assert.deepEqual([whole(1234567), three(0.25), three(-1234.5)], ["1,234,567", "0.25", "\u22121,235"]);
  assert.deepEqual(
    ["1,234,567", "0,25", "1,234"].map((text) => typedNumber(text)),
    [1234567, 0.25, 1234],
  );
});
