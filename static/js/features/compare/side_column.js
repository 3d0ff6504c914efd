/** One of the runs side by side: its name, its map, and the run that it follows. */

import { outline } from "../../experiment/experiment.js";
import { besideWords } from "../../run/cutoff.js";
import { ApiError, isAway, startRun } from "../../contract/api.js";
import { stateWords } from "../../run/run_words.js";
import { RunSession } from "../../run/run_session.js";
import { onTheme, part } from "../../kit/dom.js";
import { html, made, nothing, signal } from "../../kit/view.js";
import { drawLegend } from "../../draw/stage/legend.js";
import { MapView } from "../../draw/map/map.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Run } from "../../contract/api.js"
 * @import { Meta } from "../../contract/contract"
 * @import { Experiment, Stored } from "../../experiment/experiment.js"
 * @import { FrameStore, Picture } from "../../run/frames.js"
 * @import { ShownMeta } from "../../studio/store.js"
 */

/**
 * The compare page as its parts use it.
 * @typedef {object} ComparePage
 * @property {Record<string, string>} labels  scheduler labels by name
 * @property {SideColumn[]} columns
 * @property {SideColumn[]} two  the two compared runs
 * @property {string[]} names
 * @property {number} reference  the index of the baseline
 * @property {boolean} [stale]  true if something changed
 * @property {import("../../run/player.js").Player<import("./together.js").Together>} player
 * @property {number} end
 * @property {[number, number] | null} span  the visible span of the time chart; null shows all of it
 * @property {import("../../contract/contract").SeriesMeta | null} series
 * @property {(import("../../run/frames.js").Histogram | null)[]} [hists]
 * @property {number | null} overNs
 * @property {import("../../draw/scenes/canvas_picture.js").CanvasPicture<{ns: number}>} cdf
 * @property {import("../../draw/scenes/canvas_picture.js").CanvasPicture<{ns: number}>} time
 * @property {MapView | null} differenceMap
 * @property {string} [differenceKey]
 * @property {boolean} differs
 * @property {import("./compared.js").Difference | null} [subtracted]
 * @property {boolean} [linking]
 * @property {string} [pairKey]
 * @property {(() => string) | null} [pairTold]
 * @property {(two: [string, string]) => void} showPairs
 * @property {(machine: number, x: number, y: number) => void} point
 * @property {(from: {map: MapView, drawn: ShownMeta | null}) => void} moved
 * @property {(machine: number) => void} say
 * @property {() => void} named
 * @property {() => void} regroup
 */

export class SideColumn {
  #called = signal({ title: "", colour: "", isDashed: false });
  /** The text above the map. */
  #said = signal({ words: "", isAside: false });
  /** The run's progress. */
  #facts = signal("");
  #runId = signal("");
  /** What to say of a cut-off that does not separate the work. */
  #cutoff = signal("");

