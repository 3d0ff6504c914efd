/** What the map's colours and marks mean, for the layer that is shown. A click on an owner leaves only its machines in full colour. */

import { levelShade, ownerColour, shade, css } from "../lib/palette.js";
import { outageLayer } from "../lib/places.js";
import { hatchLayer, hueLayer, valueLayer } from "../lib/sentences.js";
import { h, isDark } from "./dom.js";

const MOST_OWNERS = 8;
const MARKS = { refusal: "legend-dot", fault: "legend-cross", repartition: "legend-diamond" };

function ramp(colours) {
  return h("span", { class: "legend-ramp", "aria-hidden": "true" }, colours.map((colour) => {
    const step = h("i");
    step.style.background = colour;
    return step;
  }));
}

function swatch(colour) {
  const box = h("i", { class: "legend-swatch", "aria-hidden": "true" });
  box.style.background = colour;
  return box;
}

const LEVELS = [0, 0.25, 0.5, 0.75, 1];

function ownerItem(name, index, dark, filter) {
  const on = filter.chosen.has(index);
  const other = filter.chosen.size > 0 && !on;
  return h("button", {
    type: "button", class: `legend-item legend-owner${other ? " is-off" : ""}`, "aria-pressed": String(on), "data-owner": String(index),
    "data-tip": on ? "Click to show all again." : `Show the machines of ${name}; the others fade.`, onclick: () => filter.toggle(index),
  }, swatch(ownerColour(index, dark)), name);
}

function owners(meta, dark, filter) {
  const shown = filter.all ? meta.owners.length : Math.min(meta.owners.length, MOST_OWNERS);
  const items = meta.owners.slice(0, shown).map((name, index) => ownerItem(name, index, dark, filter));
  const rest = meta.owners.length - MOST_OWNERS;
  if (rest > 0) items.push(h("button", { type: "button", class: "legend-item link", "aria-expanded": String(filter.all), onclick: () => filter.showAll() }, filter.all ? "fewer" : `and ${rest} more, notched`));
  return items;
}

function level(label, colours, help) {
  return h("span", { class: "legend-item", "data-tip": help || null }, h("span", { class: "legend-end" }, `${label} 0`), ramp(colours), h("span", { class: "legend-end" }, "full"));
}

/** `filter`: {chosen: Set of owners, toggle(owner), all whether every owner is listed, showAll()}. */
export function drawLegend(element, meta, layerName, filter) {
  const dark = isDark();
  const focused = element.contains(document.activeElement) ? document.activeElement.dataset.owner : undefined;
  const alone = meta.layers.find((layer) => layer.name === layerName);
  const items = [];
  if (meta.owners.length && (alone || hueLayer(meta) || meta.outline)) items.push(...owners(meta, dark, filter));
  if (alone?.kind === "level") {
    items.push(level(alone.label, LEVELS.map((value) => css(levelShade(value, dark))), alone.help));
  } else if (!alone) {
    const load = valueLayer(meta);
    if (load) items.push(level(load.label, LEVELS.map((value) => css(shade(0, value, dark))), load.help));
    const lent = hatchLayer(meta);
    if (lent) items.push(h("span", { class: "legend-item", "data-tip": lent.help }, h("i", { class: "legend-hatch", "aria-hidden": "true" }), lent.label));
    const outage = outageLayer(meta);
    if (outage) items.push(h("span", { class: "legend-item", "data-tip": outage.help }, h("i", { class: "legend-out", "aria-hidden": "true" }), outage.label));
  }
  for (const mark of meta.marks) {
    items.push(h("span", { class: "legend-item", "data-tip": mark.help }, h("i", { class: MARKS[mark.kind] ?? "legend-ring", "aria-hidden": "true" }), mark.label));
  }
  element.replaceChildren(...items);
  if (focused !== undefined) element.querySelector(`[data-owner="${focused}"]`)?.focus();
}
