/** The wait charts: a histogram and a distribution function on one log time axis. */

import uPlot from "../../../vendor/uplot/uPlot.esm.js";
import { bars, cdf, decades, placeLabels } from "../../kit/histogram.js";
import { measured, percent, short, whole } from "../../kit/format.js";
import { token } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";
import { Chart } from "./chart_base.js";
import { AXIS_SIZE, FONT } from "../../kit/type.js";

/** @import { Histogram } from "../../kit/histogram.js" */

const FLOOR_NS = 1e3;
const BAR_PX = 5;

/** A histogram of task waits. */
export class HistogramView extends Chart {
  constructor(/** @type {HTMLElement} */ element) {
    super(element, (value) => short(value));
    /** @type {{name: string, value: number}[]} */
    this.marks = [];
  }
  empty() {
    return [
      [1e-3, 10],
      [null, null],
      [null, null],
    ];
  }
  yRange() {
    return (/** @type {unknown} */ _, /** @type {unknown} */ __, /** @type {number} */ most) => [
      0,
      Math.max(4, (most || 0) * 1.08),
    ];
  }

  series() {
    const fill = token("data");
    return [
      {},
      {
        stroke: fill,
        fill,
        width: 0,
        points: { show: false },
        paths: (/** @type {uPlot} */ plot) => this.#paths(plot),
      },
    ];
  }

  /** Draw bars between true bin bounds, which a category chart could not show on a log axis. */
  #paths(/** @type {uPlot} */ plot) {
    const path = new Path2D();
    const ground = plot.valToPos(0, "y", true);
    for (const bar of this.bars || []) {
      const left = plot.valToPos(bar.low / 1e9, "x", true);
      const right = plot.valToPos(bar.high / 1e9, "x", true);
      const top = plot.valToPos(bar.count, "y", true);
      path.rect(left, Math.min(top, ground - 1), Math.max(1, right - left - 1), Math.max(1, ground - top));
    }
    return { fill: path, stroke: null };
  }

  hooks() {
    return {
      draw: [
        (/** @type {uPlot} */ plot) => {
          const pen = plot.ctx;
          pen.save();
          pen.strokeStyle = token("ink");
          pen.fillStyle = token("ink");
          pen.lineWidth = devicePixelRatio;
          pen.font = `${AXIS_SIZE * devicePixelRatio}px ${FONT}`;
          pen.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
          const marks = this.marks.map(({ name, value }) => ({
            text: name,
            wide: pen.measureText(name).width,
            x: Math.round(plot.valToPos(Math.max(this.span[0], value / 1e9), "x", true)) + 0.5,
          }));
          for (const { x } of marks) {
            pen.beginPath();
            pen.moveTo(x, plot.bbox.top);
            pen.lineTo(x, plot.bbox.top + plot.bbox.height);
            pen.stroke();
          }
          for (const { text, x, anchor, row } of placeLabels(
            marks,
            [plot.bbox.left, plot.bbox.left + plot.bbox.width],
            4 * devicePixelRatio,
          )) {
            pen.textAlign = /** @type {CanvasTextAlign} */ (anchor);
            pen.fillText(text, x, plot.bbox.top + (9 + 12 * row) * devicePixelRatio);
          }
          pen.restore();
        },
      ],
    };
  }

  sentence(/** @type {number} */ seconds) {
    const bar = (this.bars || []).find((each) => each.low <= seconds * 1e9 && seconds * 1e9 < each.high);
    if (!bar) return "";
    const all = (this.bars ?? []).reduce((sum, each) => sum + each.count, 0);
    return gettext("{count} tasks waited {low} to {high}: {share} of those that have started.", {
      count: whole(bar.count),
      low: measured(bar.low),
      high: measured(bar.high),
      share: percent(bar.count / all),
    });
  }

  /**
   * Return how many bins to merge, so that a bar is at least BAR_PX wide.
   * @param {Histogram} hist
   * @param {number[]} span
   */
  #group(hist, span) {
    const middle = hist.edges.length >> 1;
    const bin = Math.log(hist.edges[middle + 1] / hist.edges[middle]);
    const wide = ((this.size[0] - 56) * bin) / Math.log(span[1] / span[0]);
    return Math.max(1, Math.ceil(BAR_PX / Math.max(wide, 0.01)));
  }

  /**
   * @param {Histogram | null} hist
   * @param {Record<string, number | null>} percentiles
   * @param {number[]} span
   */
  update(hist, percentiles, span) {
    this.bars = hist ? bars(hist, FLOOR_NS, this.#group(hist, span)) : [];
    this.marks = Object.entries(percentiles).flatMap(([name, value]) =>
      value !== null && (name === "p50" || name === "p99") ? [{ name, value }] : [],
    );
    this.set([this.bars.map((bar) => bar.low / 1e9), this.bars.map((bar) => bar.count)], span);
  }
}

