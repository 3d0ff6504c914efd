/**
 * The strip beside the map: where jobs arrive, and a shelf for each keeper of tasks without a machine. Lengths are in
 * device pixels.
 */

import { gettext, ngettext } from "../../kit/words.js";
import { whole } from "../../kit/format.js";
import { drawMark } from "./colours.js";
import { countsOf, drawLanes, placesOf } from "./lanes.js";
import { NEVER, UNKNOWN } from "../../run/track.js";
import { FONT } from "../../kit/type.js";
import { queueName } from "../../kit/names.js";

/**
 * @import { Inks } from "./inks.js"
 * @import { Pen } from "../scenes/scene.js"
 * @import { Plan, TasksScene } from "./scene.js"
 * @import { Track } from "../../run/track.js"
 */

/** @typedef {import("../../contract/contract").Meta} Meta */
/** @typedef {import("../../contract/contract").WorkMeta} WorkMeta */
/** @typedef {{x: number, y: number, width: number, height: number}} Box */
/**
 * @typedef {{keeper: number, name: string, box: Box, columns: number, room: number, stands: number, count: number,
 *   at: number[], entering: number[], passing: boolean[], split: number}} Shelf  `stands` tasks are on the shelf, and
 *   that many are drawn if there is room; `count` is the displayed number (waits.js). `at`: rows in order; `entering`:
 *   each row's progress of arrival; `passing`: true if it has already left, as in slow motion; `split`: the first place
 *   of long tasks if they have a queue of their own (lanes.js), else 0
 */

const MOST_SHELVES = 8;
const LABEL = 20;
const GAP = 8;
const KEY = 20;
const PASSING = 0.4;
/** The side of a task's place on a shelf, in CSS pixels. */
export const PLACE = 8;

/**
 * Return the names of the keepers; `known` is their minimum number.
 *
 * @param {Meta} meta
 * @param {number} known
 */
export function keepersOf(meta, known) {
  const { keeper } = /** @type {WorkMeta} */ (meta.work);
  if (keeper.role === "job") {
    const waiting = keeper.central ? gettext("Short tasks that wait") : gettext("Waiting tasks");
    const short = fetched(meta) ? waiting : gettext("Arriving");
    return keeper.central && known > 1 ? [short, keeper.central.label] : [short];
  }
  if (keeper.role === "owner") return meta.owners.length ? meta.owners : [gettext("Queue")];
  if (keeper.role === "queue")
    return meta.queues.length > 1 ? meta.queues.map((queue) => queueName(queue.name)) : [gettext("Queue")];
  const least = keeper.role === "group" ? (meta.groups?.first.length ?? meta.clusters.length) : 1;
  const count = Math.max(least, known);
  if (count === 1) return [keeper.label];
  return Array.from({ length: count }, (_, number) => `${keeper.label} ${number}`);
}

/** Return one more than the highest keeper number in a track. @param {import("../../run/track.js").Track} track */
export function keepersIn({ keeper }) {
  return keeper.reduce((most, one) => (one === UNKNOWN ? most : Math.max(most, one + 1)), 1);
}

/** Return true if probes that wait at machines fetch the tasks. @param {Meta} meta */
export function fetched(meta) {
  const { legs } = /** @type {WorkMeta} */ (meta.work);
  const at = legs.findIndex((leg) => leg.place === "worker");
  return at >= 0 && legs.slice(at).some((leg) => leg.place === "way");
}

/**
 * Lay out the shelves in the strip.
 *
 * @param {string[]} names
 * @param {Box} strip
 * @param {number} scale
 * @returns {Shelf[]}
 */
export function layShelves(names, strip, scale) {
  const shown = names.length > MOST_SHELVES ? names.slice(0, MOST_SHELVES - 1) : names;
  const all = shown.length < names.length ? [...shown, gettext("Others")] : shown;
  const flat = strip.width > strip.height;
  const gap = GAP * scale;
  const label = LABEL * scale;
  const count = all.length;
  return all.map((name, keeper) => {
    const box = flat
      ? {
          x: strip.x + (keeper * (strip.width + gap)) / count,
          y: strip.y + label,
          width: (strip.width + gap) / count - gap,
          height: strip.height - label,
        }
      : {
          x: strip.x,
          y: strip.y + (keeper * (strip.height + gap)) / count + label,
          width: strip.width,
          height: (strip.height + gap) / count - gap - label,
        };
    const side = PLACE * scale;
    const columns = Math.max(1, Math.floor((box.width - 2 * scale) / side));
    const rows = Math.max(1, Math.floor((box.height - 2 * scale) / side));
    const empty = { stands: 0, count: 0, at: [], entering: [], passing: [], split: 0 };
    return { keeper, name, box, columns, room: columns * rows, ...empty };
  });
}

