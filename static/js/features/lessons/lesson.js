/**
 * Lesson links: a suffix hides controls (`hide=compare,scheduler.params.heartbeat_s`) or locks them (`fix=queues`). A
 * name is one of CONTROLS, or a setting's path in the experiment.
 */

import { gettext } from "../../kit/words.js";

/** @typedef {{hide: string[], fix: string[]}} Lesson */

/** [name, label, selector]; the studio's panels are named by their ids. */
export const CONTROLS = [
  ["name", gettext("Name"), "[data-name]"],
  ["play", gettext("Play and step"), ".bar-play"],
  ["speed", gettext("Speed"), ".bar-play .speed"],
  ["timeline", gettext("Timeline"), "[data-timeline]"],
  ["layers", gettext("Map layers"), "[data-layers]"],
  ["legend", gettext("Legend"), "[data-legend]"],
  ["zoom", gettext("Zoom"), "[data-zoom]"],
  ["menu", gettext("Menu on the map"), ""],
  ["json", "JSON", "[data-tab=json], [data-json]"],
  ["fork", gettext("Fork"), "[data-fork]"],
  ["compare", gettext("Compare"), "[data-compare]"],
  ["ask", gettext("Ask"), "[data-ask-open]"],
  ["share", gettext("Share"), "[data-share]"],
  ["export", gettext("Export"), "[data-export]"],
  ["list", gettext("Your experiments"), ".to-list"],
  ["notes", gettext("Notes on the picture"), "[data-hint]"],
];
export const PANEL_NAMES = [
  "datacenter",
  "work",
  "constraints",
  "queues",
  "scheduler",
  "waiting",
  "counters",
  "inspector",
];

const NAME = /^[A-Za-z][A-Za-z0-9_.[\]-]{0,119}$/;
const MOST = 100;

/** Return {hide: [names], fix: [names]} of an address; a name in both is hidden. */
export function readLesson(/** @type {string} */ search) {
  const query = new URLSearchParams(search);
  const names = (/** @type {string} */ key) =>
    [...new Set((query.get(key) ?? "").split(",").filter((name) => NAME.test(name)))].slice(0, MOST);
  const hide = names("hide");
  return { hide, fix: names("fix").filter((name) => !hide.includes(name)) };
}

/** Return the query of an address with this lesson instead of its current one. */
export function writeLesson(/** @type {Lesson} */ { hide, fix }, search = "") {
  const query = new URLSearchParams(search);
  for (const [key, names] of Object.entries({ hide, fix })) {
    if (names.length) query.set(key, names.join(","));
    else query.delete(key);
  }
  // Commas and brackets are more readable than their codes, and a query may contain them.
  const text = query.toString().replaceAll("%2C", ",").replaceAll("%5B", "[").replaceAll("%5D", "]");
  return text ? `?${text}` : "";
}

/** Return the selector of a name's elements. */
export function selectorOf(/** @type {string} */ name) {
  const known = CONTROLS.find(([each]) => each === name);
  if (known) return known[2];
  if (PANEL_NAMES.includes(name)) return `.panel-${name}`;
  return `[data-path=${JSON.stringify(name)}]`;
}
