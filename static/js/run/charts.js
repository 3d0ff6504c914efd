/** The charts of waiting times: a histogram and a distribution function on one log axis of time. */

import uPlot from "../../vendor/uplot/uPlot.esm.js";
import { bars, cdf, decades, placeLabels } from "../kit/histogram.js";
import { axisSeconds, measured, percent, short, whole } from "../kit/format.js";
import { onTheme, token } from "../kit/dom.js";
import { gettext } from "../kit/words.js";

const FLOOR_NS = 1e3;
const BAR_PX = 5;

function axes(unit) {
  const ink = token("muted");
  const line = token("line");
  const common = { stroke: ink, font: "12px system-ui, sans-serif", ticks: { show: false } };
  return [
    {
      ...common,
      size: 22,
      gap: 2,
      space: 44,
      grid: { show: false },
      filter: (_, splits) => splits,
      values: (_, splits) => splits.map((value) => (isDecade(value) ? axisSeconds(value) : "")),
    },
    {
      ...common,
      size: 44,
      gap: 4,
      space: 30,
      grid: { stroke: line, width: 1 },
      values: (_, splits) => splits.map((value) => (value === 0 ? "" : unit(value))),
    },
  ];
}

function isDecade(value) {
  return Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-6;
}

/** Splits at decades only, every other one when there are many. */
function decadeSplits(plot, _axis, low, high) {
  const first = Math.ceil(Math.log10(low) - 1e-9);
  const last = Math.floor(Math.log10(high) + 1e-9);
  const skip = Math.ceil((last - first + 1) / Math.max(2, Math.floor(plot.width / 62)));
  const found = [];
  for (let power = first; power <= last; power += skip) found.push(10 ** power);
  return found;
}

/** What the two charts share. Each gives its series(), yRange(), empty() data and the sentence() for a place. */
class Chart {
  /** The plot's hooks, by name. */
  hooks() {
    return {};
  }

  /**
   * What is said of a place on the axis.
   * @param {number} _value
   */
  sentence(_value) {
    return "";
  }

  /** What the plot shows before there are data. */
  empty() {
    return [];
  }

  /** @returns {object[]} */
  series() {
    return [];
  }

  /** @returns {(plot: any, least: number, most: number) => number[]} */
  yRange() {
    return (_, least, most) => [least, most];
  }

  /**
   * @param {HTMLElement} element
   * @param {(value: number) => string} unit
   */
  constructor(element, unit) {
    this.element = element;
    this.unit = unit;
    this.span = [1e-3, 10];
    this.data = null;
    this.size = [0, 0];
    new ResizeObserver(() => this.#resize()).observe(element);
    onTheme(() => this.rebuild());
    // What lies under the pointer, in words; kit/tips.js shows it.
    element.addEventListener("pointermove", (event) => {
      if (!this.plot) return;
      const inside = event.clientX - this.plot.over.getBoundingClientRect().left;
      const text = inside < 0 ? "" : this.sentence(this.plot.posToVal(inside, "x"));
      if (text) element.dataset.tip = text;
      else delete element.dataset.tip;
    });
  }

  #resize() {
    const { clientWidth, clientHeight } = this.element;
    if (clientWidth < 20 || clientHeight < 20) return;
    if (clientWidth === this.size[0] && clientHeight === this.size[1]) return;
    this.size = [clientWidth, clientHeight];
    if (this.plot) this.plot.setSize({ width: clientWidth, height: clientHeight });
    else this.rebuild();
  }

  rebuild() {
    if (!this.size[0]) return;
    this.plot?.destroy();
    const [xAxis, yAxis] = axes(this.unit);
    this.plot = new uPlot(
      {
        width: this.size[0],
        height: this.size[1],
        legend: { show: false },
        cursor: { show: false },
        padding: [6, 22, 0, 0],
        scales: { x: { time: false, distr: 3, range: () => this.span }, y: { range: this.yRange() } },
        axes: [{ ...xAxis, splits: decadeSplits }, yAxis],
        series: this.series(),
        hooks: this.hooks(),
      },
      this.data || this.empty(),
      this.element,
    );
  }

  set(data, span) {
    this.data = data;
    this.span = span;
    this.plot?.setData(data);
  }
}

