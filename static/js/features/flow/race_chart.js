/** The real time per round of all solvers, on a log axis, growing during the race. */

import uPlot from "../../../vendor/uplot/uPlot.esm.js";
import { three, whole } from "../../kit/format.js";
import { onTheme, token } from "../../kit/dom.js";
import { AXIS_SIZE, FONT } from "../../kit/type.js";
import { gettext } from "../../kit/words.js";

/**
 * @typedef {{round: number, ssp_s: number, scaling_s: number, cold_s: number, arcs: number, changed: number,
 *   visited: number, same: boolean}} RaceRow  a round that all solvers solved
 */

/** @type {("ssp_s" | "scaling_s" | "cold_s")[]} */
const SOLVERS = ["ssp_s", "scaling_s", "cold_s"];

export class RaceChart {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    /** @type {RaceRow[]} */
    this.rows = [];
    this.size = [0, 0];
    new ResizeObserver(() => this.resize()).observe(element);
    onTheme(() => this.#rebuild());
    element.addEventListener("pointermove", (event) => {
      const words = this.plot
        ? this.#sentence(this.plot.posToIdx(event.clientX - this.plot.over.getBoundingClientRect().left))
        : "";
      if (words) element.dataset.tip = words;
      else delete element.dataset.tip;
    });
  }

  resize() {
    const { clientWidth, clientHeight } = this.element;
    if (clientWidth < 40 || clientHeight < 40 || (clientWidth === this.size[0] && clientHeight === this.size[1]))
      return;
    this.size = [clientWidth, clientHeight];
    if (this.plot) this.plot.setSize({ width: clientWidth, height: clientHeight });
    else this.#rebuild();
  }

  /** @param {RaceRow[]} rows */
  update(rows) {
    this.rows = rows;
    if (!this.plot) {
      this.resize();
      this.#rebuild();
    }
    this.plot?.setData(this.#data());
    this.element.setAttribute(
      "aria-label",
      rows.length
        ? gettext("A chart of {rows} rounds. The sentence below describes it.", { rows: whole(rows.length) })
        : gettext("An empty chart."),
    );
    this.element.setAttribute("role", "img");
  }

  /** Return the chart's data. A duration of zero is drawn as 0.1 µs, because a log axis has no 0. */
  #data() {
    return [
      this.rows.map((row) => row.round),
      ...SOLVERS.map((name) => this.rows.map((row) => Math.max(1e-4, row[name] * 1e3))),
    ];
  }

  #rebuild() {
    this.plot?.destroy();
    this.plot = null;
    if (!this.size[0] || !this.rows.length) return;
    const ink = token("muted");
    const axis = {
      stroke: ink,
      font: `${AXIS_SIZE}px ${FONT}`,
      ticks: { show: false },
      grid: { stroke: token("line"), width: 1 },
    };
    /** @param {string} stroke */
    const dots = (stroke) => ({
      stroke,
      points: { show: () => this.rows.length <= 120, size: 4, stroke, fill: stroke },
    });
    this.plot = new uPlot(
      {
        width: this.size[0],
        height: this.size[1],
        legend: { show: false },
        cursor: { show: false },
        padding: [10, 16, 0, 0],
        scales: { x: { time: false }, y: { distr: 3 } },
        axes: [
          {
            ...axis,
            size: 26,
            values: (/** @type {unknown} */ _, /** @type {number[]} */ splits) =>
              splits.map((value) => (Number.isInteger(value) ? whole(value) : "")),
          },
          {
            ...axis,
            size: 64,
            values: (/** @type {unknown} */ _, /** @type {number[]} */ splits) =>
              splits.map((value) =>
                Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-6 ? this.#told(value) : "",
              ),
          },
        ],
        series: [
          {},
          { ...dots(token("data")), width: 2 },
          { ...dots(token("muted")), width: 2, dash: [2, 3] },
          { ...dots(token("second")), width: 2, dash: [6, 4] },
        ],
      },
      this.#data(),
      this.element,
    );
  }

  /** @param {number} ms */
  #told(ms) {
    return ms >= 1000
      ? `${three(ms / 1000)} s`
      : ms >= 1
        ? gettext("{time} ms", { time: three(ms) })
        : gettext("{time} µs", { time: three(ms * 1000) });
  }

  /** @param {number} at */
  #sentence(at) {
    const row = this.rows[at];
    if (!row) return "";
    return gettext(
      "Round {round}: shortest paths {paths}, cost scaling {scaling}, from scratch {scratch}; {arcs} arcs, {changed} " +
        "changed, {visited} visited by shortest paths{costs}.",
      {
        round: whole(row.round),
        paths: this.#told(row.ssp_s * 1e3),
        scaling: this.#told(row.scaling_s * 1e3),
        scratch: this.#told(row.cold_s * 1e3),
        arcs: whole(row.arcs),
        changed: whole(row.changed),
        visited: whole(row.visited),
        costs: row.same ? "" : gettext("; the costs differ"),
      },
    );
  }
}
