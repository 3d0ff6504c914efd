/** What the map's colours and marks mean, for the layer that is shown. */

import { levelShade, ownerColour, shade, css } from "../lib/palette.js";
import { hatchLayer, hueLayer, valueLayer } from "../lib/sentences.js";
import { h, isDark } from "./dom.js";

const MOST_OWNERS = 8;

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

function owners(meta, dark) {
  const shown = meta.owners.slice(0, MOST_OWNERS).map((name, index) => h("span", { class: "legend-item" }, swatch(ownerColour(index, dark)), name));
  if (meta.owners.length > MOST_OWNERS) shown.push(h("span", { class: "legend-item" }, `and ${meta.owners.length - MOST_OWNERS} more, notched`));
  return shown;
}

function level(layer, colours) {
  const end = layer.unit ? `${layer.full} or more` : "full";
  return h("span", { class: "legend-item", "data-tip": layer.help || null }, h("span", { class: "legend-end" }, `${layer.label} 0`), ramp(colours), h("span", { class: "legend-end" }, end));
}

export function drawLegend(element, meta, layerName) {
  const dark = isDark();
  const alone = meta.layers.find((layer) => layer.name === layerName);
  const items = [];
  if (alone?.kind === "level") {
    items.push(level(alone, LEVELS.map((value) => css(levelShade(value, dark)))));
  } else {
    if (meta.owners.length && (alone || hueLayer(meta) || meta.outline)) items.push(...owners(meta, dark));
    if (!alone) {
      const load = valueLayer(meta);
      if (load) items.push(level(load, LEVELS.map((value) => css(shade(0, value, dark)))));
      const lent = hatchLayer(meta);
      if (lent) items.push(h("span", { class: "legend-item", "data-tip": lent.help }, h("i", { class: "legend-hatch", "aria-hidden": "true" }), lent.label));
    }
  }
  for (const mark of meta.marks) {
    const shape = mark.kind === "refusal" ? "legend-dot" : "legend-ring";
    items.push(h("span", { class: "legend-item", "data-tip": mark.help }, h("i", { class: shape, "aria-hidden": "true" }), mark.label));
  }
  element.replaceChildren(...items);
}
