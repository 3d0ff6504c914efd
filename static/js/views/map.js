/**
 * The map: a cell a machine. Three stacked canvases: cells (image data, repainted where they changed),
 * names (drawn once a layout), and on top what flashes, is pointed at or is pinned.
 */

import { layOut, machineAt } from "../lib/layout.js";
import { NONE, HUES, levelTable, ownerTable, pack, shade } from "../lib/palette.js";
import { hatchHueLayer, hatchLayer, hueLayer, ownerOf, valueLayer } from "../lib/sentences.js";
import { h, isDark, onTheme, reducedMotion, token } from "./dom.js";

const FLASH_MS = 900;
const MOST_FLASHES = 300;
const STRIPES_FROM = 14;

export class MapView {
  /** `on`: point(machine or -1, x, y) and pin(machine). */
  constructor(element, on = {}) {
    this.element = element;
    this.on = on;
    this.cells = h("canvas", { class: "map-cells", role: "img", "aria-label": "Map of all machines" });
    this.names = h("canvas", { class: "map-over", "aria-hidden": "true" });
    this.over = h("canvas", { class: "map-over", "aria-hidden": "true" });
    element.append(this.cells, this.names, this.over);
    this.meta = null;
    this.picture = null;
    this.layer = null;
    this.flashes = [];
    this.pinned = -1;
    this.pointed = -1;
    this.overDrawn = false;
    new ResizeObserver(() => this.#relayout()).observe(element);
    onTheme(() => this.#recolour());
    this.#listen();
  }

  #listen() {
    const at = (event) => {
      const box = this.cells.getBoundingClientRect();
      return [(event.clientX - box.left) * this.scale, (event.clientY - box.top) * this.scale];
    };
    this.cells.addEventListener("pointermove", (event) => {
      if (!this.plan) return;
      this.pointed = machineAt(this.plan, ...at(event));
      this.on.point?.(this.pointed, event.clientX, event.clientY);
      this.overDrawn = false;
    });
    this.cells.addEventListener("pointerleave", () => { this.pointed = -1; this.on.point?.(-1, 0, 0); this.overDrawn = false; });
    this.cells.addEventListener("click", (event) => {
      if (!this.plan) return;
      const machine = machineAt(this.plan, ...at(event));
      this.pinned = machine === this.pinned ? -1 : machine;
      this.on.pin?.(this.pinned);
      this.overDrawn = false;
    });
  }

  setMeta(meta) {
    const same = this.meta && JSON.stringify(this.meta.clusters) === JSON.stringify(meta.clusters);
    this.meta = meta;
    this.picture = null;
    if (!same) { this.pinned = -1; this.pointed = -1; this.flashes = []; }
    this.#relayout();
  }

  /** Null shows everything together; a layer's name shows it alone. */
  setLayer(name) {
    this.layer = this.meta?.layers.some((layer) => layer.name === name) ? name : null;
    this.#repaint();
  }

  show(picture) {
    this.picture = picture;
    this.#paint();
  }

  /** Let marks flash: ring or dot, by the kind. */
  flash(marks) {
    const born = performance.now();
    for (const mark of marks.slice(-MOST_FLASHES)) {
      if (mark.machine >= 0) this.flashes.push({ machine: mark.machine, kind: mark.kind, born });
    }
    if (this.flashes.length > MOST_FLASHES) this.flashes.splice(0, this.flashes.length - MOST_FLASHES);
  }

  #relayout() {
    const box = this.element.getBoundingClientRect();
    if (!this.meta || box.width < 8 || box.height < 8) return;
    this.scale = window.devicePixelRatio || 1;
    const width = Math.floor(box.width * this.scale);
    const height = Math.floor(box.height * this.scale);
    for (const canvas of [this.cells, this.names, this.over]) { canvas.width = width; canvas.height = height; }
    this.plan = layOut(this.meta.clusters, width, height, this.scale);
    this.striped = Math.min(this.plan.sx, this.plan.sy) - this.plan.gap >= STRIPES_FROM * this.scale;
    this.image = new ImageData(width, height);
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.painted = new Float64Array(this.meta.machines).fill(-1);
    this.#recolour();
    this.on.layout?.(this);
  }

