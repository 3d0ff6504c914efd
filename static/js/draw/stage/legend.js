/**
 * The legend of the map's colors and marks for the visible layer. A click on an owner shows only its machines in full
 * color.
 */

import { cellColour, css, levelShade, ownerColour, shade } from "../../kit/palette.js";
import { outageLayer } from "../../run/places.js";
import { backlogLayer, depths, markShape, roleLayer } from "../../run/roles.js";
import { hatchLayer, hueLayer, valueLayer } from "../../run/sentences.js";
import { isDark } from "../../kit/dom.js";
import { html, ifDefined, render } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";
import { inks } from "../work/inks.js";
import { flashesStill, marksOf } from "../work/marks.js";
import { sampleOf } from "../work/samples.js";

/**
 * @import { GroupsMeta, LayerMeta, Meta } from "../../contract/contract"
 * @import { Track } from "../../run/track.js"
 * @import { View } from "../../kit/view.js"
 */

/**
 * @typedef {object} OwnerFilter
 * @property {Set<number>} chosen  owners whose machines keep their full color; an empty set means all
 * @property {boolean} all  true if all owners are listed
 * @property {(owner: number) => void} toggle
 * @property {() => void} showAll
 */

const MOST_OWNERS = 8;
/** Marks of tasks that show the same as another mark or sign of cells. @type {Record<string, string>} */
const TELLS = { lent: "borrowed", "move-throw": "preemption", "move-throw-wrong": "fault", out: "service" };
const LEVELS = [0, 0.25, 0.5, 0.75, 1];

const ramp = (/** @type {string[]} */ colours) =>
  html`<span class="legend-ramp" aria-hidden="true"
    >${colours.map((colour) => html`<i .style=${`background: ${colour}`}></i>`)}</span
  >`;

const swatch = (/** @type {string} */ colour, more = "") =>
  html`<i class="legend-swatch${more}" aria-hidden="true" .style=${`background-color: ${colour}`}></i>`;

const end = (/** @type {string} */ text) => html`<span class="legend-end">${text}</span>`;

/**
 * Return an entry of the legend.
 * @param {unknown} content
 * @param {{help?: string, role?: string | null, of?: string, tells?: string}} [about]  `of`: what cells must show for
 *   the entry to be visible; `tells`: the mark or sign that it explains
 */
const entry = (content, { help, role, of = "", tells } = {}) =>
  html`<span class="legend-item${of ? ` ${of}` : ""}" data-tip=${ifDefined(help || undefined)} data-role=${ifDefined(
    role ?? undefined,
  )} data-tells=${ifDefined(tells)}>${content}</span>`;

/**
 * @param {string} name
 * @param {number} index
 * @param {boolean} dark
 * @param {OwnerFilter} filter
 */
function ownerItem(name, index, dark, filter) {
  const on = filter.chosen.has(index);
  const other = filter.chosen.size > 0 && !on;
  const tip = on
    ? gettext("Click to show all machines again.")
    : gettext("Show the machines of {name}; the others fade.", { name });
  return html`<button
    type="button"
    class="legend-item legend-owner${other ? " is-off" : ""}"
    aria-pressed=${String(on)}
    data-owner=${index}
    data-tip=${tip}
    @click=${() => filter.toggle(index)}
  >${swatch(ownerColour(index, dark))}${name}</button>`;
}

/**
 * @param {Meta} meta
 * @param {boolean} dark
 * @param {OwnerFilter} filter
 */
function owners(meta, dark, filter) {
  const shown = filter.all ? meta.owners.length : Math.min(meta.owners.length, MOST_OWNERS);
  const items = meta.owners.slice(0, shown).map((name, index) => ownerItem(name, index, dark, filter));
  const rest = meta.owners.length - MOST_OWNERS;
  const words = filter.all ? gettext("fewer") : gettext("and {rest} more, notched", { rest });
  if (rest > 0)
    items.push(
      html`<button
        type="button"
        class="legend-item link"
        aria-expanded=${String(filter.all)}
        @click=${() => filter.showAll()}
      >${words}</button>`,
    );
  return items;
}

/**
 * @param {string} label
 * @param {string[]} colours
 * @param {string} help
 */
function level(label, colours, help, most = gettext("full")) {
  const least = most === gettext("full") ? gettext("idle") : "0";
  return { content: html`${end(`${label}: ${least}`)}${ramp(colours)}${end(most)}`, help };
}

/**
 * Return the legend of a layer shown alone: its states, or a scale up to a percentage or a count.
 * @param {LayerMeta} layer
 * @param {Meta} meta
 * @param {boolean} dark
 * @returns {Item[]}
 */
function alone(layer, meta, dark) {
  const state = (/** @type {number} */ value, /** @type {string} */ label) => ({
    content: html`${swatch(css(levelShade(value, dark)))}${label}`,
    help: layer.help,
  });
  if (layer === outageLayer(meta))
    return [state(0, gettext("In service")), state(0.5, gettext("Draining")), state(1, gettext("Failed"))];
  if (layer.role === "reserved") return [state(1, layer.label), state(0, gettext("Others"))];
  const unit = layer.label.toLowerCase() === layer.unit ? "" : ` ${layer.unit}`;
  const colours = LEVELS.map((value) => css(levelShade(value, dark)));
  return [level(layer.label, colours, layer.help, layer.unit ? `${layer.full}+${unit}` : gettext("full"))];
}

