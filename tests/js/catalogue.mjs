/**
 * The catalogue of the page's texts: `playground/locale/en.json`, by feature. `node tests/js/catalogue.mjs` writes it
 * from the sources, and puts the texts of other languages' files into the same order. A translation whose English is no
 * longer there moves to the part `former`, where a translator finds it.
 */

import { readFileSync, readdirSync, writeFileSync } from "node:fs";

import { messagesOf } from "./texts.mjs";

const ROOT = new URL("../../", import.meta.url);
const JS = new URL("static/js/", ROOT);
export const FOLDER = new URL("playground/locale/", ROOT);
export const ENGLISH = new URL("en.json", FOLDER);
/** Translations that wait for a translator: their English has changed. */
export const FORMER = "former";
/** Folders in the order in which a text that several have is listed. */
const ORDER = ["kit", "experiment", "run", "map", "work", "studio", "pages", "features", "toys"];

/** Names of the files below a folder, in order. */
function filesIn(folder, suffix) {
  return readdirSync(folder, { recursive: true })
    .map((name) => String(name).replaceAll("\\", "/"))
    .filter((name) => name.endsWith(suffix))
    .sort();
}

/** All scripts of the page: {name, source}. */
export function sources() {
  return filesIn(JS, ".js")
    .sort(
      (one, other) => ORDER.indexOf(one.split("/")[0]) - ORDER.indexOf(other.split("/")[0]) || (one < other ? -1 : 1),
    )
    .map((name) => ({ name, source: readFileSync(new URL(name, JS), "utf8") }));
}

/** A script's feature: its folder, of features the one below. */
const featureOf = (name) =>
  name
    .split("/")
    .slice(0, name.startsWith("features/") ? 2 : 1)
    .join("/");

const STRING = String.raw`(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')`;
const TAG = new RegExp(String.raw`\{% (text|plural) (${STRING})(?: (${STRING}))?`, "g");
const CALL = new RegExp(String.raw`(\b_|\bn?gettext)\(\s*((?:${STRING}\s*)+)(?:,\s*(${STRING}))?`, "g");

/** A string of Python or of a template, whose parts may stand one after the other. */
function stringOf(text) {
  return text
    ? [...text.matchAll(new RegExp(STRING, "g"))].map(([one]) => one.slice(1, -1).replaceAll('\\"', '"')).join("")
    : undefined;
}

/** The texts of all files of a folder that a pattern finds: [{feature, texts}]. */
function textsBelow(folder, suffix, pattern, feature) {
  const base = new URL(folder, ROOT);
  return filesIn(base, suffix).flatMap((name) =>
    [...readFileSync(new URL(name, base), "utf8").matchAll(pattern)].map(([, call, one, other]) => ({
      feature: feature(name),
      context: call === "text" ? stringOf(other) : undefined,
      texts: [stringOf(one), call === "text" ? undefined : stringOf(other)],
    })),
  );
}

/** All texts in their order: of scripts, of templates, of the server's pages. */
function messages() {
  return [
    ...sources().flatMap(({ name, source }) =>
      messagesOf(source).messages.map(({ texts }) => ({ feature: featureOf(name), context: undefined, texts })),
    ),
    ...textsBelow("templates/", ".html", TAG, (name) => `templates/${name.split("/").at(-1).replace(".html", "")}`),
    ...textsBelow("playground/", ".py", CALL, (name) => `server/${name.split("/")[0]}`),
  ];
}

/** {feature: {text: text, or its forms by plural category}}; each text once, where it comes first, in each context. */
export function catalogue() {
  const features = {};
  const seen = new Set();
  for (const { feature, context, texts } of messages()) {
    const [one, other] = texts;
    const key = context ? `${one} [${context}]` : one;
    if (seen.has(key)) continue;
    seen.add(key);
    features[feature] ??= {};
    features[feature][key] = other === undefined ? one : { one, other };
  }
  return features;
}

/** The catalogue as the file has it. */
export function written(found) {
  return `${JSON.stringify(found, null, 2)}\n`;
}

/** Names of the other languages' files. */
export function otherLanguages() {
  return readdirSync(FOLDER).filter((name) => name.endsWith(".json") && name !== "en.json");
}

/** A language's texts in the catalogue's order; what has no English any more is `former`. */
export function ordered(translations, english) {
  const known = new Map(Object.values(translations).flatMap((texts) => Object.entries(texts)));
  const found = {};
  for (const [feature, texts] of Object.entries(english))
    for (const text of Object.keys(texts))
      if (known.has(text)) {
        found[feature] ??= {};
        found[feature][text] = known.get(text);
        known.delete(text);
      }
  return known.size ? { ...found, [FORMER]: Object.fromEntries(known) } : found;
}

function write() {
  const english = catalogue();
  writeFileSync(ENGLISH, written(english));
  for (const name of otherLanguages()) {
    const file = new URL(name, FOLDER);
    writeFileSync(file, written(ordered(JSON.parse(readFileSync(file, "utf8")), english)));
  }
}

if (process.argv[1] === new URL(import.meta.url).pathname) write();
