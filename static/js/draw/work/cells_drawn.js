/** Draws the contents of cells: slices of running tasks, squares of queued tasks and outlines of probes. */

import { backlogLayer, countOf, roleBytes } from "../../run/roles.js";
import { drawMark } from "./colours.js";
import { KeptCells } from "./cells_kept.js";

/** @import { Pen } from "../scenes/scene.js" */

/** @typedef {import("./scene.js").TasksScene} TasksScene */
/** @typedef {import("./showing.js").Shown} Shown */
/**
 * @typedef {{queue: number, edge: number, left: number, wide: number, high: number}} Inner  the geometry of a cell, in
 *   pixels
 */

const LEAST_MARKED = 7;
const LEAST_DASHED = 9;
/** The part of a lent machine's bottom edge that has the borrower's hue. */
const LENT = 0.7;

export class CellDrawing {
  /** Machines with their queued rows; a probe's row is stored as -1 - row. @type {Map<number, number[]>} */
  waiting = new Map();
  /** Slices of this frame: row, machine, offset in its cell, start, end. @type {number[]} */
  slices = [];
  kept = new KeptCells();
  /** Returns true if a machine's cell needs repainting in this frame. @type {(machine: number) => boolean} */
  #stale = () => true;

  /** @param {TasksScene} scene @param {import("../../run/frames.js").Picture | null} picture */
  begin(scene, picture) {
    this.waiting.clear();
    this.slices.length = 0;
    this.scene = scene;
    const { meta } = scene;
    this.service = meta && picture ? roleBytes(meta, picture, "service") : null;
    this.borrower = meta && picture ? roleBytes(meta, picture, "borrower") : null;
    this.layer = meta && scene.atWorkers ? backlogLayer(meta) : null;
    this.backlog = this.layer && picture ? (picture.layers[this.layer.name] ?? null) : null;
  }

  /** @param {number} machine @param {number} row @param {boolean} probe */
  queue(machine, row, probe) {
    const there = this.waiting.get(machine);
    const entry = probe ? -1 - row : row;
    if (there) there.push(entry);
    else this.waiting.set(machine, [entry]);
  }

  /** Return the number of entries in a machine's queue so far. @param {number} machine */
  waitingAt(machine) {
    return this.waiting.get(machine)?.length ?? 0;
  }

  /** @param {number} row @param {Shown} shown */
  run(row, shown) {
    this.slices.push(row, shown.machine, this.#slotOf(row, shown), shown.start, shown.end);
  }

  #slotOf(/** @type {number} */ row, /** @type {Shown} */ shown) {
    const { slots } = /** @type {TasksScene} */ (this.scene);
    return (shown.spell >= 0 ? slots?.spell[shown.spell] : slots?.row[row]) ?? 0;
  }

  /** Return the center of a task's slice. @param {TasksScene} scene @returns {[number, number]} */
  sliceMiddle(scene, /** @type {number} */ row, /** @type {Shown} */ shown) {
    const { plan, slots } = scene;
    const inner = this.#inner(scene);
    const { high } = inner;
    const middle = this.#slotOf(row, shown) + (slots?.size[row] || 1) / 2;
    const [x, y] = plan ? [plan.x[shown.machine], plan.y[shown.machine]] : [NaN, NaN];
    return [x + inner.left + inner.wide / 2, y + inner.edge + high * (1 - Math.min(255, middle) / 255)];
  }

  /** Return the center of a position in a machine's queue. @param {TasksScene} scene @returns {[number, number]} */
  queuePlace(scene, /** @type {number} */ machine, /** @type {number} */ at) {
    const { plan } = scene;
    const inner = this.#inner(scene);
    if (!plan || !inner.queue) return scene.middleOf(machine);
    const { side, columns, room } = this.#places(plan.scale, inner);
    const place = Math.min(at, room - 1);
    return [
      plan.x[machine] + plan.scale + ((place % columns) + 0.5) * side,
      plan.y[machine] + inner.edge + inner.high - (Math.floor(place / columns) + 0.5) * side,
    ];
  }

