/**
 * The map: each cell is a machine. It stacks canvases: cells (image data, repainted where they changed), details (texts
 * on large cells), names (drawn when the camera moves), and on top flashing marks and the hovered, focused and pinned
 * machine.
 */

import { FIT, cameraOn, cameraOnFew, nearest, partsOf, placeOf, seen, visible } from "./camera.js";
import { EMPTY, layOut, machineAt } from "./layout.js";
import { NONE } from "../../kit/palette.js";
import { rackStarts } from "../../run/places.js";
import { markShape, roleBytes } from "../../run/roles.js";
import { ownerOf } from "../../run/sentences.js";
import { CellPainter } from "./cells.js";
import { h, isDark, onTheme, penOf, rgb, token } from "../../kit/dom.js";
import { actsOf } from "./map_acts.js";
import { MapEye } from "./map_eye.js";
import { wireGestures } from "./map_gestures.js";
import { Flashes } from "./map_marks.js";
import { drawOver } from "./map_over.js";
import { drawStanding } from "./map_groups.js";
import { writerFor } from "./map_text.js";
import { Minimap } from "./minimap.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Camera, Cells, Kept } from "./camera.js"
 * @import { Part, Plan } from "./layout.js"
 * @import { Meta } from "../../contract/contract"
 * @import { Picture } from "../../run/sentences.js"
 * @import { SeenMark } from "../../run/frames.js"
 * @import { Target } from "../../run/places.js"
 */

/**
 * The theme's colors of the map, and the size of a CSS pixel.
 * @typedef {{scale: number, dark: boolean, ink: string, muted: string, alarm: string, paper: string, line: string,
 *   focus: string}} Look
 * @typedef {object} MapHooks
 * @property {(machine: number, x: number, y: number) => void} [point]  the pointer is over a machine, or over none (-1)
 * @property {(machine: number) => void} [pin]
 * @property {(machine: number) => boolean} [touch]  returns true if the tap touched the machine and pins nothing
 * @property {(map: MapView) => void} [layout]
 * @property {() => void} [moved]  the viewer moved the camera
 * @property {(machine: number) => void} [focus]  focused by keyboard
 * @property {() => void} [describe]
 * @property {(target: Target, x: number, y: number) => void} [menu]
 */

/** The margin around all cells (CSS pixels; `--s1` in map.css), for frames, outlines and the focus ring. */
const RIM = 4;

