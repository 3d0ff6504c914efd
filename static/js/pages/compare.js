/** Two to eight runs side by side with linked maps, curves and time; a table of ratios, differences, jobs in pairs. */

import { namesOf, sameMachines, tellMachine } from "../features/compare/compared.js";
import { jobPairs, wholeRuns } from "../features/compare/whole_runs.js";
import { Player } from "../run/player.js";
import { DASHES, roleOf } from "../features/compare/run_marks.js";
import { knobsFromSchema } from "../experiment/experiment.js";
import { pairColour } from "../draw/scenes/scene.js";
import { Together } from "../features/compare/together.js";
import { request } from "../contract/api.js";
import { find, floatingTip, isDark, onTheme, placeTip, targetOf } from "../kit/dom.js";
import { html, live, nothing, render } from "../kit/view.js";
import { PlayBar } from "../draw/stage/playbar.js";
import { partDialog } from "../features/compare/part_dialog.js";
import { SideColumn, startNext } from "../features/compare/side_column.js";
import { wireGlossary } from "../kit/glossary.js";
import { wireTips } from "../kit/tips.js";
import { bootData, wireTheme } from "../kit/boot.js";
import { wirePageKeys } from "../kit/page_keys.js";
import { gettext } from "../kit/words.js";
import { cdfChart, timeChart } from "../features/compare/page_charts.js";
import { drawDifference } from "../features/compare/difference_map.js";
import { drawClusterTable } from "../features/compare/cluster_table.js";
import { drawPairs, drawTable } from "../features/compare/whole_table.js";

/**
 * @import { MapView } from "../draw/map/map.js"
 * @import { Run } from "../contract/api.js"
 * @import { KnobSpec } from "../kit/knob.js"
 * @import { ShownMeta } from "../studio/store.js"
 * @import { Stored } from "../experiment/experiment.js"
 */

const SLOWLY_MS = 150;
const AGAIN_MS = 1500;
const sleep = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));
const LAYER = "allocation_delay";

class ComparePage {
  constructor(/** @type {{runs: {run: Run | null, experiment: Stored}[]}} */ boot) {
    /** @type {Record<string, string>} */
    this.labels = {};
    /** Parameters by scheduler, for their labels. @type {Record<string, KnobSpec[]>} */
    this.knobs = {};
    /** @type {SideColumn[]} */
    this.columns = [];
    this.reference = 0;
    /** @type {import("../contract/contract").SeriesMeta | null} */
    this.series = null;
    /** @type {[number, number] | null} */
    this.span = null;
    /** @type {number | null} */
    this.overNs = null;
    /** The playhead's last position. @type {number | null} */
    this.movedTo = null;
    /** @type {ReturnType<typeof wholeRuns> | null} */
    this.figures = null;
    this.slowAt = 0;
    /** @type {import("../draw/map/map.js").MapView | null} */
    this.differenceMap = null;
    this.differs = false;
    this.tip = floatingTip();
    this.player = new Player(new Together([]), { playing: true });
    find("sides").replaceChildren();
    for (const [at, each] of boot.runs.entries()) this.columns.push(new SideColumn(find("sides"), each, at, this));
    this.regroup();
    this.playbar = new PlayBar(find("playbar"), {
      toggle: () => this.player.toggle(),
      step: (/** @type {number} */ direction) => this.player.step(direction),
      speed: (/** @type {number} */ rate) => {
        this.player.chosenRate = rate;
      },
    });
    this.#charts();
    this.showPairs = jobPairs(find("scatter"));
    this.#fields();
    this.#keys();
    this.named();
    onTheme(() => this.named());
    let last = performance.now();
    const loop = (/** @type {number} */ now) => {
      this.#frame(now, now - last);
      last = now;
      requestAnimationFrame(loop);
    };
    requestAnimationFrame(loop);
    if (this.#isWaiting) this.#startWaiting();
  }

  get #isWaiting() {
    return this.columns.some((column) => column.isWaiting);
  }

