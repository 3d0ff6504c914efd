/**
 * A picture on a canvas, painted from a scene. It explains the item under the pointer or the keyboard focus, and can be
 * zoomed and moved.
 */

import { paint, pairColour } from "./scene.js";
import { h, isDark, onTheme, penOf, placeTip, token } from "../../kit/dom.js";
import { element, html, nothing } from "../../kit/view.js";

/** @import { Mark, Role } from "./scene.js" */

/**
 * A picture's content. An item is whatever `hit` returns.
 * @template Item
 * @typedef {object} PictureModel
 * @property {(width: number, height: number) => Mark[]} scene
 * @property {(width: number, height: number) => Mark[]} [moving]  marks that change often, painted on top
 * @property {(x: number, y: number) => Item | null | undefined} hit  returns the item at a position, or null
 * @property {(item: Item) => string} tell  returns a sentence about the item
 * @property {(item: Item) => void} pick
 * @property {(item: Item | null, dx: number, dy: number) => Item | null | undefined} [step]  returns the next item; for
 *   null the first one
 * @property {(item: Item) => number[] | null | undefined} [at]  returns an item's position
 * @property {(factor: number, x: number, y: number) => void} [zoom]
 * @property {(dx: number, dy: number) => void} [pan]
 * @property {() => void} [fit]
 * @property {(item: Item | null) => void} [over]
 * @property {(item: Item) => void} [reveal]
 * @property {(width: number, height: number) => void} [resized]
 */

const SLOP = 4;
const WHEEL = 1.0018;
/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * Fill an element with a toolbar and a place for the canvas below it. Return the place.
 * @param {HTMLElement} body
 * @param {() => unknown} tools  a view
 * @param {() => unknown} [hint]  a view of the text shown before there is a picture
 */
export function picturePlace(body, tools, hint) {
  const place = element("div", "picture-place", () => (hint ? html`<div>${hint()}</div>` : nothing));
  body.append(element("div", "picture-tools", tools), place);
  return place;
}

/** @template Item */
export class CanvasPicture {
  /**
   * @param {HTMLElement} element
   * @param {string} label
   * @param {PictureModel<Item>} model
   */
  constructor(element, label, model) {
    this.model = model;
    this.element = element;
    this.canvas = h("canvas", {
      class: "picture-canvas",
      tabindex: "0",
      role: "application",
      "aria-roledescription": "picture",
      "aria-label": label,
    });
    this.above = h("canvas", { class: "picture-above", "aria-hidden": "true" });
    this.tip = h("div", { class: "tip picture-tip", role: "tooltip", hidden: true });
    this.live = h("p", { class: "visually-hidden", "aria-live": "polite" });
    element.append(this.canvas, this.above, this.tip, this.live);
    /** @type {Item | null} */
    this.item = null;
    /** @type {[number, number]} */
    this.size = [0, 0];
    /** How much larger a projector draws the picture, by the style `--picture-scale`. */
    this.scale = 1;
    /** @type {Map<string, string>} */
    this.colours = new Map();
    new ResizeObserver(() => this.#resize()).observe(element);
    onTheme(() => {
      this.colours.clear();
      this.draw();
    });
    this.#listen();
  }

  get width() {
    return this.size[0];
  }
  get height() {
    return this.size[1];
  }

  /** Repaint everything before the next frame; calls are merged. */
  draw() {
    this.whole = true;
    this.drawMoving();
  }

  /** Repaint only the marks that change often. */
  drawMoving() {
    if (this.asked) return;
    this.asked = requestAnimationFrame(() => {
      this.asked = 0;
      this.#paint();
    });
  }

  #resize() {
    const { clientWidth, clientHeight } = this.element;
    if (clientWidth < 40 || clientHeight < 40) return;
    this.scale = Number(getComputedStyle(this.element).getPropertyValue("--picture-scale")) || 1;
    const [width, height] = [clientWidth / this.scale, clientHeight / this.scale];
    if (width === this.size[0] && height === this.size[1]) return;
    this.size = [width, height];
    this.model.resized?.(width, height);
    this.whole = true;
    this.#paint();
  }

