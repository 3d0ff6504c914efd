/** Hues and small patterns of tasks: hue says whose, the pattern says it again for who sees no hue. */

import { CALM, HUES } from "../../kit/palette.js";
import { gettext } from "../../kit/words.js";
import { queueName } from "../../kit/names.js";
import { whole } from "../../run/columns.js";

/** @typedef {import("../../contract/contract").Meta} Meta */

const MOST_NAMED = 4;

/**
 * What a task is coloured by: {by, index(row)}. By who serves its queue where somebody does, else by the length of its
 * job where the work has short and long ones, else by queue where there are several, else by job.
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
 * Which jobs of a track are long ones; null where it does not tell them apart.
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
 * The hue of a job's tasks in other pictures: the same as on the map.
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
 * What tasks are coloured by: as their shelves where those have hues of their own.
 * @param {Meta} meta
 * @param {boolean} long  whether long jobs are told apart
 */
export function hueKind(meta, long) {
  if (meta.owners.length) return "owner";
  if (meta.queues.length > 1 && meta.work?.keeper.role === "queue") return "queue";
  if (long) return "length";
  return meta.queues.length > 1 ? "queue" : "job";
}

/**
 * The names of hues that no shelf has, for a key; none where shelves or nothing tell them.
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
 * A mark inside a square or slice that tells the hue again: nothing, a dot, bars, a cross, by number.
 *
 * @param {CanvasRenderingContext2D} pen  its fill is the mark's colour
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
