/** Texts beside the subject of a moment: in the box of a shelf or in a machine's own cell, not over other cells. */

import { FONT } from "../../kit/type.js";
import { PLACE } from "./shelves.js";

/** @typedef {import("./scene.js").TasksScene} TasksScene */
/** @typedef {import("./shelves.js").Shelf} Shelf */

const LINE = 19;
/** The height of the background of a single line: it ends above what is drawn below the line. */
const PLATE = 17;
/** The height of a word in a cell. */
const TAG = 18;

/**
 * Break a text into rows of a width.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {string} text
 * @param {number} width
 */
export function wrapped(pen, text, width) {
  const rows = [""];
  for (const word of text.split(" ")) {
    const longer = rows[rows.length - 1] ? `${rows[rows.length - 1]} ${word}` : word;
    if (!rows[rows.length - 1] || pen.measureText(longer).width <= width) rows[rows.length - 1] = longer;
    else rows.push(word);
  }
  return rows;
}

/**
 * Write a line on a background, because letters among squares are unreadable.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {TasksScene} scene
 * @param {string} text
 * @param {number} left
 * @param {number} foot
 */
export function onPlate(pen, { plan, inks }, text, left, foot) {
  const { scale } = /** @type {import("./scene.js").Plan} */ (plan);
  const ink = pen.fillStyle;
  pen.fillStyle = inks.surface;
  pen.fillRect(left - 2 * scale, foot - 13 * scale, pen.measureText(text).width + 4 * scale, PLATE * scale);
  pen.fillStyle = ink;
  pen.fillText(text, left, foot);
}

/** Return where the squares of a shelf end. @param {Shelf} shelf @param {number} scale */
export function belowSquares({ box, at, columns }, scale) {
  return box.y + (Math.ceil(at.length / columns) * PLACE + 8) * scale;
}

/**
 * Write a note into the box of a shelf below its squares, from `down` on. Return its height, 0 if there is no room.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {TasksScene} scene
 * @param {Shelf} shelf
 * @param {string} text
 * @param {number} down
 */
export function noteIn(pen, { plan, inks }, shelf, text, down = 0) {
  const { scale } = /** @type {import("./scene.js").Plan} */ (plan);
  const { box } = shelf;
  pen.font = `600 ${14 * scale}px ${FONT}`;
  const rows = wrapped(pen, text, box.width - 12 * scale);
  const high = (rows.length * LINE + 4) * scale;
  const top = belowSquares(shelf, scale) + down;
  if (top + high > box.y + box.height) return 0;
  pen.textAlign = "left";
  pen.fillStyle = inks.ink;
  rows.forEach((row, place) => pen.fillText(row, box.x + 6 * scale, top + (place * LINE + 15) * scale));
  return high;
}

/**
 * Write the first text that fits on the upper edge of a machine's cell, or on the lower one if the moment's task is
 * ringed at the top; return false if none fits. On an edge it hides little of what the machine runs.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {TasksScene} scene
 * @param {number} machine
 * @param {string[]} texts
 * @param {string} colour
 */
export function tagIn(pen, { plan, inks, focusAt, focusMachine, focusWaits }, machine, texts, colour) {
  const { x, y, wide, high, scale } = /** @type {import("./scene.js").Plan} */ (plan);
  pen.font = `600 ${14 * scale}px ${FONT}`;
  const text = texts.find((each) => pen.measureText(each).width <= wide - 4 * scale);
  if (!text || high < 2 * TAG * scale) return false;
  const isRinged = focusMachine === machine && !focusWaits && focusAt !== null;
  const isLow = isRinged && focusAt[1] < y[machine] + high / 2;
  const top = y[machine] + (isLow ? high : 0) - (TAG * scale) / 2;
  const backed = pen.measureText(text).width + 6 * scale;
  pen.fillStyle = inks.surface;
  pen.fillRect(x[machine] + (wide - backed) / 2, top, backed, TAG * scale);
  pen.fillStyle = colour;
  pen.textAlign = "center";
  pen.fillText(text, x[machine] + wide / 2, top + 14 * scale);
  pen.textAlign = "left";
  return true;
}