  #recolour() {
    if (!this.plan) return;
    const dark = isDark();
    this.dark = dark;
    this.owners = ownerTable(this.meta.owners.length, dark);
    this.levels = levelTable(dark);
    this.hatches = Array.from({ length: 256 }, (_, owner) => pack(shade(owner, dark ? 1 : 0.95, dark)));
    this.hatchNobody = dark ? pack([255, 255, 255]) : pack([20, 22, 28]);
    this.ground = 0;
    this.ink = token("ink");
    this.muted = token("muted");
    this.alarm = token("alarm");
    this.paper = token("surface");
    this.#drawNames();
    this.#repaint();
  }

  #repaint() {
    if (!this.plan) return;
    this.painted.fill(-1);
    this.#paint();
  }

  #bytes(layer) { return layer && this.picture ? this.picture.layers[layer.name] || null : null; }

  #paint() {
    if (!this.plan || !this.meta) return;
    const alone = this.meta.layers.find((layer) => layer.name === this.layer) || null;
    if (alone && this.#bytes(alone)) this.#paintAlone(alone); else this.#paintTogether();
    this.cells.getContext("2d").putImageData(this.image, 0, 0);
    this.overDrawn = false;
  }

  #paintAlone(layer) {
    const bytes = this.#bytes(layer);
    for (let machine = 0; machine < this.meta.machines; machine += 1) {
      const value = bytes[machine];
      if (this.painted[machine] === value) continue;
      this.painted[machine] = value;
      const colour = layer.kind === "level" ? this.levels[value] : this.owners[value * 256 + (value === NONE ? 0 : 205)];
      this.#cell(machine, colour, 0, layer.kind === "category" && value !== NONE && value >= HUES.length);
    }
  }

  #paintTogether() {
    const hue = this.#bytes(hueLayer(this.meta));
    const value = this.#bytes(valueLayer(this.meta));
    const lent = this.#bytes(hatchLayer(this.meta));
    const borrower = this.#bytes(hatchHueLayer(this.meta));
    if (!hue && this.fixedFor !== this.meta) this.#fixOwners();
    for (let machine = 0; machine < this.meta.machines; machine += 1) {
      const owner = hue ? hue[machine] : this.fixed[machine];
      const level = value ? value[machine] : 0;
      const isLent = lent !== null && lent[machine] > 0;
      const to = isLent && borrower ? borrower[machine] : NONE;
      const key = owner + level * 256 + (isLent ? (to + 1) * 65536 : 0);
      if (this.painted[machine] === key) continue;
      this.painted[machine] = key;
      const hatch = isLent ? (to === NONE ? this.hatchNobody : this.hatches[to]) : 0;
      this.#cell(machine, this.owners[owner * 256 + level], hatch, owner !== NONE && owner >= HUES.length);
    }
  }

  /** Owners by partition, for runs and outlines that have no owner layer. */
  #fixOwners() {
    this.fixed = new Uint8Array(this.meta.machines).fill(NONE);
    for (const cluster of this.meta.clusters) {
      for (const part of cluster.partitions) this.fixed.fill(part.owner, part.first, part.first + part.machines);
    }
    this.fixedFor = this.meta;
  }

  #cell(machine, colour, hatch, patterned) {
    const { sx, sy, gap, width } = this.plan;
    const right = sx - gap;
    const bottom = sy - gap;
    const start = this.plan.y[machine] * width + this.plan.x[machine];
    for (let row = 0; row < bottom; row += 1) {
      const from = start + row * width;
      this.pixels.fill(colour, from, from + right);
    }
    if (hatch) this.#hatch(start, right, bottom, hatch);
    if (patterned && right >= 3) this.#notch(start, right, bottom);
  }

  /** Diagonal stripes where there is room, else the lower right half: thin stripes would only blur two hues. */
  #hatch(start, right, bottom, colour) {
    const { width } = this.plan;
    const room = this.striped;
    const pitch = Math.max(4, Math.round(Math.min(right, bottom) / 2));
    const thick = Math.max(2, Math.round(pitch / 2));
    for (let row = 0; row < bottom; row += 1) {
      for (let column = 0; column < right; column += 1) {
        const hit = room ? (row + column) % pitch < thick : (row + 1) * right + (column + 1) * bottom > right * bottom + Math.max(right, bottom) / 2;
        if (hit) this.pixels[start + row * width + column] = colour;
      }
    }
  }

  /** Owners past the eighth share a hue: a notch tells them apart. */
  #notch(start, right, bottom) {
    const side = Math.max(1, Math.floor(Math.min(right, bottom) / 3));
    for (let row = 0; row < side; row += 1) this.pixels.fill(this.ground, start + row * this.plan.width, start + row * this.plan.width + side);
  }

  #drawNames() {
    const pen = this.names.getContext("2d");
    pen.clearRect(0, 0, this.names.width, this.names.height);
    pen.textBaseline = "alphabetic";
    for (const block of this.plan.blocks) {
      if (this.plan.label) {
        pen.font = `500 ${12 * this.scale}px system-ui, sans-serif`;
        pen.fillStyle = this.muted;
        pen.fillText(fit(pen, block.name, block.width), block.x, block.y - 5 * this.scale);
      }
      if (!this.plan.partLabel) continue;
      pen.font = `500 ${11 * this.scale}px system-ui, sans-serif`;
      for (const part of block.parts) {
        if (part.owner === NONE || !this.meta.owners[part.owner]) continue;
        const [r, g, b] = shade(part.owner, this.dark ? 0.9 : 1, this.dark);
        pen.fillStyle = `rgb(${r} ${g} ${b})`;
        pen.fillRect(part.x, part.y - 9 * this.scale, 6 * this.scale, 6 * this.scale);
        pen.fillStyle = this.muted;
        pen.fillText(fit(pen, this.meta.owners[part.owner], part.width - 10 * this.scale), part.x + 9 * this.scale, part.y - 3.5 * this.scale);
      }
    }
  }

  /** Draw what fades; call once an animation frame. */
  drawOver(now) {
    if (!this.plan) return;
    const alive = this.flashes.filter((flash) => now - flash.born < FLASH_MS);
    if (this.overDrawn && !alive.length && !this.flashes.length) return;
    this.flashes = alive;
    this.overDrawn = true;
    const pen = this.over.getContext("2d");
    pen.clearRect(0, 0, this.over.width, this.over.height);
    const still = reducedMotion();
    for (const flash of alive) this.#drawFlash(pen, flash, still ? 0.25 : (now - flash.born) / FLASH_MS);
    pen.globalAlpha = 1;
    if (this.pointed >= 0) this.#outline(pen, this.pointed, 1.5);
    if (this.pinned >= 0) this.#outline(pen, this.pinned, 2.5);
  }

  #centre(machine) {
    return [this.plan.x[machine] + (this.plan.sx - this.plan.gap) / 2, this.plan.y[machine] + (this.plan.sy - this.plan.gap) / 2];
  }

  #drawFlash(pen, flash, age) {
    if (flash.machine >= this.plan.x.length) return;
    const [x, y] = this.#centre(flash.machine);
    const size = Math.max(this.plan.sx, 5 * this.scale) / 2;
    pen.globalAlpha = (1 - age) ** 1.5;
    if (flash.kind === "refusal") {
      pen.fillStyle = this.alarm;
      pen.beginPath();
      pen.arc(x, y, Math.max(2 * this.scale, Math.min(size * 0.42, 5 * this.scale)), 0, 7);
      pen.fill();
      pen.strokeStyle = this.paper;
      pen.lineWidth = this.scale;
      pen.stroke();
    } else {
      // A ring in the shape of the cell: circles would cover the neighbours.
      const spread = (0.5 + age * 2) * this.scale;
      const [wide, high] = [this.plan.sx - this.plan.gap + 2 * spread, this.plan.sy - this.plan.gap + 2 * spread];
      pen.strokeStyle = this.ink;
      pen.lineWidth = 1.5 * this.scale;
      pen.beginPath();
      pen.roundRect(x - wide / 2, y - high / 2, wide, high, Math.min(3 * this.scale, wide / 5));
      pen.stroke();
    }
  }

  #outline(pen, machine, thick) {
    if (machine >= this.plan.x.length) return;
    const half = (thick * this.scale) / 2;
    pen.strokeStyle = this.ink;
    pen.lineWidth = thick * this.scale;
    pen.strokeRect(this.plan.x[machine] - half, this.plan.y[machine] - half, this.plan.sx - this.plan.gap + 2 * half, this.plan.sy - this.plan.gap + 2 * half);
  }

  /** Where a machine's cell is in the element, in CSS pixels. */
  cssPlace(machine) { return this.#centre(machine).map((value) => value / this.scale); }

  ownerAt(machine) { return this.picture ? ownerOf(this.meta, this.picture, machine) : NONE; }
}

function fit(pen, text, width) {
  if (pen.measureText(text).width <= width) return text;
  let cut = text;
  while (cut.length > 1 && pen.measureText(`${cut}…`).width > width) cut = cut.slice(0, -1);
  return cut.length > 1 ? `${cut}…` : "";
}
