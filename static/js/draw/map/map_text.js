/** Texts on the map: clusters and partitions at any zoom, racks closer in, and finally each machine's own lines. */

import { whole } from "../../kit/format.js";
import { rackOf, serviceOf } from "../../run/places.js";
import { backlogLayer, groupOf, numberOn } from "../../run/roles.js";
import { NONE, ownerColour } from "../../kit/palette.js";
import { hatchLayer, levelWords, ownerOf } from "../../run/sentences.js";
import { gettext, midSentence } from "../../kit/words.js";
import { FONT, TEXT_SIZE } from "../../kit/type.js";
import { clusterName } from "../../kit/names.js";

/**
 * @import { Block, Plan } from "./layout.js"
 * @import { Cells } from "./camera.js"
 * @import { LayerMeta, Meta } from "../../contract/contract"
 * @import { Look } from "./map.js"
 * @import { Picture } from "../../run/sentences.js"
 * @import { Pen } from "../scenes/scene.js"
 */

/**
 * @typedef {{meta: Meta, picture: Picture | null, starts: number[], look: Look, layer: string | null}} About
 */

const NUMBERS_FROM = 20;
const DETAIL_WIDTH = 80;
const DETAIL_HEIGHT = 62;
const RACKS_FROM = 22;
const LINE = 16;

/**
 * @param {Pen} pen
 * @param {string} text
 * @param {number} width
 */
export function fit(pen, text, width) {
  if (pen.measureText(text).width <= width) return text;
  let cut = text;
  while (cut.length > 1 && pen.measureText(`${cut}…`).width > width) cut = cut.slice(0, -1);
  return cut.length > 1 ? `${cut}…` : "";
}

/**
 * Return a name that fits, or only its number: the color beside it identifies the owner.
 * @param {Pen} pen
 * @param {string} name
 * @param {number} width
 */
function fitName(pen, name, width) {
  const number = / (\d+)$/.exec(name)?.[1];
  return number && pen.measureText(name).width > width ? fit(pen, number, width) : fit(pen, name, width);
}

/** Return as many of the first parts as fit entirely; a single part may be cut. @param {string[]} parts */
function fitParts(/** @type {Pen} */ pen, parts, /** @type {number} */ width) {
  for (let count = parts.length; count > 1; count -= 1) {
    const text = parts.slice(0, count).join(" · ");
    if (pen.measureText(text).width <= width) return text;
  }
  return fit(pen, parts[0] ?? "", width);
}

/**
 * Return true if cells are large enough for details.
 * @param {Plan} plan
 * @param {number} scale
 */
function hasDetail(plan, scale) {
  return plan.sx >= DETAIL_WIDTH * scale && plan.sy >= DETAIL_HEIGHT * scale;
}

/**
 * Draw the names of clusters and owners; a name whose position is off the screen sticks to the screen's edge. `look`:
 * {scale, dark, muted, ink, paper}.
 * @param {Pen} pen
 * @param {Plan} plan
 * @param {Meta} meta
 * @param {Look} look
 */
export function drawNames(pen, plan, meta, look) {
  const { scale } = look;
  pen.textBaseline = "alphabetic";
  for (const block of plan.blocks) {
    if (block.x > plan.width || block.y > plan.height || block.x + block.width < 0 || block.y + block.height < 0)
      continue;
    const stuckTop = block.y - 5 * scale < 12 * scale && plan.factor > 1;
    if (plan.factor > 1 || plan.partLabel) drawOwners(pen, plan, block, meta, look, stuckTop);
    if (!plan.label && plan.factor <= 1) continue;
    pen.font = `${plan.factor > 1 ? 600 : 500} ${TEXT_SIZE * scale}px ${FONT}`;
    const left = Math.max(block.x, plan.factor > 1 ? 2 * scale : 0);
    const text = fitName(pen, clusterName(block.name) ?? "", block.x + block.width - left);
    const base = stuckTop ? 13 * scale : block.y - 5 * scale;
    if (stuckTop)
      plate(pen, left - 2 * scale, base - 13 * scale, pen.measureText(text).width + 6 * scale, 17 * scale, look.paper);
    pen.fillStyle = look.muted;
    pen.fillText(text, left, base);
  }
}

/**
 * Fill a background behind a text.
 * @param {Pen} pen
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @param {string} colour
 */
export function plate(pen, x, y, width, height, colour) {
  pen.fillStyle = colour;
  pen.fillRect(x, y, width, height);
}

/**
 * @param {Pen} pen
 * @param {Plan} plan
 * @param {Block} block
 * @param {Meta} meta
 * @param {Look} options
 * @param {boolean} underName
 */