/**
 * Return the center of a task's place on a shelf. The head of the queue is at the top right, nearest to the machines.
 *
 * @param {Shelf} shelf
 * @param {number} place
 * @param {number} scale
 * @returns {[number, number]}
 */
export function placeOn(shelf, place, scale) {
  const side = PLACE * scale;
  const at = Math.min(place, shelf.room - 1);
  const column = at % shelf.columns;
  const row = Math.floor(at / shelf.columns);
  return [shelf.box.x + shelf.box.width - scale - (column + 0.5) * side, shelf.box.y + scale + (row + 0.5) * side];
}

/** @param {CanvasRenderingContext2D} pen @param {import("./scene.js").TasksScene} scene */
export function drawShelves(pen, scene) {
  const { plan, inks } = scene;
  if (!plan) return;
  const { scale, shelves } = plan;
  pen.textBaseline = "alphabetic";
  shelves.forEach((shelf, keeper) => {
    const { box } = shelf;
    pen.fillStyle = inks.surface;
    pen.fillRect(box.x, box.y, box.width, box.height);
    pen.strokeStyle = inks.line;
    pen.lineWidth = scale;
    pen.strokeRect(box.x + 0.5, box.y + 0.5, box.width - 1, box.height - 1);
    nameShelf(pen, scene, shelf, keeper);
    drawLanes(pen, scene, shelf, PLACE);
    const places = scene.track ? placesOf(shelf, shelf.at, scene.track) : [];
    places.forEach((place, at) => place >= 0 && drawTask(pen, scene, shelf, at, place));
    if (!scene.track) drawMany(pen, scene, shelf, keeper);
    if (shelf.stands > shelf.room || places.includes(-1)) {
      scene.drew.add("full");
      pen.fillStyle = inks.ink;
      pen.fillRect(box.x, box.y + box.height - 3 * scale, box.width, 3 * scale);
    }
  });
}

/**
 * Draw the meanings of hues below the shelves, if no shelf shows them.
 * @param {Pen} pen
 * @param {Pick<TasksScene, "plan" | "inks" | "key">} scene
 */
export function drawKey(pen, { plan, inks, key }) {
  if (!plan) return;
  const { strip, scale } = plan;
  let left = strip.x;
  let foot = strip.y + strip.height - 5 * scale;
  pen.font = `${14 * scale}px ${FONT}`;
  pen.textAlign = "left";
  if (keyHeight(key, strip, scale) > KEY * scale) foot -= (key.length - 1) * KEY * scale;
  const below = foot < strip.y + strip.height - 5 * scale;
  key.forEach((name, hue) => {
    pen.fillStyle = inks.strong[hue % inks.strong.length];
    pen.fillRect(left, foot - 10 * scale, 10 * scale, 10 * scale);
    pen.fillStyle = inks.muted;
    pen.fillText(name, left + 15 * scale, foot);
    if (below) foot += KEY * scale;
    else left += 15 * scale + pen.measureText(name).width + 14 * scale;
  });
}

/**
 * Return the key's height: one line in a flat strip, else one line per name.
 * @param {string[]} key
 * @param {Box} strip
 * @param {number} scale
 */
export function keyHeight(key, strip, scale) {
  if (!key.length) return 0;
  return (strip.width > strip.height ? 1 : key.length) * KEY * scale;
}

/**
 * @param {Pen} pen
 * @param {TasksScene} scene
 * @param {Shelf} shelf
 * @param {number} keeper
 */
function nameShelf(pen, scene, shelf, keeper) {
  const { inks, meta, plan } = scene;
  const { box } = shelf;
  if (!plan || !meta) return;
  const { scale } = plan;
  pen.font = `600 ${14 * scale}px ${FONT}`;
  const counts = countsOf(shelf, scene.track);
  // A narrow box has room for the sum beside its name.
  const isWide = counts && pen.measureText(counts).width <= box.width - 16 * scale;
  const count = isWide ? counts : whole(shelf.count);
  const wide = pen.measureText(count).width;
  pen.fillStyle = inks.ink;
  pen.textAlign = "right";
  pen.fillText(count, box.x + box.width, box.y - 5 * scale);
  pen.textAlign = "left";
  pen.font = `${14 * scale}px ${FONT}`;
  let left = box.x;
  if (scene.shelfHue) {
    pen.fillStyle = inks.strong[keeper % inks.strong.length];
    pen.fillRect(left, box.y - 14 * scale, 9 * scale, 9 * scale);
    left += 13 * scale;
  }
  pen.fillStyle = inks.muted;
  pen.fillText(fitted(pen, shelf.name, box.x + box.width - wide - left - 6 * scale), left, box.y - 5 * scale);
}

