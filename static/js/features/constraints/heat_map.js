/** Supply by cluster: a row per cluster, a column per constraint; a darker cell means that more machines offer it. */

import { percent } from "../../kit/format.js";
import { isDark, onTheme, part, token } from "../../kit/dom.js";
import { html, made, signal } from "../../kit/view.js";
import { css, levelShade } from "../../kit/palette.js";
import { AXIS_SIZE, FONT } from "../../kit/type.js";
import { gettext } from "../../kit/words.js";
import { clusterName } from "../../kit/names.js";

/** @import { ClusterSupply } from "./constraint_picture.js" */

/** @type {Record<string, number[]>} */
const STEPS = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };
const ROW_PX = 14;
const NAME_PX = 64;
const SHOWN = 200;

export class HeatMap {
  constructor() {
    const words = signal("");
    /** @type {HTMLElement} */
    this.element = made(
      () => html`
        <div class="heat-place"
          ><canvas class="heat" tabindex="0" role="img"></canvas
          ><p class="visually-hidden" aria-live="polite">${words.value}</p></div
        >`,
    );
    /** @type {HTMLCanvasElement} */
    this.canvas = part("canvas", this.element);
    /** @type {ClusterSupply[]} */
    this.clusters = [];
    /** @type {string[]} */
    this.names = [];
    this.wide = 0;
    /** @type {[row: number, column: number] | null} */
    this.at = null;
    /** @type {{dark: boolean, ink: string, muted: string} | null} */
    this.colours = null;
    onTheme(() => {
      this.colours = null;
      this.draw();
    });
    new ResizeObserver(() => this.draw()).observe(this.element);
    this.canvas.addEventListener("pointermove", (event) => {
      const box = this.canvas.getBoundingClientRect();
      const cell = this.#cell(event.clientX - box.left, event.clientY - box.top);
      this.canvas.dataset.tip = cell ? this.sentence(...cell) : "";
    });
    this.canvas.addEventListener("keydown", (event) => {
      const step = STEPS[event.key];
      if (!step || !this.clusters.length) return;
      event.preventDefault();
      event.stopPropagation();
      const [row, column] = this.at ?? [0, -1];
      this.at = [
        Math.min(this.clusters.length - 1, Math.max(0, row + step[0])),
        Math.min(this.names.length - 1, Math.max(0, column + step[1])),
      ];
      words.value = this.sentence(...this.at);
      this.canvas.dataset.tip = words.value;
      this.draw();
    });
    this.canvas.addEventListener("blur", () => {
      this.at = null;
      this.draw();
    });
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  #cell(x, y) {
    if (!this.clusters.length || x < NAME_PX) return null;
    const row = Math.floor(y / ROW_PX);
    const column = Math.floor((x - NAME_PX) / this.wide);
    return row < this.clusters.length && column < this.names.length
      ? /** @type {[number, number]} */ ([row, column])
      : null;
  }

  /**
   * @param {number} row
   * @param {number} column
   */
  sentence(row, column) {
    return gettext("{share} of the machines of {cluster} offer {constraint}.", {
      share: percent(this.clusters[row].supply[column]),
      cluster: clusterName(this.clusters[row].name),
      constraint: this.names[column],
    });
  }

  /**
   * @param {ClusterSupply[]} clusters
   * @param {string[]} names
   */
  set(clusters, names) {
    this.clusters = clusters.slice(0, SHOWN);
    this.names = names;
    this.canvas.setAttribute(
      "aria-label",
      gettext("Supply by cluster: {clusters} clusters, {names} constraints. Arrow keys go from cell to cell.", {
        clusters: clusters.length,
        names: names.length,
      }),
    );
    this.draw();
  }

  draw() {
    const width = this.element.clientWidth;
    if (!this.clusters.length || width < 40) return;
    const scale = window.devicePixelRatio || 1;
    const height = this.clusters.length * ROW_PX;
    this.wide = (width - NAME_PX) / this.names.length;
    this.canvas.width = width * scale;
    this.canvas.height = height * scale;
    this.canvas.style.height = `${height}px`;
    const pen = this.canvas.getContext("2d");
    if (!pen) return;
    pen.scale(scale, scale);
    // Reading a computed color forces layout, so colors are read once per theme.
    this.colours ??= { dark: isDark(), ink: token("ink"), muted: token("muted") };
    const { dark, ink, muted } = this.colours;
    pen.font = `${AXIS_SIZE}px ${FONT}`;
    pen.textBaseline = "middle";
    this.clusters.forEach((cluster, row) => {
      pen.fillStyle = muted;
      pen.fillText((clusterName(cluster.name) ?? "").slice(0, 10), 0, row * ROW_PX + ROW_PX / 2);
      cluster.supply.forEach((share, column) => {
        const x = NAME_PX + column * this.wide;
        pen.fillStyle = css(levelShade(share, dark));
        pen.fillRect(x, row * ROW_PX, Math.max(1, this.wide - 1), ROW_PX - 1);
        // A supply of zero is a line, not a shade.
        if (share === 0) {
          pen.fillStyle = ink;
          pen.fillRect(x + 2, row * ROW_PX + ROW_PX / 2 - 1, Math.max(1, this.wide - 5), 1.5);
        }
      });
    });
    if (this.at) {
      pen.strokeStyle = ink;
      pen.lineWidth = 2;
      pen.strokeRect(NAME_PX + this.at[1] * this.wide, this.at[0] * ROW_PX, this.wide - 1, ROW_PX - 1);
    }
  }
}
