/**
 * What the map's colours and marks mean, for the layer that is shown. A click on an owner leaves only its machines in
 * full colour.
 */

import { NONE, levelShade, ownerColour, shade, css } from "../../kit/palette.js";
import { outageLayer } from "../../run/places.js";
import { backlogLayer, depths, markShape, roleLayer } from "../../run/roles.js";
import { hatchLayer, hueLayer, valueLayer } from "../../run/sentences.js";
import { focusedIn, h, isDark } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";
import { inks } from "../work/inks.js";
import { flashesStill, marksOf } from "../work/marks.js";
import { sampleOf } from "../work/samples.js";

const MOST_OWNERS = 8;

function ramp(colours) {
  return h(
    "span",
    { class: "legend-ramp", "aria-hidden": "true" },
    colours.map((colour) => {
      const step = h("i");
      step.style.background = colour;
      return step;
    }),
  );
}

function swatch(colour) {
  const box = h("i", { class: "legend-swatch", "aria-hidden": "true" });
  box.style.backgroundColor = colour;
  return box;
}

const LEVELS = [0, 0.25, 0.5, 0.75, 1];

function ownerItem(name, index, dark, filter) {
  const on = filter.chosen.has(index);
  const other = filter.chosen.size > 0 && !on;
  return h(
    "button",
    {
      type: "button",
      class: `legend-item legend-owner${other ? " is-off" : ""}`,
      "aria-pressed": String(on),
      "data-owner": String(index),
      "data-tip": on
        ? gettext("Click to show all machines again.")
        : gettext("Show the machines of {name}; the others fade.", { name }),
      onclick: () => filter.toggle(index),
    },
    swatch(ownerColour(index, dark)),
    name,
  );
}

function owners(meta, dark, filter) {
  const shown = filter.all ? meta.owners.length : Math.min(meta.owners.length, MOST_OWNERS);
  const items = meta.owners.slice(0, shown).map((name, index) => ownerItem(name, index, dark, filter));
  const rest = meta.owners.length - MOST_OWNERS;
  if (rest > 0)
    items.push(
      h(
        "button",
        {
          type: "button",
          class: "legend-item link",
          "aria-expanded": String(filter.all),
          onclick: () => filter.showAll(),
        },
        filter.all ? gettext("fewer") : gettext("and {rest} more, notched", { rest }),
      ),
    );
  return items;
}

function level(label, colours, help, most = gettext("full")) {
  return h(
    "span",
    { class: "legend-item", "data-tip": help || null },
    h("span", { class: "legend-end" }, `${label}: ${most === gettext("full") ? gettext("idle") : "0"}`),
    ramp(colours),
    h("span", { class: "legend-end" }, most),
  );
}

/** What the colours of a level shown alone mean: a state each, or from nothing to a share or a number of things. */
function alone(layer, meta, dark) {
  const states =
    layer === outageLayer(meta)
      ? [
          [0, gettext("In service")],
          [0.5, gettext("Draining")],
          [1, gettext("Failed")],
        ]
      : layer.role === "reserved"
        ? [
            [1, layer.label],
            [0, gettext("Others")],
          ]
        : null;
  if (states)
    return states.map(([value, label]) =>
      h("span", { class: "legend-item", "data-tip": layer.help }, swatch(css(levelShade(value, dark))), label),
    );
  const unit = layer.label.toLowerCase() === layer.unit ? "" : ` ${layer.unit}`;
  return [
    level(
      layer.label,
      LEVELS.map((value) => css(levelShade(value, dark))),
      layer.help,
      layer.unit ? `${layer.full}+${unit}` : gettext("full"),
    ),
  ];
}

/** Machines that a category says nothing of, where it is not the one that tells whose they are. */
function nobodyItem(dark) {
  return h("span", { class: "legend-item" }, swatch(css(shade(NONE, 0, dark))), gettext("Nobody"));
}