/** How many tasks waited how long. */
export class HistogramView extends Chart {
  constructor(element) {
    super(element, (value) => short(value));
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
    return (_, __, most) => [0, Math.max(4, (most || 0) * 1.08)];
  }

  series() {
    const fill = token("data");
    return [{}, { stroke: fill, fill, width: 0, points: { show: false }, paths: (plot) => this.#paths(plot) }];
  }

  /** Bars between true bin bounds, which a chart of categories could not show on a log axis. */
  #paths(plot) {
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
        (plot) => {
          const pen = plot.ctx;
          pen.save();
          pen.strokeStyle = token("ink");
          pen.fillStyle = token("ink");
          pen.lineWidth = devicePixelRatio;
          pen.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
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
            pen.textAlign = anchor;
            pen.fillText(text, x, plot.bbox.top + (9 + 12 * row) * devicePixelRatio);
          }
          pen.restore();
        },
      ],
    };
  }

  sentence(seconds) {
    const bar = (this.bars || []).find((each) => each.low <= seconds * 1e9 && seconds * 1e9 < each.high);
    if (!bar) return "";
    const all = this.bars.reduce((sum, each) => sum + each.count, 0);
    return gettext("{count} tasks waited {low} to {high}: {share} of those that have started.", {
      count: whole(bar.count),
      low: measured(bar.low),
      high: measured(bar.high),
      share: percent(bar.count / all),
    });
  }

  /** Bins to add up, so that a bar is at least BAR_PX wide. */
  #group(hist, span) {
    const middle = hist.edges.length >> 1;
    const bin = Math.log(hist.edges[middle + 1] / hist.edges[middle]);
    const wide = ((this.size[0] - 56) * bin) / Math.log(span[1] / span[0]);
    return Math.max(1, Math.ceil(BAR_PX / Math.max(wide, 0.01)));
  }

  update(hist, percentiles, span) {
    this.bars = hist ? bars(hist, FLOOR_NS, this.#group(hist, span)) : [];
    this.marks = Object.entries(percentiles)
      .filter(([name, value]) => value !== null && (name === "p50" || name === "p99"))
      .map(([name, value]) => ({ name, value }));
    this.set([this.bars.map((bar) => bar.low / 1e9), this.bars.map((bar) => bar.count)], span);
  }
}

/** Which share of tasks waited at most so long, with the previous run as a ghost. */
export class CdfView extends Chart {
  constructor(element) {
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

  sentence(seconds) {
    const [x, old, now] = this.data || [[]];
    const at = (line) => {
      for (let i = x.length - 1; i >= 0; i -= 1) if (x[i] <= seconds && typeof line[i] === "number") return line[i];
      return 0;
    };
    if (!x.length || !now.some((value) => typeof value === "number")) return "";
    const before = old.some((value) => typeof value === "number")
      ? gettext("; in the run before, {share}", { share: percent(at(old)) })
      : "";
    return gettext("{share} of the tasks started within {time}{before}.", {
      share: percent(at(now)),
      time: measured(seconds * 1e9),
      before,
    });
  }

  update(hist, ghost, span) {
    const now = hist ? cdf(hist, FLOOR_NS) : { x: [], y: [] };
    const old = ghost ? cdf(ghost, FLOOR_NS) : { x: [], y: [] };
    const seconds = (line) => [line.x.map((value) => value / 1e9), line.y];
    const joined = uPlot.join(
      [seconds(old), seconds(now)].map(([x, y]) => [toEdge(x, span), x.length ? [...y, 1] : y]),
    );
    this.set(joined[0].length ? joined : this.empty(), span);
  }
}

/** A finished curve runs on at 100 % to the edge of the chart. */
function toEdge(x, span) {
  return x.length ? [...x, Math.max(span[1], x[x.length - 1] * 1.0001)] : x;
}

/** An axis in seconds that shows both histograms. */
export function sharedSpan(...hists) {
  const spans = hists
    .filter(Boolean)
    .map((hist) => decades(hist, FLOOR_NS))
    .filter(Boolean);
  if (!spans.length) return [1e-3, 10];
  return [Math.min(...spans.map((span) => span[0])) / 1e9, Math.max(...spans.map((span) => span[1])) / 1e9];
}
