/** A figure from the server on a page: loaded when it comes near the viewport, zoomed, read, and saved. */

import { request } from "../../contract/api.js";
import { isDark, onTheme } from "../../kit/dom.js";
import { figureAddress, saveFigure } from "./figure_files.js";
import { wireFigureKeys } from "./figure_keys.js";
import { save } from "../../kit/saving.js";
import { loadPlotly } from "./plotly.js";
import { tickChanges } from "./ticks.js";
import { element, html, nothing, signal } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Plotly } from "./plotly.js"
 * @import { Trace } from "./figure_keys.js"
 * @import { Axis, Level } from "./ticks.js"
 */

const NEAR = "600px";
const CONFIG = { displayModeBar: false, displaylogo: false, doubleClick: "reset", showTips: false, responsive: false };
const PAPER = ["width_mm", "height_mm"];

/** Return true if a trace shows data; a heat map's scale and guide lines do not. */
function hasMarks(/** @type {Trace} */ trace) {
  if (trace.meta?.scale || trace.meta?.guide) return false;
  return trace.z ? trace.z.flat().some((value) => value !== null) : (trace.x?.length ?? 0) > 0;
}

/**
 * @typedef {Record<"xaxis" | "yaxis", Axis & {range: number[]}> & {width: number, height: number, margin?: object,
 *   title?: unknown, meta?: {ticks?: Record<string, Level[]>}}} Layout
 * @typedef {{figure: {data: Trace[], layout: Layout}, title: string, caption: string, bibtex: string}} Found  the
 *   server's answer
 * @typedef {object} Drawn  what plotly.js adds to its element
 * @property {Trace[]} data
 * @property {Layout} _fullLayout
 * @property {{(event: "plotly_relayout", act: (changes: Record<string, unknown>) => void): void,
 *   (event: "plotly_click" | "plotly_hover", act: (told: {points: {customdata?: unknown}[]}) => void): void}} on
 */

/**
 * @typedef {object} Options
 * @property {string} source path below the API, such as `/studies/…/figure`
 * @property {Record<string, unknown>} params what to draw
 * @property {string} name the name of saved files, without extension
 * @property {string} [publish] address of the page that prepares the figure for print
 * @property {string} [sheet] path below the API of the printable sheet with the figure
 * @property {string} [title] title above the figure, instead of its own
 * @property {string} [about] a sentence below the title
 * @property {boolean} [caption] true if the caption appears below the figure
 * @property {boolean} [later] true if nothing is drawn before the first show()
 * @property {(opens: unknown) => void} [pick] called on a click on a point
 * @property {() => string} [empty] returns the text shown while there is nothing to draw
 * @property {() => void} [drawn] called after each drawing
 */

export class FigureView {
  /** @param {Options} options */
  constructor(options) {
    this.options = options;
    this.state = {
      params: signal(options.params),
      /** The title and caption of the figure on screen. */
      told: signal({ title: options.title ?? "", caption: "" }),
      /** The text shown instead of the drawing; "" if there is a drawing. */
      note: signal(gettext("Loading…")),
      /** The screen reader's text for the point under the keyboard. */
      said: signal(""),
      zoomed: signal(false),
    };
    this.near = false;
    this.due = !options.later;
    this.asked = 0;
    // Plotly fills this element.
    this.plot = document.createElement("div");
    this.plot.className = "figure-plot";
    this.plot.tabIndex = 0;
    this.plot.role = "group";
    this.plot.setAttribute("aria-roledescription", "figure");
    this.element = element("figure", "figure", () => this.#view());
    this.#watch();
  }

  /** The figure's parameters. Effects that read them here do not rerun when they change. */
  get params() {
    return this.state.params.peek();
  }
  set params(params) {
    this.state.params.value = params;
  }

  #view() {
    const { told, note, said } = this.state;
    const { about, caption } = this.options;
    return html`<h2 class="figure-title">${told.value.title}</h2>
      ${about ? html`<p class="figure-about">${about}</p>` : nothing}
      <div class="figure-place">
        ${this.plot}
        <p class="figure-note" ?hidden=${!note.value}>${note.value}</p>
      </div>
      <p class="visually-hidden" aria-live="polite">${said.value}</p>
      <figcaption class="figure-caption" ?hidden=${caption === false}>${told.value.caption}</figcaption>
      ${this.#actsView()}`;
  }

