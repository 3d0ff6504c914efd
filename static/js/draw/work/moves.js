/** Decisions as movements: which recent ones are drawn, and where each begins and ends (kinds/). */

import { DECIDED } from "./kinds/index.js";
import { LASTS, THERE } from "./kinds/decided.js";
import { gateOf } from "./gates.js";
import { placeOn } from "./shelves.js";

/** @typedef {import("./scene.js").TasksScene} TasksScene */
/**
 * @typedef {{place: number, task: number, role: import("../../contract/contract").MoveMeta["role"], wrong: boolean,
 *   share: number, hue: number, machine: number, from: [number, number], to: [number, number],
 *   rival: {hue: number, from: [number, number]} | null}} Moved  `rival`: the task that got the place, if the log names
 *   it
 */

const MOST = 60;
/** With reduced motion, a movement stays visible longer by this factor. */
const STILL = 2;

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {TasksScene} scene
 * @param {number} now
 * @param {{lag: number, still: boolean}} how
 */
export function drawMoves(pen, scene, now, { lag, still }) {
  const lasts = lag * (still ? STILL : 1);
  scene.moved = scene.focus?.t_ns === undefined ? movedNow(scene, now, lasts) : movedAtFocus(scene, now, lasts);
  for (const one of scene.moved) {
    scene.drew.add(markOf(one));
    DECIDED[one.role](pen, scene, still ? { ...one, share: 0.5 } : one);
  }
}

/**
 * Return the legend's name of a movement; one that went wrong looks different.
 * @param {Pick<Moved, "role" | "wrong">} one
 */
function markOf({ role, wrong }) {
  if (role === "throw" && wrong) return "move-throw-wrong";
  return role === "bounce" && !wrong ? "move-bounce-usual" : `move-${role}`;
}

/**
 * Return only the movement that a moment concerns. A refused request starts earlier and reaches the machine at the
 * moment's instant.
 *
 * @param {TasksScene} scene
 * @param {number} now
 * @param {number} lag
 * @returns {Moved[]}
 */
function movedAtFocus(scene, now, lag) {
  const { track, focus } = scene;
  [scene.focusMoved, scene.rivalRow] = [null, -1];
  if (!track || !focus || focus.t_ns === undefined || !(lag > 0)) return [];
  const at = focus.t_ns / track.unit_ns;
  const [first, last] = track.movesBetween(at - 1, at + 1);
  for (let place = first; place < last; place += 1) {
    if (track.move.machine[place] !== focus.machines[0] || track.move.kind[place]?.role !== focus.sort) continue;
    const one = endsOf(scene, place);
    if (!one) continue;
    const before = one.role === "bounce" ? THERE * LASTS * lag : 0;
    const share = (now - at + before) / (LASTS * lag);
    scene.focusMoved = one;
    one.rival = null;
    scene.rivalRow = track.rowOf(track.move.other[place] - 1);
    one.share = Math.min(1, Math.max(0, share));
    return share >= 0 && share <= 1 ? [one] : [];
  }
  return [];
}

/**
 * Return the recent movements between visible positions. Those that went wrong take precedence and are drawn on top.
 *
 * @param {TasksScene} scene
 * @param {number} now
 * @param {number} lag
 * @returns {Moved[]}
 */
function movedNow(scene, now, lag) {
  const { track, plan } = scene;
  if (!track || !plan || lag <= 0) return [];
  const [first, last] = track.movesBetween(now - LASTS * lag, now);
  /** @type {Moved[]} */
  const found = [];
  /** @type {Moved[]} */
  const plain = [];
  for (let place = last - 1; place >= first && found.length < MOST; place -= 1) {
    const kind = track.move.kind[place];
    if (!kind || (!kind.wrong && plain.length >= MOST)) continue;
    const one = isFollowed(scene, place) ? endsOf(scene, place) : null;
    if (!one) continue;
    one.share = Math.min(1, (now - track.move.at[place]) / (LASTS * lag));
    (kind.wrong ? found : plain).push(one);
  }
  return [...plain.slice(0, MOST - found.length), ...found];
}

/** Return true if a movement belongs to a followed keeper. @param {TasksScene} scene */
function isFollowed(scene, /** @type {number} */ place) {
  const { track, followed } = scene;
  if (!track || !followed) return true;
  const { kind, task, to } = track.move;
  if (kind[place]?.role === "borrow") return followed.has(to[place]);
  const row = track.rowOf(task[place]);
  return row >= 0 && followed.has(track.keeper[row]);
}

/** Return where a movement begins and ends on the screen; null if it is not visible. @param {TasksScene} scene */
function endsOf(scene, /** @type {number} */ place) {
  const { track, plan } = scene;
  if (!track || !plan) return null;
  const { move } = track;
  const kind = move.kind[place];
  const row = track.rowOf(move.task[place]);
  if (row < 0) return null;
  const shelf = (/** @type {number} */ number) => {
    const at = plan.shelves[Math.max(0, Math.min(number, plan.shelves.length - 1))];
    return /** @type {[number, number]} */ (placeOn(at, 0, plan.scale));
  };
  /** @type {Record<string, () => [number, number]>} */
  const ends = {
    machine: () => scene.middleOf(move.machine[place]),
    machine_frm: () => scene.middleOf(move.frm[place]),
    keeper: () => shelf(scene.shelfOf(row).keeper),
    keeper_frm: () => shelf(move.frm[place]),
    keeper_to: () => shelf(move.to[place]),
  };
  const machine = move.machine[place];
  const from = ends[kind.frm]?.() ?? scene.middleOf(machine);
  const to = ends[kind.to]?.() ?? scene.middleOf(machine);
  if (!plan.drawn || Number.isNaN(from[0] + to[0])) return null;
  const hue = scene.hue?.index(row) ?? 0;
  // A request goes to the sign that checks it.
  const gate = kind.role === "bounce" ? gateOf(scene, machine) : null;
  const rival = kind.role === "bounce" && move.other[place] > 0 ? rivalOf(scene, move.other[place] - 1) : null;
  const task = move.task[place];
  return { place, task, role: kind.role, wrong: kind.wrong, share: 0, hue, machine, from, to: gate ?? to, rival };
}

/** Return the task that got the place: its hue, and the shelf that it came from. @param {TasksScene} scene */
function rivalOf(scene, /** @type {number} */ task) {
  const row = scene.track?.rowOf(task) ?? -1;
  if (row < 0 || !scene.plan) return null;
  return { hue: scene.hue?.index(row) ?? 0, from: placeOn(scene.shelfOf(row), 0, scene.plan.scale) };
}