  /**
   * `page`: labels of schedulers, point(machine, x, y), moved(column), say(machine), named(), regroup(); `stale` is set
   * after a change.
   */
  constructor(
    /** @type {HTMLElement} */ place,
    /** @type {{run: Run | null, experiment: Stored}} */ { run, experiment },
    /** @type {number} */ at,
    /** @type {ComparePage} */ page,
  ) {
    this.at = at;
    this.page = page;
    /** The run; without an id while it waits for a place. @type {Pick<Run, "id" | "seed" | "recording">} */
    this.run = run ?? { id: "", seed: experiment.experiment?.seed ?? 0, recording: "none" };
    this.isWaiting = run === null;
    /** @type {Experiment} */
    this.experiment = experiment.experiment ?? {};
    this.experimentId = experiment.id;
    this.#runId.value = this.run.id;
    this.shown = -1;
    /** @type {Meta | null} */
    this.meta = null;
    /** @type {Picture | null} */
    this.picture = null;
    /** @type {FrameStore | null} */
    this.followed = null;
    /** The metadata that the map shows. @type {ShownMeta | null} */
    this.drawn = null;
    this.changed = false;
    this.seed = this.run.seed;
    this.label = page.labels[this.experiment.scheduler?.name] ?? this.experiment.scheduler?.name ?? gettext("Run");
    this.legend = document.createElement("div");
    this.legend.className = "legend";
    this.legend.dataset.legend = "";
    this.element = made(() => this.#view());
    place.append(this.element);
    this.map = new MapView(
      part(".side-map", this.element),
      {
        point: (machine, x, y) => page.point(machine, x, y),
        moved: () => page.moved(this),
        focus: (machine) => page.say(machine),
        pin: () => {},
      },
      { wheel: "ctrl" },
    );
    this.filter = { chosen: new Set(), all: false };
    onTheme(() => this.#drawLegend());
    this.setMeta(outline(this.experiment, false));
    this.session = new RunSession(this.experiment, experiment.id);
    for (const name of ["frame", "meta"]) this.session.addEventListener(name, () => this.#grew());
    this.session.addEventListener("state", () => this.#told());
    this.#told();
    if (run) this.#follow(run);
  }

  #follow(/** @type {Run} */ run) {
    if (run.recording === "removed")
      this.#say(gettext("The recording of this run was deleted to make room. Run it again in the studio."));
    else this.session.follow(run);
  }

  /** Follow the run that was started for this column. */
  begin(/** @type {Run} */ run) {
    this.isWaiting = false;
    this.run = run;
    this.seed = run.seed;
    this.#runId.value = run.id;
    this.page.named();
    this.#follow(run);
  }

  /** Show why no run was started. */
  fail(/** @type {string} */ words) {
    this.isWaiting = false;
    this.#say(words);
  }

  #view() {
    const { title, colour, isDashed } = this.#called.value;
    const { words, isAside } = this.#said.value;
    const style = isDashed ? "dashed" : "solid";
    return html`
      <section class="side" aria-label=${title || nothing}>
        <div class="side-head"
          ><i
            class="study-swatch"
            aria-hidden="true"
            .style=${`border-top-color: ${colour}; border-top-style: ${style}`}
          ></i
          ><h2 class="side-name">${title}</h2
          ><span class="side-facts">${this.#facts.value}</span
          ><a class="link" href=${`/studio/${this.experimentId}${this.#runId.value ? `?run=${this.#runId.value}` : ""}`}
            >${gettext("Studio")}</a
          ></div
        >
        <div class="map side-map"
          ><p class=${isAside ? "map-empty is-aside" : "map-empty"} ?hidden=${!words}>${words}</p></div
        >
        ${this.legend}
        <p class="side-note" data-cutoff ?hidden=${!this.#cutoff.value}>${this.#cutoff.value}</p>
      </section>`;
  }

  /**
   * Set the run's name on the page, and its line's look in the charts.
   * @param {string} title
   * @param {string} colour
   * @param {boolean} isDashed
   */
  called(title, colour, isDashed) {
    this.#called.value = { title, colour, isDashed };
    this.map.cells.setAttribute("aria-label", gettext("Map of {title}", { title }));
  }

  get store() {
    return this.session.store;
  }

  setMeta(/** @type {ShownMeta} */ meta) {
    this.drawn = meta;
    this.map.setMeta(meta);
    this.#drawLegend();
  }

  /** Render the legend of cells; this page draws no tasks and no marks. */
  #drawLegend() {
    const { chosen } = this.filter;
    const again = () => {
      this.map.setFilter(chosen);
      this.#drawLegend();
    };
    drawLegend(
      this.legend,
      /** @type {Meta} */ (/** @type {unknown} */ ({ ...this.drawn, work: null, marks: [] })),
      null,
      {
        chosen,
        all: this.filter.all,
        toggle: (/** @type {number} */ owner) => {
          if (!chosen.delete(owner)) chosen.add(owner);
          if (chosen.size === this.drawn?.owners.length) chosen.clear();
          again();
        },
        showAll: () => {
          this.filter.all = !this.filter.all;
          again();
        },
      },
    );
  }

  #grew() {
    const { session } = this;
    if (session.meta && this.meta !== session.meta) {
      this.meta = session.meta;
      this.label = session.meta.scheduler.label;
      this.setMeta(session.meta);
      this.page.named();
    }
    if (!this.meta) return;
    if (this.followed !== session.store) {
      this.followed = session.store;
      this.shown = -1;
      this.page.regroup();
    }
    this.page.stale = true;
  }

  #told() {
    const { session } = this;
    if (this.isWaiting) {
      this.#say(gettext("Starts when another of your runs has ended."));
      return;
    }
    const bad = ["failed", "cancelled", "offline"].includes(session.state);
    this.#say(session.store?.count && !bad ? "" : stateWords({ ...session.run, state: session.state }));
    this.#facts.value =
      session.store?.count && !session.final ? `${Math.round((session.run.progress || 0) * 100)}\u202f%` : "";
    this.#cutoff.value = session.final ? besideWords(session.store?.summary) : "";
    this.page.stale = true;
  }

  #say(/** @type {string} */ words) {
    this.#said.value = { words, isAside: Boolean(this.session?.store.count) };
  }

  /**
   * Paint the instant if its frame differs from the last one.
   * @param {number} t_ns
   * @param {number} now
   */
  show(t_ns, now) {
    const { store } = this;
    if (this.meta && store.count) {
      const index = store.indexAt(t_ns);
      if (index !== this.shown) {
        this.picture = store.pictureAt(index);
        this.shown = index;
        this.map.show(this.picture);
        this.changed = true;
      }
    }
    this.map.drawOver(now);
  }
}

/**
 * Start runs of waiting columns, in their order, until the server has no place for another one.
 * @param {SideColumn[]} columns
 */
export async function startNext(columns) {
  for (const column of columns.filter(({ isWaiting }) => isWaiting)) {
    try {
      column.begin(await startRun(column.experimentId));
    } catch (error) {
      // 429: the limit of runs at once. A server that is away comes back.
      if (error instanceof ApiError && (error.status === 429 || isAway(error))) return;
      column.fail(/** @type {Error} */ (error).message);
    }
  }
}
