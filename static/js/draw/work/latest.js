/** A bar in the box of a shelf that shows how long a task may wait without delaying its job. */

import { clock, duration } from "../../kit/format.js";
import { gettext } from "../../kit/words.js";
import { scaleOf } from "./kinds/pens.js";
import { belowSquares, noteIn } from "./labels.js";

/** @typedef {import("./scene.js").TasksScene} TasksScene */

const HIGH = 8;

/**
 * Draw a bar from the waiting task's arrival to the latest start that its job's plan allows; the dark part has passed.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {TasksScene} scene
 * @param {number} now
 * @param {number} down
 */
export function drawLatest(pen, scene, now, down) {
  const { focus, track, inks } = scene;
  const row = scene.besideRow >= 0 ? scene.besideRow : scene.focusRow;
  if (!track || row < 0 || focus?.latest_ns === undefined) return;
  const scale = scaleOf(scene);
  const shelf = scene.shelfOf(row);
  const end = track.until * track.unit_ns;
  const left = duration(Math.max(0, focus.latest_ns - now * track.unit_ns));
  // The plan may reach beyond the run, and so beyond the timeline.
  const text =
    focus.latest_ns > end
      ? gettext("may wait {left} more, beyond the end of this run: its job ends no later", { left })
      : gettext("may wait {left} more, up to {at}: its job ends no later", { left, at: clock(focus.latest_ns, end) });
  const high = noteIn(pen, scene, shelf, text, down + (HIGH + 10) * scale);
  if (!high) return;
  const { box } = shelf;
  const top = belowSquares(shelf, scale) + down + 8 * scale;
  const wide = box.width - 12 * scale;
  const begun = track.arrival[row];
  const share = Math.min(1, Math.max(0, (now - begun) / Math.max(1, focus.latest_ns / track.unit_ns - begun)));
  pen.fillStyle = inks.line;
  pen.fillRect(box.x + 6 * scale, top, wide, HIGH * scale);
  pen.fillStyle = inks.ink;
  pen.fillRect(box.x + 6 * scale, top, wide * share, HIGH * scale);
  pen.fillRect(box.x + 6 * scale + wide - 2 * scale, top - 4 * scale, 2 * scale, (HIGH + 8) * scale);
}