function drawOwners(pen, plan, block, meta, { scale, dark, muted, paper }, underName) {
  pen.font = `500 ${TEXT_SIZE * scale}px ${FONT}`;
  for (const part of block.parts) {
    if (
      part.owner === NONE ||
      !meta.owners[part.owner] ||
      part.x > plan.width ||
      part.y > plan.height ||
      part.y + part.height < 0
    )
      continue;
    if (plan.factor > 1 && part.width < 34 * scale) continue;
    // If the layout has no line for the name, write it on the cells.
    const onCells = !plan.partLabel;
    const least = (underName ? 29 : 12) * scale;
    const base = Math.max(
      part.y - 4 * scale + (onCells ? LINE * scale : 0),
      plan.factor > 1 ? Math.min(least, part.y + part.height) : 0,
    );
    const left = Math.max(part.x, plan.factor > 1 ? 2 * scale : 0);
    const text = fitName(pen, meta.owners[part.owner], part.x + part.width - left - 12 * scale);
    if (!text) continue;
    if (onCells || base > part.y)
      plate(pen, left - 2 * scale, base - 12 * scale, pen.measureText(text).width + 14 * scale, LINE * scale, paper);
    pen.fillStyle = ownerColour(part.owner, dark);
    pen.fillRect(left, base - 8 * scale, 8 * scale, 8 * scale);
    pen.fillStyle = muted;
    pen.fillText(text, left + 11 * scale, base);
  }
}

/**
 * Draw the lines between racks and, where a cell has room, the rack numbers.
 * @param {Pen} pen
 * @param {Plan} plan
 * @param {Cells} cells
 * @param {number[]} starts
 * @param {Look} look
 */
export function drawRacks(pen, plan, cells, starts, look) {
  const { scale } = look;
  if (starts.length < 2 || plan.factor <= 1 || plan.sx < RACKS_FROM * scale || plan.sy < RACKS_FROM * scale) return;
  const thick = Math.max(1, Math.min(2 * scale, plan.gap));
  pen.fillStyle = look.muted;
  const first = new Set(starts);
  const across = new Map(plan.blocks.flatMap((block) => block.parts.map((part) => [part.first, part])));
  for (let slot = 0; slot < cells.count; slot += 1) {
    const machine = cells.ids[slot];
    if (!first.has(machine) || across.has(machine)) continue;
    pen.fillRect(cells.x[slot] - thick, cells.y[slot] - thick, thick, plan.sy + thick);
    pen.fillRect(cells.x[slot] - thick, cells.y[slot] - thick, Math.min(plan.sx, 40 * scale), thick);
  }
  if (plan.sx < 48 * scale || plan.sy < 30 * scale || hasDetail(plan, scale)) return;
  pen.font = `500 ${TEXT_SIZE * scale}px ${FONT}`;
  for (let slot = 0; slot < cells.count; slot += 1) {
    if (!first.has(cells.ids[slot])) continue;
    const text = fit(
      pen,
      gettext("rack {rack}", { rack: whole(rackOf(starts, cells.ids[slot])) }),
      plan.sx - 4 * scale,
    );
    const high = cells.y[slot] + plan.sy - plan.gap;
    plate(pen, cells.x[slot], high - LINE * scale, pen.measureText(text).width + 5 * scale, LINE * scale, look.paper);
    pen.fillStyle = look.ink;
    pen.fillText(text, cells.x[slot] + 2 * scale, high - 4 * scale);
  }
}

/**
 * Return the function that writes on cells of this size: lines, a number, or null for nothing.
 * @param {Plan} plan
 * @param {Meta} meta
 * @param {string | null} layerName
 * @param {number} scale
 */
export function writerFor(plan, meta, layerName, scale) {
  if (hasDetail(plan, scale)) return drawDetail;
  return hasNumbers(plan, meta, layerName, scale) ? drawNumber : null;
}

/**
 * Return true if cells are large enough for a number and a layer provides one.
 * @param {Plan} plan
 * @param {Meta} meta
 * @param {string | null} layerName
 * @param {number} scale
 */
function hasNumbers(plan, meta, layerName, scale) {
  const counts = layerName ? meta.layers.find((layer) => layer.name === layerName)?.unit : backlogLayer(meta);
  return Boolean(counts) && plan.sx >= NUMBERS_FROM * scale && plan.sy >= NUMBERS_FROM * scale;
}

/**
 * Write the number of waiting tasks in the middle of a cell. The background behind it leaves the cell's shade and
 * stripes visible around it.
 * @param {Pen} pen
 * @param {Plan} plan
 * @param {Cells} cells
 * @param {number} slot
 * @param {About} options
 */
