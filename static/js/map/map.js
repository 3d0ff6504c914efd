/**
 * The map: a cell a machine. Stacked canvases: cells (image data, repainted where they changed), details (lines on
 * large cells), names (drawn when the camera moves), and on top what flashes, is pointed at, has the focus or is
 * pinned.
 */

import {
  FIT,
  cameraOn,
  clamped,
  nearest,
  neighbour,
  panned,
  partsOf,
  placeOf,
  scaleOf,
  seen,
  visible,
  zoomedAt,
} from "./camera.js";
import { layOut, machineAt } from "./layout.js";
import { NONE } from "../kit/palette.js";
import { rackStarts } from "../run/places.js";
import { markShape, roleBytes } from "../run/roles.js";
import { ownerOf } from "../run/sentences.js";
import { CellPainter } from "./cells.js";
import { h, isDark, onTheme, reducedMotion, rgb, token } from "../kit/dom.js";
import { wireGestures } from "./map_gestures.js";
import { Flashes } from "./map_marks.js";
import { drawOver } from "./map_over.js";
import { drawStanding } from "./map_groups.js";
import { writerFor } from "./map_text.js";
import { Minimap } from "./minimap.js";
import { gettext } from "../kit/words.js";

const FLIGHT_MS = 180;
/**
 * Around all cells (CSS pixels; `--s1` in map.css): frames, outlines and the ring of the focus lie outside of theirs.
 */
const RIM = 4;

