/**
 * The catalogue of the page's texts: `playground/locale/en.json`, by feature. `node tests/js/catalogue.mjs` writes it
 * from the sources.
 */

import { readFileSync, readdirSync, writeFileSync } from "node:fs";

import { messagesOf } from "./texts.mjs";

const JS = new URL("../../static/js/", import.meta.url);
export const FOLDER = new URL("../../playground/locale/", import.meta.url);
export const ENGLISH = new URL("en.json", FOLDER);
/** Folders in the order in which a text that several have is listed. */
const ORDER = ["kit", "experiment", "run", "map", "work", "studio", "pages", "features", "toys"];

/** All scripts of the page: {name, source}. */
export function sources() {
  return readdirSync(JS, { recursive: true })
    .map((name) => String(name).replaceAll("\\", "/"))
    .filter((name) => name.endsWith(".js"))
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

/** {feature: {text: text, or its forms by plural category}}; each text once, where it comes first. */
export function catalogue() {
  const features = {};
  const seen = new Set();
  for (const { name, source } of sources())
    for (const { texts } of messagesOf(source).messages) {
      const [one, other] = texts;
      if (seen.has(one)) continue;
      seen.add(one);
      features[featureOf(name)] ??= {};
      features[featureOf(name)][one] = other === undefined ? one : { one, other };
    }
  return features;
}

/** The catalogue as the file has it. */
export function written(found) {
  return `${JSON.stringify(found, null, 2)}\n`;
}

if (process.argv[1] === new URL(import.meta.url).pathname) writeFileSync(ENGLISH, written(catalogue()));
