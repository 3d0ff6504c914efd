/**
 * Paints the cells into an image. One number encodes what a machine shows; a cell is repainted only if its number
 * changed.
 */

import { penOf } from "../../kit/dom.js";
import { outageLayer } from "../../run/places.js";
import { EMPTY } from "./layout.js";
import { NONE, HUES, levelTable, over, ownerTable, pack, shade, stripeInk } from "../../kit/palette.js";
import { backlogLayer, depths, roleLayer } from "../../run/roles.js";
import { hatchHueLayer, hatchLayer, hueLayer, valueLayer } from "../../run/sentences.js";

/**
 * @import { Cells } from "./camera.js"
 * @import { LayerMeta, Meta } from "../../contract/contract"
 * @import { Picture } from "../../run/sentences.js"
 * @import { Plan } from "./layout.js"
 */

const STRIPES_FROM = 14;
const STRIPE = 0.36; // the opacity of a pattern's stripes
const FAINT = 0x26000000;
const FAILED = 192; // of 255 out of service; a lower value means draining

export class CellPainter {
  constructor(/** @type {HTMLCanvasElement} */ canvas) {
    this.canvas = canvas;
    this.pen = penOf(canvas);
    /** @type {Set<number>} */
    this.filter = new Set();
    /** @type {Meta | null} */
    this.meta = null;
    /** @type {ImageData | null} */
    this.image = null;
    this.pixels = new Uint32Array(0);
    this.painted = new Int32Array(0); // the encoded state of each slot
    /** @type {Plan} */
    this.plan = EMPTY;
    /** @type {Cells} */
    this.cells = { ids: new Int32Array(0), x: new Int32Array(0), y: new Int32Array(0), count: 0 };
    this.striped = false;
    this.fixed = new Uint8Array(0); // owners by machine if no layer has them
    this.nothing = new Uint8Array(0); // replaces missing layers
    /** @type {LayerMeta | null} */
    this.backlog = null;
    this.depths = depths(null);
    /** @type {LayerMeta | null} */
    this.pattern = null;
    this.owners = new Uint32Array(0);
    this.levels = new Uint32Array(0);
    /** @type {number[]} */
    this.hatches = [];
    this.hatchNobody = 0;
    this.rim = 0;
    this.changed = new Int32Array(0); // slots repainted last; texts on them must be redrawn
    this.changes = 0;
  }

  /**
   * Set the plan as the camera sees it and its visible cells.
   * @param {Plan} plan
   * @param {Cells} cells
   * @param {number} scale
   */
  setPlan(plan, cells, scale) {
    if (!this.image || this.image.width !== plan.width || this.image.height !== plan.height) {
      this.image = new ImageData(plan.width, plan.height);
      this.pixels = new Uint32Array(this.image.data.buffer);
    }
    this.plan = plan;
    this.cells = cells;
    this.striped = Math.min(plan.sx, plan.sy) - plan.gap >= STRIPES_FROM * scale;
    if (this.changed.length < cells.count) {
      this.changed = new Int32Array(cells.count);
      this.painted = new Int32Array(cells.count);
    }
    this.clear();
  }

  setMeta(/** @type {Meta} */ meta) {
    this.meta = meta;
    this.fixed = new Uint8Array(meta.machines).fill(NONE);
    this.nothing = new Uint8Array(meta.machines);
    // Owners by partition, for runs and outlines without an owner layer.
    for (const cluster of meta.clusters)
      for (const part of cluster.partitions) this.fixed.fill(part.owner, part.first, part.first + part.machines);
    const { groups } = meta;
    groups?.first.forEach((first, group) =>
      this.fixed.fill(group % HUES.length, first, groups.first[group + 1] ?? meta.machines),
    );
    this.backlog = backlogLayer(meta);
    this.depths = depths(this.backlog);
    this.pattern = roleLayer(meta, "pattern");
  }

  setColours(/** @type {boolean} */ dark, /** @type {number[]} */ rim) {
    const owners = this.meta?.owners.length || (this.meta?.groups ? HUES.length : 0);
    this.owners = ownerTable(owners, dark, Boolean(this.backlog));
    this.levels = levelTable(dark);
    this.hatches = Array.from({ length: 256 }, (_, owner) => pack(shade(owner, dark ? 1 : 0.95, dark)));
    this.hatchNobody = stripeInk(dark);
    this.rim = pack(rim);
  }

  /** Forget the painted state. */
  clear() {
    this.painted.fill(-1);
    this.pixels.fill(0);
  }