  #paint() {
    if (!this.size[0]) return;
    if (this.whole) this.#fill(this.canvas, this.model.scene(...this.size));
    this.whole = false;
    if (this.model.moving) this.#fill(this.above, this.model.moving(...this.size));
  }

  #fill(/** @type {HTMLCanvasElement} */ canvas, /** @type {Mark[]} */ scene) {
    const ratio = (window.devicePixelRatio || 1) * this.scale;
    const [width, height] = this.size;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const pen = penOf(canvas);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    paint(pen, scene, (role) => this.#colour(role));
  }

  #colour(/** @type {Role} */ role) {
    const key = Array.isArray(role) ? `${role[0]},${role[1]}` : role;
    let found = this.colours.get(key);
    if (!found) {
      found = Array.isArray(role) ? pairColour(role, isDark()) : token(role);
      this.colours.set(key, found);
    }
    return found;
  }

  /**
   * Show the tooltip of an item beside it; null hides it.
   * @param {Item | null | undefined} item
   * @param {number} x
   * @param {number} y
   */
  show(item, x = 0, y = 0, spoken = false) {
    this.item = item ?? null;
    this.model.over?.(this.item);
    this.tip.textContent = item ? this.model.tell(item) : "";
    this.tip.hidden = !this.tip.textContent;
    if (!this.tip.hidden) {
      const box = this.canvas.getBoundingClientRect();
      placeTip(this.tip, box.left + x * this.scale, box.top + y * this.scale);
    }
    if (spoken) this.live.textContent = this.tip.textContent;
  }

  /** Update the tooltip for the current instant. */
  retell() {
    if (this.item && !this.tip.hidden) this.tip.textContent = this.model.tell(this.item);
  }

  #listen() {
    const { canvas, model } = this;
    /** @type {Map<number, number[]>} */
    const pointers = new Map();
    let moved = false;
    let from = [0, 0];
    const at = (/** @type {MouseEvent} */ event) => {
      const box = canvas.getBoundingClientRect();
      return [(event.clientX - box.left) / this.scale, (event.clientY - box.top) / this.scale];
    };
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      pointers.set(event.pointerId, at(event));
      canvas.setPointerCapture(event.pointerId);
      moved = pointers.size > 1;
      from = at(event);
    });
    canvas.addEventListener("pointermove", (event) => {
      const [x, y] = at(event);
      const before = pointers.get(event.pointerId);
      if (!before) {
        if (event.pointerType !== "touch") this.show(model.hit(x, y), x, y);
        return;
      }
      if (!moved && Math.hypot(x - from[0], y - from[1]) < SLOP) return;
      moved = true;
      this.show(null);
      const others = [...pointers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
      pointers.set(event.pointerId, [x, y]);
      if (others.length) {
        const gap = (/** @type {number[]} */ place) =>
          Math.max(10, Math.hypot(place[0] - others[0][0], place[1] - others[0][1]));
        model.zoom?.(gap([x, y]) / gap(before), (x + others[0][0]) / 2, (y + others[0][1]) / 2);
      } else {
        model.pan?.(x - before[0], y - before[1]);
      }
      this.draw();
    });
    const up = (/** @type {PointerEvent} */ event) => {
      if (!pointers.delete(event.pointerId) || moved || event.type === "pointercancel") return;
      const [x, y] = at(event);
      const item = model.hit(x, y);
      this.show(item, x, y);
      if (item) model.pick(item);
    };
    canvas.addEventListener("pointerup", up);
    canvas.addEventListener("pointercancel", up);
    canvas.addEventListener("pointerleave", () => {
      if (!pointers.size) this.show(null);
    });
    this.#listenBeside(at);
  }

  /**
   * Listen for events other than presses and drags; `at(event)` returns the position on the canvas.
   * @param {(event: MouseEvent) => number[]} at
   */
  #listenBeside(at) {
    const { canvas, model } = this;
    canvas.addEventListener("blur", () => this.show(null));
    canvas.addEventListener("dblclick", () => {
      model.fit?.();
      this.draw();
    });
    canvas.addEventListener(
      "wheel",
      (event) => {
        if (!model.zoom) return;
        event.preventDefault();
        if (event.shiftKey) model.pan?.(-(event.deltaX || event.deltaY), 0);
        else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) model.pan?.(-event.deltaX, 0);
        else model.zoom(WHEEL ** -event.deltaY, at(event)[0], at(event)[1]);
        this.show(null);
        this.draw();
      },
      { passive: false },
    );
    canvas.addEventListener("keydown", (event) => this.#key(event));
  }

  #key(/** @type {KeyboardEvent} */ event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { model } = this;
    const arrow = ARROWS[event.key];
    if (arrow && event.shiftKey && model.pan) model.pan(-60 * arrow[0], -60 * arrow[1]);
    else if (arrow && model.step) this.#focus(model.step(this.item, ...arrow));
    else if (event.key === "Enter" && this.item) model.pick(this.item);
    else if ((event.key === "+" || event.key === "=") && model.zoom) model.zoom(1.6, this.width / 2, this.height / 2);
    else if (event.key === "-" && model.zoom) model.zoom(1 / 1.6, this.width / 2, this.height / 2);
    else if (event.key === "0" && model.fit) model.fit();
    else if (event.key === "Escape" && !this.tip.hidden) this.show(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
    this.draw();
  }

  #focus(/** @type {Item | null | undefined} */ item) {
    if (!item) return;
    this.model.reveal?.(item);
    const place = this.model.at?.(item) ?? [0, 0];
    this.show(
      item,
      Math.min(this.width - 20, Math.max(0, place[0])),
      Math.min(this.height - 20, Math.max(0, place[1])),
      true,
    );
    this.draw();
  }

  /** Return the picture on screen, for an export. */
  scene() {
    return [...this.model.scene(...this.size), ...(this.model.moving?.(...this.size) ?? [])];
  }
}