/** The fraction of tasks that waited at most a given time, with the previous run as a dashed curve. */
export class CdfView extends Chart {
  constructor(/** @type {HTMLElement} */ element) {
    super(element, (value) => `${Math.round(value * 100)}\u202f%`);
  }
  empty() {
    return [
      [1e-3, 10],
      [null, null],
      [null, null],
    ];
  }
  yRange() {
    return () => [0, 1.02];
  }

  series() {
    const steps = { points: { show: false }, spanGaps: true };
    return [
      {},
      { ...steps, stroke: token("ghost"), width: 2, dash: [5, 4] },
      { ...steps, stroke: token("data"), width: 2.5 },
    ];
  }

  sentence(/** @type {number} */ seconds) {
    const [x, old, now] = this.data || [[]];
    const at = (/** @type {(number | null)[]} */ line) => {
      for (let i = x.length - 1; i >= 0; i -= 1)
        if (/** @type {number} */ (x[i]) <= seconds && typeof line[i] === "number")
          return /** @type {number} */ (line[i]);
      return 0;
    };
    if (!x.length || !now.some((/** @type {unknown} */ value) => typeof value === "number")) return "";
    const before = old.some((/** @type {unknown} */ value) => typeof value === "number")
      ? gettext("; in the previous run, {share}", { share: percent(at(old)) })
      : "";
    return gettext("{share} of the tasks started within {time}{before}.", {
      share: percent(at(now)),
      time: measured(seconds * 1e9),
      before,
    });
  }

  /**
   * @param {Histogram | null} hist
   * @param {Histogram | null} ghost
   * @param {number[]} span
   */
  update(hist, ghost, span) {
    const now = hist ? cdf(hist, FLOOR_NS) : { x: [], y: [] };
    const old = ghost ? cdf(ghost, FLOOR_NS) : { x: [], y: [] };
    const seconds = (/** @type {{x: number[], y: number[]}} */ line) => [
      line.x.map((/** @type {number} */ value) => value / 1e9),
      line.y,
    ];
    const joined = uPlot.join(
      [seconds(old), seconds(now)].map(([x, y]) => [toEdge(x, span), x.length ? [...y, 1] : y]),
    );
    this.set(/** @type {(number | null)[][]} */ (joined[0].length ? joined : this.empty()), span);
  }
}

/**
 * Extend a finished curve at 100 % to the edge of the chart.
 * @param {number[]} x
 * @param {number[]} span
 */
function toEdge(x, span) {
  return x.length ? [...x, Math.max(span[1], x[x.length - 1] * 1.0001)] : x;
}

/**
 * Return a span in seconds that contains all histograms.
 * @param {...(Histogram | null | undefined)[]} hists
 */
export function sharedSpan(/** @type {(Histogram | null | undefined)[]} */ ...hists) {
  const spans = hists.flatMap((hist) => {
    const span = hist ? decades(hist, FLOOR_NS) : null;
    return span ? [span] : [];
  });
  if (!spans.length) return [1e-3, 10];
  return [Math.min(...spans.map((span) => span[0])) / 1e9, Math.max(...spans.map((span) => span[1])) / 1e9];
}
