/** Outlines around machines: the scheduler's groups, and reserved machines. */

import { edgesOf, groupsOf, roleBytes } from "../../run/roles.js";
import { drawNames, drawRacks, fit, plate } from "./map_text.js";
import { FONT, TEXT_SIZE } from "../../kit/type.js";

/**
 * @import { About } from "./map_text.js"
 * @import { Cells } from "./camera.js"
 * @import { Look } from "./map.js"
 * @import { Meta } from "../../contract/contract"
 * @import { Pen } from "../scenes/scene.js"
 * @import { Plan } from "./layout.js"
 */

const LINES_FROM = 5;
const NAMES_FROM = 24;

/**
 * Draw what stays while the camera does: racks, groups, frames and names. Return true if the picture contains the
 * reserved machines.
 * @param {Pen} pen
 * @param {Plan} plan
 * @param {Cells} cells
 * @param {Omit<About, "layer"> & {withoutRacks: boolean}} about
 */
export function drawStanding(pen, plan, cells, { meta, picture, starts, look, withoutRacks }) {
  const reserved = roleBytes(meta, picture, "reserved");
  if (!withoutRacks) drawRacks(pen, plan, cells, starts, look);
  if (reserved) drawReserved(pen, plan, reserved, look);
  drawGroups(pen, plan, cells, { meta, named: !withoutRacks }, look);
  drawNames(pen, plan, meta, look);
  return Boolean(reserved);
}

/**
 * Draw the sides of visible cells at the edges of the sets that `inside` returns. `outside` moves them outwards until
 * neighboring lines meet.
 * @param {Pen} pen
 * @param {Plan} plan
 * @param {(machine: number) => number} inside
 * @param {number} thick
 * @param {number} outside
 */
function drawEdges(pen, plan, inside, thick, outside) {
  const [wide, high] = [plan.sx - plan.gap + 2 * outside, plan.sy - plan.gap + 2 * outside];
  for (const part of plan.blocks.flatMap((block) => block.parts)) {
    const row = Math.max(0, Math.floor(-part.y / plan.sy));
    const rowEnd = Math.max(row, Math.ceil((plan.height - part.y) / plan.sy));
    edgesOf(
      part,
      inside,
      (machine, side) => {
        const place = machine - part.first;
        const x = part.x + (place % part.across) * plan.sx - outside;
        const y = part.y + Math.floor(place / part.across) * plan.sy - outside;
        if (x > plan.width || x + wide < 0) return;
        if (side === "left") pen.fillRect(x, y, thick, high);
        else if (side === "right") pen.fillRect(x + wide - thick, y, thick, high);
        else if (side === "top") pen.fillRect(x, y, wide, thick);
        else pen.fillRect(x, y + high - thick, wide, thick);
      },
      row,
      rowEnd,
    );
  }
}

/**
 * Draw a line around each group, and its name on its first machine if there is room and no tasks cover it.
 * @param {Pen} pen
 * @param {Plan} plan
 * @param {Cells} cells
 * @param {{meta: Meta, named: boolean}} options
 * @param {Look} look
 */
function drawGroups(pen, plan, cells, { meta, named }, look) {
  if (!meta.groups || plan.sx < LINES_FROM * look.scale || plan.sy < LINES_FROM * look.scale) return;
  const { scale } = look;
  const groups = groupsOf(meta) ?? new Int32Array(meta.machines);
  pen.fillStyle = look.muted;
  drawEdges(pen, plan, (machine) => 1 + groups[machine], Math.max(1, Math.min(plan.gap, scale)), plan.gap);
  if (!named || plan.sx < NAMES_FROM * scale || plan.sy < NAMES_FROM * scale) return;
  pen.font = `500 ${TEXT_SIZE * scale}px ${FONT}`;
  pen.textBaseline = "alphabetic";
  for (let slot = 0; slot < cells.count; slot += 1) {
    const group = groups[cells.ids[slot]];
    if (meta.groups.first[group] !== cells.ids[slot]) continue;
    const text = fit(pen, `${meta.groups.label} ${group}`, 3 * plan.sx);
    plate(pen, cells.x[slot], cells.y[slot], pen.measureText(text).width + 6 * scale, 16 * scale, look.paper);
    pen.fillStyle = look.ink;
    pen.fillText(text, cells.x[slot] + 3 * scale, cells.y[slot] + 12 * scale);
  }
}

/**
 * Draw a frame around the reserved machines; `bytes` is nonzero for them.
 * @param {Pen} pen
 * @param {Plan} plan
 * @param {Uint8Array} bytes
 * @param {Look} look
 */
function drawReserved(pen, plan, bytes, look) {
  const thick = plan.sx >= 9 * look.scale ? 2 * look.scale : Math.max(1, look.scale);
  pen.fillStyle = look.ink;
  drawEdges(
    pen,
    plan,
    (machine) => (bytes[machine] ? 1 : 0),
    Math.round(thick),
    Math.min(plan.gap, Math.round(thick / 2)),
  );
}
