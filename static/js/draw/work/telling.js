/** One sentence about what moves in the picture of tasks now. */

import { gettext } from "../../kit/words.js";
import { whole } from "../../kit/format.js";
import { raceWords } from "./race.js";
import { FLIGHT, QUEUED, RUNS, SHELF } from "./showing.js";
import { clusterName } from "../../kit/names.js";

/** @typedef {import("./scene.js").TasksScene} TasksScene */

/** The minimum time a sentence stays, in milliseconds, so that viewers can read it. */
const STANDS_MS = 1800;
/** The fraction of a movement after which its event has happened. */
const NOW = 0.35;

export class Telling {
  text = "";
  since = -Infinity;

  /**
   * Return the sentence to show now, or while playing the previous one until its minimum time is over. While paused,
   * nothing would replace the previous one, so it would contradict the picture.
   *
   * @param {TasksScene} scene
   * @param {number} clock_ms
   * @param {number} now  in units of the track
   * @param {boolean} playing
   */
  tell(scene, clock_ms, now, playing) {
    if (playing && clock_ms - this.since < STANDS_MS && this.text && !scene.focus) return this.text;
    const text = sentenceOf(scene, now);
    if (text !== this.text) this.since = clock_ms;
    this.text = text;
    return text;
  }
}

/** @param {TasksScene} scene @param {number} now */
export function sentenceOf(scene, now) {
  const { track, plan } = scene;
  if (!track || !plan?.drawn) return "";
  // While a choice between machines is drawn, the sentence describes that choice.
  if (scene.choice.said) return scene.choice.said;
  if (scene.focus) return raceWords(scene, now) || aboutFocus(scene);
  const moved = latest(scene.moved);
  if (moved) return aboutMoved(scene, moved);
  if (scene.swept >= 0) return aboutReport(scene);
  const flight = scene.flights.filter(({ row }) => scene.follows(track.keeper[row])).at(-1);
  if (!flight) return "";
  const values = { task: whole(track.taskOf(flight.row)), machine: whole(track.machine[flight.row]) };
  if (flight.probe) return gettext("A probe of task {task} goes to the queue of machine {machine}.", values);
  if (isAlone(scene, flight.row)) return gettext("Task {task} travels to machine {machine}.", values);
  return gettext("Task {task} goes from the box “{keeper}” to machine {machine}.", {
    ...values,
    keeper: scene.shelfOf(flight.row).name,
  });
}

/**
 * Name the master whose copy the map shows; "" unless the picture follows exactly one master.
 *
 * @param {TasksScene} scene
 */
export function followedWords({ followed, copies, plan }) {
  const [keeper] = followed?.size === 1 && copies && plan?.drawn ? followed : [-1];
  const name = plan?.shelves[keeper]?.name;
  if (!name) return "";
  return gettext("You look through the eyes of {name}: its tasks are in color, those of other masters gray.", { name });
}

/**
 * Return true if no shared keeper holds a task, because its job has a scheduler of its own.
 * @param {TasksScene} scene
 */
function isAlone({ meta, track }, /** @type {number} */ row) {
  return meta?.work?.keeper.role === "job" && !track?.central?.[row];
}

/** @param {TasksScene} scene */
function aboutReport({ meta, swept }) {
  return gettext("{cluster} reports its state, and the views of it are fresh again.", {
    cluster: clusterName(meta?.clusters[swept].name),
  });
}

/**
 * Return the movement to describe: those that went wrong come first, then the newest.
 * @param {import("./moves.js").Moved[]} moved
 */
function latest(moved) {
  return [...moved].sort((a, b) => Number(b.wrong) - Number(a.wrong) || a.share - b.share)[0];
}

/** @param {TasksScene} scene @param {import("./moves.js").Moved} one */
function aboutMoved(scene, one) {
  const { meta, track, plan } = scene;
  const row = track?.rowOf(one.task) ?? -1;
  const values = {
    task: whole(one.task),
    job: row < 0 ? "" : whole(track?.job[row] ?? 0),
    machine: whole(one.machine),
    from: whole(track?.move.frm[one.place] ?? 0),
    keeper: row < 0 ? "" : scene.shelfOf(row).name,
    owner: plan?.shelves[track?.move.frm[one.place] ?? -1]?.name ?? "",
    cluster: clusterName(meta?.clusters.findLast(({ first }) => first <= one.machine)?.name),
  };
  /** @type {Record<string, string>} */
  const told = {
    bounce: one.wrong
      ? gettext("The request of task {task} for machine {machine} is refused: the place is taken.", values)
      : gettext("Machine {machine} runs a long task, and sends the probe of task {task} elsewhere.", values),
    steal: gettext("Machine {machine} has no work, and steals a probe that waits at machine {from}.", values),
    throw: one.wrong
      ? gettext("Task {task} loses machine {machine} in a failure.", values)
      : gettext("Task {task} is preempted on machine {machine}, for a task that goes first.", values),
    borrow:
      values.owner === values.keeper
        ? gettext("Task {task} of {keeper} gets machine {machine} elsewhere, in {cluster}.", values)
        : gettext("{keeper} borrows machine {machine} of {owner}.", values),
    give: gettext("Jobs gave this room on machine {machine} away: task {task} of job {job} gets it.", values),
    shed: gettext("Machine {machine} sends task {task} elsewhere.", values),
    overtake: gettext("Task {task} goes before others in the queue of machine {machine}.", values),
  };
  return told[one.role];
}

/** Describe where the followed task is in slow motion. @param {TasksScene} scene */
function aboutFocus(scene) {
  const { focus, focusWhere, track, focusRow } = scene;
  const [moved] = scene.moved;
  if (moved && moved.share >= NOW) return aboutMoved(scene, moved);
  if (focus?.sort === "report" && scene.swept >= 0) return aboutReport(scene);
  if (!focus || !track || focusRow < 0) return gettext("Slow motion");
  const values = { task: whole(focus.task), machine: whole(scene.focusMachine), keeper: scene.shelfOf(focusRow).name };
  if (focus.sort === "place")
    return gettext(
      "Slow motion: the central scheduler sends each task of long job {job} to the machine where it waits least.",
      {
        ...values,
        job: whole(track.job[focusRow]),
      },
    );
  const sheds = focus.sort === "shed" && scene.focusMoved?.share === 0;
  if (sheds)
    return gettext("Slow motion: task {task} stands in the queue of machine {machine}.", {
      ...values,
      machine: whole(focus.machines[0]),
    });
  if (focusWhere === RUNS) return gettext("Slow motion: task {task} runs on machine {machine}.", values);
  if (focusWhere === FLIGHT) return gettext("Slow motion: task {task} travels to machine {machine}.", values);
  if (focusWhere === QUEUED)
    return gettext("Slow motion: task {task} stands in the queue of machine {machine}.", values);
  if (focusWhere === SHELF && scene.focusProbeAt)
    return gettext("Slow motion: task {task} waits; its probe stands in the queue of machine {machine}.", values);
  if (focusWhere === SHELF && isAlone(scene, focusRow)) return gettext("Slow motion: task {task} waits.", values);
  if (focusWhere === SHELF && scene.plan?.shelves.length === 1)
    return gettext("Slow motion: task {task} waits in the queue.", values);
  if (focusWhere === SHELF) return gettext("Slow motion: task {task} waits in the box “{keeper}”.", values);
  return gettext("Slow motion");
}
