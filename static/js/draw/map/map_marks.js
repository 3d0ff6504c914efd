/** Marks that flash and fade on the map. run/roles.js assigns their shapes. */

/**
 * @import { Look } from "./map.js"
 * @import { Pen } from "../scenes/scene.js"
 * @import { SeenMark } from "../../run/frames.js"
 */

export const FLASH_MS = 1000;
const MOST_FLASHES = 300;

/** @typedef {{machine: number, shape: string, born?: number}} Flash */

export class Flashes {
  constructor() {
    /** @type {Flash[]} */
    this.alive = [];
    /** @type {Flash[]} */
    this.held = [];
  }

  /**
   * Add marks to flash; `shape(kind)` returns the shape of a kind. At most MOST_FLASHES stay; the oldest are dropped.
   * @param {SeenMark[]} marks
   * @param {number} now
   * @param {(kind: string) => string} shape
   */
  add(marks, now, shape) {
    for (const mark of marks.slice(-MOST_FLASHES))
      if (mark.machine >= 0) this.alive.push({ machine: mark.machine, shape: shape(mark.kind), born: now });
    if (this.alive.length > MOST_FLASHES) this.alive.splice(0, this.alive.length - MOST_FLASHES);
  }

  /**
   * Set the marks that stay visible without fading, for paused playback.
   * @param {SeenMark[]} marks
   * @param {(kind: string) => string} shape
   */
  hold(marks, shape) {
    this.held = marks
      .slice(-MOST_FLASHES)
      .filter((mark) => mark.machine >= 0)
      .map((mark) => ({ machine: mark.machine, shape: shape(mark.kind) }));
  }

  clear() {
    this.alive = [];
    this.held = [];
  }

  /** Remove faded marks. Return true if anything needs drawing or clearing. */
  age(/** @type {number} */ now) {
    const before = this.alive.length;
    this.alive = this.alive.filter((flash) => now - (flash.born ?? 0) < FLASH_MS);
    return before > 0;
  }

  /**
   * Draw all marks; `box(machine)` returns [x, y, width, height], or null if the machine is not visible. With reduced
   * motion, marks do not animate.
   * @param {Pen} pen
   * @param {number} now
   * @param {(machine: number) => number[] | null} box
   * @param {Look & {still: boolean}} options
   */
  draw(pen, now, box, { scale, ink, alarm, paper, still: motionless }) {
    for (const flash of [...this.held, ...this.alive]) {
      const place = box(flash.machine);
      if (!place) continue;
      const held = flash.born === undefined;
      const still = motionless || held;
      const age = (now - (flash.born ?? now)) / FLASH_MS;
      pen.globalAlpha = held ? 1 : still ? 0.75 : (1 - age) ** 1.5;
      const { shape } = flash;
      if (shape === "dot") dot(pen, place, scale, alarm, paper);
      else if (shape === "cross") cross(pen, place, scale, alarm, paper);
      else if (shape === "diamond") solid(pen, place, scale, ink, paper, DIAMOND);
      else if (shape === "triangle") solid(pen, place, scale, ink, paper, TRIANGLE);
      else if (shape === "square") solid(pen, place, scale, ink, paper, SQUARE);
      else if (shape === "plus") solid(pen, place, scale, ink, paper, PLUS);
      else if (shape === "star") solid(pen, place, scale, ink, paper, STAR);
      else if (shape === "point") point(pen, place, scale, ink);
      else ring(pen, place, still ? 0.25 : age, scale, ink, held ? 3 : 1.5);
    }
    pen.globalAlpha = 1;
  }
}

/**
 * @param {Pen} pen
 * @param {number[]} options
 * @param {number} scale
 * @param {string} alarm
 * @param {string} paper
 */
function dot(pen, [x, y, wide, high], scale, alarm, paper) {
  pen.fillStyle = alarm;
  pen.beginPath();
  pen.arc(x + wide / 2, y + high / 2, Math.max(2 * scale, Math.min(Math.max(wide, 5 * scale) * 0.21, 5 * scale)), 0, 7);
  pen.fill();
  pen.strokeStyle = paper;
  pen.lineWidth = scale;
  pen.stroke();
}

