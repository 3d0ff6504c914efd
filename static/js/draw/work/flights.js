/** Things in transit between a shelf and a machine: a dot with a short tail for a task, a ring for a probe. */

/** @typedef {import("./scene.js").TasksScene} TasksScene */

const TAIL = 0.16;
/** The opacity of other tasks beside the followed one. */
const OTHERS = 0.3;

/** Ease out: fast at first, slow at the landing. @param {number} share */
export function eased(share) {
  return 1 - (1 - share) * (1 - share);
}

/**
 * Return the position in transit; with `via`, the first half leads to that point.
 *
 * @param {{x: number, y: number, toX: number, toY: number, via: [number, number] | null}} way
 * @param {number} share
 * @returns {[number, number]}
 */
export function onWay({ x, y, toX, toY, via }, share) {
  if (!via) return [x + (toX - x) * share, y + (toY - y) * share];
  const half = 2 * share;
  if (half < 1) return [x + (via[0] - x) * half, y + (via[1] - y) * half];
  return [via[0] + (toX - via[0]) * (half - 1), via[1] + (toY - via[1]) * (half - 1)];
}

/** Return true if a task moves together with the moment's task, because its job is placed as a whole. */
function isTogether(/** @type {TasksScene} */ { track, focus, focusRow }, /** @type {number} */ row) {
  return focus?.sort === "place" && focusRow >= 0 && track?.job[row] === track?.job[focusRow];
}

/**
 * Draw the tails of tasks; equal styles share one path.
 * @param {CanvasRenderingContext2D} pen
 * @param {TasksScene} scene
 */
function drawTails(pen, { inks, flights }, /** @type {(row: number) => unknown} */ faded) {
  /** @type {Map<number, import("./scene.js").Flight[]>} */
  const alike = new Map();
  for (const one of flights) {
    if (one.probe) continue;
    const look = 2 * one.hue + (faded(one.row) ? 1 : 0);
    const others = alike.get(look);
    if (others) others.push(one);
    else alike.set(look, [one]);
  }
  for (const [look, those] of alike) {
    pen.globalAlpha = look % 2 ? 0.12 : 0.35;
    pen.strokeStyle = inks.strong[look >> 1];
    pen.beginPath();
    for (const one of those) {
      pen.moveTo(...onWay(one, eased(Math.max(0, one.share - TAIL))));
      pen.lineTo(...onWay(one, eased(one.share)));
    }
    pen.stroke();
  }
}

/** @param {CanvasRenderingContext2D} pen @param {TasksScene} scene */
export function drawFlights(pen, scene) {
  const { plan, inks, flights, focus, focusRow, rivalRow } = scene;
  if (!plan) return;
  const faded = (/** @type {number} */ row) =>
    (focus && row !== focusRow && row !== rivalRow && !isTogether(scene, row)) ||
    !scene.follows(scene.track?.keeper[row] ?? 0);
  pen.lineWidth = 1.5 * plan.scale;
  drawTails(pen, scene, faded);
  for (const one of flights) {
    const mine = one.row === focusRow || (focus && one.row === rivalRow);
    const radius = (mine ? 5 : 2.75) * plan.scale;
    pen.globalAlpha = faded(one.row) ? OTHERS : 1;
    scene.drew.add(one.probe ? "probe" : "task");
    const [x, y] = onWay(one, eased(one.share));
    if (one.probe) {
      pen.strokeStyle = inks.strong[one.hue];
      pen.strokeRect(x - radius, y - radius, 2 * radius, 2 * radius);
    } else {
      pen.fillStyle = inks.strong[one.hue];
      pen.fillRect(x - radius, y - radius, 2 * radius, 2 * radius);
    }
  }
  pen.globalAlpha = 1;
}
