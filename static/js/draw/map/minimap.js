/** A minimap with a frame around the visible part, shown only while the map shows a part. The frame can be dragged. */

import { planAt, scaleOf } from "./camera.js";
import { machineAt } from "./layout.js";
import { h, penOf } from "../../kit/dom.js";

/**
 * @import { Camera } from "./camera.js"
 * @import { Meta } from "../../contract/contract"
 * @import { Plan } from "./layout.js"
 */

const LARGEST = [152, 112];
const REFRESH_MS = 250;

export class Minimap {
  /**
   * `move(x, y)` centers the map on a position (fractions of the plan).
   * @param {HTMLElement} element
   * @param {(x: number, y: number) => void} move
   */
  constructor(element, move) {
    this.canvas = h("canvas", { class: "minimap-cells" });
    this.frame = h("div", { class: "minimap-frame" });
    this.box = h("div", { class: "minimap", hidden: true, "aria-hidden": "true" }, this.canvas, this.frame);
    element.append(this.box);
    this.drawnAt = 0;
    this.size = [0, 0];
    this.machines = new Int32Array(0);
    /** @type {ImageData | null} */
    this.image = null;
    this.pixels = new Uint32Array(0);
    const go = (/** @type {PointerEvent} */ event) => {
      const box = this.canvas.getBoundingClientRect();
      move((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
    };
    this.box.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      this.box.setPointerCapture(event.pointerId);
      go(event);
    });
    this.box.addEventListener("pointermove", (event) => {
      if (event.buttons & 1) go(event);
    });
  }

  setPlan(/** @type {Plan} */ plan, /** @type {number} */ scale) {
    const share = Math.min((LARGEST[0] * scale) / plan.width, (LARGEST[1] * scale) / plan.height, 0.28);
    const [width, height] = [Math.max(8, Math.round(plan.width * share)), Math.max(8, Math.round(plan.height * share))];
    this.canvas.width = width;
    this.canvas.height = height;
    this.size = [width / scale, height / scale];
    this.box.style.width = `${this.size[0]}px`;
    this.box.style.height = `${this.size[1]}px`;
    this.machines = Int32Array.from({ length: width * height }, (_, pixel) =>
      machineAt(plan, ((pixel % width) + 0.5) / share, (Math.floor(pixel / width) + 0.5) / share),
    );
    this.image = new ImageData(width, height);
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.drawnAt = 0;
  }

  /**
   * Update the frame for a camera.
   * @param {Plan} plan
   * @param {Camera} camera
   */
  look(plan, camera) {
    this.box.hidden = scaleOf(plan, camera) <= 1;
    if (this.box.hidden) return;
    const [left, top] = planAt(plan, camera, 0, 0);
    const [right, bottom] = planAt(plan, camera, plan.width, plan.height);
    const across = (/** @type {number} */ value) => `${(value / plan.width) * this.size[0]}px`;
    const down = (/** @type {number} */ value) => `${(value / plan.height) * this.size[1]}px`;
    this.frame.style.transform = `translate(${across(left)}, ${down(top)})`;
    this.frame.style.width = across(right - left);
    this.frame.style.height = down(bottom - top);
  }

  /**
   * Repaint at a low rate: the minimap is for orientation only.
   * @param {number} now
   * @param {(meta: Meta) => (machine: number) => number} coloursOf
   * @param {Meta} meta
   */
  paint(now, coloursOf, meta) {
    if (this.box.hidden || !this.image || now - this.drawnAt < REFRESH_MS) return;
    this.drawnAt = now;
    const { machines, pixels } = this;
    const colours = coloursOf(meta);
    for (let pixel = 0; pixel < machines.length; pixel += 1)
      pixels[pixel] = machines[pixel] < 0 ? 0 : colours(machines[pixel]);
    penOf(this.canvas).putImageData(this.image, 0, 0);
  }
}