/**
 * Return as much of a text as fits; of a name with a number, such as Master 2, at least the number.
 * @param {Pen} pen
 * @param {string} text
 * @param {number} room
 */
function fitted(pen, text, room) {
  if (pen.measureText(text).width <= room) return text;
  const number = / (\d+)$/.exec(text)?.[1]; // not the last digits of a pseudonym
  if (number) return number;
  let end = text.length;
  while (end > 1 && pen.measureText(`${text.slice(0, end)}…`).width > room) end -= 1;
  return `${text.slice(0, end)}…`;
}

/**
 * Draw a waiting task: the longer it runs, the larger its square. An arriving task is still at the left; one drawn on
 * its way out is pale.
 * @param {Pen} pen
 * @param {TasksScene} scene
 * @param {Shelf} shelf
 * @param {number} at  the task's position in the shelf's columns
 * @param {number} place
 */
function drawTask(pen, scene, shelf, at, place) {
  const { inks, plan, track } = scene;
  if (!plan || !track) return;
  const [there, y] = placeOn(shelf, place, plan.scale);
  const row = shelf.at[at];
  const share = shelf.entering[at];
  const x = shelf.box.x + (there - shelf.box.x) * share * (2 - share);
  const hue = scene.hue?.index(row) ?? 0;
  const side = sideOf(track, row) * plan.scale;
  pen.globalAlpha = shelf.passing[at] || !scene.follows(shelf.keeper) ? PASSING : 1;
  pen.fillStyle = inks.strong[hue];
  pen.fillRect(x - side / 2, y - side / 2, side, side);
  scene.drew.add("task");
  if (scene.hue?.by === "job") scene.drew.add("one-job");
  if (hue && side >= 5 * plan.scale) {
    pen.fillStyle = inks.surface;
    drawMark(pen, hue, x - side / 4, y - side / 4, side / 2);
  }
  pen.globalAlpha = 1;
}

/**
 * Draw as many squares as tasks wait if nothing else is known about them.
 * @param {Pen} pen
 * @param {TasksScene} scene
 * @param {Shelf} shelf
 * @param {number} keeper
 */
function drawMany(pen, scene, shelf, keeper) {
  const { inks, plan } = scene;
  if (!plan) return;
  const side = 5 * plan.scale;
  pen.fillStyle = scene.shelfHue ? inks.strong[keeper % inks.strong.length] : inks.muted;
  for (let place = 0; place < Math.min(shelf.stands, shelf.room); place += 1) {
    const [x, y] = placeOn(shelf, place, plan.scale);
    pen.fillRect(x - side / 2, y - side / 2, side, side);
  }
}

/**
 * Return the side of a task's square in CSS pixels: 3 for 0.1 s, 7 for 100 s and more.
 * @param {Track} track
 * @param {number} row
 */
function sideOf(track, row) {
  if (track.ran[row] === NEVER) return 5;
  const seconds = (track.ran[row] * track.unit_ns) / 1e9;
  return Math.min(7, Math.max(3, 4.3 + 1.3 * Math.log10(Math.max(0.1, seconds))));
}

/** @param {Shelf} shelf @param {number} x @param {number} y */
export function isOn({ box }, x, y) {
  return x >= box.x - 4 && x <= box.x + box.width + 4 && y >= box.y - 28 && y <= box.y + box.height;
}

/**
 * Describe a shelf in a sentence.
 *
 * @param {Shelf} shelf
 * @param {Meta} meta
 */
export function describeShelf(shelf, meta) {
  const { keeper } = /** @type {WorkMeta} */ (meta.work);
  const waits = ngettext("{name}: {n} task waits here.", "{name}: {count} tasks wait here.", shelf.count, {
    name: shelf.name,
    count: whole(shelf.count),
  });
  return `${waits} ${keeper.central && shelf.name === keeper.central.label ? keeper.central.help : keeper.help}`;
}
