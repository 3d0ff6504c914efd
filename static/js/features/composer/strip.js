/** The spread of one measured number over combinations: a dot each, with a box of quartiles behind. */

import { three } from "../../kit/format.js";
import { h } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";

/** @import { Box, Metric, PlotAxis, StudyCell } from "./stage_combinations.js" */

const SVG = "http://www.w3.org/2000/svg";
const FEW = 5; // fewer have no quartiles worth drawing
const [WIDTH, HEIGHT, MIDDLE, DOT] = [520, 64, 28, 4];

/**
 * @param {string} tag
 * @param {Record<string, unknown>} attributes
 * @param {...(Node | string)} children
 */
function s(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/**
 * The box between the quartiles and the median's line; `x(value)` is a place.
 * @param {Box} box
 * @param {(value: number) => number} x
 */
function quartiles(box, x) {
  return [
    s("rect", {
      x: x(box.q1),
      width: Math.max(1, x(box.q3) - x(box.q1)),
      y: MIDDLE - 14,
      height: 28,
      class: "strip-box",
    }),
    s("line", { x1: x(box.median), x2: x(box.median), y1: MIDDLE - 14, y2: MIDDLE + 14, class: "strip-median" }),
  ];
}

export class Strip {
  /**
   * @param {Metric} metric
   * @param {(cell: number | null) => void} over
   */
  constructor(metric, over) {
    this.metric = metric;
    this.over = over;
    /** @type {Map<number, SVGElement>} */
    this.dots = new Map();
    /** @type {SVGElement[]} */
    this.order = [];
    this.spread = h("span", { class: "strip-spread" });
    this.svg = s("svg", {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      class: "strip-plot",
      role: "group",
      "aria-label": gettext("{name}, one dot a combination", { name: metric.name }),
    });
    this.element = h(
      "section",
      { class: "strip", "data-metric": metric.id },
      h(
        "h3",
        { class: "strip-title", "data-cell-tip": metric.help },
        h("b", {}, metric.id),
        ` ${metric.name} `,
        this.spread,
      ),
      this.svg,
    );
    this.svg.addEventListener("keydown", (event) => this.#key(event));
  }

  /**
   * @param {StudyCell[]} cells
   * @param {{box: Box, axis: PlotAxis, spread: string, tell: (cell: StudyCell) => string,
   *   strip: (cells: StudyCell[], axis: PlotAxis, gap?: number) => {cell: StudyCell, x: number, row: number}[]}} how
   */
  show(cells, { box, axis, strip, spread, tell }) {
    /** @param {number} value */
    const x = (value) => axis.place(value) * WIDTH;
    /**
     * @param {number} value
     * @param {number} place
     * @param {string} anchor
     */
    const label = (value, place, anchor) =>
      s(
        "text",
        { x: place, y: HEIGHT - 4, "text-anchor": anchor, class: "strip-label" },
        `${three(value)}${this.metric.unit ? ` ${this.metric.unit}` : ""}`,
      );
    this.spread.textContent = `${spread}${axis.log ? gettext(", log scale") : ""}`;
    this.svg.replaceChildren(
      s("line", { x1: x(box.low), x2: x(box.high), y1: MIDDLE, y2: MIDDLE, class: "strip-whisker" }),
      ...(cells.length < FEW ? [] : quartiles(box, x)),
      label(box.low, Math.max(2, x(box.low) - 8), "start"),
      ...(box.high > box.low ? [label(box.high, Math.min(WIDTH - 2, x(box.high) + 8), "end")] : []),
    );
    this.dots.clear();
    const placed = strip(cells, axis, (2 * DOT + 1) / WIDTH);
    const most = Math.max(...placed.map((each) => each.row));
    const step = Math.min(2 * DOT, 44 / Math.max(1, most));
    this.order = placed.map(({ cell, x: share, row }) => {
      const words = tell(cell);
      // Rows go up and down from the middle in turn.
      const y = MIDDLE + (row % 2 ? -1 : 1) * Math.ceil(row / 2) * step;
      const dot = s("circle", {
        cx: share * WIDTH,
        cy: Math.min(MIDDLE + 22, Math.max(DOT, y)),
        r: DOT,
        class: "strip-dot",
        tabindex: -1,
        role: "img",
        "aria-label": words,
        "data-cell-tip": words,
      });
      dot.addEventListener("pointerenter", () => this.over(cell.cell));
      dot.addEventListener("pointerleave", () => this.over(null));
      dot.addEventListener("focus", () => this.over(cell.cell));
      this.dots.set(cell.cell, dot);
      this.svg.append(dot);
      return dot;
    });
    this.order[0]?.setAttribute("tabindex", "0");
  }

  /** @param {number | null} cell */
  mark(cell) {
    for (const [number, dot] of this.dots) dot.classList.toggle("is-marked", number === cell);
    const marked = cell === null ? undefined : this.dots.get(cell);
    // What is looked at lies on top; moving it while it has the focus would take the focus away.
    if (marked && document.activeElement !== marked && !marked.matches(":hover")) this.svg.append(marked);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    /** @type {Record<string, number>} */
    const steps = { ArrowLeft: -1, ArrowRight: 1 };
    const step = steps[event.key];
    const at = this.order.indexOf(/** @type {SVGElement} */ (event.target));
    if (!step || at < 0) return;
    event.preventDefault();
    const next = this.order[at + step];
    if (!next) return;
    this.order[at].setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  }
}
