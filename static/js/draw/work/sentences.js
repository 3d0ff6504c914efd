/** Sentences about the contents of a cell. */

import { duration, whole } from "../../kit/format.js";
import { gettext, ngettext } from "../../kit/words.js";
import { tellParts } from "../../run/choices.js";

/** @typedef {import("./scene.js").TasksScene} TasksScene */

const MOST = 4;

/**
 * Describe the tasks that run on a machine at an instant, the next ones in its queue, and which keepers do not know its
 * latest change.
 *
 * @param {TasksScene} scene
 * @param {number} machine
 * @param {number} now
 */
export function describeTasks(scene, machine, now) {
  const { track, cells } = scene;
  if (!track) return "";
  const rows = [];
  for (let place = 0; place < cells.slices.length; place += 5)
    if (cells.slices[place + 1] === machine) rows.push([cells.slices[place], cells.slices[place + 4]]);
  const told = rows.slice(0, MOST).map(([row, end]) => {
    const names = { task: whole(track.taskOf(row)), job: whole(track.job[row]) };
    if (end === Infinity) return gettext("Task {task} of job {job} runs here.", names);
    const left = duration(Math.max(0, end - now) * track.unit_ns);
    return gettext("Task {task} of job {job} runs here for {left} more.", { ...names, left });
  });
  if (rows.length > MOST)
    told.push(
      ngettext("{n} other task runs here.", "{n} other tasks run here.", rows.length - MOST, { n: rows.length - MOST }),
    );
  const waiting = cells.waiting.get(machine) ?? [];
  if (waiting.length) {
    const isProbe = waiting[0] < 0;
    const row = isProbe ? -1 - waiting[0] : waiting[0];
    const names = { task: whole(track.taskOf(row)), job: whole(track.job[row]) };
    told.push(
      isProbe
        ? gettext("Next in its queue: a probe of job {job}.", names)
        : gettext("Next from its queue: task {task} of job {job}.", names),
    );
  }
  const unaware = (scene.meta?.owners ?? []).filter((_, keeper) => scene.copies?.differs(keeper, machine, now));
  if (unaware.length)
    told.push(
      ngettext(
        "{names} does not know of the latest change here.",
        "{names} do not know of the latest change here.",
        unaware.length,
        { names: unaware.join(", ") },
      ),
    );
  if (track.choices && scene.choice.place >= 0) told.push(tellParts(track.choices, scene.choice.place, machine));
  return told.filter(Boolean).join(" ");
}
