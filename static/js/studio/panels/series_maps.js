/**
 * A group of a scheduler's series as a heat map over time, with a band while a switch is on, as `maps` in the metadata
 * declares.
 */

import { clock, three } from "../../kit/format.js";
import { heatPlace, heatRows, heatScene, heatTop, valueAt } from "../../draw/scenes/heat_scene.js";
import { css, levelShade } from "../../kit/palette.js";
import { CanvasPicture } from "../../draw/scenes/canvas_picture.js";
import { isDark, onTheme, part } from "../../kit/dom.js";
import { gettext, midSentence } from "../../kit/words.js";
import { panelOf } from "../panel.js";
import { html, made, nothing, signal, watch } from "../../kit/view.js";

/**
 * @import { Meta, SeriesMapMeta } from "../../contract/contract"
 * @import { Studio } from "../store.js"
 */

/**
 * @typedef {{name: string, label: string}} MapRow  a series, without the labels' common prefix
 * @typedef {{row: number, t_ns: number}} Spot  the item under the pointer
 */

const ROW = 18;

/**
 * @param {string} look
 * @param {string} label
 */
const signView = (look, label) =>
  html`<span class="legend-item"><i class=${look} aria-hidden="true"></i>${label}</span>`;

/** One map: its picture and its key. */
class SeriesMapView {
  #isDark = signal(isDark());
  /** The value at the dark end of the key. */
  #top = signal("");

  /**
   * @param {Studio} studio
   * @param {SeriesMapMeta} map
   * @param {MapRow[]} rows
   */
  constructor(studio, map, rows) {
    this.studio = studio;
    this.map = map;
    this.rows = rows;
    this.element = made(() => this.#view());
    onTheme(() => {
      this.#isDark.value = isDark();
    });
    const plan = () => heatPlace(rows, this.end, this.picture.width, this.picture.height, Boolean(map.switch));
    /** @type {CanvasPicture<Spot>} */
    this.picture = new CanvasPicture(
      part(".heat-place", this.element),
      gettext("{label} over time. Arrow keys go through rows and time, Enter goes to that instant.", {
        label: map.label,
      }),
      {
        scene: (/** @type {number} */ width, /** @type {number} */ height) => this.scene(width, height),
        hit: (/** @type {number} */ x, /** @type {number} */ y) => {
          const at = plan();
          return x < at.left || y < at.top ? null : { row: at.row(y), t_ns: at.time(x) };
        },
        tell: (/** @type {Spot} */ item) => this.#tell(item),
        pick: (/** @type {Spot} */ item) => studio.stage.seek(item.t_ns),
        step: (/** @type {Spot | null} */ item, /** @type {number} */ dx, /** @type {number} */ dy) => ({
          row: Math.min(rows.length - 1, Math.max(0, (item?.row ?? 0) + dy)),
          t_ns: Math.min(this.end, Math.max(0, (item?.t_ns ?? studio.stage.player.t_ns) + (dx * this.end) / 60)),
        }),
        at: (/** @type {Spot} */ item) => {
          const at = plan();
          return [at.x(item.t_ns), at.top + (item.row + 0.5) * at.high];
        },
      },
    );
  }

  get store() {
    return this.studio.stage.player.store;
  }
  get end() {
    return Math.max(1, this.store.endNs, this.store.complete ? 0 : this.studio.stage.player.expectedEndNs);
  }

  #view() {
    const { map, rows, studio } = this;
    const on = studio.meta.value?.series.find((each) => each.name === map.switch);
    const height = rows.length * ROW + (map.switch ? 11 : 0);
    const shades = [0, 0.25, 0.5, 0.75, 1].map((value) => css(levelShade(value, this.#isDark.value)));
    return html`
      <figure class="heat" data-map=${map.name}>
        <div class="heat-place" .style=${`height: ${height}px`}></div>
        <figcaption class="heat-key"
          ><span class="legend-item" data-tip=${map.help}
            ><span class="legend-end">0</span
            ><span class="legend-ramp" aria-hidden="true"
              >${shades.map((shade) => html`<i .style=${`background: ${shade}`}></i>`)}</span
            ><span class="legend-end">${this.#top.value}</span></span
          >${map.threshold > 0 ? signView("heat-over", gettext("{most} or more", { most: map.threshold })) : nothing}${
            on ? signView("heat-on", on.label) : nothing
          }</figcaption
        >
      </figure>`;
  }

  #tell(/** @type {Spot} */ { row, t_ns }) {
    const value = valueAt(this.store.series[this.rows[row].name], t_ns);
    const on = this.map.switch ? (valueAt(this.store.series[this.map.switch], t_ns) ?? 0) > 0 : false;
    const label = midSentence(
      this.studio.meta.value?.series.find((each) => each.name === this.map.switch)?.label ?? "",
    );
    return gettext("{label} at {time}: {value}{place}.", {
      label: this.rows[row].label,
      time: clock(t_ns, this.store.endNs),
      value: value === null || t_ns > this.store.endNs ? gettext("not known yet") : three(value),
      place: on ? `; ${label}` : "",
    });
  }

  /**
   * @param {number} width
   * @param {number} height
   */
  scene(width, height) {
    const { series } = this.store;
    const most = heatTop(this.rows, series, this.map);
    this.#top.value = three(most);
    return heatScene(this.rows, series, this.map, {
      width,
      height,
      end_ns: this.end,
      known_ns: this.store.endNs,
      cursor_ns: this.studio.stage.player.t_ns,
      most,
    });
  }

  draw() {
    this.picture.draw();
    this.picture.retell();
  }
}

export default {
  id: "maps",
  place: "right",
  title: gettext("Over time"),
  question: "",
  mount(/** @type {HTMLElement} */ body, /** @type {Studio} */ studio) {
    const panel = panelOf(body);
    const question = part(".panel-question", panel);
    /** @type {SeriesMapView[]} */
    let views = [];
    let drawnAt = 0;
    const draw = () => {
      drawnAt = studio.stage.player.store.count;
      for (const view of views) view.draw();
    };
    panel.hidden = true;
    const describe = (/** @type {Meta} */ meta) => {
      const maps = (meta.maps ?? [])
        .map((map) => ({ map, rows: heatRows(meta, map) }))
        .filter(({ rows }) => rows.length);
      panel.hidden = !maps.length;
      if (maps.length) {
        part(".panel-title", panel).textContent = maps[0].map.label;
        question.textContent = question.title = maps[0].map.question;
      }
      views = maps.map(({ map, rows }) => new SeriesMapView(studio, map, rows));
      body.replaceChildren(...views.map((view) => view.element));
    };
    watch(
      () => studio.meta.value,
      (meta) => meta && describe(meta),
    );
    watch(() => studio.figures.value, draw);
    // A running run grows while playback is paused.
    watch(
      () => studio.news.value,
      (news) => {
        const session = studio.session.value;
        if (session && news?.session === session && session.store.count !== drawnAt) draw();
      },
    );
  },
};
