/**
 * A picture as a list of marks: a canvas paints it in the theme's colors, an export writes it as SVG.
 *
 * A color is a role ("ink", "muted", "line", "data", ...), [hue, strength 0 to 1] with a queue's hue, or ["level",
 * strength] on the sequential scale.
 */

/**
 * @typedef {string | (string | number)[]} Role
 * @typedef {CanvasRenderingContext2D} Pen
 * @typedef {{alpha?: number, stroke?: Role | null, width?: number, dash?: number[] | null}} Lined
 * @typedef {Lined & {kind: "rect", x: number, y: number, w: number, h: number, fill?: Role | null, r?: number}}
 *   RectMark
 * @typedef {Lined & {kind: "line", points: number[][], stroke: Role, curve?: boolean}} LineMark
 * @typedef {Lined & {kind: "area", points: number[][], fill: Role}} AreaMark
 * @typedef {Lined & {kind: "text", x: number, y: number, words: string, fill: Role, size: number,
 *   anchor: "start" | "middle" | "end", weight?: number}} TextMark
 * @typedef {Lined & {kind: "dot", x: number, y: number, r: number, fill?: Role | null}} DotMark
 * @typedef {{kind: "clip", alpha?: number, x: number, y: number, w: number, h: number, inside: Mark[]}} ClipMark
 * @typedef {RectMark | LineMark | AreaMark | TextMark | DotMark | ClipMark} Mark
 */

import { css, levelShade, PAPER, shade } from "../../kit/palette.js";
import { FONT, TEXT_SIZE } from "../../kit/type.js";

/**
 * @param {number} x
 * @param {number} y
 * @param {number} w
 * @param {number} h
 * @param {Role | null | undefined} fill
 * @param {Partial<RectMark>} [more]
 * @returns {RectMark}
 */
export const rect = (x, y, w, h, fill, more = {}) => ({ kind: "rect", x, y, w, h, fill, ...more });

/**
 * @param {number[][]} points
 * @param {Role} stroke
 * @param {Partial<LineMark>} [more]
 * @returns {LineMark}
 */
export const line = (points, stroke, more = {}) => ({ kind: "line", points, stroke, width: 1, ...more });

/**
 * @param {number[][]} points
 * @param {Role} fill
 * @param {Partial<AreaMark>} [more]
 * @returns {AreaMark}
 */
export const area = (points, fill, more = {}) => ({ kind: "area", points, fill, ...more });

/**
 * @param {number} x
 * @param {number} y
 * @param {string} words
 * @param {Role} [fill]
 * @param {Partial<TextMark>} [more]
 * @returns {TextMark}
 */
export const text = (x, y, words, fill = "muted", more = {}) => ({
  kind: "text",
  x,
  y,
  words,
  fill,
  size: TEXT_SIZE,
  anchor: "start",
  ...more,
});

/**
 * @param {number} x
 * @param {number} y
 * @param {number} r
 * @param {Role | null} fill
 * @param {Partial<DotMark>} [more]
 * @returns {DotMark}
 */
export const dot = (x, y, r, fill, more = {}) => ({ kind: "dot", x, y, r, fill, ...more });

/**
 * Show the marks of `inside` only within a rectangle.
 * @param {number} x
 * @param {number} y
 * @param {number} w
 * @param {number} h
 * @param {Mark[]} inside
 * @returns {ClipMark}
 */
export const clip = (x, y, w, h, inside) => ({ kind: "clip", x, y, w, h, inside });

/**
 * Paint a scene; `colour(role)` returns the theme's color.
 * @param {Pen} pen
 * @param {Mark[]} scene
 * @param {(role: Role) => string} colour
 */
export function paint(pen, scene, colour) {
  for (const mark of scene) {
    pen.globalAlpha = mark.alpha ?? 1;
    /** @type {(pen: Pen, mark: Mark, colour: (role: Role) => string) => void} */ (PAINT[mark.kind])(pen, mark, colour);
  }
  pen.globalAlpha = 1;
}

/** @type {Record<TextMark["anchor"], CanvasTextAlign>} */
const ALIGN = { start: "left", middle: "center", end: "right" };

