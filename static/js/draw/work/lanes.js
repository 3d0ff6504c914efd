/**
 * Two queues of one keeper: where machines of a group are reserved for short tasks, its master keeps short and long
 * tasks apart. Short tasks stand in the upper half of the shelf, long ones in the lower half.
 */

import { roleLayer } from "../../run/roles.js";
import { whole } from "../../kit/format.js";
import { gettext } from "../../kit/words.js";
import { FONT, TEXT_SIZE } from "../../kit/type.js";

/**
 * @import { Meta } from "../../contract/contract"
 * @import { Track } from "../../run/track.js"
 * @import { Pen } from "../scenes/scene.js"
 * @import { Shelf } from "./shelves.js"
 * @import { TasksScene } from "./scene.js"
 */

/** Return true if each keeper has a queue of short tasks and one of long tasks. */
export function hasTwoQueues(/** @type {Meta} */ meta, /** @type {Track} */ track) {
  return Boolean(track.long && meta.work?.keeper.role === "group" && roleLayer(meta, "reserved"));
}

/** Give the lower half of a shelf's places to long tasks, if it has rows for both. @param {Shelf} shelf */
export function splitShelf(shelf) {
  const rows = Math.floor(shelf.room / shelf.columns);
  shelf.split = rows < 2 ? 0 : Math.ceil(rows / 2) * shelf.columns;
}

/**
 * Return the place of each of these rows on a shelf, -1 where its queue has no room left.
 *
 * @param {Pick<Shelf, "split" | "room">} shelf
 * @param {number[]} rows  in order
 * @param {Track} track
 */
export function placesOf({ split, room }, rows, track) {
  if (!split) return rows.map((_, place) => place);
  let [short, long] = [0, split];
  return rows.map((row) => {
    if (track.long?.[row]) return long < room ? long++ : -1;
    return short < split ? short++ : -1;
  });
}

/**
 * Return the place of a row that has just come onto a shelf: the end of its queue where the queue has no room left.
 *
 * @param {Pick<Shelf, "split" | "room" | "stands" | "at">} shelf
 * @param {number} row
 * @param {Track} track
 */
export function lastPlace(shelf, row, track) {
  if (!shelf.split) return shelf.stands - 1;
  const place = shelf.at.at(-1) === row ? (placesOf(shelf, shelf.at, track).at(-1) ?? -1) : -1;
  return place >= 0 ? place : track.long?.[row] ? shelf.room - 1 : shelf.split - 1;
}

/**
 * Return how many tasks wait in each of the two queues, as "8 + 9": short ones first, as they stand. Null if the shelf
 * has one queue, or if its rows are not all of its tasks.
 *
 * @param {Pick<Shelf, "split" | "at" | "passing" | "count">} shelf
 * @param {Track | null} track
 */
export function countsOf({ split, at, passing, count }, track) {
  if (!split || !track?.long) return null;
  const waiting = at.filter((_, place) => !passing[place]);
  if (waiting.length !== count) return null;
  const long = waiting.filter((row) => track.long?.[row]).length;
  return `${whole(count - long)} + ${whole(long)}`;
}

/** Draw the line between the two queues of a shelf, and their names at its left unless a moment's note stands there. */
export function drawLanes(
  /** @type {Pen} */ pen,
  /** @type {TasksScene} */ scene,
  /** @type {Shelf} */ shelf,
  /** @type {number} */ place,
) {
  const { plan, inks, track, focusRow } = scene;
  if (!plan || !track || !shelf.split) return;
  const { scale } = plan;
  const { box } = shelf;
  const middle = box.y + scale + (shelf.split / shelf.columns) * place * scale;
  pen.fillStyle = inks.line;
  pen.fillRect(box.x, middle - scale / 2, box.width, scale);
  if (middle - box.y < TEXT_SIZE * scale || box.y + box.height - middle < TEXT_SIZE * scale) return;
  if (focusRow >= 0 && scene.shelfOf(focusRow) === shelf) return;
  const long = shelf.at.filter((row) => track.long?.[row]).length;
  pen.font = `${TEXT_SIZE * scale}px ${FONT}`;
  pen.fillStyle = inks.muted;
  pen.textAlign = "left";
  const name = (/** @type {string} */ text, /** @type {number} */ tasks, /** @type {number} */ foot) => {
    if (box.width - tasks * place * scale > pen.measureText(text).width + 6 * scale)
      pen.fillText(text, box.x + 3 * scale, foot);
  };
  name(gettext("short"), shelf.at.length - long, middle - 3 * scale);
  name(gettext("long"), long, middle + (TEXT_SIZE - 1) * scale);
}
