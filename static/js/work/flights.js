/** What is under way between a shelf and a machine: a dot with a short tail, a ring for a probe. */

/** @typedef {import("./scene.js").TasksScene} TasksScene */

const TAIL = 0.16;
/** How strong others are beside the task that one looks at. */
const OTHERS = 0.3;

/** Fast at first, slow where it lands. @param {number} share */
export function eased(share) {
  return 1 - (1 - share) * (1 - share);
}

/** Whether a task flies with the one that a moment is about, since its job is placed as a whole. */
function isTogether(/** @type {TasksScene} */ { track, focus, focusRow }, /** @type {number} */ row) {
  return focus?.sort === "place" && focusRow >= 0 && track?.job[row] === track?.job[focusRow];
}

/** @param {CanvasRenderingContext2D} pen @param {TasksScene} scene */
export function drawFlights(pen, scene) {
  const { plan, inks, flights, focus, focusRow } = scene;
  if (!plan) return;
  const faded = (/** @type {number} */ row) =>
    (focus && row !== focusRow && !isTogether(scene, row)) || !scene.follows(scene.track?.keeper[row] ?? 0);
  pen.lineWidth = 1.5 * plan.scale;
  for (const one of flights) {
    if (one.probe) continue;
    pen.globalAlpha = faded(one.row) ? 0.12 : 0.35;
    const at = eased(one.share);
    const tail = eased(Math.max(0, one.share - TAIL));
    pen.strokeStyle = inks.strong[one.hue];
    pen.beginPath();
    pen.moveTo(one.x + (one.toX - one.x) * tail, one.y + (one.toY - one.y) * tail);
    pen.lineTo(one.x + (one.toX - one.x) * at, one.y + (one.toY - one.y) * at);
    pen.stroke();
  }
  for (const one of flights) {
    const mine = one.row === focusRow;
    const radius = (mine ? 5 : 2.75) * plan.scale;
    pen.globalAlpha = faded(one.row) ? OTHERS : 1;
    scene.drew.add(one.probe ? "probe" : "task");
    const at = eased(one.share);
    const x = one.x + (one.toX - one.x) * at;
    const y = one.y + (one.toY - one.y) * at;
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