/**
 * @param {Pen} pen
 * @param {number[]} options
 * @param {number} scale
 * @param {string} alarm
 * @param {string} paper
 */
function cross(pen, [x, y, wide, high], scale, alarm, paper) {
  const arm = Math.max(3 * scale, Math.min(wide, high, 20 * scale) * 0.36);
  const [cx, cy] = [x + wide / 2, y + high / 2];
  for (const { colour, thick } of [
    { colour: paper, thick: 4 },
    { colour: alarm, thick: 2 },
  ]) {
    pen.strokeStyle = colour;
    pen.lineWidth = thick * scale;
    pen.beginPath();
    pen.moveTo(cx - arm, cy - arm);
    pen.lineTo(cx + arm, cy + arm);
    pen.moveTo(cx + arm, cy - arm);
    pen.lineTo(cx - arm, cy + arm);
    pen.stroke();
  }
}

const DIAMOND = [
  [0, -1],
  [1, 0],
  [0, 1],
  [-1, 0],
];
const TRIANGLE = [
  [0, -1],
  [1, 0.8],
  [-1, 0.8],
];
const PLUS = [
  [-0.35, -1],
  [0.35, -1],
  [0.35, -0.35],
  [1, -0.35],
  [1, 0.35],
  [0.35, 0.35],
  [0.35, 1],
  [-0.35, 1],
  [-0.35, 0.35],
  [-1, 0.35],
  [-1, -0.35],
  [-0.35, -0.35],
];
const STAR = Array.from({ length: 10 }, (_, corner) => {
  const far = corner % 2 ? 0.45 : 1.1;
  return [far * Math.sin((corner * Math.PI) / 5), -far * Math.cos((corner * Math.PI) / 5)];
});
const SQUARE = [
  [-0.8, -0.8],
  [0.8, -0.8],
  [0.8, 0.8],
  [-0.8, 0.8],
];

/**
 * Draw a point, which covers little, for marks that occur all the time.
 * @param {Pen} pen
 * @param {number[]} options
 * @param {number} scale
 * @param {string} ink
 */
function point(pen, [x, y, wide, high], scale, ink) {
  const side = Math.max(scale, Math.min(wide * 0.2, 4 * scale));
  pen.fillStyle = ink;
  pen.fillRect(x + wide - side, y, side, Math.min(side, high)); // a number may stand in the middle
}

/**
 * @param {Pen} pen
 * @param {number[]} options
 * @param {number} scale
 * @param {string} ink
 * @param {string} paper
 * @param {number[][]} corners
 */
function solid(pen, [x, y, wide, high], scale, ink, paper, corners) {
  const half = Math.max(2.5 * scale, Math.min(wide * 0.24, 6 * scale));
  const [cx, cy] = [x + wide / 2, y + high / 2];
  pen.fillStyle = ink;
  pen.strokeStyle = paper;
  pen.lineWidth = scale;
  pen.beginPath();
  corners.forEach(([dx, dy], place) =>
    place ? pen.lineTo(cx + dx * half, cy + dy * half) : pen.moveTo(cx + dx * half, cy + dy * half),
  );
  pen.closePath();
  pen.fill();
  pen.stroke();
}

/**
 * Draw a ring in the cell's shape: a circle would cover the neighbors.
 * @param {Pen} pen
 * @param {number[]} options
 * @param {number} age
 * @param {number} scale
 * @param {string} ink
 * @param {number} thick
 */
function ring(pen, [x, y, wide, high], age, scale, ink, thick) {
  const spread = (0.5 + age * 2) * scale;
  pen.strokeStyle = ink;
  pen.lineWidth = thick * scale;
  pen.beginPath();
  pen.roundRect(x - spread, y - spread, wide + 2 * spread, high + 2 * spread, Math.min(3 * scale, wide / 5));
  pen.stroke();
}
