/**
 * The map's layout: clusters are blocks that fill the space, partitions lie inside them, and each machine is a cell.
 * Pure geometry in device pixels.
 */

/** @import { ClusterMeta } from "../../contract/contract" */

/**
 * @typedef {{owner: number, first: number, machines: number, across: number, x: number, y: number, width: number,
 *   height: number}} Part  a partition's cells: their position, and the number of cells per row
 * @typedef {{name: string, x: number, y: number, width: number, height: number, parts: Part[]}} Block  a cluster's
 *   block
 * @typedef {object} Plan
 * @property {number} sx  the width of a cell with its gap
 * @property {number} sy
 * @property {number} gap
 * @property {Block[]} blocks
 * @property {Int32Array} [x]  the top left pixel of each machine's cell
 * @property {Int32Array} [y]
 * @property {number} label  the height of cluster names; 0 without names
 * @property {number} partLabel  the height of partition names
 * @property {number} width
 * @property {number} height
 * @property {number} factor  the magnification of cells relative to "fit"
 * @typedef {{sx: number, sy: number, columns: number, filled?: number, inside: number, gap: number, inner: number,
 *   label: number, partLabel: number, blockWidth: number, blockHeight: number}} Cell  a cell size that fits
 */

const GAPS = { cluster: 14, partition: 5 };
const NAME_WIDTH = 54;
const LARGEST_CELL = 96;

/**
 * Return the number of rows that `count` items need in `columns` columns.
 * @param {number} count
 * @param {number} columns
 */
function rowsFor(count, columns) {
  return Math.ceil(count / columns);
}

/**
 * Return the number of columns in which the cluster with partitions `sizes` fits into width by height with cells of sx
 * by sy; 0 if it does not fit.
 * @param {number[]} sizes
 * @param {number} width
 * @param {number} height
 * @param {number} sx
 * @param {number} sy
 * @param {number} gap
 * @param {number} label
 */
function fits(sizes, width, height, sx, sy, gap, label) {
  for (let columns = 1; columns <= sizes.length; columns += 1) {
    const across = Math.floor((width - gap * (columns - 1)) / columns / sx);
    if (across < 1) return 0;
    const rows = rowsFor(sizes.length, columns);
    let used = gap * (rows - 1);
    for (let row = 0; row < rows; row += 1) {
      const tallest = Math.max(...sizes.slice(row * columns, (row + 1) * columns));
      used += Math.ceil(tallest / across) * sy + label;
    }
    if (used <= height) return columns;
  }
  return 0;
}

// An experiment that is being edited may have no machines to draw.
/** @type {Readonly<Plan>} */
export const EMPTY = Object.freeze({
  sx: 1,
  sy: 1,
  gap: 0,
  blocks: [],
  x: new Int32Array(0),
  y: new Int32Array(0),
  label: 0,
  partLabel: 0,
  width: 0,
  height: 0,
  factor: 1,
});

/**
 * Lay out `clusters` ([{name, machines, partitions: [{owner, first, machines}]}]) in width by height; `rim` pixels at
 * each side stay free for outlines around cells. Return {sx, sy, gap, blocks, x, y}; x, y (Int32Array by machine) are
 * the top left pixels of the cells.
 * @param {ClusterMeta[]} clusters
 * @param {number} wholeWidth
 * @param {number} wholeHeight
 * @returns {Plan}
 */
export function layOut(clusters, wholeWidth, wholeHeight, scale = 1, rim = 0) {
  if (!clusters.length) return { ...EMPTY, width: wholeWidth, height: wholeHeight };
  const [width, height] = [wholeWidth - 2 * rim, wholeHeight - 2 * rim];
  const machines = clusters.reduce((sum, cluster) => sum + cluster.machines, 0);
  const biggest = Math.max(...clusters.map((cluster) => cluster.machines));
  const widest = clusters.find((cluster) => cluster.machines === biggest);
  const sizes = (widest?.partitions ?? []).map((part) => part.machines);
  /** @type {Cell | null} */
  let best = null;
  for (let columns = 1; columns <= clusters.length; columns += 1) {
    let candidate = bestCell(clusters.length, columns, sizes, width, height, scale, true);
    if (candidate?.partLabel && candidate.blockWidth / candidate.inside < NAME_WIDTH * scale) {
      candidate = bestCell(clusters.length, columns, sizes, width, height, scale, false);
    }
    if (candidate && (!best || better(candidate, best))) best = candidate;
  }
  best ||= tight(clusters.length, width, height, sizes.length);
  return { ...place(clusters, machines, best, { width, height, scale, rim }), width: wholeWidth, height: wholeHeight };
}

