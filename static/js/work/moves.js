/**
 * Decisions as movements: a request that bounces, a task that is stolen or thrown out, a machine that is borrowed. Red
 * is for what went wrong.
 */

import { placeOn } from "./shelves.js";
import { eased } from "./flights.js";

/** @typedef {import("./scene.js").TasksScene} TasksScene */
/**
 * @typedef {{place: number, role: string, wrong: boolean, share: number, hue: number, machine: number, from: [number,
 *   number], to: [number, number]}} Moved
 */

const MOST = 60;
/** How many lags a movement is seen. */
const LASTS = 2.2;
/** How much longer it stands where nothing moves. */
const STILL = 2;

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {TasksScene} scene
 * @param {number} now
 * @param {{lag: number, still: boolean}} how
 */
export function drawMoves(pen, scene, now, { lag, still }) {
  scene.moved = movedNow(scene, now, lag * (still ? STILL : 1));
  for (const one of scene.moved) DRAWN[one.role]?.(pen, scene, still ? { ...one, share: 0.5 } : one);
}

/**
 * The movements of the last moments between places that are on the screen, what went wrong first.
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
  const plain = [];
  for (let place = last - 1; place >= first && found.length < MOST; place -= 1) {
    const kind = track.move.kind[place];
    if (!kind || (!kind.wrong && plain.length >= MOST)) continue;
    const one = endsOf(scene, place);
    if (!one) continue;
    one.share = Math.min(1, (now - track.move.at[place]) / (LASTS * lag));
    (kind.wrong ? found : plain).push(one);
  }
  return [...plain.slice(0, MOST - found.length), ...found];
}

/** Where a movement begins and ends on the screen; null where that is off it. @param {TasksScene} scene */
function endsOf(scene, place) {
  const { track, plan } = scene;
  if (!track || !plan) return null;
  const { move } = track;
  const kind = move.kind[place];
  const row = track.rowOf(move.task[place]);
  if (row < 0) return null;
  const shelf = (number) => {
    const at = plan.shelves[Math.max(0, Math.min(number, plan.shelves.length - 1))];
    return /** @type {[number, number]} */ (placeOn(at, 0, plan.scale));
  };
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
  return { place, role: kind.role, wrong: kind.wrong, share: 0, hue, machine, from, to };
}

/** @type {Record<string, (pen: CanvasRenderingContext2D, scene: TasksScene, one: Moved) => void>} */
const DRAWN = {
  /** It goes to a machine, finds it taken, and comes back. */
  bounce(pen, scene, one) {
    const there = one.share < 0.4;
    const share = there ? eased(one.share / 0.4) : 1 - eased((one.share - 0.4) / 0.6);
    line(pen, scene, one, scene.inks.alarm, 0.5);
    const [x, y] = between(one.from, one.to, share);
    dot(pen, scene, x, y, there ? scene.inks.strong[one.hue] : scene.inks.alarm, 4);
    if (!there) burst(pen, scene, one.to, (one.share - 0.4) / 0.6);
  },
  /** Its slice leaves the cell. */
  throw(pen, scene, one) {
    const { inks } = scene;
    const colour = one.wrong ? inks.alarm : inks.ink;
    line(pen, scene, one, colour, 0.45);
    const [x, y] = between(one.from, one.to, eased(one.share));
    slice(pen, scene, x, y, inks.strong[one.hue], colour);
    frame(pen, scene, one.machine, colour, 1 - one.share);
  },
  /** It leaves one queue for another. */
  steal(pen, scene, one) {
    line(pen, scene, one, scene.inks.ink, 0.8);
    const [x, y] = between(one.from, one.to, eased(one.share));
    dot(pen, scene, x, y, scene.inks.strong[one.hue], 5);
    arrow(pen, scene, one, scene.inks.ink);
    frame(pen, scene, one.machine, scene.inks.ink, 1 - one.share);
  },
  /** A machine is lent: a dashed line from who lends it, and a frame in the borrower's colour. */
  borrow(pen, scene, one) {
    const [x, y] = scene.middleOf(one.machine);
    if (Number.isNaN(x)) return;
    pen.setLineDash([4 * scale(scene), 4 * scale(scene)]);
    line(pen, scene, { ...one, to: [x, y] }, scene.inks.muted, 0.5 * (1 - one.share));
    pen.setLineDash([]);
    frame(pen, scene, one.machine, scene.inks.strong[one.hue], 1 - one.share * one.share);
  },
  /** A share changes hands: a frame that closes around the machine that was left over. */
  give(pen, scene, one) {
    frame(pen, scene, one.machine, scene.inks.ink, 1 - one.share);
    const [x, y] = between(one.from, one.to, eased(one.share));
    ring(pen, scene, x, y, scene.inks.strong[one.hue]);
  },
  shed(pen, scene, one) {
    const colour = one.wrong ? scene.inks.alarm : scene.inks.ink;
    line(pen, scene, one, colour, 0.5);
    const [x, y] = between(one.from, one.to, eased(one.share));
    dot(pen, scene, x, y, scene.inks.strong[one.hue], 4);
  },
  /** It goes before others that stood in front of it: a short arrow over the cell's queue. */
  overtake(pen, scene, one) {
    const { plan, inks } = scene;
    if (!plan) return;
    const left = plan.x[one.machine] + 2 * plan.scale;
    const foot = plan.y[one.machine] + plan.high;
    pen.globalAlpha = 1 - one.share;
    pen.strokeStyle = inks.ink;
    pen.lineWidth = 2 * plan.scale;
    pen.beginPath();
    pen.arc(left, foot - plan.high / 2, Math.min(plan.high * 0.4, 14 * plan.scale), Math.PI * 0.5, Math.PI * 1.5);
    pen.stroke();
    pen.globalAlpha = 1;
  },
};