  #actsView() {
    const { name, source, sheet, publish } = this.options;
    const params = this.state.params.value;
    const button = (
      /** @type {string} */ does,
      /** @type {string} */ words,
      /** @type {() => void} */ act,
      hidden = false,
    ) => html`<button class="link" type="button" data-does=${does} ?hidden=${hidden} @click=${act}>${words}</button>`;
    const csv = `/api/v1${figureAddress(`${source}.csv`, params)}`;
    const fact = sheet
      ? html`<a
          class="link"
          download=${`${name}.html`}
          data-sheet
          href=${`/api/v1${figureAddress(sheet, params)}`}
          >${gettext("Fact sheet (HTML)")}</a
        >`
      : nothing;
    const print = publish
      ? html`<a class="link" href=${figureAddress(publish, params)}>${gettext("PDF and print settings…")}</a>`
      : nothing;
    return html`<p class="figure-acts">
      ${button("reset", gettext("Reset zoom"), () => this.#reset(), !this.state.zoomed.value)}
      <a class="link" data-csv download=${`${name}.csv`} href=${csv}>${gettext("CSV")}</a>
      ${button("svg", "SVG", () => this.#save("svg"))} ${button("png", "PNG", () => this.#save("png"))}
      ${button("bibtex", gettext("BibTeX"), () => this.#cite())} ${fact} ${print}
    </p>`;
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
      data: () => /** @type {Partial<Drawn>} */ (this.plot).data ?? [],
      hover: (spot) => this.#hover(spot),
      say: (words) => {
        this.state.said.value = words;
      },
      pick: (opens) => this.options.pick?.(opens),
    });
  }

  /**
   * Show other parameters.
   * @param {Record<string, unknown>} params
   */
  show(params) {
    this.params = params;
    this.due = true;
    this.load();
  }

  /** Fetch the figure and draw it; only the newest answer counts. */
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
      this.state.note.value = error.problems?.[0]?.message
        ? `${error.message}: ${error.problems[0].message}.`
        : error.message;
    }
  }

  async #draw(/** @type {Plotly} */ Plotly, /** @type {Found} */ found) {
    this.Plotly = Plotly;
    this.found = found;
    // Plotly mutates its arguments.
    const { data, layout } = structuredClone(found.figure);
    const onPaper = PAPER.some((name) => this.params[name]);
    // On a page the title is text outside the figure.
    const own = onPaper ? layout : { ...layout, title: undefined, margin: { ...layout.margin, t: 8 } };
    const touch = matchMedia("(pointer: coarse)").matches;
    const nothingYet = this.options.empty?.() ?? gettext("There is nothing to draw yet.");
    this.state.note.value = data.some(hasMarks) ? "" : nothingYet;
    this.state.told.value = { title: this.options.title ?? found.title, caption: found.caption };
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
    const plot = /** @type {HTMLDivElement & Drawn} */ (this.plot);
    plot.on("plotly_relayout", (changes) => {
      if (Object.keys(changes).some((name) => /axis\.(range|autorange)/.test(name))) this.#retick();
    });
    plot.on("plotly_click", ({ points }) => {
      if (points[0]?.customdata !== undefined && points[0].customdata !== null)
        this.options.pick?.(points[0].customdata);
    });
    plot.on("plotly_hover", ({ points }) => {
      plot.classList.toggle("is-pickable", Boolean(this.options.pick) && points[0]?.customdata !== undefined);
    });
  }

  /** Update the ticks for the visible range, and the reset button if the figure is zoomed. */
  async #retick() {
    const { Plotly, found } = this;
    if (!Plotly || !found) return;
    const layout = /** @type {HTMLDivElement & Drawn} */ (this.plot)._fullLayout;
    const changes = tickChanges(layout.meta?.ticks ?? {}, /** @type {Record<"xaxis" | "yaxis", Axis>} */ (layout));
    const first = found.figure.layout;
    const whole = /** @type {const} */ (["xaxis", "yaxis"]).every((name) =>
      layout[name].range.every((end, at) => Math.abs(end - first[name].range[at]) < 1e-9),
    );
    this.state.zoomed.value = !whole;
    if (Object.keys(changes).length) await Plotly.relayout(this.plot, changes);
  }

  #reset() {
    if (!this.found) return;
    const { xaxis, yaxis } = this.found.figure.layout;
    this.Plotly?.relayout(this.plot, { "xaxis.range": [...xaxis.range], "yaxis.range": [...yaxis.range] });
  }

  async #resize() {
    if (!this.found || PAPER.some((name) => this.params[name]) || !this.plot.offsetWidth) return;
    await this.Plotly?.Plots.resize(this.plot);
    await this.#retick();
  }

  #hover(/** @type {import("./figure_keys.js").Spot | null} */ spot) {
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
      this.state.note.value = /** @type {Error} */ (error).message;
    }
  }
}
