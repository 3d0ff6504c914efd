/** Histograms of totals: bounds of bins, percentiles, points of the distribution function. */

/** @typedef {{edges: ArrayLike<number>, counts: ArrayLike<number> & Iterable<number>}} Histogram  counts by bin */
/** @typedef {{low: number, high: number, count: number}} Bar */

/**
 * Lower and upper bound of a bin; a bin past the last edge is open and ends one ratio further.
 * @param {ArrayLike<number>} edges
 * @param {number} bin
 */
export function binBounds(edges, bin) {
  const last = edges.length - 1;
  if (bin < last) return [edges[bin], edges[bin + 1]];
  const ratio = last > 0 && edges[last - 1] > 0 ? edges[last] / edges[last - 1] : 2;
  return [edges[last], edges[last] * ratio];
}

/** The first bin that is not empty, or -1. */
function firstInUse(/** @type {Histogram} */ { counts }) {
  let bin = 0;
  while (bin < counts.length && counts[bin] === 0) bin += 1;
  return bin < counts.length ? bin : -1;
}

export function total(/** @type {Iterable<number>} */ counts) {
  let sum = 0;
  for (const count of counts) sum += count;
  return sum;
}

/**
 * The value below which `share` (0..1) of the counts lie, by nearest rank, placed inside its bin in
 * proportion on a log scale; 0 in the bin that begins at 0. Null for an empty histogram.
 * @param {Histogram} hist
 * @param {number} share
 */
export function percentile(hist, share) {
  const all = total(hist.counts);
  if (all === 0) return null;
  const rank = Math.max(1, Math.ceil(share * all));
  let before = 0;
  for (let bin = 0; bin < hist.counts.length; bin += 1) {
    const count = hist.counts[bin];
    if (count > 0 && before + count >= rank) {
      const [low, high] = binBounds(hist.edges, bin);
      const part = (rank - before) / count;
      // The bin that begins at 0 is narrower than anything that is measured: what lies in it did not wait.
      return low > 0 ? low * (high / low) ** part : 0;
    }
    before += count;
  }
  return null;
}

/** @type {[name: string, share: number][]} */
export const PERCENTILES = [
  ["p50", 0.5],
  ["p90", 0.9],
  ["p99", 0.99],
  ["p99.9", 0.999],
];

export function percentiles(/** @type {Histogram | null | undefined} */ hist) {
  return Object.fromEntries(PERCENTILES.map(([name, share]) => [name, hist ? percentile(hist, share) : null]));
}

/**
 * Points of the distribution function at upper bin bounds: {x: values, y: shares 0..1}.
 * `floor` stands for zero, which a log axis cannot show.
 * @param {Histogram} hist
 * @param {number} floor
 */
export function cdf(hist, floor) {
  const all = total(hist.counts);
  /** @type {{x: number[], y: number[]}} */
  const { x, y } = { x: [], y: [] };
  if (all === 0) return { x, y };
  const first = firstInUse(hist);
  x.push(Math.max(floor, binBounds(hist.edges, first)[0]));
  y.push(0);
  let before = 0;
  for (let bin = first; bin < hist.counts.length; bin += 1) {
    before += hist.counts[bin];
    const upper = Math.max(floor, binBounds(hist.edges, bin)[1]);
    if (upper <= x[x.length - 1]) {
      y[y.length - 1] = before / all;
      continue;
    }
    x.push(upper);
    y.push(before / all);
    if (before >= all) break;
  }
  return { x, y };
}

/**
 * Bars for drawing: [{low, high, count}] of the bins in use, zero raised to `floor`. `group`
 * neighbouring bins are added up into one bar, at fixed places so that bars do not jump as more come into use.
 * @param {Histogram} hist
 * @param {number} floor
 */
export function bars(hist, floor, group = 1) {
  const first = firstInUse(hist);
  if (first < 0) return [];
  let last = hist.counts.length - 1;
  while (hist.counts[last] === 0) last -= 1;
  // The zero bin spans decades on a log axis, so it does not take part in the adding up.
  const found = hist.edges[first] > 0 ? [] : [barOf(hist, first, first, floor)];
  const start = Math.max(1, first + found.length - ((first + found.length - 1) % group));
  for (let bin = start; bin <= last; bin += group) {
    const bar = barOf(hist, bin, Math.min(bin + group, hist.counts.length) - 1, floor);
    if (bar.count > 0) found.push(bar);
  }
  return found;
}

/**
 * @param {Histogram} hist
 * @param {number} from
 * @param {number} to
 * @param {number} floor
 */
function barOf(hist, from, to, floor) {
  let count = 0;
  for (let bin = from; bin <= to; bin += 1) count += hist.counts[bin];
  const low = Math.max(floor, binBounds(hist.edges, from)[0]);
  return { low, high: Math.max(low * 1.02, binBounds(hist.edges, to)[1]), count };
}

/**
 * Whole powers of ten around the bins in use: a stable log axis that only ever widens in steps.
 * @param {Histogram} hist
 * @param {number} floor
 */
export function decades(hist, floor) {
  const inUse = bars(hist, floor);
  if (!inUse.length) return null;
  const low = 10 ** Math.floor(Math.log10(inUse[0].low) + 1e-9);
  const high = 10 ** Math.ceil(Math.log10(inUse[inUse.length - 1].high) - 1e-9);
  return [low, Math.max(high, low * 10)];
}

/**
 * Where the labels of marks stand: right of their line, or left of it where the next line or the edge is too near, and
 * a row lower than one they would cover. `marks`: {text, x, wide}, by x, in a box from `begin` to `edge`; gives {text,
 * x, anchor, row}.
 */
export function placeLabels(
  /** @type {{text: string, x: number, wide: number}[]} */ marks,
  /** @type {[number, number]} */ [begin, edge],
  gap = 4,
) {
  /** @type {number[]} */
  const taken = []; // where the last label of each row ends
  return marks.map(({ text, x, wide }, place) => {
    const [from, to] = [x - gap - wide, x + gap + wide];
    const crossesNext = to > Math.min(edge, marks[place + 1]?.x ?? edge);
    const crossesLast = from < (marks[place - 1]?.x ?? begin);
    const right = !crossesNext || (crossesLast && to <= edge);
    const start = right ? x + gap : from;
    let row = taken.findIndex((end) => end + gap <= start);
    if (row < 0) row = taken.length;
    taken[row] = start + wide;
    return { text, x: right ? start : x - gap, anchor: right ? "start" : "end", row };
  });
}