/** Idle, full, and full with ever more that waits. */
function backlogItem(layer, dark) {
  const { filled, deepened } = depths(layer);
  const at = [0, filled[255], ...[0.04, 0.25, 1].map((share) => deepened[Math.round(share * 255)])];
  return h(
    "span",
    { class: "legend-item", "data-tip": layer.help, "data-role": layer.role },
    h("span", { class: "legend-end" }, gettext("idle")),
    ramp(at.map((depth) => css(shade(NONE, depth / 255, dark, true)))),
    h("span", { class: "legend-end" }, `${layer.full}+ ${layer.unit || "waiting"}`),
  );
}

function patternItems(layer, dark) {
  const colour = css(shade(NONE, 0.5, dark, true));
  const plain = layer.plain ? [h("span", { class: "legend-item" }, swatch(colour), layer.plain)] : [];
  const striped = swatch(colour);
  striped.classList.add("legend-stripes");
  return [
    ...plain,
    h("span", { class: "legend-item", "data-tip": layer.help, "data-role": "pattern" }, striped, layer.label),
  ];
}

function groupItem(groups, dark) {
  const hues = h(
    "span",
    { class: "legend-ramp", "aria-hidden": "true" },
    [0, 1, 2].map((hue) => swatch(css(shade(hue, 0.5, dark, true)))),
  );
  return h(
    "span",
    { class: "legend-item", "data-tip": groups.help, "data-role": "groups" },
    hues,
    gettext("{label}: one color each", { label: groups.label }),
  );
}

/** A sign with its label; `role` names the layer's where a test looks for it. */
function signItem(sign, { label, help }, role = null) {
  return h(
    "span",
    { class: "legend-item", "data-tip": help, "data-role": role },
    h("i", { class: sign, "aria-hidden": "true" }),
    label,
  );
}

/** What the marks mean of which the picture of tasks is made; cells then tell of tasks, not of a level. */
function taskItems(/** @type {import("../../contract/contract").Meta} */ meta, track) {
  const colours = inks();
  return marksOf(meta, track).map(({ id, label, help, sample }) =>
    h("span", { class: "legend-item of-tasks", "data-tip": help, "data-mark": id }, sampleOf(sample, colours), label),
  );
}

/**
 * `filter`: {chosen: Set of owners, toggle(owner), all whether every owner is listed, showAll()}; `track`: of the run
 * whose tasks are drawn, as far as it is known.
 */
export function drawLegend(element, meta, layerName, filter, track = null) {
  const dark = isDark();
  const focused = focusedIn(element)?.dataset.owner;
  const only = meta.layers.find((layer) => layer.name === layerName);
  const items = [];
  if (meta.owners.length && (only || hueLayer(meta) || meta.outline)) items.push(...owners(meta, dark, filter));
  const cells = items.length;
  if (only?.kind === "level") items.push(...alone(only, meta, dark));
  else if (only && only !== hueLayer(meta)) items.push(nobodyItem(dark));
  else if (!only) {
    const load = valueLayer(meta);
    const [backlog, pattern, reserved] = [backlogLayer(meta), roleLayer(meta, "pattern"), roleLayer(meta, "reserved")];
    if (meta.groups) items.push(groupItem(meta.groups, dark));
    if (backlog) items.push(backlogItem(backlog, dark));
    else if (load)
      items.push(
        level(
          load.label,
          LEVELS.map((value) => css(shade(NONE, value, dark))),
          load.help,
        ),
      );
    const lent = hatchLayer(meta);
    if (lent) items.push(signItem("legend-hatch", lent));
    if (pattern) items.push(...patternItems(pattern, dark));
    if (reserved) items.push(signItem("legend-framed", reserved, "reserved"));
    const outage = outageLayer(meta);
    if (outage) items.push(signItem("legend-out", outage));
  }
  const work = meta.work && !meta.outline ? taskItems(meta, track) : [];
  const ofCells = work.length ? items.slice(cells).filter((item) => item.dataset.role !== "reserved") : [];
  for (const item of ofCells) item.classList.add("of-cells");
  items.push(...work);
  for (const mark of meta.marks.filter((each) => !each.whole)) {
    const item = signItem(`legend-${markShape(meta, mark.kind)}`, mark);
    if (work.length && !flashesStill(mark)) item.classList.add("of-cells");
    items.push(item);
  }
  element.replaceChildren(...items);
  if (focused !== undefined) element.querySelector(`[data-owner="${focused}"]`)?.focus();
}