  /**
   * Return how the queue's part of a cell is divided.
   * @param {number} scale
   * @param {Inner} inner
   */
  #places(scale, inner) {
    const side = Math.max(
      3,
      Math.min(Math.floor(inner.queue - scale), Math.round(Math.max(6 * scale, inner.queue / 2 - scale))),
    );
    const columns = Math.max(1, Math.floor((inner.queue - scale) / side));
    return { side, columns, room: columns * Math.max(1, Math.floor(inner.high / side)) };
  }

  /** @param {CanvasRenderingContext2D} pen @param {TasksScene} scene @param {number} now */
  draw(pen, scene, now) {
    const inner = this.#inner(scene);
    const own = this.kept.begin(scene);
    if (own) this.#note(scene, inner);
    this.#stale = own ? (machine) => this.kept.changed(machine) : () => true;
    this.#boxes(own ?? pen, scene);
    this.#slices(own ?? pen, scene, now, inner);
    if (inner.queue > 0) this.#queues(own ?? pen, scene, inner);
    if (!own) return;
    this.kept.end();
    pen.drawImage(own.canvas, 0, 0);
  }

  /** Register the contents of all cells, to find those that changed. @param {TasksScene} scene */
  #note(scene, /** @type {Inner} */ inner) {
    const { kept, slices, waiting } = this;
    const { ids, count } = /** @type {import("./scene.js").Plan} */ (scene.plan);
    for (let place = 0; place < count; place += 1) {
      const machine = ids[place];
      const lent = this.borrower?.[machine] ?? -1;
      kept.note(machine, (this.service?.[machine] ?? 0) + 256 * (lent >= 0 && scene.follows(lent) ? lent + 1 : 0));
      if (inner.queue > 0) kept.note(machine, this.backlog?.[machine] ?? 0);
    }
    for (let place = 0; place < slices.length; place += 5) {
      const [row, machine] = [slices[place], slices[place + 1]];
      kept.note(machine, row);
      kept.note(machine, slices[place + 2] * 2 + Number(scene.follows(scene.track?.keeper[row] ?? 0)));
    }
    for (const [machine, entries] of waiting) for (const entry of entries) kept.note(machine, entry);
  }

  /** Return the division of a cell: the queue on the left, slices beside it. @param {TasksScene} scene */
  #inner({ plan, atWorkers }) {
    const { wide, high, scale } = /** @type {import("./scene.js").Plan} */ (plan);
    const queue = atWorkers ? Math.round(Math.min(Math.max(wide * 0.3, 5 * scale), 22 * scale)) : 0;
    const edge = Math.max(1, Math.round(scale));
    return { queue, edge, left: queue + edge, wide: wide - queue - 2 * edge, high: high - 2 * edge };
  }

  /** @param {CanvasRenderingContext2D} pen @param {TasksScene} scene */
  #boxes(pen, scene) {
    const { plan, inks, meta } = scene;
    if (!plan) return;
    const { ids, count, x, y, wide, high, scale } = plan;
    const edge = Math.max(1, Math.round(scale * 0.75));
    for (let place = 0; place < count; place += 1) {
      const machine = ids[place];
      if (!this.#stale(machine)) continue;
      const out = this.service && this.service[machine] > 0;
      pen.clearRect(x[machine], y[machine], wide, high);
      pen.fillStyle = out ? inks.ground : inks.cell;
      pen.fillRect(x[machine], y[machine], wide, high);
      if (out) scene.drew.add("out");
      if (out) cross(pen, inks.alarm, x[machine], y[machine], wide, high, scale);
    }
    if (!meta?.owners.length) return;
    // The bottom edge of a lent machine has the borrower's hue.
    for (let place = 0; this.borrower && place < count; place += 1) {
      const machine = ids[place];
      if (!this.#stale(machine)) continue;
      const borrower = this.borrower[machine];
      if (borrower >= meta.owners.length || !scene.follows(borrower)) continue;
      scene.drew.add("lent");
      pen.fillStyle = inks.strong[borrower % inks.strong.length];
      pen.fillRect(x[machine], y[machine] + high - 4 * edge, wide * LENT, 4 * edge);
    }
  }

  /** @param {CanvasRenderingContext2D} pen @param {TasksScene} scene @param {number} now */
  #slices(pen, scene, now, /** @type {Inner} */ inner) {
    const { plan, slots, inks } = scene;
    if (!plan || !slots) return;
    const { x, y, scale } = plan;
    const { high } = inner;
    for (let place = 0; place < this.slices.length; place += 5) {
      scene.drew.add("running");
      const row = this.slices[place];
      const machine = this.slices[place + 1];
      const full = widthLeft(this.slices, place, now, inner.wide);
      const before = this.#stale(machine) ? 0 : this.kept.widths[row];
      if (before === full) continue;
      this.kept.widths[row] = full;
      const from = this.slices[place + 2];
      const hue = scene.hue?.index(row) ?? 0;
      const size = slots.size[row] || 1;
      const bottom = y[machine] + inner.edge + high - Math.round((from / 255) * high);
      const top = y[machine] + inner.edge + high - Math.round((Math.min(255, from + size) / 255) * high);
      const tall = Math.max(1, bottom - top - (bottom - top > 3 ? 1 : 0));
      const left = x[machine] + inner.left;
      const mine = scene.follows(scene.track?.keeper[row] ?? 0);
      pen.fillStyle = mine ? inks.pale[hue] : inks.cell;
      if (before > full && full >= tall) {
        // The slice only became shorter, and its mark stays.
        pen.fillRect(left + full, top, before - full, tall);
        continue;
      }
      pen.fillRect(left, top, inner.wide, tall);
      pen.fillStyle = mine ? inks.strong[hue] : inks.line;
      pen.fillRect(left, top, full, tall);
      if (hue && tall >= LEAST_MARKED * scale && full >= tall) {
        scene.drew.add("sign");
        pen.fillStyle = inks.pale[hue];
        drawMark(pen, hue, left + scale, top + tall * 0.2, tall * 0.6);
      }
    }
  }

  /** @param {CanvasRenderingContext2D} pen @param {TasksScene} scene */
  #queues(pen, scene, /** @type {Inner} */ inner) {
    const { plan, inks } = scene;
    if (!plan) return;
    const { ids, count, x, y, scale } = plan;
    const { side, columns, room } = this.#places(scale, inner);
    pen.lineWidth = Math.max(1, scale * 0.75);
    for (let place = 0; place < count; place += 1) {
      const machine = ids[place];
      if (!this.#stale(machine)) continue;
      const known = this.waiting.get(machine);
      const all = this.backlog && this.layer ? countOf(this.layer, this.backlog[machine]) : 0;
      const many = Math.max(known?.length ?? 0, all);
      for (let at = 0; at < Math.min(many, room); at += 1) {
        const left = x[machine] + scale + (at % columns) * side;
        const top = y[machine] + inner.edge + inner.high - (Math.floor(at / columns) + 1) * side;
        waits(pen, scene, known?.[at], left, top, side - Math.max(1, scale));
      }
      if (many > room) {
        scene.drew.add("full");
        pen.fillStyle = inks.ink;
        pen.fillRect(x[machine] + scale, y[machine], inner.queue - scale, 2 * scale);
      }
    }
  }
}