export class MapView {
  /**
   * @param {HTMLElement} element
   * @param {MapHooks} [on]
   * @param {{wheel?: "always" | "ctrl"}} [options]  "ctrl" if the page scrolls
   */
  constructor(element, on = {}, { wheel = "always" } = {}) {
    this.element = element;
    this.on = on;
    this.cells = h("canvas", {
      class: "map-cells",
      tabindex: "0",
      role: "application",
      "aria-roledescription": "map",
      "aria-label": gettext("Map of all machines"),
    });
    const layer = () => h("canvas", { class: "map-over", "aria-hidden": "true" });
    this.names = layer();
    this.details = layer();
    this.over = layer();
    element.append(this.cells, this.details, this.names, this.over);
    this.minimap = new Minimap(element, (x, y) => this.moveTo({ ...this.camera, x, y }));
    this.painter = new CellPainter(this.cells);
    this.flashes = new Flashes();
    this.eye = new MapEye(this);
    /** @type {Plan | null} */
    this.plan = null;
    /** The plan as the camera sees it, its parts, and its visible cells. @type {Plan} */
    this.view = EMPTY;
    /** @type {Part[]} */
    this.parts = [];
    /** @type {Cells | null} */
    this.visible = null;
    /** @type {Meta | null} */
    this.meta = null;
    /** @type {Picture | null} */
    this.picture = null;
    /** @type {string | null} */
    this.layer = null;
    /** @type {number[]} */
    this.starts = [];
    /** @type {Look | null} */
    this.look = null;
    this.scale = window.devicePixelRatio || 1;
    this.pinned = -1;
    this.pointed = -1;
    this.cursor = -1;
    this.overDrawn = false;
    this.withoutRacks = false;
    new ResizeObserver(() => this.#relayout()).observe(element);
    onTheme(() => this.#recolour());
    for (const name of ["focus", "blur"])
      this.cells.addEventListener(name, () => {
        this.overDrawn = false;
      });
    wireGestures(this.cells, actsOf(this), { wheel });
  }

  machineAt(/** @type {number} */ x, /** @type {number} */ y) {
    return this.plan ? machineAt(this.view, x, y) : -1;
  }

  get camera() {
    return this.eye.camera;
  }

  /** The magnification of cells relative to "fit". */
  get factor() {
    return this.eye.factor;
  }

  /** Move the camera for the viewer, at once or with a short animation. */
  moveTo(/** @type {Camera} */ camera, smooth = false) {
    this.eye.moveTo(camera, smooth);
  }

  /** Zoom about the keyboard cursor, else about the center. */
  zoomBy(/** @type {number} */ factor) {
    this.eye.zoomBy(factor);
  }

  fit() {
    this.moveTo(FIT, true);
  }

  /** Show a cluster as large as possible. */
  lookAt(/** @type {Target} */ target) {
    const { plan } = this;
    const block = plan?.blocks.find((each) => each.name === target.name);
    if (plan && block) this.moveTo(cameraOn(plan, block, this.scale), true);
  }

  /** Show at most `most` machines around a machine, or around the middle of the first cluster (null). */
  showFew(/** @type {number} */ most, /** @type {number | null} */ near) {
    const { plan, meta, scale } = this;
    const [block] = plan?.blocks ?? [];
    if (!plan || !meta || meta.outline || !block) return;
    const middle = nearest({ ...plan, blocks: [block] }, block.x + block.width / 2, block.y + block.height / 2);
    const centre = near !== null && near < meta.machines ? near : middle;
    this.moveTo(cameraOnFew(plan, meta.machines, { most, centre }, scale));
  }

  /** Return the position for the address bar: the zoom and the machine at the center, which fit any screen. */
  place() {
    return this.eye.place();
  }

  /** Go to a position returned by place(). Before a plan exists, remember it. */
  goTo(/** @type {Kept | null} */ place) {
    this.eye.goTo(place);
  }

  /**
   * @param {number} machine
   * @param {MouseEvent | null | undefined} event
   */
  point(machine, event) {
    if (machine === this.pointed && machine < 0) return;
    this.pointed = machine;
    this.on.point?.(machine, event?.clientX ?? 0, event?.clientY ?? 0);
    this.overDrawn = false;
  }

  pick(/** @type {number} */ machine) {
    if (machine >= 0) this.cursor = machine;
    if (machine >= 0 && this.on.touch?.(machine)) {
      this.overDrawn = false;
      return;
    }
    this.pinned = machine === this.pinned ? -1 : machine;
    this.on.pin?.(this.pinned);
    this.overDrawn = false;
  }

  setMeta(/** @type {Meta} */ meta) {
    const same = this.meta && JSON.stringify(this.meta.clusters) === JSON.stringify(meta.clusters);
    this.meta = meta;
    this.picture = null;
    this.starts = rackStarts(meta);
    this.painter.setMeta(meta);
    this.framed = false;
    if (!same) {
      this.pinned = -1;
      this.point(-1, null); // also hides the tooltip of the machine of the former datacenter
      this.cursor = -1;
      this.eye.reset();
      this.flashes.clear();
    }
    this.#relayout();
    this.goTo(this.eye.wanted);
  }

  /** Show one layer alone; null shows everything together. */
  setLayer(/** @type {string | null} */ name) {
    this.layer = this.meta?.layers.some((layer) => layer.name === name) ? name : null;
    if (this.plan && this.look) this.#reframe();
  }

  /** Show only these owners in full color; an empty set shows all. */
  setFilter(/** @type {Set<number>} */ owners) {
    this.painter.filter = owners;
    this.#repaint();
  }

  show(/** @type {Picture | null} */ picture) {
    this.picture = picture;
    // The reserved machines never change, but they are known only from the first picture on.
    if (!this.framed && this.meta && roleBytes(this.meta, picture, "reserved")) this.eye.moved = true;
    if (!this.eye.moved) this.#paint();
  }

  /**
   * Show or hide the lines between racks; they are hidden over machines that show their tasks.
   * @param {boolean} wanted
   */
  showRacks(wanted) {
    if (this.withoutRacks !== wanted) return;
    this.withoutRacks = !wanted;
    this.eye.moved = true;
  }

  /** Flash marks. */
  flash(/** @type {SeenMark[]} */ marks) {
    this.flashes.add(marks, performance.now(), (kind) => (this.meta ? markShape(this.meta, kind) : "ring"));
    this.overDrawn = false;
  }

  /** Show marks until others replace them. */
  hold(/** @type {SeenMark[]} */ marks) {
    this.flashes.hold(marks, (kind) => (this.meta ? markShape(this.meta, kind) : "ring"));
    this.overDrawn = false;
  }

  #relayout() {
    const box = this.element.getBoundingClientRect();
    if (!this.meta || box.width < 8 + 2 * RIM || box.height < 8 + 2 * RIM) return;
    const ratio = window.devicePixelRatio || 1;
    // If a page enlarges the map (the stage), texts and gaps grow with it.
    this.scale = ratio * (this.element.currentCSSZoom ?? 1);
    const width = Math.floor(box.width * ratio);
    const height = Math.floor(box.height * ratio);
    for (const canvas of [this.cells, this.names, this.details, this.over]) {
      canvas.width = width;
      canvas.height = height;
    }
    const plan = layOut(this.meta.clusters, width, height, this.scale, Math.round(RIM * this.scale));
    this.eye.takePlan(plan);
    this.minimap.setPlan(plan, this.scale);
    this.#recolour();
    this.on.layout?.(this);
  }

  #recolour() {
    if (!this.plan) return;
    const dark = isDark();
    const muted = token("muted");
    this.look = {
      scale: this.scale,
      dark,
      ink: token("ink"),
      muted,
      alarm: token("alarm"),
      paper: token("ground"),
      line: token("line-strong"),
      focus: token("accent"),
    };
    this.painter.setColours(dark, rgb(muted));
    this.#reframe();
  }

