/**
 * Hues and marks of tasks: the hue identifies a group of tasks, and the mark repeats it for readers who cannot see
 * hues.
 */

import { CALM, HUES } from "../../kit/palette.js";
import { gettext } from "../../kit/words.js";
import { queueName } from "../../kit/names.js";
import { whole } from "../../run/columns.js";

/** @typedef {import("../../contract/contract").Meta} Meta */

const MOST_NAMED = 4;

/**
 * Return the coloring of tasks: {by, index(row)}. Tasks are colored by the master that serves their queue; without
 * masters by queue, if the shelves are queues; then by the length of their job, if jobs are classified; then by queue,
 * if there are several; else by job.
 *
 * @param {Meta} meta
 * @param {import("../../run/track.js").Track} track
 */
export function hueOf(meta, track) {
  const owners = meta.queues.map((queue) => queue.owner ?? 0);
  const { long } = track;
  const by = hueKind(meta, Boolean(long));
  /** @type {Record<string, (row: number) => number>} */
  const index = {
    owner: (row) => (owners[track.queue[row]] ?? 0) % HUES.length,
    length: (row) => long?.[row] ?? 0,
    queue: (row) => track.queue[row] % HUES.length,
    job: (row) => CALM[track.job[row] % CALM.length],
  };
  return { by, index: index[by] };
}

/**
 * Return the numbers of a track's long jobs; null if it does not classify jobs.
 *
 * @param {import("../../contract/contract").Track | null | undefined} wire
 */
export function longJobs(wire) {
  const long = wire?.tasks.long;
  if (!wire || !long) return null;
  const job = whole(wire.tasks.job);
  return new Set(job.filter((_, row) => long[row]));
}

/**
 * Return the hue of a job's tasks for other pictures, equal to the map's.
 *
 * @param {Meta} meta
 * @param {number} job
 * @param {number} queue
 * @param {ReturnType<typeof longJobs>} long
 */
export function hueOfJob(meta, job, queue, long) {
  const by = hueKind(meta, Boolean(long));
  if (by === "owner") return (meta.queues[queue]?.owner ?? 0) % HUES.length;
  if (by === "length") return Number(long?.has(job));
  return by === "job" ? CALM[job % CALM.length] : queue % HUES.length;
}

/**
 * Return what tasks are colored by. They follow their shelves if these have hues of their own.
 * @param {Meta} meta
 * @param {boolean} long  true if long jobs are classified
 */
export function hueKind(meta, long) {
  if (meta.owners.length) return "owner";
  if (meta.queues.length > 1 && meta.work?.keeper.role === "queue") return "queue";
  if (long) return "length";
  return meta.queues.length > 1 ? "queue" : "job";
}

/**
 * Return the names of hues for a key; empty if the shelves already name them.
 *
 * @param {string} by
 * @param {Meta} meta
 */
export function keyOf(by, meta) {
  if (by === "length") return [gettext("short job"), gettext("long job")];
  if (by !== "queue" || meta.work?.keeper.role === "queue" || meta.queues.length > MOST_NAMED) return [];
  return meta.queues.map((queue) => queueName(queue.name));
}

/**
 * Draw a mark inside a square or slice that repeats the hue: nothing, a dot, bars or a cross, by hue number.
 *
 * @param {CanvasRenderingContext2D} pen  its fill style is the mark's color
 * @param {number} hue
 * @param {number} x
 * @param {number} y
 * @param {number} side
 */
export function drawMark(pen, hue, x, y, side) {
  const third = side / 3;
  if (hue % 4 === 1) pen.fillRect(x + third, y + third, third, third);
  if (hue % 4 === 2) pen.fillRect(x, y + third, side, third);
  if (hue % 4 === 3) pen.fillRect(x + third, y, third, side);
  if (hue >= 4) pen.fillRect(x, y, third, third);
}
