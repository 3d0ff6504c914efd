/** The layout of a toy's picture, in CSS pixels: machines, queues and the entry of tasks. */

/**
 * @typedef {{x: number, y: number}} Place
 * @typedef {object} Plan
 * @property {number} cell  side of a machine
 * @property {Place[]} machines  upper left corners
 * @property {Place} entry  where tasks arrive
 * @property {(queue: number, position: number) => Place | null} slot  the center of a place in a queue; null: no room
 * @property {Place[]} boxes  upper left corners of schedulers or masters
 */

const GAP = 8;
const PITCH = 18;
export const BOX = 40;

/**
 * @param {string} picture  "queue", "lines", "schedulers" or "masters"
 * @param {{machines: number, parts: number, width: number, height: number}} room  parts: schedulers or masters
 * @returns {Plan}
 */
export function planOf(picture, room) {
  if (picture === "lines") return lines(room);
  if (picture === "queue") return oneLine(room);
  return parted(room, picture === "masters");
}

/** Return cells in rows, as large as possible; `across` fixes the number of columns. */
function grid(
  /** @type {number} */ count,
  /** @type {{x: number, y: number, w: number, h: number}} */ box,
  across = 0,
) {
  let best = { cell: 0, columns: 1 };
  for (let columns = across || 1; columns <= (across || count); columns += 1) {
    const rows = Math.ceil(count / columns);
    const cell = Math.floor(Math.min((box.w + GAP) / columns, (box.h + GAP) / rows, 56)) - GAP;
    if (cell > best.cell) best = { cell, columns };
  }
  const { cell, columns } = best;
  const rows = Math.ceil(count / columns);
  const left = box.x + (box.w - columns * (cell + GAP) + GAP) / 2;
  const top = box.y + (box.h - rows * (cell + GAP) + GAP) / 2;
  const machines = Array.from({ length: count }, (_, number) => ({
    x: Math.round(left + (number % columns) * (cell + GAP)),
    y: Math.round(top + Math.floor(number / columns) * (cell + GAP)),
  }));
  return { cell, machines };
}

/** @param {{machines: number, width: number, height: number}} room @returns {Plan} */
function oneLine({ machines, width, height }) {
  const wide = Math.round(width * 0.4);
  const across = Math.max(3, Math.floor((wide - 24) / PITCH));
  const down = Math.floor((height - 72) / PITCH);
  const cells = grid(machines, { x: wide + 16, y: 32, w: width - wide - 24, h: height - 48 });
  return {
    ...cells,
    entry: { x: -12, y: height / 2 },
    boxes: [],
    slot: (_, position) => {
      const [row, column] = [Math.floor(position / across), position % across];
      if (row >= down) return null;
      // A line that turns at its ends, with its head beside the machines.
      const at = row % 2 ? across - 1 - column : column;
      return { x: wide - PITCH / 2 - at * PITCH, y: 48 + row * PITCH };
    },
  };
}

/** @param {{machines: number, width: number, height: number}} room @returns {Plan} */
function lines({ machines, width, height }) {
  const across = width < 560 ? 8 : 12;
  const rows = Math.ceil(machines / across);
  const [wide, tall] = [(width - 16) / across, (height - 32) / rows];
  const cell = Math.min(36, Math.floor(wide - GAP));
  const places = Array.from({ length: machines }, (_, number) => ({
    x: Math.round(8 + (number % across) * wide + (wide - cell) / 2),
    y: Math.round(24 + (Math.floor(number / across) + 1) * tall - cell),
  }));
  const most = Math.floor((tall - cell - 12) / 13);
  return {
    cell,
    machines: places,
    entry: { x: width / 2, y: -12 },
    boxes: [],
    slot: (queue, position) =>
      position < most ? { x: places[queue].x + cell / 2, y: places[queue].y - 10 - position * 13 } : null,
  };
}

/** @param {{machines: number, parts: number, width: number, height: number}} room @returns {Plan} */
function parted({ machines, parts, width, height }, banded = false) {
  const wide = Math.round(width * (width < 560 ? 0.42 : 0.4));
  const tall = (height - 32) / parts;
  const boxes = Array.from({ length: parts }, (_, part) => ({
    x: wide - BOX - 8,
    y: Math.round(28 + part * tall + (tall - BOX) / 2),
  }));
  const box = { x: wide + 16, y: 28, w: width - wide - 24, h: height - 32 };
  const cells = banded ? bands(machines, parts, box, tall) : grid(machines, { ...box, h: box.h - 12 });
  const most = Math.floor((wide - BOX - 24) / PITCH);
  return {
    ...cells,
    entry: { x: -12, y: height / 2 },
    boxes,
    slot: (queue, position) => {
      const [row, column] = [Math.floor(position / most), position % most];
      const lines = Math.max(1, Math.floor((tall - 8) / PITCH));
      if (row >= lines) return null;
      const middle = boxes[queue].y + BOX / 2 - ((Math.min(lines, 2) - 1) * PITCH) / 2;
      return { x: boxes[queue].x - PITCH + 4 - column * PITCH, y: middle + row * PITCH };
    },
  };
}

/** Return a row of machines beside each master. */
function bands(
  /** @type {number} */ machines,
  /** @type {number} */ parts,
  /** @type {{x: number, y: number, w: number, h: number}} */ box,
  /** @type {number} */ tall,
) {
  const each = machines / parts;
  const one = grid(each, { x: box.x, y: 0, w: box.w, h: tall - 16 }, box.w < 320 ? Math.ceil(each / 2) : each);
  return {
    cell: one.cell,
    machines: Array.from({ length: machines }, (_, number) => {
      const place = one.machines[number % each];
      return { x: place.x, y: Math.round(box.y + 8 + Math.floor(number / each) * tall + place.y) };
    }),
  };
}