  /** Update after a camera move: positions, names and all cells. */
  #reframe() {
    const { plan, meta, look } = this;
    if (!plan || !meta || !look) return;
    this.eye.moved = false;
    this.overDrawn = false; // resizing clears the canvas
    this.view = seen(plan, this.camera, this.scale);
    this.parts = partsOf(this.view);
    const cells = visible(this.view, meta.machines, this.visible);
    this.visible = cells;
    this.painter.setPlan(this.view, cells, this.scale);
    this.cells.classList.toggle("is-zoomed", this.factor > 1);
    this.minimap.look(plan, this.camera);
    const pen = penOf(this.names);
    pen.clearRect(0, 0, this.names.width, this.names.height);
    const { picture, starts, withoutRacks } = this;
    this.framed = drawStanding(pen, this.view, cells, { meta, picture, starts, look, withoutRacks });
    // Cells that show their tasks would cover the texts in them.
    this.write = this.withoutRacks ? null : writerFor(this.view, meta, this.layer, this.scale);
    this.details.hidden = !this.write; // an empty canvas still costs time at every frame
    penOf(this.details).clearRect(0, 0, this.details.width, this.details.height);
    this.#repaint();
  }

  get striped() {
    return Boolean(this.painter.striped);
  }

  #repaint() {
    if (this.plan) {
      this.painter.clear();
      this.#paint();
    }
  }

  #paint() {
    const { plan, meta, look, visible: cells, write } = this;
    if (!plan || !meta || !look || !cells) return;
    this.painter.paint(this.picture, this.layer);
    if (!write) return;
    const pen = penOf(this.details);
    const about = { meta, picture: this.picture, starts: this.starts, look, layer: this.layer };
    for (let place = 0; place < this.painter.changes; place += 1)
      write(pen, this.view, cells, this.painter.changed[place], about);
  }

  /** Draw everything animated; call this once per animation frame. */
  drawOver(/** @type {number} */ now) {
    if (!this.plan || !this.meta || !this.look) return;
    this.eye.fly(now);
    if (this.eye.moved) this.#reframe();
    this.minimap.paint(now, (meta) => this.painter.colours(meta, this.picture), this.meta);
    const fading = this.flashes.age(now);
    if (this.overDrawn && !fading) return;
    this.overDrawn = true;
    drawOver(penOf(this.over), now, {
      view: this.view,
      parts: this.parts,
      machines: this.meta.machines,
      look: this.look,
      flashes: this.flashes,
      pointed: this.pointed,
      pinned: this.pinned,
      cursor: document.activeElement === this.cells ? this.cursor : -1,
    });
  }

  /** Return the center of a machine's cell in the element, in CSS pixels. */
  cssPlace(/** @type {number} */ machine) {
    if (this.eye.moved) this.#reframe();
    const [x, y] = placeOf(this.view, this.parts, machine);
    return [
      (x + (this.view.sx - this.view.gap) / 2) / this.scale,
      (y + (this.view.sy - this.view.gap) / 2) / this.scale,
    ];
  }

  ownerAt(/** @type {number} */ machine) {
    return this.meta && this.picture ? ownerOf(this.meta, this.picture, machine) : NONE;
  }
}