/**
 * Prefer large cells, but accept slightly smaller ones for squarer blocks, room for names and full rows.
 * @param {Cell} a
 * @param {Cell} b
 */
function better(a, b) {
  const worth = (/** @type {Cell} */ c) =>
    (c.sx * c.sy * (c.partLabel ? 1.12 : 1) * (0.7 + 0.3 * (c.filled ?? 1))) /
    (1 + 0.3 * Math.abs(Math.log(c.blockWidth / c.blockHeight)));
  return worth(a) > worth(b);
}

/**
 * @param {number} count
 * @param {number} columns
 * @param {number[]} sizes
 * @param {number} width
 * @param {number} height
 * @param {number} scale
 * @param {boolean} named
 */
function bestCell(count, columns, sizes, width, height, scale, named) {
  const rows = rowsFor(count, columns);
  const gap = Math.min(GAPS.cluster * scale, width / columns / 8, height / rows / 6);
  const blockWidth = Math.floor((width - gap * (columns - 1)) / columns);
  const label = blockWidth >= 40 * scale && height / rows >= 46 * scale ? Math.round(18 * scale) : 0;
  const blockHeight = Math.floor((height - gap * (rows - 1)) / rows) - label;
  if (blockWidth < 2 || blockHeight < 2) return null;
  const inner = Math.max(1, Math.round(Math.min(GAPS.partition * scale, gap / 3)));
  const partLabel = named && sizes.length > 1 ? Math.round(18 * scale) : 0;
  /** @type {Cell | null} */
  let found = null;
  const largest = Math.floor(
    Math.min(LARGEST_CELL * scale, Math.sqrt((blockWidth * blockHeight) / Math.max(1, Math.min(...sizes)))) + 1,
  );
  for (let s = largest; s >= 1 && !found; s -= 1) {
    for (const [sx, sy] of [
      [s, s + 1],
      [s + 1, s],
      [s, s],
    ]) {
      const inside = fits(sizes, blockWidth, blockHeight, sx, sy, inner, partLabel);
      if (inside) {
        found = {
          sx,
          sy,
          columns,
          filled: count / (rows * columns),
          inside,
          gap,
          inner,
          label,
          partLabel,
          blockWidth,
          blockHeight,
        };
        break;
      }
    }
  }
  return found;
}

/**
 * Return cells of one pixel without gaps and names, if there are too many machines for gaps.
 * @param {number} count
 * @param {number} width
 * @param {number} height
 * @param {number} partitions
 */
function tight(count, width, height, partitions) {
  const columns = Math.max(1, Math.round(Math.sqrt(count * (width / Math.max(1, height)))));
  const rows = rowsFor(count, columns);
  return {
    sx: 1,
    sy: 1,
    columns,
    inside: 1,
    gap: 1,
    inner: partitions > 1 ? 1 : 0,
    label: 0,
    partLabel: 0,
    blockWidth: Math.max(1, Math.floor(width / columns) - 1),
    blockHeight: Math.max(1, Math.floor(height / rows) - 1),
  };
}

/**
 * Place the blocks, parts and cells. `room`: {width, height, scale, rim}; the rim lies outside width and height.
 * @param {ClusterMeta[]} clusters
 * @param {number} machines
 * @param {Cell} cell
 * @param {{width: number, height: number, scale: number, rim: number}} options
 */