const scale = (/** @type {TasksScene} */ scene) => scene.plan?.scale ?? 1;

/** @returns {[number, number]} */
function between(from, to, share) {
  return [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share];
}

function line(pen, scene, { from, to }, colour, alpha) {
  pen.globalAlpha = alpha;
  pen.strokeStyle = colour;
  pen.lineWidth = 1.5 * scale(scene);
  pen.beginPath();
  pen.moveTo(from[0], from[1]);
  pen.lineTo(to[0], to[1]);
  pen.stroke();
  pen.globalAlpha = 1;
}

function dot(pen, scene, x, y, colour, radius) {
  pen.beginPath();
  pen.arc(x, y, radius * scale(scene), 0, 2 * Math.PI);
  pen.fillStyle = colour;
  pen.fill();
  pen.strokeStyle = scene.inks.surface;
  pen.lineWidth = scale(scene);
  pen.stroke();
}

function ring(pen, scene, x, y, colour) {
  pen.beginPath();
  pen.arc(x, y, 4.5 * scale(scene), 0, 2 * Math.PI);
  pen.strokeStyle = colour;
  pen.lineWidth = 2.5 * scale(scene);
  pen.stroke();
}

/** Where it was refused: a ring that grows and fades. */
function burst(pen, scene, [x, y], share) {
  pen.globalAlpha = 1 - share;
  pen.strokeStyle = scene.inks.alarm;
  pen.lineWidth = 2.5 * scale(scene);
  pen.beginPath();
  pen.arc(x, y, (6 + 10 * share) * scale(scene), 0, 2 * Math.PI);
  pen.stroke();
  pen.globalAlpha = 1;
}

function slice(pen, scene, x, y, colour, edge) {
  const wide = 14 * scale(scene);
  const high = 7 * scale(scene);
  pen.fillStyle = colour;
  pen.fillRect(x - wide / 2, y - high / 2, wide, high);
  pen.strokeStyle = edge;
  pen.lineWidth = 1.5 * scale(scene);
  pen.strokeRect(x - wide / 2, y - high / 2, wide, high);
}

function frame(pen, scene, machine, colour, alpha) {
  const { plan } = scene;
  if (machine < 0 || Number.isNaN(plan.x[machine])) return;
  pen.globalAlpha = Math.max(0, alpha);
  pen.strokeStyle = colour;
  pen.lineWidth = 2 * plan.scale;
  pen.strokeRect(
    plan.x[machine] + plan.scale,
    plan.y[machine] + plan.scale,
    plan.wide - 2 * plan.scale,
    plan.high - 2 * plan.scale,
  );
  pen.globalAlpha = 1;
}

/** The head of an arrow at the end of a movement. */
function arrow(pen, scene, { from, to }, colour) {
  const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
  const size = 7 * scale(scene);
  pen.fillStyle = colour;
  pen.beginPath();
  pen.moveTo(to[0], to[1]);
  for (const side of [-0.45, 0.45])
    pen.lineTo(to[0] - size * Math.cos(angle + side), to[1] - size * Math.sin(angle + side));
  pen.fill();
}
