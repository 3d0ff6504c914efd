/**
 * A picture as a list of marks: the screen's canvas paints it in the colours of the theme, an export writes it as SVG.
 *
 * Colours are roles ("ink", "muted", "line", "data", ...), [hue, strength 0 to 1], the hues being those of queues, or
 * ["level", strength] of the one scale from little to much.
 */

/** @typedef {{kind: string, [what: string]: any}} Mark */

import { css, levelShade, shade } from "../../kit/palette.js";
import { FONT, TEXT_SIZE } from "../../kit/type.js";

export const rect = (x, y, w, h, fill, more = {}) => ({ kind: "rect", x, y, w, h, fill, ...more });
export const line = (points, stroke, more = {}) => ({ kind: "line", points, stroke, width: 1, ...more });
export const area = (points, fill, more = {}) => ({ kind: "area", points, fill, ...more });
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
export const dot = (x, y, r, fill, more = {}) => ({ kind: "dot", x, y, r, fill, ...more });
/** Marks of `inside` are only seen within a rectangle. */
export const clip = (x, y, w, h, inside) => ({ kind: "clip", x, y, w, h, inside });

/** Paint a scene; `colour(role)` gives the theme's colours. */
export function paint(pen, scene, colour) {
  for (const mark of scene) {
    pen.globalAlpha = mark.alpha ?? 1;
    PAINT[mark.kind](pen, mark, colour);
  }
  pen.globalAlpha = 1;
}

const PAINT = {
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
  line(pen, { points, curve, stroke, width, dash }, colour) {
    pen.beginPath();
    points.forEach(([x, y], place) =>
      place ? (curve ? bend(pen, points[place - 1], [x, y]) : pen.lineTo(x, y)) : pen.moveTo(x, y),
    );
    outline(pen, colour(stroke), width, dash);
  },
  area(pen, { points, fill }, colour) {
    pen.beginPath();
    points.forEach(([x, y], place) => (place ? pen.lineTo(x, y) : pen.moveTo(x, y)));
    pen.closePath();
    pen.fillStyle = colour(fill);
    pen.fill();
  },
  text(pen, { x, y, words, fill, size, anchor, weight = 400 }, colour) {
    pen.font = `${weight} ${size}px ${FONT}`;
    pen.textAlign = { start: "left", middle: "center", end: "right" }[anchor];
    pen.fillStyle = colour(fill);
    pen.fillText(words, x, y);
  },
  dot(pen, { x, y, r, fill, stroke, width = 1.5 }, colour) {
    pen.beginPath();
    pen.arc(x, y, r, 0, 2 * Math.PI);
    if (fill) {
      pen.fillStyle = colour(fill);
      pen.fill();
    }
    if (stroke) outline(pen, colour(stroke), width);
  },
  clip(pen, { x, y, w, h, inside }, colour) {
    pen.save();
    pen.beginPath();
    pen.rect(x, y, w, h);
    pen.clip();
    paint(pen, inside, colour);
    pen.restore();
  },
};

function outline(pen, colour, width, dash = []) {
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.setLineDash(dash);
  pen.stroke();
  pen.setLineDash([]);
}

function bend(pen, from, to) {
  const middle = (from[0] + to[0]) / 2;
  pen.bezierCurveTo(middle, from[1], middle, to[1], to[0], to[1]);
}

const PAPER = {
  ink: "#14181f",
  muted: "#555e6c",
  line: "#e2e5e9",
  "line-strong": "#c3c9d1",
  data: "#3563c4",
  second: "#b2601a",
  ghost: "#8d97a5",
  alarm: "#c4281c",
  surface: "#ffffff",
  heavy: "#14181f",
  accent: "#2457c5",
  hover: "#f0f1f3",
};

/**
 * The colour of a role that is a pair: a hue (or "level") and a strength from 0 to 1.
 * @param {(number | string)[]} role
 */
export function pairColour([hue, strength], dark) {
  return css(hue === "level" ? levelShade(strength, dark) : shade(hue, strength, dark));
}

/** Colours on paper: always those of the light theme. */
export function onPaper(role) {
  return Array.isArray(role) ? pairColour(role, false) : (PAPER[role] ?? PAPER.ink);
}

const escaped = (words) => String(words).replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
const n = (value) => String(Math.round(value * 100) / 100);

/** A scene with a title as an SVG document. */
export function sceneSvg(scene, { width, height, title, subtitle }) {
  const clips = [];
  const body = write(scene, clips);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${n(width)}" height="${n(height + 72)}" viewBox="0 0 ` +
    `${n(width)} ${n(height + 72)}" font-family="system-ui, sans-serif">` +
    `<title>${escaped(title)}</title><defs>${clips.join("")}</defs><rect width="${n(width)}" height="` +
    `${n(height + 72)}" fill="#ffffff"/>` +
    `<text x="16" y="30" font-size="20" font-weight="600" fill="${PAPER.ink}">${escaped(title)}</text><text ` +
    `x="16" y="50" font-size="14" fill="${PAPER.muted}">${escaped(subtitle)}</text>` +
    `<g transform="translate(0 64)">${body}</g></svg>\n`
  );
}

function write(scene, clips) {
  return scene.map((mark) => WRITE[mark.kind](mark, clips)).join("");
}

const faded = (mark) => (mark.alpha === undefined ? "" : ` opacity="${n(mark.alpha)}"`);
const lined = ({ stroke, width = 1, dash }) =>
  stroke
    ? ` stroke="${onPaper(stroke)}" stroke-width="${n(width)}"${dash ? ` stroke-dasharray="${dash.join(" ")}"` : ""}`
    : "";
const filled = ({ fill }) => ` fill="${fill ? onPaper(fill) : "none"}"`;

const WRITE = {
  rect: (mark) =>
    `<rect x="${n(mark.x)}" y="${n(mark.y)}" width="${n(Math.max(0, mark.w))}" height="` +
    `${n(Math.max(0, mark.h))}"${mark.r ? ` rx="${mark.r}"` : ""}${filled(mark)}${lined(mark)}${faded(mark)}` +
    "/>",
  line(mark) {
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
  area: (mark) =>
    `<path d="${mark.points.map(([x, y], place) => `${place ? "L" : "M"}${n(x)} ${n(y)}`).join("")}Z"` +
    `${filled(mark)}${faded(mark)}/>`,
  text: (mark) =>
    `<text x="${n(mark.x)}" y="${n(mark.y)}" font-size="${mark.size}" text-anchor="${mark.anchor}"` +
    `${mark.weight ? ` font-weight="${mark.weight}"` : ""}${filled(mark)}${faded(mark)}>` +
    `${escaped(mark.words)}</text>`,
  dot: (mark) =>
    `<circle cx="${n(mark.x)}" cy="${n(mark.y)}" r="${n(mark.r)}"${filled(mark)}${lined(mark)}${faded(mark)}/>`,
  clip(mark, clips) {
    const id = `c${clips.length}`;
    clips.push(
      `<clipPath id="${id}"><rect x="${n(mark.x)}" y="${n(mark.y)}" width="${n(mark.w)}" height="${n(mark.h)}` +
        `"/></clipPath>`,
    );
    return `<g clip-path="url(#${id})">${write(mark.inside, clips)}</g>`;
  },
};