function place(clusters, machines, cell, { width, height, scale, rim }) {
  const rows = rowsFor(clusters.length, cell.columns);
  const x = new Int32Array(machines);
  const y = new Int32Array(machines);
  const drafts = clusters.map((cluster) => placeCluster(cluster, cell));
  /** @type {number[]} */
  const rowHeights = [];
  for (let row = 0; row < rows; row += 1) {
    const inRow = drafts.slice(row * cell.columns, (row + 1) * cell.columns);
    rowHeights.push(Math.max(...inRow.map((draft) => draft.height)) + cell.label);
  }
  const usedWidth = Math.max(...drafts.map((draft) => draft.width));
  const wide = usedWidth * cell.columns;
  const tall = rowHeights.reduce((sum, value) => sum + value, 0);
  const gapX = cell.columns > 1 ? Math.min((width - wide) / (cell.columns - 1), cell.gap * 2.2) : 0;
  const gapY = rows > 1 ? Math.min((height - tall) / (rows - 1), cell.gap * 2.2) : 0;
  // A small remainder stays on the right, so that the map aligns with the elements above and below it.
  const rest = width - wide - gapX * (cell.columns - 1);
  const left = rim + (rest < 0.04 * width ? 0 : Math.floor(rest / 2));
  let top = rim + Math.max(0, Math.floor((height - tall - gapY * (rows - 1)) / 2));
  /** @type {Block[]} */
  const blocks = [];
  drafts.forEach((draft, index) => {
    const column = index % cell.columns;
    const row = Math.floor(index / cell.columns);
    if (column === 0 && row > 0) top += rowHeights[row - 1] + gapY;
    const originX = Math.round(left + column * (usedWidth + gapX));
    const originY = Math.round(top + cell.label);
    for (const part of draft.parts) {
      for (let i = 0; i < part.machines; i += 1) {
        x[part.first + i] = originX + part.x + (i % part.across) * cell.sx;
        y[part.first + i] = originY + part.y + Math.floor(i / part.across) * cell.sy;
      }
      part.x += originX;
      part.y += originY;
    }
    blocks.push({
      name: clusters[index].name,
      x: originX,
      y: originY,
      width: draft.width,
      height: draft.height,
      parts: draft.parts,
    });
  });
  const gap = Math.min(cell.sx, cell.sy) >= 10 * scale ? 2 : Math.min(cell.sx, cell.sy) >= 4 ? 1 : 0;
  return { sx: cell.sx, sy: cell.sy, gap, blocks, x, y, label: cell.label, partLabel: cell.partLabel, factor: 1 };
}

function placeCluster(/** @type {ClusterMeta} */ cluster, /** @type {Cell} */ cell) {
  const columns = Math.min(cell.inside, cluster.partitions.length);
  const across = Math.max(1, Math.floor((cell.blockWidth - cell.inner * (columns - 1)) / columns / cell.sx));
  const largest = Math.max(...cluster.partitions.map((part) => part.machines));
  const used = Math.min(across, Math.max(1, largest));
  /** @type {Part[]} */
  const parts = [];
  let y = 0;
  let rowHeight = 0;
  cluster.partitions.forEach((part, index) => {
    const column = index % columns;
    if (column === 0 && index > 0) {
      y += rowHeight + cell.inner;
      rowHeight = 0;
    }
    const high = Math.ceil(part.machines / used) * cell.sy;
    parts.push({
      owner: part.owner,
      first: part.first,
      machines: part.machines,
      across: used,
      x: column * (used * cell.sx + cell.inner),
      y: y + cell.partLabel,
      width: used * cell.sx,
      height: high,
    });
    rowHeight = Math.max(rowHeight, high + cell.partLabel);
  });
  return { parts, width: columns * used * cell.sx + (columns - 1) * cell.inner, height: y + rowHeight };
}

/**
 * Return the machine whose cell contains the pixel, or -1.
 * @param {Plan} plan
 * @param {number} px
 * @param {number} py
 */
export function machineAt(plan, px, py) {
  for (const block of plan.blocks) {
    if (px < block.x || px >= block.x + block.width || py < block.y || py >= block.y + block.height) continue;
    for (const part of block.parts) {
      if (px < part.x || px >= part.x + part.width || py < part.y || py >= part.y + part.height) continue;
      const column = Math.floor((px - part.x) / plan.sx);
      const row = Math.floor((py - part.y) / plan.sy);
      const place = row * part.across + column;
      return place < part.machines ? part.first + place : -1;
    }
  }
  return -1;
}
