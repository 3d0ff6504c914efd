/** Lines around machines that belong together: the groups that a scheduler makes of them, and those that are set apart. */

import { groupOf, edgesOf, roleBytes } from "../lib/roles.js";
import { drawNames, drawRacks, fit, plate } from "./map_text.js";

const LINES_FROM = 5;
const NAMES_FROM = 20;

/** Draw what stays while the camera does: racks, groups, frames and names. Says whether it is known who is set apart. */
export function drawStanding(pen, plan, cells, { meta, picture, starts, look }) {
  const reserved = roleBytes(meta, picture, "reserved");
  drawRacks(pen, plan, cells, starts, look);
  if (reserved) drawReserved(pen, plan, cells, reserved, look);
  drawGroups(pen, plan, cells, meta, look);
  drawNames(pen, plan, meta, look);
  return Boolean(reserved);
}

/** Draw sides of the visible cells at the edge of what `inside` puts them in, so far `outside` that neighbours' meet. */
function drawEdges(pen, plan, cells, inside, thick, outside) {
  const slots = new Map();
  for (let slot = 0; slot < cells.count; slot += 1) slots.set(cells.ids[slot], slot);
  const [wide, high] = [plan.sx - plan.gap, plan.sy - plan.gap];
  for (const block of plan.blocks) {
    for (const part of block.parts) {
      edgesOf(part, inside, (machine, side) => {
        const slot = slots.get(machine);
        if (slot === undefined) return;
        const [x, y] = [cells.x[slot] - outside, cells.y[slot] - outside];
        const [w, h] = [wide + 2 * outside, high + 2 * outside];
        if (side === "left") pen.fillRect(x, y, thick, h);
        else if (side === "right") pen.fillRect(x + w - thick, y, thick, h);
        else if (side === "top") pen.fillRect(x, y, w, thick);
        else pen.fillRect(x, y + h - thick, w, thick);
      });
    }
  }
}

/** A line around each group, and its name on its first machine where there is room. */
function drawGroups(pen, plan, cells, meta, look) {
  if (!meta.groups || plan.sx < LINES_FROM * look.scale || plan.sy < LINES_FROM * look.scale) return;
  const { scale } = look;
  pen.fillStyle = look.muted;
  drawEdges(pen, plan, cells, (machine) => 1 + groupOf(meta, machine), Math.max(1, Math.min(plan.gap, scale)), plan.gap);
  if (plan.sx < NAMES_FROM * scale || plan.sy < NAMES_FROM * scale) return;
  pen.font = `500 ${10 * scale}px system-ui, sans-serif`;
  pen.textBaseline = "alphabetic";
  for (let slot = 0; slot < cells.count; slot += 1) {
    const group = groupOf(meta, cells.ids[slot]);
    if (meta.groups.first[group] !== cells.ids[slot]) continue;
    const text = fit(pen, `${meta.groups.label} ${group}`, 3 * plan.sx);
    plate(pen, cells.x[slot], cells.y[slot], pen.measureText(text).width + 6 * scale, 13 * scale, look.paper);
    pen.fillStyle = look.ink;
    pen.fillText(text, cells.x[slot] + 3 * scale, cells.y[slot] + 10 * scale);
  }
}

/** A frame around the machines that are set apart for some work; `bytes`: not 0 for those. */
function drawReserved(pen, plan, cells, bytes, look) {
  const thick = plan.sx >= 9 * look.scale ? 2 * look.scale : Math.max(1, look.scale);
  pen.fillStyle = look.ink;
  drawEdges(pen, plan, cells, (machine) => (bytes[machine] ? 1 : 0), Math.round(thick), Math.min(plan.gap, Math.round(thick / 2)));
}
