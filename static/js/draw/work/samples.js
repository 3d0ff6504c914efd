/** Samples of marks for the legend, each in a box of 22 by 14 CSS pixels. */

/** @import { Point } from "./focus.js" */

/** @typedef {CanvasRenderingContext2D} Pen */
/** @typedef {import("./inks.js").Inks} Inks */

export const WIDE = 22;
export const HIGH = 14;

/**
 * @param {number} x
 * @param {number} y
 * @param {number} wide
 * @param {number} high
 * @param {string} colour
 */
function box(/** @type {Pen} */ pen, x, y, wide, high, colour) {
  pen.fillStyle = colour;
  pen.fillRect(x, y, wide, high);
}

function edge(
  /** @type {Pen} */ pen,
  /** @type {number} */ x,
  /** @type {number} */ y,
  /** @type {number} */ wide,
  /** @type {number} */ high,
  /** @type {string} */ colour,
  /** @type {{thick?: number, dash?: number[]}} */ { thick = 1.5, dash = [] } = {},
) {
  pen.strokeStyle = colour;
  pen.lineWidth = thick;
  pen.setLineDash(dash);
  pen.strokeRect(x, y, wide, high);
  pen.setLineDash([]);
}

/**
 * @param {Point} from
 * @param {Point} to
 * @param {string} colour
 * @param {number[]} [dash]
 */