  #bytes(/** @type {LayerMeta | null} */ layer, /** @type {Picture | null} */ picture) {
    return layer && picture ? picture.layers[layer.name] || null : null;
  }

  /**
   * Paint the changed cells, then draw the image. A layer's name shows that layer alone.
   * @param {Picture | null} picture
   * @param {string | null} layerName
   */
  paint(picture, layerName) {
    this.changes = 0;
    if (!this.meta || !this.image) return;
    const alone = this.meta.layers.find((layer) => layer.name === layerName);
    const bytes = alone ? this.#bytes(alone, picture) : null;
    if (alone && bytes) this.#alone(this.meta, alone, bytes, picture);
    else this.#together(this.meta, picture);
    this.pen.putImageData(this.image, 0, 0);
  }

  #note(/** @type {number} */ slot, /** @type {number} */ key) {
    this.painted[slot] = key;
    this.changed[this.changes] = slot;
    this.changes += 1;
  }

  /**
   * @param {Meta} meta
   * @param {LayerMeta} layer
   * @param {Uint8Array} bytes
   * @param {Picture | null} picture
   */
  #alone(meta, layer, bytes, picture) {
    const owner = this.#bytes(hueLayer(meta), picture) ?? this.fixed;
    for (let slot = 0; slot < this.cells.count; slot += 1) {
      const machine = this.cells.ids[slot];
      const value = bytes[machine];
      if (this.painted[slot] === value) continue;
      this.#note(slot, value);
      const colour =
        layer.kind === "level" ? this.levels[value] : this.owners[value * 256 + (value === NONE ? 0 : 205)];
      const whose = layer.kind === "category" ? value : owner[machine];
      const faint = this.filter.size > 0 && !this.filter.has(whose);
      this.#cell(
        slot,
        faint ? faded(colour) : colour,
        0,
        layer.kind === "category" && value !== NONE && value >= HUES.length,
      );
    }
  }

  /** Return a function from a machine to its color in the combined picture, for the minimap. */
  colours(/** @type {Meta} */ meta, /** @type {Picture | null} */ picture) {
    const hue = this.#bytes(hueLayer(meta), picture) ?? this.fixed;
    const depth = this.#depth(meta, picture);
    return (/** @type {number} */ machine) => this.owners[hue[machine] * 256 + depth(machine)];
  }

  /** Return a function from a machine to its shade: by load, deeper with a queue. */
  #depth(/** @type {Meta} */ meta, /** @type {Picture | null} */ picture) {
    const value = this.#bytes(valueLayer(meta), picture) ?? this.nothing;
    const waiting = this.#bytes(this.backlog, picture) ?? this.nothing;
    const { filled, deepened } = this.depths;
    return (/** @type {number} */ machine) => (waiting[machine] ? deepened[waiting[machine]] : filled[value[machine]]);
  }

  #together(/** @type {Meta} */ meta, /** @type {Picture | null} */ picture) {
    const hue = this.#bytes(hueLayer(meta), picture) ?? this.fixed;
    const value = this.#bytes(valueLayer(meta), picture) ?? this.nothing;
    const lent = this.#bytes(hatchLayer(meta), picture) ?? this.nothing;
    const borrower = this.#bytes(hatchHueLayer(meta), picture);
    const outage = this.#bytes(outageLayer(meta), picture) ?? this.nothing;
    const pattern = this.#bytes(this.pattern, picture) ?? this.nothing;
    const waiting = this.#bytes(this.backlog, picture) ?? this.nothing;
    const depth = this.#depth(meta, picture);
    const { ids, count } = this.cells;
    const { painted, filter } = this;
    for (let slot = 0; slot < count; slot += 1) {
      const machine = ids[slot];
      const owner = hue[machine];
      const level = value[machine];
      const isLent = lent[machine] !== 0;
      const to = isLent && borrower ? borrower[machine] : NONE;
      const out = outage[machine];
      // 31-bit integers: comparing them is the main cost of a frame.
      const key =
        owner |
        (level << 8) |
        (isLent ? (to + 1) << 16 : waiting[machine] << 16) |
        (out === 0 ? 0 : out < FAILED ? 1 << 26 : 1 << 27) |
        (pattern[machine] ? 1 << 28 : 0);
      if (painted[slot] === key) continue;
      this.#note(slot, key);
      const faint = filter.size > 0 && !filter.has(owner) && !(isLent && filter.has(to));
      const colour = this.owners[owner * 256 + depth(machine)];
      const hatch = isLent
        ? to === NONE
          ? this.hatchNobody
          : this.hatches[to]
        : pattern[machine]
          ? over(colour, this.hatchNobody, STRIPE)
          : 0;
      this.#cell(
        slot,
        faint ? faded(colour) : colour,
        faint && hatch ? faded(hatch) : hatch,
        owner !== NONE && owner >= HUES.length,
      );
      if (out) this.#hollow(slot, out >= FAILED);
    }
  }

  /**
   * @param {number} slot
   * @param {number} colour
   * @param {number} hatch
   * @param {boolean} patterned
   */
  #cell(slot, colour, hatch, patterned) {
    const { sx, sy, gap, width, height } = this.plan;
    const left = this.cells.x[slot];
    const top = this.cells.y[slot];
    const from = Math.max(left, 0);
    const to = Math.min(left + sx - gap, width);
    const last = Math.min(top + sy - gap, height);
    if (to <= from) return;
    const { pixels } = this;
    for (let row = Math.max(top, 0); row < last; row += 1) {
      const end = row * width + to;
      if (to - from > 8) pixels.fill(colour, row * width + from, end);
      else for (let pixel = row * width + from; pixel < end; pixel += 1) pixels[pixel] = colour;
    }
    if (hatch) this.#hatch(left, top, from, to, last, hatch);
    if (patterned && sx - gap >= 3) this.#notch(left, top);
  }

  /**
   * Draw diagonal stripes if there is room, else fill the lower right half: thin stripes would blur two hues.
   * @param {number} left
   * @param {number} top
   * @param {number} from
   * @param {number} to
   * @param {number} last
   * @param {number} colour
   */
  #hatch(left, top, from, to, last, colour) {
    const { width, sx, sy, gap } = this.plan;
    const [wide, high] = [sx - gap, sy - gap];
    const pitch = Math.min(16, Math.max(4, Math.round(Math.min(wide, high) / 2)));
    const thick = Math.max(2, Math.round(pitch / 2));
    const border = wide * high + Math.max(wide, high) / 2;
    for (let row = Math.max(0, top); row < last; row += 1) {
      for (let column = from; column < to; column += 1) {
        const [y, x] = [row - top, column - left];
        if (this.striped ? (x + y) % pitch < thick : (y + 1) * wide + (x + 1) * high > border)
          this.pixels[row * width + column] = colour;
      }
    }
  }

  /**
   * Draw a notch: it distinguishes owners past the eighth, which share a hue.
   * @param {number} left
   * @param {number} top
   */
  #notch(left, top) {
    const { sx, sy, gap, width, height } = this.plan;
    const side = Math.max(1, Math.floor(Math.min(sx - gap, sy - gap) / 3));
    this.#box(Math.max(0, left), Math.max(0, top), Math.min(width, left + side), Math.min(height, top + side), 0);
  }

  /**
   * @param {number} left
   * @param {number} top
   * @param {number} right
   * @param {number} bottom
   * @param {number} colour
   */
  #box(left, top, right, bottom, colour) {
    if (right <= left) return;
    for (let row = top; row < bottom; row += 1)
      this.pixels.fill(colour, row * this.plan.width + left, row * this.plan.width + right);
  }

  /**
   * Draw a machine out of service: a frame without a fill. A draining machine keeps its lower half.
   * @param {number} slot
   * @param {boolean} failed
   */
  #hollow(slot, failed) {
    const { sx, sy, gap, width, height } = this.plan;
    const [left, top, right, bottom] = [
      this.cells.x[slot],
      this.cells.y[slot],
      this.cells.x[slot] + sx - gap,
      this.cells.y[slot] + sy - gap,
    ];
    const rim = sx - gap < 4 ? 0 : Math.max(1, Math.round((sx - gap) / 12));
    const clip = (
      /** @type {number} */ x0,
      /** @type {number} */ y0,
      /** @type {number} */ x1,
      /** @type {number} */ y1,
      /** @type {number} */ colour,
    ) => this.#box(Math.max(0, x0), Math.max(0, y0), Math.min(width, x1), Math.min(height, y1), colour);
    const middle = failed ? bottom : Math.round((top + bottom) / 2);
    clip(left, top, right, middle, this.rim);
    if (rim) clip(left + rim, top + rim, right - rim, middle - (failed ? rim : 0), 0);
  }
}

function faded(/** @type {number} */ colour) {
  return ((colour & 0x00ffffff) | FAINT) >>> 0;
}
