/** Choose ticks for the visible range of an axis from the levels that the server sends with a figure. */

/** Pixels per tick: a character's width and a margin along x, a line's height along y. */
const CHARACTER = 7;
const MARGIN = 16;
const LINE = 40;

/** @typedef {{values: number[], texts: string[]}} Level */
/** @typedef {{type: string, range: number[], _length: number, tickvals?: number[], tickmode?: string}} Axis */

/**
 * Return the finest level with room for all its ticks, else the coarsest with at least two; null if no level has two.
 * @param {Level[]} levels coarsest first
 * @param {number} low
 * @param {number} high
 * @param {(texts: string[]) => boolean} fits returns true if there is room for ticks with these texts
 * @returns {Level | null}
 */
export function chooseLevel(levels, low, high, fits) {
  const within = (/** @type {Level} */ level) =>
    level.texts.filter((_, at) => level.values[at] >= low && level.values[at] <= high);
  const enough = levels.filter((level) => within(level).length >= 2);
  return enough.filter((level) => fits(within(level))).at(-1) ?? enough[0] ?? null;
}

/**
 * Return true if ticks have room on an axis of `length` pixels.
 * @param {boolean} across
 * @param {number} length
 * @param {string[]} texts
 */
function haveRoom(across, length, texts) {
  const each = across ? Math.max(...texts.map((text) => text.length)) * CHARACTER + MARGIN : LINE;
  return texts.length * each <= length;
}

/**
 * Return the changes to plotly's layout that give every axis the ticks for its range and length.
 * @param {Record<string, Level[]>} ticks by axis, as in the figure's `layout.meta.ticks`
 * @param {Record<string, Axis>} axes
 */
export function tickChanges(ticks, axes) {
  /** @type {Record<string, unknown>} */
  const changes = {};
  for (const [name, levels] of Object.entries(ticks)) {
    const axis = axes[name];
    if (!axis?.range) continue;
    const ends = axis.range.map((end) => (axis.type === "log" ? 10 ** end : Number(end)));
    const fits = (/** @type {string[]} */ texts) => haveRoom(name.startsWith("x"), axis._length, texts);
    const level = chooseLevel(levels, Math.min(...ends), Math.max(...ends), fits);
    const mode = level ? "array" : "auto";
    if (mode === axis.tickmode && (!level || same(level.values, axis.tickvals))) continue;
    changes[`${name}.tickmode`] = mode;
    if (level) {
      changes[`${name}.tickvals`] = level.values;
      changes[`${name}.ticktext`] = level.texts;
    }
  }
  return changes;
}

/**
 * @param {number[]} one
 * @param {number[] | undefined} other
 */
function same(one, other) {
  return one.length === other?.length && one.every((value, at) => value === other[at]);
}