/** Return the width of a slice's remaining time. @param {number[]} slices @param {number} place @param {number} now */
function widthLeft(slices, place, now, /** @type {number} */ wide) {
  const [start, end] = [slices[place + 3], slices[place + 4]];
  const rest = end === Infinity ? 1 : Math.min(1, Math.max(0, (end - now) / Math.max(1, end - start)));
  return Math.max(1, Math.round(wide * rest));
}

/**
 * Draw a queue entry: a filled square is a task, an outline a probe, a gray outline a probe that gets no task.
 * @param {Pen} pen
 * @param {TasksScene} scene
 * @param {number | undefined} entry
 * @param {number} left
 * @param {number} top
 * @param {number} side
 */
function waits(pen, scene, entry, left, top, side) {
  const { inks } = scene;
  scene.drew.add(entry === undefined ? "probe-lost" : entry < 0 ? "probe" : "queued");
  if (entry === undefined || entry < 0) {
    pen.strokeStyle = entry === undefined ? inks.muted : inks.strong[scene.hue?.index(-1 - entry) ?? 0];
    if (entry === undefined && side >= LEAST_DASHED * (scene.plan?.scale ?? 1)) pen.setLineDash([2, 2]);
    pen.strokeRect(left + 0.5, top + 0.5, side - 1, side - 1);
    pen.setLineDash([]);
    return;
  }
  pen.fillStyle = inks.strong[scene.hue?.index(entry) ?? 0];
  pen.fillRect(left, top, side, side);
}

/**
 * @param {Pen} pen
 * @param {string} colour
 * @param {number} x
 * @param {number} y
 * @param {number} wide
 * @param {number} high
 * @param {number} scale
 */
function cross(pen, colour, x, y, wide, high, scale) {
  pen.strokeStyle = colour;
  pen.lineWidth = 1.5 * scale;
  pen.beginPath();
  pen.moveTo(x + 2, y + 2);
  pen.lineTo(x + wide - 2, y + high - 2);
  pen.moveTo(x + wide - 2, y + 2);
  pen.lineTo(x + 2, y + high - 2);
  pen.stroke();
}
