/** Histograms: bin bounds, percentiles, and points of the distribution function. */

/** @typedef {{edges: ArrayLike<number>, counts: ArrayLike<number> & Iterable<number>}} Histogram  counts per bin */
/** @typedef {{low: number, high: number, count: number}} Bar */

/**
 * Return the lower and upper bound of a bin. The bin after the last edge is open; its upper bound is one edge ratio
 * higher.
 * @param {ArrayLike<number>} edges
 * @param {number} bin
 */
export function binBounds(edges, bin) {
  const last = edges.length - 1;
  if (bin < last) return [edges[bin], edges[bin + 1]];
  const ratio = last > 0 && edges[last - 1] > 0 ? edges[last] / edges[last - 1] : 2;
  return [edges[last], edges[last] * ratio];
}

/** Return the first bin that is not empty, or -1. */
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
 * Return the value below which `share` (0..1) of the counts lie, by nearest rank, interpolated inside its bin on a log
 * scale. The bin that begins at 0 gives 0. Return null for an empty histogram.
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
      // The bin that begins at 0 is narrower than the measurement resolution: its tasks did not wait.
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
 * Return the points of the distribution function at upper bin bounds: {x: values, y: fractions 0..1}. `floor` replaces
 * zero, which a log axis cannot show.
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
 * Return the bars of the nonempty range of bins: [{low, high, count}], zero raised to `floor`. Each bar sums `group`
 * neighboring bins at fixed positions, so that bars do not jump when more bins fill.
 * @param {Histogram} hist
 * @param {number} floor
 */
export function bars(hist, floor, group = 1) {
  const first = firstInUse(hist);
  if (first < 0) return [];
  let last = hist.counts.length - 1;
  while (hist.counts[last] === 0) last -= 1;
  // The zero bin spans decades on a log axis, so it is not merged with others.
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
 * Return whole powers of ten around the bins in use: a stable log axis that grows only in steps.
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
 * Place the labels of vertical markers: to the right of the line, or to the left if the next line or the edge is too
 * close, and one row lower if labels would overlap. `marks` is [{text, x, wide}] sorted by x, in a box from `begin` to
 * `edge`. Return [{text, x, anchor, row}].
 */
export function placeLabels(
  /** @type {{text: string, x: number, wide: number}[]} */ marks,
  /** @type {[number, number]} */ [begin, edge],
  gap = 4,
) {
  /** @type {number[]} */
  const taken = []; // the right end of the last label in each row
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