const PAINT = {
  /**
   * @param {Pen} pen
   * @param {RectMark} options
   * @param {(role: Role) => string} colour
   */
  rect(pen, { x, y, w, h, fill, stroke, width = 1, r, dash }, colour) {
    pen.beginPath();
    if (r) pen.roundRect(x, y, w, h, r);
    else pen.rect(x, y, w, h);
    if (fill) {
      pen.fillStyle = colour(fill);
      pen.fill();
    }
    if (stroke) {
      outline(pen, colour(stroke), width, dash);
    }
  },
  /**
   * @param {Pen} pen
   * @param {LineMark} options
   * @param {(role: Role) => string} colour
   */
  line(pen, { points, curve, stroke, width, dash }, colour) {
    pen.beginPath();
    points.forEach(([x, y], place) =>
      place ? (curve ? bend(pen, points[place - 1], [x, y]) : pen.lineTo(x, y)) : pen.moveTo(x, y),
    );
    outline(pen, colour(stroke), width ?? 1, dash);
  },
  /**
   * @param {Pen} pen
   * @param {AreaMark} options
   * @param {(role: Role) => string} colour
   */
  area(pen, { points, fill }, colour) {
    pen.beginPath();
    points.forEach(([x, y], place) => (place ? pen.lineTo(x, y) : pen.moveTo(x, y)));
    pen.closePath();
    pen.fillStyle = colour(fill);
    pen.fill();
  },
  /**
   * @param {Pen} pen
   * @param {TextMark} options
   * @param {(role: Role) => string} colour
   */
  text(pen, { x, y, words, fill, size, anchor, weight = 400 }, colour) {
    pen.font = `${weight} ${size}px ${FONT}`;
    pen.textAlign = ALIGN[anchor];
    pen.fillStyle = colour(fill);
    pen.fillText(words, x, y);
  },
  /**
   * @param {Pen} pen
   * @param {DotMark} options
   * @param {(role: Role) => string} colour
   */
  dot(pen, { x, y, r, fill, stroke, width = 1.5 }, colour) {
    pen.beginPath();
    pen.arc(x, y, r, 0, 2 * Math.PI);
    if (fill) {
      pen.fillStyle = colour(fill);
      pen.fill();
    }
    if (stroke) outline(pen, colour(stroke), width);
  },
  /**
   * @param {Pen} pen
   * @param {ClipMark} options
   * @param {(role: Role) => string} colour
   */
  clip(pen, { x, y, w, h, inside }, colour) {
    pen.save();
    pen.beginPath();
    pen.rect(x, y, w, h);
    pen.clip();
    paint(pen, inside, colour);
    pen.restore();
  },
};

/**
 * @param {Pen} pen
 * @param {string} colour
 * @param {number} width
 * @param {number[] | null} [dash]
 */
function outline(pen, colour, width, dash) {
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.setLineDash(dash ?? []);
  pen.stroke();
  pen.setLineDash([]);
}

/**
 * @param {Pen} pen
 * @param {number[]} from
 * @param {number[]} to
 */
function bend(pen, from, to) {
  const middle = (from[0] + to[0]) / 2;
  pen.bezierCurveTo(middle, from[1], middle, to[1], to[0], to[1]);
}

/**
 * Return the color of a role that is a pair: a hue (or "level") and a strength from 0 to 1.
 * @param {(number | string)[]} role
 * @param {boolean} dark
 */
export function pairColour(role, dark) {
  const [hue, strength] = [role[0], Number(role[1])];
  return css(hue === "level" ? levelShade(strength, dark) : shade(Number(hue), strength, dark));
}

/** Return a role's color on paper: always the light theme. */
export function onPaper(/** @type {Role} */ role) {
  return Array.isArray(role) ? pairColour(role, false) : (PAPER[role] ?? PAPER.ink);
}

const escaped = (/** @type {string} */ words) =>
  String(words).replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
const n = (/** @type {number} */ value) => String(Math.round(value * 100) / 100);