  /** Start the runs for which there was no place yet: one when another has ended, and name them in the address. */
  async #startWaiting() {
    while (this.#isWaiting) {
      await startNext(this.columns);
      const runs = this.columns.filter((column) => column.run.id).map((column) => column.run.id);
      const next = this.columns.filter((column) => column.isWaiting).map((column) => column.experimentId);
      const address = `/compare?runs=${runs.join(",")}${next.length ? `&next=${next.join(",")}` : ""}`;
      history.replaceState(history.state, "", address);
      if (next.length) await sleep(AGAIN_MS);
    }
  }

  get names() {
    return this.titles ?? this.columns.map((column) => column.label);
  }
  get end() {
    return Math.max(1, this.player.store.endNs);
  }

  regroup() {
    if (this.player) {
      this.player.store = new Together(this.columns.map((column) => column.store));
      this.stale = true;
    }
  }

  /** Update names and colors as metadata arrives. */
  named() {
    if (!this.columns.length || !this.playbar) return;
    this.titles = namesOf(
      this.columns.map(({ label, experiment, seed }) => ({
        label,
        experiment,
        seed,
        knobs: this.knobs[experiment.scheduler?.name],
      })),
    );
    for (const [at, column] of this.columns.entries())
      column.called(this.titles[at], pairColour(roleOf(at), isDark()), Boolean(DASHES[at]));
    document.title = gettext("{titles} · Side by side · Scheduler Playground", { titles: this.titles.join(", ") });
    const options = (/** @type {number} */ skip, /** @type {string} */ chosen) =>
      this.names.map((name, at) =>
        at === skip ? nothing : html`<option value=${at} .selected=${live(String(at) === chosen)}>${name}</option>`,
      );
    render(options(-1, String(this.reference)), find("reference"));
    render(options(this.reference, find("other").value), find("other"));
    this.stale = true;
  }

  /**
   * @param {number} now
   * @param {number} elapsed
   */
  #frame(now, elapsed) {
    const moved = this.player.tick(elapsed);
    const { t_ns } = this.player;
    for (const column of this.columns) column.show(t_ns, now);
    this.playbar?.update(this.player);
    if (moved || this.movedTo !== t_ns) {
      this.movedTo = t_ns;
      this.time?.drawMoving();
    }
    this.differenceMap?.drawOver(now);
    if (now - this.slowAt < SLOWLY_MS) return;
    this.slowAt = now;
    if (this.columns.some((column) => column.changed) || this.stale) this.#redraw();
  }

  /** Redraw what does not change at every frame: curves, differences, the table. */
  #redraw() {
    for (const column of this.columns) column.changed = false;
    this.hists = this.columns.map((column) => column.picture?.hists[LAYER] ?? null);
    this.cdf?.draw();
    drawDifference(this);
    if (!this.tip.hidden && this.tipMachine !== undefined)
      this.tip.textContent = tellMachine(this.columns, this.names, this.tipMachine);
    if (!this.stale) return;
    this.stale = false;
    this.#progress();
    this.#seriesChoice();
    this.time?.draw();
    drawTable(this);
    drawClusterTable(this);
    drawPairs(this);
    this.#whole();
  }

  #progress() {
    const known = this.columns.filter((column) => column.store.count);
    const share = Math.min(...this.columns.map((column) => column.session.run.progress || 0), 1);
    if (known.length) this.player.setProgress(share);
    document.body.dataset.runState = this.columns.every((column) => column.store.complete) ? "done" : "running";
  }

  // -- linked maps ------------------------------------------------------------------------------------------------

  /** Move the other maps of the same machines after the viewer moved one. */
  moved(/** @type {{map: MapView, drawn: ShownMeta | null}} */ from) {
    if (this.linking) return;
    this.linking = true;
    const camera = from.map.eye.target;
    for (const other of this.columns)
      if (other !== from && other.drawn && sameMachines(/** @type {ShownMeta} */ (from.drawn), other.drawn))
        other.map.moveTo(camera);
    if (this.differenceMap && this.differs) this.differenceMap.moveTo(camera);
    this.linking = false;
  }

  /**
   * @param {number} machine
   * @param {number} x
   * @param {number} y
   */
  point(machine, x, y) {
    const first = this.columns.find((column) => column.meta);
    this.tip.hidden = machine < 0 || !first;
    for (const column of this.columns) {
      column.map.pointed = machine < (column.drawn?.machines ?? 0) ? machine : -1;
      column.map.overDrawn = false;
    }
    if (this.tip.hidden) return;
    this.tipMachine = machine;
    this.tip.textContent = tellMachine(
      this.columns.filter((column) => column.meta),
      this.names,
      machine,
    );
    placeTip(this.tip, x, y);
  }

  say(/** @type {number} */ machine) {
    const known = this.columns.filter((column) => column.meta);
    if (known.length) find("live").textContent = tellMachine(known, this.names, machine);
  }

  // -- charts -----------------------------------------------------------------------------------------------------

  #charts() {
    /** @type {import("../draw/scenes/canvas_picture.js").CanvasPicture<{ns: number}>} */
    this.cdf = cdfChart(this);
    /** @type {import("../draw/scenes/canvas_picture.js").CanvasPicture<{ns: number}>} */
    this.time = timeChart(this);
  }

  #seriesChoice() {
    const known = this.columns.map((column) => column.meta?.series).filter((each) => each !== undefined);
    if (!known.length) return;
    const common = known[0].filter((series) => known.every((list) => list.some((each) => each.name === series.name)));
    const select = find("series");
    const chosen = select.value;
    render(
      common.map(({ name, label }) => html`<option value=${name} .selected=${live(name === chosen)}>${label}</option>`),
      select,
    );
    this.series = common.find((each) => each.name === select.value) ?? null;
  }

  // -- differences, table, pairs ----------------------------------------------------------------------------------

  get two() {
    return [this.columns[this.reference], this.columns[Number(find("other").value)]];
  }

  /** Show the whole runs' figures once every run is complete. */
  #whole() {
    if (!this.columns.every((column) => column.session.run.state === "done")) return;
    this.figures ??= wholeRuns(
      find("whole"),
      this.columns.map((column) => column.run.id),
    );
    this.figures.follow(this.series?.name ?? "");
  }

  #fields() {
    find("reference").addEventListener("change", (/** @type {Event} */ event) => {
      this.reference = Number(targetOf(event).value);
      this.pairKey = "";
      this.named();
    });
    find("part").addEventListener("click", () => {
      const two = this.two;
      partDialog({
        runs: two.map((column) => column.run.id),
        names: two.map((column) => this.names[column.at]),
        end_ns: this.end,
        go: (/** @type {number} */ t_ns) => {
          this.player.pause();
          this.player.seek(t_ns);
        },
        words: (error) => (error.problems?.length ? `${error.message}: ${error.problems[0].message}` : error.message),
      });
    });
    find("other").addEventListener("change", () => {
      this.stale = true;
    });
    find("series").addEventListener("change", () => {
      this.stale = true;
    });
  }

  #keys() {
    document.addEventListener("keydown", (event) => {
      if (
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        targetOf(event).closest("input, select, textarea, a, button, canvas")
      )
        return;
      if (event.key === " ") this.player.toggle();
      else if (event.key === "ArrowRight") this.player.step(1);
      else if (event.key === "ArrowLeft") this.player.step(-1);
      else if (event.key === "Home") this.player.seek(0);
      else if (event.key === "End") this.player.seek(this.end);
      else return;
      event.preventDefault();
    });
  }
}

wireTheme();
wirePageKeys("compare");
wireTips();
wireGlossary();
const boot = bootData();
if (boot.runs.length) {
  const page = new ComparePage(boot);
  request("GET", "/schedulers")
    .then((list) => {
      for (const one of list) {
        page.labels[one.name] = one.label;
        page.knobs[one.name] = knobsFromSchema(one.params);
      }
      for (const column of page.columns)
        if (!column.meta) column.label = page.labels[column.experiment.scheduler?.name] ?? column.label;
      page.named();
    })
    .catch(() => {});
}