function drawNumber(pen, plan, cells, slot, { meta, picture, look, layer }) {
  const { scale } = look;
  const [x, y] = [cells.x[slot], cells.y[slot]];
  const [wide, high] = [plan.sx - plan.gap, plan.sy - plan.gap];
  pen.clearRect(x, y, wide, high);
  const text = numberOn(meta, picture, layer, cells.ids[slot]);
  if (!text) return;
  const size = TEXT_SIZE * scale;
  pen.font = `600 ${size}px ${FONT}`;
  const room = pen.measureText(text).width + 4 * scale;
  if (room > wide) return;
  pen.globalAlpha = 0.85;
  pen.fillStyle = look.paper;
  pen.beginPath();
  pen.roundRect(x + (wide - room) / 2, y + (high - size - 2 * scale) / 2, room, size + 2 * scale, 2 * scale);
  pen.fill();
  pen.globalAlpha = 1;
  pen.fillStyle = look.ink;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(text, x + wide / 2, y + high / 2 + 0.5 * scale);
  pen.textAlign = "start";
}

/**
 * Return "3 waiting", or "Long tasks 1" if the label names the unit.
 * @param {LayerMeta} layer
 * @param {number} value
 */
function countWords(layer, value) {
  const words = levelWords(layer, value, layer.label);
  return words.endsWith(layer.unit) ? words : `${layer.label} ${words}`;
}

/**
 * Write the lines of a cell: machine and rack, owner, and a bar for each level. A background keeps them readable over
 * any color.
 * @param {Pen} pen
 * @param {Plan} plan
 * @param {Cells} cells
 * @param {number} slot
 * @param {About} options
 */
function drawDetail(pen, plan, cells, slot, { meta, picture, starts, look }) {
  const { scale } = look;
  const machine = cells.ids[slot];
  const [x, y] = [cells.x[slot], cells.y[slot]];
  const [wide, high] = [plan.sx - plan.gap, plan.sy - plan.gap];
  pen.clearRect(x, y, wide, high);
  const lent = hatchLayer(meta);
  const levels = meta.layers
    .filter(
      (layer) =>
        layer.kind === "level" &&
        layer !== lent &&
        layer.role !== "service" &&
        layer.role !== "reserved" &&
        picture?.layers[layer.name],
    )
    .slice(0, 3);
  const line = LINE * scale;
  const room = Math.min(levels.length, Math.max(0, Math.floor((high * 0.72 - 2 * line - 6 * scale) / line)));
  const tall = 2 * line + room * line + 5 * scale;
  const top = y + high - tall;
  pen.globalAlpha = 0.92;
  plate(pen, x + scale, top, wide - 2 * scale, tall - scale, look.paper);
  pen.globalAlpha = 1;
  pen.textBaseline = "alphabetic";
  pen.fillStyle = look.ink;
  pen.font = `600 ${TEXT_SIZE * scale}px ${FONT}`;
  pen.fillText(fit(pen, whole(machine), wide - 8 * scale), x + 4 * scale, top + line - 2 * scale);
  pen.font = `400 ${TEXT_SIZE * scale}px ${FONT}`;
  pen.fillStyle = look.muted;
  const owner = ownerOf(meta, picture ?? { layers: {} }, machine);
  const service = serviceOf(meta, picture, machine);
  const group = groupOf(meta, machine);
  const whose = [
    service === "in service" ? "" : service,
    meta.owners[owner] ?? "",
    group < 0 ? "" : `${midSentence(meta.groups?.label ?? "")} ${group}`,
    gettext("rack {rack}", { rack: whole(rackOf(starts, machine)) }),
  ].filter(Boolean);
  pen.fillText(fitParts(pen, whose, wide - 8 * scale), x + 4 * scale, top + 2 * line - 3 * scale);
  levels.slice(0, room).forEach((layer, place) => {
    const at = { x: x + 4 * scale, y: top + 2 * line + place * line + 5 * scale, wide: wide - 8 * scale };
    drawLevel(pen, layer, picture?.layers[layer.name][machine] ?? 0, at, look);
  });
}

/**
 * Draw one level of a machine: its name and a bar, or its count in words.
 * @param {Pen} pen
 * @param {LayerMeta} layer
 * @param {number} value
 * @param {{x: number, y: number, wide: number}} options
 * @param {Look} look
 */
function drawLevel(pen, layer, value, { x, y, wide }, look) {
  const { scale } = look;
  const name = wide > 96 * scale ? 44 * scale : 0;
  pen.fillStyle = look.muted;
  if (layer.unit) {
    pen.fillText(fit(pen, countWords(layer, value), wide), x, y + 8 * scale);
    return;
  }
  if (name) pen.fillText(fit(pen, layer.label, name - 4 * scale), x, y + 8 * scale);
  pen.fillStyle = look.line;
  pen.fillRect(x + name, y, wide - name, 5 * scale);
  pen.fillStyle = look.ink;
  pen.fillRect(x + name, y, ((wide - name) * value) / 255, 5 * scale);
}
