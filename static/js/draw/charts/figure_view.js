/** A figure of the server's on a page: asked for when it comes near, zoomed, read, and saved. */

import { request } from "../../contract/api.js";
import { h, isDark, onTheme } from "../../kit/dom.js";
import { figureAddress, saveFigure } from "./figure_files.js";
import { wireFigureKeys } from "./figure_keys.js";
import { save } from "../../kit/saving.js";
import { loadPlotly } from "./plotly.js";
import { tickChanges } from "./ticks.js";
import { gettext } from "../../kit/words.js";

const NEAR = "600px";
const CONFIG = { displayModeBar: false, displaylogo: false, doubleClick: "reset", showTips: false, responsive: false };
const PAPER = ["width_mm", "height_mm"];

/** Whether a trace shows data: the scale of a heat map and guides do not. */
function hasMarks(/** @type {any} */ trace) {
  if (trace.meta?.scale || trace.meta?.guide) return false;
  return trace.z ? trace.z.flat().some((/** @type {unknown} */ value) => value !== null) : trace.x?.length > 0;
}

/**
 * @typedef {object} Options
 * @property {string} source path below the API, such as `/studies/…/figure`
 * @property {Record<string, any>} params what to draw
 * @property {string} name of saved files, without their ending
 * @property {string} [publish] address of the page that prepares the figure for print
 * @property {string} [sheet] path below the API of the sheet of paper that has the figure
 * @property {string} [title] what stands above it in place of the figure's own title
 * @property {string} [about] a sentence below that
 * @property {boolean} [caption] whether its caption stands below it
 * @property {boolean} [later] whether nothing is drawn before the first show()
 * @property {(opens: any) => void} [pick] what a click on a point does
 * @property {() => string} [empty] what stands there while there is nothing to draw
 * @property {() => void} [drawn] called after each drawing
 */

export class FigureView {
  /** @param {Options} options */
  constructor(options) {
    this.options = options;
    this.params = options.params;
    this.near = false;
    this.due = !options.later;
    this.asked = 0;
    this.title = h("h2", { class: "figure-title" }, options.title ?? "");
    this.plot = h("div", { class: "figure-plot", tabindex: 0, role: "group", "aria-roledescription": "figure" });
    this.note = h("p", { class: "figure-note" }, gettext("Loading…"));
    this.live = h("p", { class: "visually-hidden", "aria-live": "polite" });
    this.caption = h("figcaption", { class: "figure-caption", hidden: options.caption === false });
    this.element = h(
      "figure",
      { class: "figure" },
      this.title,
      options.about ? h("p", { class: "figure-about" }, options.about) : null,
      h("div", { class: "figure-place" }, this.plot, this.note),
      this.live,
      this.caption,
      this.#acts(),
    );
    this.#watch();
  }

