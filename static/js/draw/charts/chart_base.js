/** The common parts of the wait charts: a log time axis, drawing, tooltips. */

import { default as uPlot } from "../../../vendor/uplot/uPlot.esm.js";
import { axisSeconds } from "../../kit/format.js";
import { onTheme, token } from "../../kit/dom.js";
import { AXIS_SIZE, FONT } from "../../kit/type.js";

/** @param {(value: number) => string} unit */
function axes(unit) {
  const ink = token("muted");
  const line = token("line");
  const common = { stroke: ink, font: `${AXIS_SIZE}px ${FONT}`, ticks: { show: false } };
  return [
    {
      ...common,
      size: 22,
      gap: 2,
      space: 44,
      grid: { show: false },
      filter: (/** @type {unknown} */ _, /** @type {number[]} */ splits) => splits,
      values: (/** @type {unknown} */ _, /** @type {number[]} */ splits) =>
        splits.map((value) => (isDecade(value) ? axisSeconds(value) : "")),
    },
    {
      ...common,
      size: 44,
      gap: 4,
      space: 30,
      grid: { stroke: line, width: 1 },
      values: (/** @type {unknown} */ _, /** @type {number[]} */ splits) =>
        splits.map((value) => (value === 0 ? "" : unit(value))),
    },
  ];
}

function isDecade(/** @type {number} */ value) {
  return Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-6;
}

/**
 * Return ticks at decades only, every other one if there are many.
 * @param {{width: number}} plot
 * @param {number} _axis
 * @param {number} low
 * @param {number} high
 */
function decadeSplits(plot, _axis, low, high) {
  const first = Math.ceil(Math.log10(low) - 1e-9);
  const last = Math.floor(Math.log10(high) + 1e-9);
  const skip = Math.ceil((last - first + 1) / Math.max(2, Math.floor(plot.width / 62)));
  const found = [];
  for (let power = first; power <= last; power += skip) found.push(10 ** power);
  return found;
}

/** Base of both charts. Each defines series(), yRange(), the empty() data and the sentence() about a position. */
export class Chart {
  /** Return the plot's hooks, by name. */
  hooks() {
    return {};
  }

  /**
   * Return the sentence about a position on the axis.
   * @param {number} _value
   */
  sentence(_value) {
    return "";
  }

  /** Return the plot's data before there are any. @returns {import("../../../vendor/uplot/uPlot.esm.js").Columns} */
  empty() {
    return [];
  }

  /** @returns {object[]} */
  series() {
    return [];
  }

  /** @returns {(plot: uPlot, least: number, most: number) => number[]} */
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
    /** @type {(number | null)[][] | null} */
    this.data = null;
    this.size = [0, 0];
    new ResizeObserver(() => this.#resize()).observe(element);
    onTheme(() => this.rebuild());
    // The sentence about the pointer's position; kit/tips.js shows it.
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

  set(/** @type {(number | null)[][]} */ data, /** @type {number[]} */ span) {
    this.data = data;
    this.span = span;
    this.plot?.setData(data);
  }
}
