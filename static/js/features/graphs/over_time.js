/** A chart of lines over the run: zoom, pan, a cursor at the current instant, and seeking by click. */

import { roundTop } from "../../kit/scales.js";
import { TEXT_SIZE } from "../../kit/type.js";
import { linePlace, lineScene } from "../../draw/scenes/line_scene.js";
import { line, text } from "../../draw/scenes/scene.js";
import { CanvasPicture } from "../../draw/scenes/canvas_picture.js";
import { isDark, onTheme } from "../../kit/dom.js";
import { ownerColour } from "../../kit/palette.js";
import { classMap, html, nothing, signal } from "../../kit/view.js";

/**
 * @import { Role } from "../../draw/scenes/scene.js"
 * @import { Desk } from "./desk.js"
 * @import { Bins } from "./job_shares.js"
 */

/**
 * @typedef {object} Line
 * @property {string} label  empty for a line without an entry in the key
 * @property {Float64Array | number[]} values  by bin
 * @property {Role} role  the line's color
 * @property {number[]} [dash]
 * @property {number} [width]
 * @property {Role} [fill]
 * @property {number} [alpha]
 * @property {boolean} [fair]  true if it shows a fair share
 * @property {number} [job]
 * @property {string} [help]
 */

export class OverTime {
  /**
   * `tell(bin)` returns the text of a bin.
   * @param {HTMLElement} place
   * @param {Desk} desk
   * @param {string} label
   * @param {(bin: number) => string} tell
   */
  constructor(place, desk, label, tell) {
    this.desk = desk;
    /** @type {Bins | null} */
    this.bins = null;
    /** @type {Line[]} */
    this.lines = [];
    this.span = [0, 1];
    this.most = 1;
    this.over = null;
    const where = (/** @type {Bins} */ bins) =>
      linePlace(bins, this.span, this.most, this.picture.width, this.picture.height);
    /** @type {CanvasPicture<{bin: number}>} */
    this.picture = new CanvasPicture(place, label, {
      scene: (/** @type {number} */ width, /** @type {number} */ height) => this.#scene(width, height),
      hit: (/** @type {number} */ x) => {
        const bin = this.bins ? where(this.bins).bin(x) : -1;
        return bin < 0 ? null : { kind: "bin", bin };
      },
      tell: (/** @type {{bin: number}} */ item) => tell(item.bin),
      pick: (/** @type {{bin: number}} */ item) => desk.studio.stage.seek((item.bin + 0.5) * (this.bins?.length ?? 0)),
      step: (/** @type {{bin: number} | null} */ item, /** @type {number} */ dx) =>
        this.bins
          ? {
              kind: "bin",
              bin: Math.min(
                this.bins.count - 1,
                Math.max(0, (item?.bin ?? Math.floor(desk.t_ns / this.bins.length)) + dx),
              ),
            }
          : null,
      at: (/** @type {{bin: number}} */ item) => [
        this.bins ? where(this.bins).x((item.bin + 0.5) * this.bins.length) : 0,
        20,
      ],
      over: (/** @type {{bin: number} | null} */ item) => {
        this.over = item?.bin ?? null;
        this.draw();
      },
      zoom: (/** @type {number} */ factor, /** @type {number} */ x) => {
        if (!this.bins) return;
        const time = where(this.bins).time(x);
        this.#keep(this.span.map((edge) => time + (edge - time) / factor));
      },
      pan: (/** @type {number} */ dx) => {
        if (this.bins)
          this.#keep(this.span.map((edge) => edge - (dx / this.picture.width) * (this.span[1] - this.span[0])));
      },
      fit: () => {
        if (this.bins) this.span = [0, this.bins.end];
      },
    });
  }

  /**
   * Set the lines: [{values, role, label, ...}]; the visible span stays while the run is the same.
   * @param {Bins | null} bins
   * @param {Line[]} lines
   */
  set(bins, lines) {
    if (bins !== this.bins) this.span = [0, bins?.end ?? 1];
    this.bins = bins;
    this.lines = lines;
    // Fair shares must fit too, but must not flatten the other lines: with few jobs, a fair share may be everything.
    const held = topOf(lines.filter((each) => !each.fair));
    this.most = roundTop(Math.max(held, Math.min(2 * held, topOf(lines))));
    this.over = null;
    this.draw();
  }

  draw() {
    this.picture.draw();
  }

  #keep(/** @type {number[]} */ [from, to]) {
    const { bins } = this;
    if (!bins) return;
    const length = Math.min(bins.end, Math.max(bins.length * 4, to - from));
    const start = Math.min(Math.max(0, from), bins.end - length);
    this.span = [start, start + length];
  }

  /**
   * @param {number} width
   * @param {number} height
   */
  #scene(width, height) {
    if (!this.bins) return [];
    return lineScene(this.bins, this.lines, {
      span: this.span,
      most: this.most,
      width,
      height,
      cursor: this.desk.t_ns,
      over: this.over,
    });
  }

  /**
   * Return the picture for exports, with a key below it; on screen the key is beside the chart.
   * @param {Line[]} lines
   */
  exported(lines) {
    const { width, height } = this.picture;
    const named = lines.filter((each) => each.label);
    const each = Math.max(96, width / Math.max(1, named.length));
    const perRow = Math.max(1, Math.floor(width / each));
    const key = named.flatMap((one, place) => {
      const [x, y] = [16 + (place % perRow) * each, height + 16 + Math.floor(place / perRow) * 18];
      return [
        line(
          [
            [x, y - 4],
            [x + 16, y - 4],
          ],
          one.role,
          { width: one.width ?? 1.5, dash: one.dash },
        ),
        text(x + 22, y, one.label, "ink", { size: TEXT_SIZE }),
      ];
    });
    return {
      marks: [...this.picture.scene(), ...key],
      width,
      height: height + 24 + 18 * Math.ceil(named.length / perRow),
    };
  }
}

const dark = signal(isDark());
onTheme(() => {
  dark.value = isDark();
});

/**
 * Return a line of the key, drawn as in the chart.
 * @param {Pick<Line, "role" | "dash" | "width">} line
 */
export function swatchView({ role, dash, width }) {
  const hue = Array.isArray(role) ? Number(role[0]) : null;
  return html`<i
    class=${classMap({ "line-swatch": true, "is-dashed": Boolean(dash), "is-strong": width === 3 })}
    data-role=${hue === null ? role : nothing}
    data-hue=${hue ?? nothing}
    .style=${hue === null ? "" : `border-top-color: ${ownerColour(hue, dark.value)}`}
  ></i>`;
}

/** @param {Line[]} lines */
function topOf(lines) {
  let top = 0;
  for (const { values } of lines) for (const value of values) if (value > top) top = value;
  return top;
}
