/** A chart of lines over the run: zoom, move, a cursor at the viewer's instant, a click that goes there. */

import { roundTop } from "../../kit/scales.js";
import { TEXT_SIZE } from "../../kit/type.js";
import { linePlace, lineScene } from "../../draw/scenes/line_scene.js";
import { text } from "../../draw/scenes/scene.js";
import { CanvasPicture } from "../../draw/scenes/canvas_picture.js";

export class OverTime {
  /** `tell(bin)` says what a bin holds. */
  constructor(place, desk, label, tell) {
    this.desk = desk;
    this.bins = null;
    this.lines = [];
    this.span = [0, 1];
    this.most = 1;
    this.over = null;
    const at = (x) => linePlace(this.bins, this.span, this.most, this.picture.width, this.picture.height).bin(x);
    this.picture = new CanvasPicture(place, label, {
      scene: (width, height) => this.#scene(width, height),
      hit: (x) => {
        const bin = this.bins ? at(x) : -1;
        return bin < 0 ? null : { kind: "bin", bin };
      },
      tell: (item) => tell(item.bin),
      pick: (item) => desk.studio.stage.seek((item.bin + 0.5) * this.bins.length),
      step: (item, dx) =>
        this.bins
          ? {
              kind: "bin",
              bin: Math.min(
                this.bins.count - 1,
                Math.max(0, (item?.bin ?? Math.floor(desk.t_ns / this.bins.length)) + dx),
              ),
            }
          : null,
      at: (item) => [
        linePlace(this.bins, this.span, this.most, this.picture.width, this.picture.height).x(
          (item.bin + 0.5) * this.bins.length,
        ),
        20,
      ],
      over: (item) => {
        this.over = item?.bin ?? null;
        this.draw();
      },
      zoom: (factor, x) => {
        if (!this.bins) return;
        const time = linePlace(this.bins, this.span, this.most, this.picture.width, this.picture.height).time(x);
        this.#keep(this.span.map((edge) => time + (edge - time) / factor));
      },
      pan: (dx) => {
        if (this.bins)
          this.#keep(this.span.map((edge) => edge - (dx / this.picture.width) * (this.span[1] - this.span[0])));
      },
      fit: () => {
        if (this.bins) this.span = [0, this.bins.end];
      },
    });
  }

  /** Other lines: [{values, role, label, ...}]; the window on time stays while the run is the same. */
  set(bins, lines) {
    if (bins !== this.bins) this.span = [0, bins?.end ?? 1];
    this.bins = bins;
    this.lines = lines;
    // What would be fair is in sight too, but never flattens what is: while few are there, a fair share may be
    // everything.
    const held = topOf(lines.filter((each) => !each.fair));
    this.most = roundTop(Math.max(held, Math.min(2 * held, topOf(lines))));
    this.over = null;
    this.draw();
  }

  draw() {
    this.picture.draw();
  }

  #keep(/** @type {number[]} */ [from, to]) {
    const length = Math.min(this.bins.end, Math.max(this.bins.length * 4, to - from));
    const start = Math.min(Math.max(0, from), this.bins.end - length);
    this.span = [start, start + length];
  }

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

  /** For exports, with a key of its own below: on the screen that is beside the chart. */
  exported(lines) {
    const { width, height } = this.picture;
    const named = lines.filter((each) => each.label);
    const each = Math.max(96, width / Math.max(1, named.length));
    const perRow = Math.max(1, Math.floor(width / each));
    const key = named.flatMap((one, place) => {
      const [x, y] = [16 + (place % perRow) * each, height + 16 + Math.floor(place / perRow) * 18];
      return [
        {
          kind: "line",
          points: [
            [x, y - 4],
            [x + 16, y - 4],
          ],
          stroke: one.role,
          width: one.width ?? 1.5,
          dash: one.dash,
        },
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

function topOf(lines) {
  return lines.reduce((most, each) => each.values.reduce((top, value) => Math.max(top, value), most), 0);
}