export class MapView {
  /**
   * `on`: point(machine or -1, x, y), pin(machine), layout(map), moved() by the viewer, focus(machine) by keyboard,
   * describe(), menu(target, x, y). `wheel`: "ctrl" where the page scrolls.
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
    this.camera = FIT;
    this.meta = null;
    this.picture = null;
    this.layer = null;
    this.pinned = -1;
    this.pointed = -1;
    this.cursor = -1;
    this.overDrawn = false;
    new ResizeObserver(() => this.#relayout()).observe(element);
    onTheme(() => this.#recolour());
    for (const name of ["focus", "blur"])
      this.cells.addEventListener(name, () => {
        this.overDrawn = false;
      });
    wireGestures(this.cells, this.#actions(), { wheel });
  }

  #actions() {
    const centre = () => [this.plan.width / 2, this.plan.height / 2];
    return {
      zoomed: () => this.factor > 1,
      hasMenu: () => Boolean(this.on.menu),
      zoom: (factor, x, y, smooth) => this.#zoom(factor, x, y, smooth),
      zoomKey: (factor) => this.zoomBy(factor),
      pan: (dx, dy) => {
        if (this.plan && this.factor > 1) this.moveTo(panned(this.plan, this.camera, dx, dy, this.scale));
      },
      shift: (dx, dy) => {
        if (this.plan)
          this.moveTo(
            panned(this.plan, this.camera, -dx * this.plan.width * 0.2, -dy * this.plan.height * 0.2, this.scale),
            true,
          );
      },
      point: (x, y, event) => this.#point(event ? this.machineAt(x, y) : -1, event),
      pick: (x, y) => this.#pick(this.machineAt(x, y)),
      menu: (x, y, event) => {
        const target = this.#targetAt(x, y);
        if (target) this.on.menu?.(target, event.clientX, event.clientY);
      },
      step: (dx, dy) => this.#step(dx, dy),
      fit: () => this.fit(),
      enter: () => {
        if (this.cursor >= 0) this.#pick(this.cursor);
      },
      keyMenu: () => {
        if (this.cursor < 0 && this.plan) this.cursor = nearest(this.view, ...centre());
        const box = this.cells.getBoundingClientRect();
        const [x, y] = this.cssPlace(this.cursor);
        this.on.menu?.({ kind: "machine", machine: this.cursor }, box.left + x, box.top + y);
      },
      describe: () => this.on.describe?.(),
    };
  }

  machineAt(x, y) {
    return this.plan ? machineAt(this.view, x, y) : -1;
  }

  /** A machine, or where a cluster's name stands, the cluster. */
  #targetAt(x, y) {
    const machine = this.machineAt(x, y);
    if (machine >= 0) return { kind: "machine", machine };
    const room = 20 * this.scale;
    const block = this.view?.blocks.find(
      (each) => x >= each.x && x < each.x + each.width && y >= each.y - room && y < each.y + each.height,
    );
    return block ? { kind: "cluster", name: block.name } : null;
  }

  #point(machine, event) {
    if (machine === this.pointed && machine < 0) return;
    this.pointed = machine;
    this.on.point?.(machine, event?.clientX ?? 0, event?.clientY ?? 0);
    this.overDrawn = false;
  }

  #pick(machine) {
    this.pinned = machine === this.pinned ? -1 : machine;
    if (machine >= 0) this.cursor = machine;
    this.on.pin?.(this.pinned);
    this.overDrawn = false;
  }

  /** Move the keyboard's place to the next machine; the map follows it. */
  #step(dx, dy) {
    if (!this.plan) return;
    const parts = this.parts;
    if (this.cursor < 0)
      this.cursor = this.pinned >= 0 ? this.pinned : nearest(this.view, this.plan.width / 2, this.plan.height / 2);
    else this.cursor = neighbour(this.view, parts, this.cursor, dx, dy);
    this.reveal(this.cursor);
    this.overDrawn = false;
    this.on.focus?.(this.cursor);
  }

  /** Move the camera as little as brings a machine well inside. */
  reveal(machine) {
    const [x, y] = placeOf(this.view, this.parts, machine);
    const { sx, sy, width, height } = this.view;
    const past = (place, cell, all) => {
      const edge = Math.min(cell * 1.5, all / 4);
      return Math.min(0, place - edge) + Math.max(0, place + cell + edge - all);
    };
    const [dx, dy] = [past(x, sx, width), past(y, sy, height)];
    if ((dx || dy) && this.factor > 1) this.moveTo(panned(this.plan, this.camera, -dx, -dy, this.scale));
  }

  get factor() {
    return this.plan ? scaleOf(this.plan, this.camera) : 1;
  }

  #zoom(factor, x, y, smooth) {
    if (!this.plan) return;
    this.moveTo(
      zoomedAt(this.plan, smooth ? (this.flight?.to ?? this.camera) : this.camera, factor, x, y, this.scale),
      smooth,
    );
  }

  /** Zoom about the keyboard's place, else about the middle. */
  zoomBy(factor) {
    if (!this.plan) return;
    const focused = this.cursor >= 0 && document.activeElement === this.cells;
    const place = focused ? placeOf(this.view, this.parts, this.cursor) : [this.plan.width / 2, this.plan.height / 2];
    this.#zoom(factor, ...place, true);
  }

  fit() {
    this.moveTo(FIT, true);
  }

  /** Show a cluster, or a machine with its neighbours, as large as it goes. */
  lookAt(target) {
    const block = this.plan?.blocks.find((each) => each.name === target.name);
    if (block) this.moveTo(cameraOn(this.plan, block, this.scale), true);
  }

  /** By the viewer: to a camera, at once or in a short flight. */
  moveTo(camera, smooth = false) {
    if (!this.plan) {
      this.camera = camera;
      return;
    }
    const to = clamped(this.plan, camera, this.scale);
    this.flight = smooth && !reducedMotion() ? { from: this.camera, to, born: performance.now() } : null;
    if (!this.flight) this.#setCamera(to);
    this.on.moved?.();
  }

  #setCamera(camera) {
    Object.assign(this, { camera, cameraMoved: true, overDrawn: false });
  }

  /** What the address bar keeps: how close, and which machine is in the middle, which fits any screen. */
  place() {
    const camera = this.flight?.to ?? this.camera;
    if (!this.plan || scaleOf(this.plan, camera) <= 1) return this.wanted ?? null;
    return {
      zoom: Math.round(camera.zoom * 100) / 100,
      centre: nearest(this.plan, camera.x * this.plan.width, camera.y * this.plan.height),
    };
  }

  /** Look at a place that place() gave; before there is a plan, it is kept until there is. */
  goTo(place) {
    this.wanted = place;
    if (!place || !this.plan || this.meta.outline || place.centre >= this.meta.machines) return;
    this.wanted = null;
    const [x, y] = placeOf(this.plan, partsOf(this.plan), place.centre);
    this.#setCamera(
      clamped(
        this.plan,
        { zoom: place.zoom, x: (x + this.plan.sx / 2) / this.plan.width, y: (y + this.plan.sy / 2) / this.plan.height },
        this.scale,
      ),
    );
  }

  setMeta(meta) {
    const same = this.meta && JSON.stringify(this.meta.clusters) === JSON.stringify(meta.clusters);
    this.meta = meta;
    this.picture = null;
    this.starts = rackStarts(meta);
    this.painter.setMeta(meta);
    this.framed = false;
    if (!same) {
      this.pinned = -1;
      this.pointed = -1;
      this.cursor = -1;
      this.camera = FIT;
      this.flashes.clear();
    }
    this.#relayout();
    this.goTo(this.wanted);
  }

  /** Null shows everything together; a layer's name shows it alone. */
  setLayer(name) {
    this.layer = this.meta?.layers.some((layer) => layer.name === name) ? name : null;
    if (this.plan && this.look) this.#reframe();
  }

  /** Only these owners in full colour; an empty set: all. */
  setFilter(owners) {
    this.painter.filter = owners;
    this.#repaint();
  }

  show(picture) {
    this.picture = picture;
    // Who is reserved never changes, but comes with the first picture.
    if (!this.framed && roleBytes(this.meta, picture, "reserved")) this.cameraMoved = true;
    if (!this.cameraMoved) this.#paint();
  }

  /** Let marks flash. */
  flash(marks) {
    this.flashes.add(marks, performance.now(), (kind) => markShape(this.meta, kind));
    this.overDrawn = false;
  }

  /** Let marks stand, until others do. */
  hold(marks) {
    this.flashes.hold(marks, (kind) => markShape(this.meta, kind));
    this.overDrawn = false;
  }

  #relayout() {
    const box = this.element.getBoundingClientRect();
    if (!this.meta || box.width < 8 + 2 * RIM || box.height < 8 + 2 * RIM) return;
    this.scale = window.devicePixelRatio || 1;
    const kept = this.factor > 1 ? this.place() : null; // rows break elsewhere in another box
    const width = Math.floor(box.width * this.scale);
    const height = Math.floor(box.height * this.scale);
    for (const canvas of [this.cells, this.names, this.details, this.over]) {
      canvas.width = width;
      canvas.height = height;
    }
    this.plan = layOut(this.meta.clusters, width, height, this.scale, Math.round(RIM * this.scale));
    this.camera = clamped(this.plan, this.camera, this.scale);
    if (kept) this.goTo(kept);
    this.minimap.setPlan(this.plan, this.scale);
    this.#recolour();
    this.on.layout?.(this);
  }

  #recolour() {
    if (!this.plan) return;
    const dark = isDark();
    const ink = token("ink");
    this.look = {
      scale: this.scale,
      dark,
      ink,
      muted: token("muted"),
      alarm: token("alarm"),
      paper: token("ground"),
      line: token("line-strong"),
      focus: token("accent"),
    };
    this.painter.setColours(dark, rgb(this.look.muted));
    this.#reframe();
  }

  /** After the camera: what is where, names, everything painted anew. */
  #reframe() {
    this.cameraMoved = false;
    this.overDrawn = false; // a new size has wiped it
    this.view = seen(this.plan, this.camera, this.scale);
    this.parts = partsOf(this.view);
    this.visible = visible(this.view, this.meta.machines, this.visible);
    this.painter.setPlan(this.view, this.visible, this.scale);
    this.cells.classList.toggle("is-zoomed", this.factor > 1);
    this.minimap.look(this.plan, this.camera);
    const pen = this.names.getContext("2d");
    pen.clearRect(0, 0, this.names.width, this.names.height);
    this.framed = drawStanding(pen, this.view, this.visible, this);
    this.write = writerFor(this.view, this.meta, this.layer, this.scale);
    this.detailed = Boolean(this.write);
    this.details.hidden = !this.detailed; // an empty canvas still costs at every frame
    this.details.getContext("2d").clearRect(0, 0, this.details.width, this.details.height);
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
    if (!this.plan || !this.meta) return;
    this.painter.paint(this.picture, this.layer);
    if (this.detailed) {
      const pen = this.details.getContext("2d");
      const about = { meta: this.meta, picture: this.picture, starts: this.starts, look: this.look, layer: this.layer };
      for (let place = 0; place < this.painter.changes; place += 1)
        this.write(pen, this.view, this.visible, this.painter.changed[place], about);
    }
  }

  /** Draw what moves and fades; call once an animation frame. */
  drawOver(now) {
    if (!this.plan) return;
    if (this.flight) this.#fly(now);
    if (this.cameraMoved) this.#reframe();
    this.minimap.paint(now, this.painter, this.picture);
    const fading = this.flashes.age(now);
    if (this.overDrawn && !fading) return;
    this.overDrawn = true;
    drawOver(this.over.getContext("2d"), now, {
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

  #fly(now) {
    const { from, to, born } = this.flight;
    const share = Math.min(1, (now - born) / FLIGHT_MS);
    const eased = 1 - (1 - share) ** 3;
    const between = (a, b) => a + (b - a) * eased;
    if (share === 1) this.flight = null;
    this.#setCamera(
      clamped(
        this.plan,
        share === 1
          ? to
          : {
              zoom: Math.exp(between(Math.log(from.zoom), Math.log(to.zoom))),
              x: between(from.x, to.x),
              y: between(from.y, to.y),
            },
        this.scale,
      ),
    );
  }

  /** Where a machine's cell is in the element, in CSS pixels. */
  cssPlace(machine) {
    if (this.cameraMoved) this.#reframe();
    const [x, y] = placeOf(this.view, this.parts, machine);
    return [
      (x + (this.view.sx - this.view.gap) / 2) / this.scale,
      (y + (this.view.sy - this.view.gap) / 2) / this.scale,
    ];
  }

  ownerAt(machine) {
    return this.picture ? ownerOf(this.meta, this.picture, machine) : NONE;
  }
}