  #acts() {
    this.reset = h(
      "button",
      { class: "link", type: "button", hidden: true, onclick: () => this.#reset() },
      gettext("Reset zoom"),
    );
    this.csv = h("a", { class: "link", download: `${this.options.name}.csv` }, gettext("CSV"));
    const file = (/** @type {"svg" | "png"} */ kind) =>
      h("button", { class: "link", type: "button", onclick: () => this.#save(kind) }, kind.toUpperCase());
    const cite = h("button", { class: "link", type: "button", onclick: () => this.#cite() }, gettext("BibTeX"));
    this.sheet = this.options.sheet
      ? h(
          "a",
          { class: "link", download: `${this.options.name}.html`, "data-sheet": true },
          gettext("Fact sheet (HTML)"),
        )
      : null;
    this.publish = this.options.publish ? h("a", { class: "link" }, gettext("PDF and print settings…")) : null;
    this.#links();
    return h(
      "p",
      { class: "figure-acts" },
      this.reset,
      this.csv,
      file("svg"),
      file("png"),
      cite,
      this.sheet,
      this.publish,
    );
  }

  #links() {
    if (this.csv) this.csv.href = `/api/v1${figureAddress(`${this.options.source}.csv`, this.params)}`;
    if (this.sheet) this.sheet.href = `/api/v1${figureAddress(this.options.sheet ?? "", this.params)}`;
    if (this.publish) this.publish.href = figureAddress(this.options.publish ?? "", this.params);
  }

  #watch() {
    new IntersectionObserver(
      (entries, observer) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        this.near = true;
        this.load();
      },
      { rootMargin: NEAR },
    ).observe(this.plot);
    onTheme(() => this.load());
    new ResizeObserver(() => this.#resize()).observe(this.plot);
    wireFigureKeys(this.plot, {
      data: () => /** @type {any} */ (this.plot).data ?? [],
      hover: (spot) => this.#hover(spot),
      say: (words) => {
        this.live.textContent = words;
      },
      pick: (opens) => this.options.pick?.(opens),
    });
  }

  /**
   * Draw something else from now on.
   * @param {Record<string, any>} params
   */
  show(params) {
    this.params = params;
    this.due = true;
    this.#links();
    this.load();
  }

  /** Ask for the figure and draw it; the newest answer counts. */
  async load() {
    if (!this.near || !this.due) return;
    this.asked += 1;
    const turn = this.asked;
    const theme = this.params.theme ?? (isDark() ? "dark" : "light");
    try {
      const [Plotly, found] = await Promise.all([
        loadPlotly(),
        request("GET", figureAddress(this.options.source, { ...this.params, theme })),
      ]);
      if (turn === this.asked) await this.#draw(Plotly, found);
    } catch (caught) {
      const error = /** @type {import("../../contract/api.js").ApiError} */ (caught);
      if (turn !== this.asked) return;
      this.note.textContent = error.problems?.[0]?.message
        ? `${error.message}: ${error.problems[0].message}.`
        : error.message;
      this.note.hidden = false;
    }
  }

  async #draw(/** @type {any} */ Plotly, /** @type {any} */ found) {
    this.Plotly = Plotly;
    this.found = found;
    // Plotly changes what it is given.
    const { data, layout } = structuredClone(found.figure);
    const onPaper = PAPER.some((name) => this.params[name]);
    // A page has the title as text of its own.
    const own = onPaper ? layout : { ...layout, title: undefined, margin: { ...layout.margin, t: 8 } };
    const touch = matchMedia("(pointer: coarse)").matches;
    const empty = !data.some(hasMarks);
    this.note.hidden = !empty;
    this.note.textContent = this.options.empty?.() ?? gettext("There is nothing to draw yet.");
    this.title.textContent = this.options.title ?? found.title;
    this.caption.textContent = found.caption;
    this.plot.setAttribute("aria-label", gettext("{title}. Arrow keys read the values.", { title: found.title }));
    await Plotly.react(
      this.plot,
      data,
      { ...own, dragmode: touch ? false : "zoom", uirevision: JSON.stringify(this.params) },
      CONFIG,
    );
    this.#listen();
    await this.#retick();
    this.element.dataset.drawn = String(Number(this.element.dataset.drawn ?? 0) + 1);
    this.options.drawn?.();
  }

  #listen() {
    if (this.listening) return;
    this.listening = true;
    const plot = /** @type {any} */ (this.plot);
    plot.on("plotly_relayout", (/** @type {Record<string, unknown>} */ changes) => {
      if (Object.keys(changes).some((name) => /axis\.(range|autorange)/.test(name))) this.#retick();
    });
    plot.on("plotly_click", (/** @type {{points: any[]}} */ { points }) => {
      if (points[0]?.customdata !== undefined && points[0].customdata !== null)
        this.options.pick?.(points[0].customdata);
    });
    plot.on("plotly_hover", (/** @type {{points: any[]}} */ { points }) => {
      plot.classList.toggle("is-pickable", Boolean(this.options.pick) && points[0]?.customdata !== undefined);
    });
  }

  /** Ticks for what is in sight, and a way back where not all is. */
  async #retick() {
    const layout = /** @type {any} */ (this.plot)._fullLayout;
    const changes = tickChanges(layout.meta?.ticks ?? {}, layout);
    const first = this.found.figure.layout;
    const whole = ["xaxis", "yaxis"].every((name) =>
      layout[name].range.every(
        (/** @type {number} */ end, /** @type {number} */ at) => Math.abs(end - first[name].range[at]) < 1e-9,
      ),
    );
    if (this.reset) this.reset.hidden = whole;
    if (Object.keys(changes).length) await this.Plotly.relayout(this.plot, changes);
  }

  #reset() {
    const { xaxis, yaxis } = this.found.figure.layout;
    this.Plotly.relayout(this.plot, { "xaxis.range": [...xaxis.range], "yaxis.range": [...yaxis.range] });
  }

  async #resize() {
    if (!this.found || PAPER.some((name) => this.params[name]) || !this.plot.offsetWidth) return;
    await this.Plotly.Plots.resize(this.plot);
    await this.#retick();
  }

  #hover(/** @type {any} */ spot) {
    if (!this.Plotly || !this.found) return;
    if (spot) this.Plotly.Fx.hover(this.plot, [{ curveNumber: spot.curve, pointNumber: spot.point }]);
    else this.Plotly.Fx.unhover(this.plot);
  }

  #cite() {
    if (this.found) save(`${this.options.name}.bib`, new Blob([this.found.bibtex], { type: "text/x-bibtex" }));
  }

  async #save(/** @type {"svg" | "png"} */ kind) {
    try {
      await saveFigure(this.options.source, this.params, kind, this.options.name);
    } catch (error) {
      this.note.textContent = /** @type {Error} */ (error).message;
      this.note.hidden = false;
    }
  }
}