/**
 * Return a scene with a title as an SVG document.
 * @param {Mark[]} scene
 * @param {{width: number, height: number, title: string, subtitle: string}} options
 */
export function sceneSvg(scene, { width, height, title, subtitle }) {
  /** @type {string[]} */
  const clips = [];
  const body = write(scene, clips);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${n(width)}" height="${n(height + 72)}" viewBox="0 0 ` +
    `${n(width)} ${n(height + 72)}" font-family="system-ui, sans-serif">` +
    `<title>${escaped(title)}</title><defs>${clips.join("")}</defs><rect width="${n(width)}" height="` +
    `${n(height + 72)}" fill="${PAPER.surface}"/>` +
    `<text x="16" y="30" font-size="20" font-weight="600" fill="${PAPER.ink}">${escaped(title)}</text><text ` +
    `x="16" y="50" font-size="14" fill="${PAPER.muted}">${escaped(subtitle)}</text>` +
    `<g transform="translate(0 64)">${body}</g></svg>\n`
  );
}

function write(/** @type {Mark[]} */ scene, /** @type {string[]} */ clips) {
  return scene
    .map((mark) => /** @type {(mark: Mark, clips: string[]) => string} */ (WRITE[mark.kind])(mark, clips))
    .join("");
}

const faded = (/** @type {Mark} */ mark) => (mark.alpha === undefined ? "" : ` opacity="${n(mark.alpha)}"`);
const lined = (/** @type {Lined} */ { stroke, width = 1, dash }) =>
  stroke
    ? ` stroke="${onPaper(stroke)}" stroke-width="${n(width)}"${dash ? ` stroke-dasharray="${dash.join(" ")}"` : ""}`
    : "";
const filled = (/** @type {{fill?: Role | null}} */ { fill }) => ` fill="${fill ? onPaper(fill) : "none"}"`;

const WRITE = {
  rect: (/** @type {RectMark} */ mark) =>
    `<rect x="${n(mark.x)}" y="${n(mark.y)}" width="${n(Math.max(0, mark.w))}" height="` +
    `${n(Math.max(0, mark.h))}"${mark.r ? ` rx="${mark.r}"` : ""}${filled(mark)}${lined(mark)}${faded(mark)}` +
    "/>",
  line(/** @type {LineMark} */ mark) {
    const path = mark.points
      .map(([x, y], place) => {
        if (!place) return `M${n(x)} ${n(y)}`;
        if (!mark.curve) return `L${n(x)} ${n(y)}`;
        const [fromX, fromY] = mark.points[place - 1];
        const middle = n((fromX + x) / 2);
        return `C${middle} ${n(fromY)} ${middle} ${n(y)} ${n(x)} ${n(y)}`;
      })
      .join("");
    return `<path d="${path}" fill="none"${lined(mark)}${faded(mark)}/>`;
  },
  area: (/** @type {AreaMark} */ mark) =>
    `<path d="${mark.points.map(([x, y], place) => `${place ? "L" : "M"}${n(x)} ${n(y)}`).join("")}Z"` +
    `${filled(mark)}${faded(mark)}/>`,
  text: (/** @type {TextMark} */ mark) =>
    `<text x="${n(mark.x)}" y="${n(mark.y)}" font-size="${mark.size}" text-anchor="${mark.anchor}"` +
    `${mark.weight ? ` font-weight="${mark.weight}"` : ""}${filled(mark)}${faded(mark)}>` +
    `${escaped(mark.words)}</text>`,
  dot: (/** @type {DotMark} */ mark) =>
    `<circle cx="${n(mark.x)}" cy="${n(mark.y)}" r="${n(mark.r)}"${filled(mark)}${lined(mark)}${faded(mark)}/>`,
  clip(/** @type {ClipMark} */ mark, /** @type {string[]} */ clips) {
    const id = `c${clips.length}`;
    clips.push(
      `<clipPath id="${id}"><rect x="${n(mark.x)}" y="${n(mark.y)}" width="${n(mark.w)}" height="${n(mark.h)}` +
        `"/></clipPath>`,
    );
    return `<g clip-path="url(#${id})">${write(mark.inside, clips)}</g>`;
  },
};
