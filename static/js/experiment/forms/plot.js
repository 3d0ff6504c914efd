/**
 * A small SVG chart: areas, lines and steps over one axis, with a sentence for the position under the pointer or chosen
 * by arrow keys.
 */

import { svg } from "../../kit/dom.js";
import { html, made, signal } from "../../kit/view.js";

const HEIGHT = 104;
const LEFT = 40;
const BOTTOM = 18;
const TOP = 6;
const RIGHT = 8;
const KEY_STEPS = 40;

/**
 * @typedef {{x: number[], y: (number | null | undefined)[], kind?: string, className: string,
 *   name?: string}} PlotSeries  its kind is area, line or steps
 * @typedef {{span: [number, number], most: number, series: PlotSeries[], rule?: number, ticks?: number[],
 *   x?: number[], cdf?: number[], drawn?: {edges: number[], cdf: number[]} | null}} PlotData  `rule`: a y value to
 *   mark; `x`, `cdf` and `drawn`: the distribution function of a shape, and of a sample
 * @typedef {object} PlotOptions
 * @property {string} label  the chart's accessible name
 * @property {boolean} [log]  true if the x axis is logarithmic
 * @property {(x: number) => string} axis  tick labels of the x axis
 * @property {(y: number) => string} unit  tick labels of the y axis
 * @property {(x: number, data: PlotData) => string} sentence  the sentence about a position
 * @property {number} [height]
 */

export class Plot {
  /**
   * `label`: the chart's name; `log`: scale of the x axis; `axis(value)`, `unit(value)`: tick labels; `sentence(x)`:
   * the text at a position.
   */
  constructor(/** @type {PlotOptions} */ { label, log = true, axis, unit, sentence, height = HEIGHT }) {
    this.log = log;
    this.axis = axis;
    this.unit = unit;
    this.sentence = sentence;
    this.height = height;
    this.drawing = svg("svg", { class: "plot", role: "img", tabindex: "0", "aria-label": label });
    const words = signal("");
    /** @type {HTMLElement} */
    this.element = made(
      () => html`
        <div class="plot-place">${this.drawing}<p class="visually-hidden" aria-live="polite">${words.value}</p></div>`,
    );
    this.cursor = null;
    /** @type {PlotData | null} */
    this.data = null;
    new ResizeObserver(() => this.#draw()).observe(this.element);
    this.drawing.addEventListener("pointermove", (event) => {
      const box = this.drawing.getBoundingClientRect();
      this.#point((event.clientX - box.left - LEFT) / (box.width - LEFT - RIGHT));
    });
    for (const gone of ["pointerleave", "blur"]) this.drawing.addEventListener(gone, () => this.#point(null));
    this.drawing.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1 / KEY_STEPS, ArrowLeft: -1 / KEY_STEPS }[event.key];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      this.#point(Math.min(1, Math.max(0, (this.cursor ?? 0.5) + step)));
      words.value = this.drawing.dataset.tip ?? "";
    });
  }

  #point(/** @type {number | null} */ share) {
    this.cursor = share === null || share < 0 || share > 1 ? null : share;
    const text =
      this.cursor === null || !this.data ? "" : this.sentence(this.#value(this.cursor, this.data), this.data);
    if (text) this.drawing.dataset.tip = text;
    else delete this.drawing.dataset.tip;
    this.#mark();
  }

  #value(/** @type {number} */ share, /** @type {PlotData} */ { span: [low, high] }) {
    return this.log ? low * (high / low) ** share : low + (high - low) * share;
  }

  #share(/** @type {number} */ x, /** @type {PlotData} */ { span: [low, high] }) {
    return this.log ? Math.log(x / low) / Math.log(high / low) : (x - low) / (high - low || 1);
  }

  set(/** @type {PlotData} */ data) {
    this.data = data;
    this.#draw();
  }

  #draw() {
    const width = this.element.clientWidth;
    const { data } = this;
    if (!data || width < 80) return;
    const inner = { left: LEFT, right: width - RIGHT, top: TOP, bottom: this.height - BOTTOM };
    this.inner = inner;
    const px = (/** @type {number} */ x) =>
      inner.left + Math.min(1, Math.max(0, this.#share(x, data))) * (inner.right - inner.left);
    const py = (/** @type {number} */ y) => inner.bottom - Math.min(1.04, y / data.most) * (inner.bottom - inner.top);
    this.drawing.setAttribute("viewBox", `0 0 ${width} ${this.height}`);
    this.drawing.setAttribute("height", String(this.height));
    const parts = [];
    for (const y of data.ticks ?? [0, data.most / 2, data.most]) {
      parts.push(
        svg("path", { class: "plot-grid", d: `M${inner.left} ${py(y).toFixed(1)}H${inner.right}` }),
        svg(
          "text",
          { class: "plot-text", x: inner.left - 6, y: (py(y) + 4).toFixed(1), "text-anchor": "end" },
          this.unit(y),
        ),
      );
    }
    for (const x of this.#xTicks(inner.right - inner.left, data)) {
      const at = px(x);
      parts.push(
        svg(
          "text",
          {
            class: "plot-text",
            x: at.toFixed(1),
            y: this.height - 4,
            "text-anchor": at < inner.left + 16 ? "start" : at > inner.right - 20 ? "end" : "middle",
          },
          this.axis(x),
        ),
      );
    }
    for (const each of data.series)
      parts.push(svg("path", { class: each.className, d: path(each, px, py, inner.bottom) }));
    if (data.rule !== undefined)
      parts.push(svg("path", { class: "plot-rule", d: `M${inner.left} ${py(data.rule).toFixed(1)}H${inner.right}` }));
    this.line = svg("path", { class: "plot-cursor", d: "" });
    this.drawing.replaceChildren(...parts, this.line);
    this.#mark();
  }

  #mark() {
    if (!this.line || !this.inner) return;
    const at = this.inner.left + (this.cursor ?? 0) * (this.inner.right - this.inner.left);
    this.line.setAttribute("d", this.cursor === null ? "" : `M${at.toFixed(1)} ${this.inner.top}V${this.inner.bottom}`);
  }

  #xTicks(/** @type {number} */ room, /** @type {PlotData} */ { span: [low, high] }) {
    if (!this.log) return [low, (low + high) / 2, high];
    const first = Math.ceil(Math.log10(low) - 1e-9);
    const last = Math.floor(Math.log10(high) + 1e-9);
    const skip = Math.max(1, Math.ceil((last - first + 1) / Math.max(2, Math.floor(room / 56))));
    const found = [];
    for (let power = first; power <= last; power += skip) found.push(10 ** power);
    return found.length ? found : [low, high];
  }
}

/**
 * @param {PlotSeries} options
 * @param {(x: number) => number} px
 * @param {(y: number) => number} py
 * @param {number} ground
 */
function path({ x, y, kind }, px, py, ground) {
  if (!x.length) return "";
  /** @type {string[]} */
  const points = [];
  x.forEach((value, index) => {
    const height = y[index];
    if (height === null || height === undefined) return;
    if (kind === "steps" && points.length) points.push(`${px(value).toFixed(1)} ${py(y[index - 1] ?? 0).toFixed(1)}`);
    points.push(`${px(value).toFixed(1)} ${py(height).toFixed(1)}`);
  });
  const line = `M${points.join("L")}`;
  return kind === "area"
    ? `${line}L${px(x[x.length - 1]).toFixed(1)} ${ground}L${px(x[0]).toFixed(1)} ${ground}Z`
    : line;
}