/**
 * Return the backlog's scale: idle, full, and full with growing queues.
 * @param {LayerMeta} layer
 * @param {boolean} dark
 * @returns {Item}
 */
function backlogItem(layer, dark) {
  const { filled, deepened } = depths(layer);
  const at = [0, filled[255], ...[0.04, 0.25, 1].map((share) => deepened[Math.round(share * 255)])];
  const colours = at.map((depth) => cellColour(depth / 255, dark, true));
  const most = `${layer.full}+ ${layer.unit || "waiting"}`;
  return { content: html`${end(gettext("idle"))}${ramp(colours)}${end(most)}`, help: layer.help, role: layer.role };
}

/**
 * @param {LayerMeta} layer
 * @param {boolean} dark
 * @returns {Item[]}
 */
function patternItems(layer, dark, deep = false) {
  const colour = cellColour(0.5, dark, deep);
  const plain = layer.plain ? [{ content: html`${swatch(colour)}${layer.plain}` }] : [];
  const striped = html`${swatch(colour, " legend-stripes")}${layer.label}`;
  return [...plain, { content: striped, help: layer.help, role: "pattern" }];
}

/**
 * @param {GroupsMeta} groups
 * @param {boolean} dark
 * @returns {Item}
 */
function groupItem(groups, dark, deep = false) {
  const hues = [0, 1, 2].map((hue) => swatch(css(shade(hue, 0.5, dark, deep))));
  const label = gettext("{label}: one color each", { label: groups.label });
  return {
    content: html`<span class="legend-ramp" aria-hidden="true">${hues}</span>${label}`,
    help: groups.help,
    role: "groups",
  };
}

/**
 * Return a sign with its label; `role` is the layer's role, which tests query.
 * @param {string} sign
 * @param {{label: string, help: string}} about
 * @param {string | null} [role]
 * @returns {Item}
 */
function signItem(sign, { label, help }, role = null) {
  return { content: html`<i class=${sign} aria-hidden="true"></i>${label}`, help, role };
}

/**
 * Return the legend of marks in the picture of tasks, in which cells show tasks instead of a level.
 * @param {Meta} meta
 * @param {Track | null} track
 */
function taskItems(meta, track) {
  const colours = inks();
  return marksOf(meta, track).map(
    ({ id, label, help, sample }) =>
      html`<span class="legend-item of-tasks" data-tip=${help} data-mark=${id} data-tells=${ifDefined(TELLS[id])}
        >${sampleOf(sample, colours)}${label}</span
      >`,
  );
}

/** @typedef {{content: unknown, help?: string, role?: string | null, tells?: string}} Item */

/**
 * Return the entries for the visible layer, or for all layers together.
 * @param {Meta} meta
 * @param {LayerMeta | undefined} only  the layer that is shown alone
 * @param {boolean} dark
 * @returns {Item[]}
 */
export function cellItems(meta, only, dark) {
  if (only?.kind === "level") return alone(only, meta, dark);
  if (only) {
    // Machines without a category, unless the layer shows owners.
    const nobody = html`${swatch(cellColour(0, dark))}${gettext("Nobody")}`;
    return only === hueLayer(meta) ? [] : [{ content: nobody }];
  }
  const [load, lent, outage] = [valueLayer(meta), hatchLayer(meta), outageLayer(meta)];
  const [backlog, pattern, reserved] = [backlogLayer(meta), roleLayer(meta, "pattern"), roleLayer(meta, "reserved")];
  const colours = LEVELS.map((value) => cellColour(value, dark));
  return [
    ...(meta.groups ? [groupItem(meta.groups, dark, Boolean(backlog))] : []),
    ...(backlog ? [backlogItem(backlog, dark)] : load ? [level(load.label, colours, load.help)] : []),
    ...(lent ? [{ ...signItem("legend-hatch", lent), tells: "borrowed" }] : []),
    ...(pattern ? patternItems(pattern, dark, Boolean(backlog)) : []),
    ...(reserved ? [signItem("legend-framed", reserved, "reserved")] : []),
    ...(outage ? [signItem("legend-out", outage)] : []),
  ];
}

/**
 * Render a run's legend; `track` is the known part of the run's track if its tasks are shown.
 * @param {HTMLElement} element
 * @param {Meta} meta
 * @param {string | null} layerName
 * @param {OwnerFilter} filter
 * @param {Track | null} [track]
 */
export function drawLegend(element, meta, layerName, filter, track = null) {
  const dark = isDark();
  const only = meta.layers.find((layer) => layer.name === layerName);
  /** @type {View[]} */
  const whose = meta.owners.length && (only || hueLayer(meta) || meta.outline) ? owners(meta, dark, filter) : [];
  const work = meta.work && !meta.outline ? taskItems(meta, track) : [];
  const cells = cellItems(meta, only, dark).map(({ content, help, role, tells }) =>
    entry(content, { help, role, tells, of: work.length && role !== "reserved" ? "of-cells" : "" }),
  );
  const marks = meta.marks
    .filter((mark) => !mark.whole)
    .map((mark) => {
      const { content, help } = signItem(`legend-${markShape(meta, mark.kind)}`, mark);
      return entry(content, { help, of: work.length && !flashesStill(mark) ? "of-cells" : "", tells: mark.kind });
    });
  render(html`${whose}${cells}${work}${marks}`, element);
}
