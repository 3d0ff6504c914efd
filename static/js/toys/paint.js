/** Paint a toy: machines with slices that shrink, tasks that move to their places, and events between them. */

import { isDark, token } from "../kit/dom.js";
import { cellColour, taskColours } from "../kit/palette.js";
import { FONT, TEXT_SIZE } from "../kit/type.js";
import { BOX, planOf } from "./places.js";
import { ownerOf } from "./picture.js";

/** The milliseconds in which a task covers most of its way. */
const SWIFT = 90;
const COLORS = ["surface", "ink", "muted", "alarm", "cell-edge", "line-strong"];

export class Painter {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    /** @type {Map<number, {x: number, y: number}>} the last painted positions of tasks */
    this.seen = new Map();
    this.width = 0;
    this.height = 0;
    /** @type {import("./places.js").Plan | null} */
    this.plan = null;
    /** @type {string[]} */
    this.hues = [];
    this.idle = "";
    this.readTheme();
  }

  readTheme() {
    /** @type {Record<string, string>} */
    this.colors = Object.fromEntries(COLORS.map((name) => [name, token(name)]));
    this.hues = taskColours(isDark()).strong;
    this.idle = cellColour(0, isDark());
  }

  /** @param {number} width @param {number} height */
  resize(width, height) {
    const scale = devicePixelRatio || 1;
    this.canvas.width = Math.round(width * scale);
    this.canvas.height = Math.round(height * scale);
    this.width = width;
    this.height = height;
    this.pen.setTransform(scale, 0, 0, scale, 0, 0);
    this.plan = null;
    this.seen.clear();
  }

  /**
   * @param {import("./picture.js").Picture} picture
   * @param {number} t  simulated nanoseconds
   * @param {number} passed  milliseconds since the last painting; Infinity puts everything in place at once
   * @param {{labels: string[], think: number}} told
   */
  paint(picture, t, passed, told) {
    if (!this.width) return;
    const { machines } = picture.work;
    this.plan ??= planOf(picture.picture, { machines, parts: picture.parts, width: this.width, height: this.height });
    this.pen.clearRect(0, 0, this.width, this.height);
    this.pen.font = `${TEXT_SIZE}px ${FONT}`;
    this.pen.fillStyle = this.colors.muted;
    this.pen.textAlign = "left";
    this.pen.fillText(told.labels[0], 8, 16);
    this.pen.textAlign = "right";
    this.pen.fillText(told.labels[1], this.width - 8, 16);
    const shown = picture.at(t);
    const happenings = picture.happenings(t);
    this.#machines(picture, shown);
    if (picture.parts) this.#boxes(picture, t, told.think);
    for (const one of happenings) this.#happening(one);
    this.#tasks(picture, shown, passed);
  }

  /** Return a task's hue: its master's, if there are masters. */
  #hue(/** @type {import("./picture.js").Picture} */ picture, /** @type {number} */ number) {
    return this.hues[picture.picture === "masters" ? picture.work.jobs[number].queue : 0];
  }

  /** @param {import("./picture.js").Picture} picture @param {import("./picture.js").Shown[]} shown */
  #machines(picture, shown) {
    const { pen, colors } = this;
    const { machines, cell } = /** @type {import("./places.js").Plan} */ (this.plan);
    const owned = picture.picture === "masters";
    machines.forEach(({ x, y }, machine) => {
      pen.fillStyle = this.idle;
      pen.fillRect(x, y, cell, cell);
      pen.lineWidth = owned ? 2 : 1;
      pen.strokeStyle = owned ? this.hues[ownerOf(machine, machines.length, picture.parts)] : colors["cell-edge"];
      pen.strokeRect(x + 0.5, y + 0.5, cell - 1, cell - 1);
    });
    for (const { number, state, machine, left } of shown) {
      if (state !== "running") continue;
      const { x, y } = machines[machine];
      const tall = Math.max(2, (cell - 4) * left);
      pen.fillStyle = this.#hue(picture, number);
      pen.fillRect(x + 2, y + cell - 2 - tall, cell - 4, tall);
    }
  }

  /** Paint the schedulers with their copies, or the masters. */
  #boxes(/** @type {import("./picture.js").Picture} */ picture, /** @type {number} */ t, /** @type {number} */ think) {
    const { pen, colors } = this;
    const { boxes } = /** @type {import("./places.js").Plan} */ (this.plan);
    const copies = think ? picture.copies(t, think) : new Map();
    boxes.forEach(({ x, y }, who) => {
      pen.fillStyle = colors.surface;
      pen.fillRect(x, y, BOX, BOX);
      pen.lineWidth = 2;
      pen.strokeStyle = think ? colors["cell-edge"] : this.hues[who % this.hues.length];
      pen.strokeRect(x + 1, y + 1, BOX - 2, BOX - 2);
      const copy = copies.get(who);
      if (copy) this.#copy(copy, x, y);
      else if (!think) {
        pen.fillStyle = colors.ink;
        pen.textAlign = "center";
        pen.fillText(String(who + 1), x + BOX / 2, y + BOX / 2 + 5);
      }
    });
  }

  /** @param {{free: number[], done: number}} copy @param {number} x @param {number} y */
  #copy({ free, done }, x, y) {
    const { pen, colors } = this;
    const across = 6;
    pen.globalAlpha = done < 1 ? 1 : 0.4;
    free.forEach((is, machine) => {
      pen.fillStyle = is ? colors.ink : colors["line-strong"];
      pen.fillRect(x + 6 + (machine % across) * 5, y + 6 + Math.floor(machine / across) * 5, 4, 4);
    });
    pen.globalAlpha = 1;
    pen.fillStyle = colors.ink;
    if (done < 1) pen.fillRect(x + 4, y + BOX - 9, (BOX - 8) * done, 4);
  }

  /** @param {import("./work.js").Happening & {age: number}} one */
  #happening(one) {
    const plan = /** @type {import("./places.js").Plan} */ (this.plan);
    const middle = (/** @type {number} */ machine) => ({
      x: plan.machines[machine].x + plan.cell / 2,
      y: plan.machines[machine].y + plan.cell / 2,
    });
    const { pen } = this;
    const { who = 0, machine = 0 } = one;
    pen.globalAlpha = 1 - one.age;
    if (one.kind === "queued" && one.asked?.length) {
      for (const each of one.asked) this.#line(plan.entry, middle(each), this.colors.muted, [3, 3]);
    } else if (one.kind === "refused") this.#bounce(this.#boxOf(who), middle(machine), one.age);
    else if (one.kind === "lent") {
      this.#line(this.#boxOf(who), middle(machine), this.hues[who % this.hues.length], []);
    }
    pen.globalAlpha = 1;
  }

  /** @param {number} who */
  #boxOf(who) {
    const { x, y } = /** @type {import("./places.js").Plan} */ (this.plan).boxes[who];
    return { x: x + BOX, y: y + BOX / 2 };
  }

  /**
   * @param {import("./places.js").Place} from
   * @param {import("./places.js").Place} to
   * @param {string} color
   * @param {number[]} dash
   */
  #line(from, to, color, dash) {
    const { pen } = this;
    pen.beginPath();
    pen.moveTo(from.x, from.y);
    pen.lineTo(to.x, to.y);
    pen.setLineDash(dash);
    pen.lineWidth = 1.5;
    pen.strokeStyle = color;
    pen.stroke();
    pen.setLineDash([]);
  }

  /** Paint a request for a taken machine: it returns red and leaves a cross at the machine. */
  #bounce(
    /** @type {import("./places.js").Place} */ from,
    /** @type {import("./places.js").Place} */ to,
    /** @type {number} */ age,
  ) {
    const { pen, colors } = this;
    const way = 1 - age;
    pen.globalAlpha = 1;
    pen.fillStyle = colors.alarm;
    pen.beginPath();
    pen.arc(from.x + (to.x - from.x) * way, from.y + (to.y - from.y) * way, 5, 0, 7);
    pen.fill();
    pen.globalAlpha = 1 - age;
    pen.strokeStyle = colors.alarm;
    pen.lineWidth = 2.5;
    pen.beginPath();
    pen.moveTo(to.x - 7, to.y - 7);
    pen.lineTo(to.x + 7, to.y + 7);
    pen.moveTo(to.x + 7, to.y - 7);
    pen.lineTo(to.x - 7, to.y + 7);
    pen.stroke();
  }

  /** Move each task towards its place; a task that reached its machine becomes the machine's slice. */
  #tasks(
    /** @type {import("./picture.js").Picture} */ picture,
    /** @type {import("./picture.js").Shown[]} */ shown,
    /** @type {number} */ passed,
  ) {
    const plan = /** @type {import("./places.js").Plan} */ (this.plan);
    const share = passed === Infinity ? 1 : 1 - Math.exp(-passed / SWIFT);
    const before = this.seen;
    this.seen = new Map();
    /** @type {Map<number, number>} tasks that do not fit into the drawn queue */
    const more = new Map();
    for (const task of shown) {
      const slot = task.state === "waiting" ? plan.slot(task.queue, task.position) : null;
      if (task.state === "waiting" && !slot) more.set(task.queue, (more.get(task.queue) ?? 0) + 1);
      const cell = task.state === "running" ? plan.machines[task.machine] : null;
      const target = slot ?? (cell ? { x: cell.x + plan.cell / 2, y: cell.y + plan.cell / 2 } : null);
      if (!target) continue;
      const from = before.get(task.number) ?? (passed === Infinity ? target : plan.entry);
      const place = { x: from.x + (target.x - from.x) * share, y: from.y + (target.y - from.y) * share };
      this.seen.set(task.number, place);
      const away = Math.abs(target.x - place.x) + Math.abs(target.y - place.y);
      if (slot || away > 3)
        this.#square(place, sideOf(picture.work.jobs[task.number].duration), this.#hue(picture, task.number));
    }
    for (const [queue, count] of more) this.#more(plan, queue, count);
  }

  /** @param {{x: number, y: number}} place @param {number} side @param {string} color */
  #square({ x, y }, side, color) {
    this.pen.fillStyle = color;
    this.pen.fillRect(x - side / 2, y - side / 2, side, side);
  }

  /** Paint how many more tasks wait than are drawn. */
  #more(/** @type {import("./places.js").Plan} */ plan, /** @type {number} */ queue, /** @type {number} */ count) {
    let last = 0;
    while (plan.slot(queue, last + 1)) last += 1;
    const place = plan.slot(queue, last);
    if (!place) return;
    const { pen, colors } = this;
    pen.textAlign = "center";
    pen.fillStyle = colors.surface;
    pen.fillRect(place.x - 14, place.y - 8, 28, 16);
    pen.fillStyle = colors.ink;
    pen.fillText(`+${count + 1}`, place.x, place.y + 5);
  }
}

/** Return the side of a task's square: the longer it runs, the larger. @param {number} duration */
export function sideOf(duration) {
  return Math.round(6 + 6 * Math.min(1, Math.sqrt(duration / 12e9)));
}
