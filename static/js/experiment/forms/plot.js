/**
 * A small chart as SVG: areas, lines and steps over one axis; a sentence for the place under the pointer or the arrow
 * keys.
 */

import { h } from "../../kit/dom.js";
import { svg } from "../thumbnails.js";

const HEIGHT = 104;
const LEFT = 40;
const BOTTOM = 18;
const TOP = 6;
const RIGHT = 8;
const KEY_STEPS = 40;

export class Plot {
  /** `label`: what the chart shows; `log`: the x axis; `axis(value)`, `unit(value)`: tick texts; `sentence(x)`. */
  constructor({ label, log = true, axis, unit, sentence, height = HEIGHT }) {
    this.log = log;
    this.axis = axis;
    this.unit = unit;
    this.sentence = sentence;
    this.height = height;
    this.drawing = svg("svg", { class: "plot", role: "img", tabindex: "0", "aria-label": label });
    this.words = h("p", { class: "visually-hidden", "aria-live": "polite" });
    this.element = h("div", { class: "plot-place" }, this.drawing, this.words);
    this.cursor = null;
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
      this.words.textContent = this.drawing.dataset.tip ?? "";
    });
  }

  #point(share) {
    this.cursor = share === null || share < 0 || share > 1 ? null : share;
    const text = this.cursor === null || !this.data ? "" : this.sentence(this.#value(this.cursor), this.data);
    if (text) this.drawing.dataset.tip = text;
    else delete this.drawing.dataset.tip;
    this.#mark();
  }

  #value(share) {
    const [low, high] = this.data.span;
    return this.log ? low * (high / low) ** share : low + (high - low) * share;
  }

  #share(x) {
    const [low, high] = this.data.span;
    return this.log ? Math.log(x / low) / Math.log(high / low) : (x - low) / (high - low || 1);
  }

  /** `data`: {span: [x, x], most, series: [{x, y, kind: "area" | "line" | "steps", className}], rule (a y to mark)}. */
  set(data) {
    this.data = data;
    this.#draw();
  }

  #draw() {
    const width = this.element.clientWidth;
    if (!this.data || width < 80) return;
    const inner = { left: LEFT, right: width - RIGHT, top: TOP, bottom: this.height - BOTTOM };
    this.inner = inner;
    const px = (x) => inner.left + Math.min(1, Math.max(0, this.#share(x))) * (inner.right - inner.left);
    const py = (y) => inner.bottom - Math.min(1.04, y / this.data.most) * (inner.bottom - inner.top);
    this.drawing.setAttribute("viewBox", `0 0 ${width} ${this.height}`);
    this.drawing.setAttribute("height", String(this.height));
    const parts = [];
    for (const y of this.data.ticks ?? [0, this.data.most / 2, this.data.most]) {
      parts.push(
        svg("path", { class: "plot-grid", d: `M${inner.left} ${py(y).toFixed(1)}H${inner.right}` }),
        svg(
          "text",
          { class: "plot-text", x: inner.left - 6, y: (py(y) + 4).toFixed(1), "text-anchor": "end" },
          this.unit(y),
        ),
      );
    }
    for (const x of this.#xTicks(inner.right - inner.left)) {
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
    for (const each of this.data.series)
      parts.push(svg("path", { class: each.className, d: path(each, px, py, inner.bottom) }));
    if (this.data.rule !== undefined)
      parts.push(
        svg("path", { class: "plot-rule", d: `M${inner.left} ${py(this.data.rule).toFixed(1)}H${inner.right}` }),
      );
    this.line = svg("path", { class: "plot-cursor", d: "" });
    this.drawing.replaceChildren(...parts, this.line);
    this.#mark();
  }

  #mark() {
    if (!this.line || !this.inner) return;
    const at = this.inner.left + (this.cursor ?? 0) * (this.inner.right - this.inner.left);
    this.line.setAttribute("d", this.cursor === null ? "" : `M${at.toFixed(1)} ${this.inner.top}V${this.inner.bottom}`);
  }

  #xTicks(room) {
    const [low, high] = this.data.span;
    if (!this.log) return [low, (low + high) / 2, high];
    const first = Math.ceil(Math.log10(low) - 1e-9);
    const last = Math.floor(Math.log10(high) + 1e-9);
    const skip = Math.max(1, Math.ceil((last - first + 1) / Math.max(2, Math.floor(room / 56))));
    const found = [];
    for (let power = first; power <= last; power += skip) found.push(10 ** power);
    return found.length ? found : [low, high];
  }
}

function path({ x, y, kind }, px, py, ground) {
  if (!x.length) return "";
  const points = [];
  x.forEach((value, index) => {
    if (y[index] === null || y[index] === undefined) return;
    if (kind === "steps" && points.length) points.push(`${px(value).toFixed(1)} ${py(y[index - 1]).toFixed(1)}`);
    points.push(`${px(value).toFixed(1)} ${py(y[index]).toFixed(1)}`);
  });
  const line = `M${points.join("L")}`;
  return kind === "area" ? `${line}L${px(x.at(-1)).toFixed(1)} ${ground}L${px(x[0]).toFixed(1)} ${ground}Z` : line;
}