function line(/** @type {Pen} */ pen, from, to, colour, dash = []) {
  pen.strokeStyle = colour;
  pen.lineWidth = 1.5;
  pen.setLineDash(dash);
  pen.beginPath();
  pen.moveTo(from[0], from[1]);
  pen.lineTo(to[0], to[1]);
  pen.stroke();
  pen.setLineDash([]);
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 * @param {string} colour
 */
function dot(/** @type {Pen} */ pen, x, y, radius, colour) {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fillStyle = colour;
  pen.fill();
}

function corners(/** @type {Pen} */ pen, /** @type {number[][]} */ points, /** @type {string} */ colour) {
  pen.beginPath();
  points.forEach(([x, y], place) => (place ? pen.lineTo(x, y) : pen.moveTo(x, y)));
  pen.closePath();
  pen.fillStyle = colour;
  pen.fill();
}

/** Draw an arrowhead that points right. */
const head = (/** @type {Pen} */ pen, /** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ colour) =>
  corners(
    pen,
    [
      [x, y],
      [x - 6, y - 3.5],
      [x - 6, y + 3.5],
    ],
    colour,
  );

/** @type {Record<string, (pen: Pen, inks: Inks) => void>} */
export const SAMPLES = {
  task(pen, { strong }) {
    box(pen, 3, 4, 6, 6, strong[0]);
    box(pen, 13, 4, 6, 6, strong[1]);
  },
  "one-job"(pen, { strong }) {
    for (const [place, hue] of [0, 1, 2].entries()) box(pen, 1 + 7 * place, 4, 6, 6, strong[hue]);
  },
  running(pen, { strong, pale }) {
    box(pen, 1, 2, 20, 10, pale[0]);
    box(pen, 1, 2, 12, 10, strong[0]);
  },
  sign(pen, { strong, pale }) {
    box(pen, 1, 2, 10, 10, strong[1]);
    box(pen, 5, 6, 3, 3, pale[1]);
    box(pen, 12, 2, 10, 10, strong[2]);
    box(pen, 13, 6, 8, 3, pale[2]);
  },
  queued(pen, { strong, cell }) {
    box(pen, 1, 0, 20, 14, cell);
    box(pen, 2, 8, 5, 5, strong[0]);
    box(pen, 2, 2, 5, 5, strong[0]);
  },
  probe(pen, { strong }) {
    edge(pen, 7, 3, 8, 8, strong[0]);
  },
  "probe-lost"(pen, { muted }) {
    edge(pen, 7, 3, 8, 8, muted, { thick: 1 });
  },
  "probe-gone"(pen, { ink }) {
    edge(pen, 7, 3, 8, 8, ink, { dash: [2, 2] });
  },
  sent(pen, { strong }) {
    edge(pen, 3, 4, 6, 6, strong[1], { thick: 1 });
    edge(pen, 13, 4, 6, 6, strong[1], { thick: 1 });
  },
  full(pen, { ink, line: rim }) {
    edge(pen, 2, 1, 18, 11, rim, { thick: 1 });
    box(pen, 2, 10, 18, 3, ink);
  },
  owner(pen, { cell, strong }) {
    box(pen, 3, 2, 7, 10, cell);
    box(pen, 12, 2, 7, 10, cell);
    edge(pen, 1, 1, 20, 12, strong[0], { thick: 2 });
  },
  lent(pen, { cell, strong }) {
    box(pen, 1, 0, 20, 14, cell);
    box(pen, 1, 10, 14, 4, strong[1]);
  },
  "copy-differs"(pen, { cell, strong }) {
    box(pen, 1, 0, 20, 14, cell);
    corners(
      pen,
      [
        [13, 0],
        [21, 0],
        [21, 8],
      ],
      strong[0],
    );
  },
  "copy-age"(pen, { line: rest, ink }) {
    box(pen, 1, 4, 20, 6, rest);
    box(pen, 1, 4, 12, 6, ink);
  },
  sweep(pen, { cell, muted }) {
    box(pen, 1, 0, 20, 14, cell);
    pen.globalAlpha = 0.6;
    box(pen, 8, 0, 6, 14, muted);
    pen.globalAlpha = 1;
  },
  choice(pen, { cell, heat, ink }) {
    box(pen, 1, 1, 6, 12, cell);
    pen.globalAlpha = 0.35;
    box(pen, 8, 1, 6, 12, heat);
    pen.globalAlpha = 0.65;
    box(pen, 15, 1, 6, 12, heat);
    pen.globalAlpha = 1;
    edge(pen, 15, 1, 6, 12, ink);
  },
  round(pen, { strong }) {
    for (const [place, y] of [2, 7, 12].entries()) {
      line(pen, [1, 7], [18, y], strong[place]);
      dot(pen, 18, y, 2, strong[place]);
    }
  },
  "move-bounce"(pen, { alarm }) {
    line(pen, [5, 7], [14, 7], alarm);
    dot(pen, 5, 7, 3.5, alarm);
    pen.beginPath();
    pen.arc(16, 7, 5, 0, 2 * Math.PI);
    pen.strokeStyle = alarm;
    pen.stroke();
  },
  "move-bounce-usual"(pen, { ink }) {
    line(pen, [5, 7], [14, 7], ink);
    dot(pen, 5, 7, 3.5, ink);
    pen.beginPath();
    pen.arc(16, 7, 5, 0, 2 * Math.PI);
    pen.strokeStyle = ink;
    pen.stroke();
  },
  "move-steal"(pen, { ink, strong }) {
    line(pen, [1, 7], [17, 7], ink);
    head(pen, 21, 7, ink);
    dot(pen, 8, 7, 4, strong[0]);
  },
  "move-throw"(pen, { strong, ink }) {
    box(pen, 4, 4, 14, 7, strong[1]);
    edge(pen, 4, 4, 14, 7, ink);
  },
  "move-throw-wrong"(pen, { strong, alarm }) {
    box(pen, 4, 4, 14, 7, strong[1]);
    edge(pen, 4, 4, 14, 7, alarm);
  },
  "move-borrow"(pen, { muted, strong }) {
    line(pen, [0, 7], [9, 7], muted, [2, 2]);
    edge(pen, 10, 2, 10, 10, strong[0], { thick: 2.5 });
  },
  "move-give"(pen, { surface, muted, strong, ink }) {
    box(pen, 1, 4, 9, 6, surface);
    edge(pen, 1, 4, 9, 6, muted);
    box(pen, 12, 4, 9, 6, strong[0]);
    edge(pen, 12, 4, 9, 6, ink);
  },
  "move-shed"(pen, { alarm, strong }) {
    line(pen, [3, 7], [13, 7], alarm);
    dot(pen, 15, 7, 4, strong[0]);
  },
  "move-overtake"(pen, { ink, strong }) {
    line(pen, [11, 0], [11, 10], ink);
    corners(
      pen,
      [
        [11, 14],
        [7.5, 8],
        [14.5, 8],
      ],
      ink,
    );
    dot(pen, 11, 4, 3, strong[0]);
  },
  "own-copy"(pen, { muted, cell, ink }) {
    for (const { x, y, taken } of [
      { x: 1, y: 0, taken: true },
      { x: 12, y: 0, taken: false },
      { x: 1, y: 7, taken: true },
      { x: 12, y: 7, taken: true },
    ])
      box(pen, x, y, 10, 6, taken ? muted : cell);
    corners(
      pen,
      [
        [12, 0],
        [22, 0],
        [22, 6],
      ],
      ink,
    );
  },
  gate(pen, { muted, surface }) {
    box(pen, 1, 2, 20, 10, surface);
    edge(pen, 1, 2, 20, 10, muted);
  },
  out(pen, { ground, alarm }) {
    box(pen, 4, 0, 14, 14, ground);
    line(pen, [5, 1], [17, 13], alarm);
    line(pen, [17, 1], [5, 13], alarm);
  },
};

/** Return a sample as a canvas for the page. @param {(pen: Pen, inks: Inks) => void} sample @param {Inks} inks */
export function sampleOf(sample, inks) {
  const canvas = document.createElement("canvas");
  const ratio = window.devicePixelRatio || 1;
  [canvas.width, canvas.height] = [WIDE * ratio, HIGH * ratio];
  canvas.className = "legend-sample";
  canvas.setAttribute("aria-hidden", "true");
  const pen = /** @type {Pen} */ (canvas.getContext("2d"));
  pen.scale(ratio, ratio);
  sample(pen, inks);
  return canvas;
}
