/** Two to four runs side by side: maps, curves and time linked; a table with ratios, differences, jobs in pairs. */

import { clock, whole } from "../kit/format.js";
import {
  comparedRows,
  differenceMeta,
  differencePicture,
  namesOf,
  sameMachines,
  tellMachine,
} from "../features/compare/compared.js";
import {
  cdfPlace,
  cdfScene,
  playheadScene,
  tellCdf,
  tellTime,
  timePlace,
  timeScene,
} from "../features/compare/compared_scene.js";
import { jobPairs, wholeRuns } from "../features/compare/whole_runs.js";
import { improvementInWords } from "../features/graphs/job_pairs.js";
import { Player } from "../run/player.js";
import { zoomSpan } from "../kit/scales.js";
import { DASHES, roleOf } from "../features/compare/run_marks.js";
import { pairColour } from "../kit/scene.js";
import { Together } from "../features/compare/together.js";
import { request } from "../kit/api.js";
import { CanvasPicture } from "../kit/canvas_picture.js";
import { h, isDark, onTheme, placeTip, targetOf } from "../kit/dom.js";
import { MapView } from "../map/map.js";
import { PlayBar } from "../run/playbar.js";
import { partDialog } from "../features/compare/part_dialog.js";
import { SideColumn } from "../features/compare/side_column.js";
import { wireTips } from "../kit/tips.js";
import { bootData, wireTheme } from "../kit/boot.js";
import { wirePageKeys } from "../kit/page_keys.js";
import { gettext } from "../kit/words.js";

/** @returns {HTMLSelectElement} */
const find = (name) => document.querySelector(`[data-${name}]`);
const SLOWLY_MS = 150;
const LAYER = "allocation_delay";

class ComparePage {
  constructor(boot) {
    this.labels = {};
    /** @type {SideColumn[]} */
    this.columns = [];
    this.reference = 0;
    this.series = null;
    this.span = null;
    this.overNs = null;
    /** @type {ReturnType<typeof wholeRuns> | null} */
    this.figures = null;
    this.slowAt = 0;
    /** @type {MapView | null} */
    this.differenceMap = null;
    this.tip = h("div", { class: "tip", hidden: true, role: "tooltip" });
    document.body.append(this.tip);
    this.player = new Player(new Together([]), { playing: true });
    document.body.dataset.runs = String(boot.runs.length);
    find("sides").replaceChildren();
    for (const [at, each] of boot.runs.entries()) this.columns.push(new SideColumn(find("sides"), each, at, this));
    this.regroup();
    this.playbar = new PlayBar(find("playbar"), {
      toggle: () => this.player.toggle(),
      step: (direction) => this.player.step(direction),
      speed: (rate) => {
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
    const loop = (now) => {
      this.#frame(now, now - last);
      last = now;
      requestAnimationFrame(loop);
    };
    requestAnimationFrame(loop);
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

  /** Names and colours, as metas come. */
  named() {
    if (!this.columns.length || !this.playbar) return;
    this.titles = namesOf(this.columns.map(({ label, experiment, seed }) => ({ label, experiment, seed })));
    for (const [at, column] of this.columns.entries()) {
      column.name.textContent = this.titles[at];
      column.element.setAttribute("aria-label", this.titles[at]);
      column.map.cells.setAttribute("aria-label", gettext("Map of {title}", { title: this.titles[at] }));
      column.swatch.style.borderTopColor = pairColour(roleOf(at), isDark());
      column.swatch.style.borderTopStyle = DASHES[at] ? "dashed" : "solid";
    }
    document.title = gettext("{titles} · Side by side · Scheduler Playground", { titles: this.titles.join(", ") });
    const options = (skip) =>
      this.titles.map((name, at) => (at === skip ? null : h("option", { value: at }, name))).filter(Boolean);
    const keep = (select, made) => {
      const before = select.value;
      select.replaceChildren(...made);
      if ([...select.options].some((each) => each.value === before)) select.value = before;
    };
    keep(find("reference"), options(-1));
    find("reference").value = String(this.reference);
    keep(find("other"), options(this.reference));
    this.stale = true;
  }

  #frame(now, elapsed) {
    const moved = this.player.tick(elapsed);
    const { t_ns } = this.player;
    for (const column of this.columns) column.show(t_ns, now);
    this.playbar.update(this.player);
    if (moved || this.movedTo !== t_ns) {
      this.movedTo = t_ns;
      this.time.drawMoving();
    }
    this.differenceMap?.drawOver(now);
    if (now - this.slowAt < SLOWLY_MS) return;
    this.slowAt = now;
    if (this.columns.some((column) => column.changed) || this.stale) this.#redraw();
  }

  /** What need not be drawn at every frame: curves, differences, the table. */
  #redraw() {
    for (const column of this.columns) column.changed = false;
    this.hists = this.columns.map((column) => column.picture?.hists[LAYER] ?? null);
    this.cdf.draw();
    this.#difference();
    if (!this.tip.hidden && this.tipMachine !== undefined)
      this.tip.textContent = tellMachine(this.columns, this.names, this.tipMachine);
    if (!this.stale) return;
    this.stale = false;
    this.#progress();
    this.#seriesChoice();
    this.time.draw();
    this.#table();
    this.#pair();
    this.#whole();
  }

  #progress() {
    const known = this.columns.filter((column) => column.store.count);
    const share = Math.min(...this.columns.map((column) => column.session.run.progress || 0), 1);
    if (known.length) this.player.setProgress(share);
    document.body.dataset.runState = this.columns.every((column) => column.store.complete) ? "done" : "running";
  }

  // -- linked maps ------------------------------------------------------------------------------------------------

  /** A map was moved by the viewer: those of the same machines follow. */
  moved(from) {
    if (this.linking) return;
    this.linking = true;
    const camera = from.map.flight?.to ?? from.map.camera;
    for (const other of this.columns)
      if (other !== from && sameMachines(from.drawn, other.drawn)) other.map.moveTo(camera);
    if (this.differenceMap && this.differs) this.differenceMap.moveTo(camera);
    this.linking = false;
  }

  point(machine, x, y) {
    const first = this.columns.find((column) => column.meta);
    this.tip.hidden = machine < 0 || !first;
    for (const column of this.columns) {
      column.map.pointed = machine < column.drawn.machines ? machine : -1;
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

  say(machine) {
    const known = this.columns.filter((column) => column.meta);
    if (known.length) find("live").textContent = tellMachine(known, this.names, machine);
  }

  // -- charts -----------------------------------------------------------------------------------------------------

  #charts() {
    this.cdf = this.#cdfChart();
    this.time = this.#timeChart();
  }

  #cdfChart() {
    return new CanvasPicture(
      find("cdf"),
      gettext("Share of tasks that have started within a time, for each run. Left and right arrows move along it."),
      {
        scene: (width, height) => cdfScene(this.hists ?? [], { width, height, over: this.overNs }),
        hit: (x) => {
          const place = cdfPlace(this.hists ?? [], this.cdf.width, this.cdf.height);
          return x < place.left || x > place.right ? null : { ns: place.ns(x) };
        },
        tell: ({ ns }) => tellCdf(this.hists ?? [], this.names, ns),
        over: (item) => {
          this.overNs = item?.ns ?? null;
          this.cdf?.draw();
        },
        pick: () => {},
        step: (item, dx) => {
          const place = cdfPlace(this.hists ?? [], this.cdf.width, this.cdf.height);
          return {
            ns: Math.min(place.high, Math.max(place.low, (item?.ns ?? Math.sqrt(place.low * place.high)) * 1.25 ** dx)),
          };
        },
        at: ({ ns }) => {
          const place = cdfPlace(this.hists ?? [], this.cdf.width, this.cdf.height);
          return [place.x(ns), place.top + 20];
        },
      },
    );
  }

  #timeChart() {
    const { player } = this;
    const span = () => this.span ?? [0, this.end];
    const lines = () =>
      this.columns.map((column) => (this.series ? (column.store.series[this.series.name] ?? null) : null));
    const seek = (ns) => {
      player.pause();
      player.seek(ns);
    };
    return new CanvasPicture(
      find("time"),
      gettext("The runs over time. Click or Enter goes to an instant, the wheel zooms, arrows move."),
      {
        scene: (width, height) =>
          this.series ? timeScene(lines(), { span: span(), unit: this.series.unit, width, height }) : [],
        moving: (width, height) => playheadScene(player.t_ns, span(), width, height),
        hit: (x) => {
          const place = timePlace(span(), 1, this.time.width, this.time.height);
          return x < place.left || x > place.right ? null : { ns: Math.max(0, place.ns(x)) };
        },
        tell: ({ ns }) =>
          this.series
            ? tellTime(lines(), this.names, this.series.label, this.series.unit, ns, this.end)
            : clock(ns, this.end),
        pick: ({ ns }) => seek(ns),
        step: (item, dx) => {
          const ns = Math.min(this.end, Math.max(0, (item?.ns ?? player.t_ns) + (dx * (span()[1] - span()[0])) / 40));
          seek(ns);
          return { ns };
        },
        at: ({ ns }) => [timePlace(span(), 1, this.time.width, this.time.height).x(ns), 30],
        pan: (dx) => {
          const place = timePlace(span(), 1, this.time.width, this.time.height);
          seek(player.t_ns + (dx / place.inner) * (span()[1] - span()[0]));
        },
        zoom: (factor, x) => {
          const made = zoomSpan(
            span(),
            timePlace(span(), 1, this.time.width, this.time.height).ns(x),
            1 / factor,
            this.end,
          );
          this.span = made[0] === 0 && made[1] === this.end ? null : made;
          this.time.draw();
        },
        fit: () => {
          this.span = null;
        },
      },
    );
  }

  #seriesChoice() {
    const known = this.columns.map((column) => column.meta?.series).filter(Boolean);
    if (!known.length) return;
    const common = known[0].filter((series) => known.every((list) => list.some((each) => each.name === series.name)));
    const select = find("series");
    if (select.dataset.names !== common.map((each) => each.name).join()) {
      select.dataset.names = common.map((each) => each.name).join();
      select.replaceChildren(...common.map((series) => h("option", { value: series.name }, series.label)));
      if (this.series && common.some((each) => each.name === this.series.name)) select.value = this.series.name;
    }
    this.series = common.find((each) => each.name === select.value) ?? null;
  }

  // -- differences, table, pairs ----------------------------------------------------------------------------------

  get two() {
    return [this.columns[this.reference], this.columns[Number(find("other").value)]];
  }

  #difference() {
    const [mine, other] = this.two;
    const note = find("difference-note");
    if (!mine?.picture || !other?.picture || mine === other) {
      note.textContent = gettext("Waiting for both runs…");
      return;
    }
    this.differs = sameMachines(mine.meta, other.meta);
    find("difference").hidden = !this.differs;
    if (!this.differs) {
      note.textContent = gettext("These runs have different machines, so their maps cannot be subtracted.");
      return;
    }
    const names = [this.names[mine.at], this.names[other.at]];
    const key = `${mine.at}:${other.at}:${names}`;
    this.differenceMap ??= new MapView(
      find("difference"),
      {
        point: (machine, x, y) => this.point(machine, x, y),
        moved: () => {
          if (!this.linking) this.moved({ map: this.differenceMap, drawn: mine.drawn });
        },
        focus: (machine) => this.say(machine),
      },
      { wheel: "ctrl" },
    );
    if (this.differenceKey !== key) {
      this.differenceKey = key;
      this.subtracted = null;
      this.differenceMap.setMeta(differenceMeta(mine.meta, this.names));
      this.differenceMap.cells.setAttribute(
        "aria-label",
        gettext("Map of the difference between {first} and {second}", { first: names[0], second: names[1] }),
      );
      this.differenceMap.moveTo(mine.map.camera);
      const swatch = (at) => {
        const box = h("i", { class: "legend-swatch", "aria-hidden": "true" });
        box.style.background = pairColour([at, 0.8], isDark());
        return box;
      };
      find("difference-legend").replaceChildren(
        ...[mine, other].map(({ at }) =>
          h("span", { class: "legend-item" }, swatch(at), gettext("fuller with {name}", { name: this.names[at] })),
        ),
      );
    }
    this.subtracted = differencePicture(
      [mine.meta, other.meta],
      [mine.picture, other.picture],
      [mine.at, other.at],
      this.subtracted,
    );
    this.differenceMap.show(this.subtracted);
    note.textContent = this.subtracted.differ
      ? gettext("{differ} of {machines} machines differ at this moment.", {
          differ: whole(this.subtracted.differ),
          machines: whole(mine.meta.machines),
        })
      : gettext("All machines are equally busy in both runs at this moment.");
  }

  #table() {
    const summaries = this.columns.map((column) => column.store.summary ?? null);
    const place = find("table");
    if (!summaries.some(Boolean)) {
      place.replaceChildren(
        h("p", { class: "side-note" }, gettext("Exact figures of whole runs appear here when they are computed.")),
      );
      return;
    }
    const rows = comparedRows(summaries, this.reference);
    const key = JSON.stringify([rows, this.names]);
    if (place.dataset.key === key) return;
    place.dataset.key = key;
    place.replaceChildren(
      h(
        "table",
        { class: "trace-table side-table" },
        h("caption", { class: "visually-hidden" }, gettext("Figures of the whole runs, with ratios to the reference")),
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "col" }, gettext("Whole run")),
            this.names.map((name, at) =>
              h(
                "th",
                { scope: "col" },
                name,
                at === this.reference ? h("span", { class: "side-base" }, gettext("reference")) : null,
              ),
            ),
          ),
        ),
        h(
          "tbody",
          {},
          rows.map((row) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, row.name),
              row.cells.map((cell) =>
                h("td", {}, cell.text, cell.ratio ? h("span", { class: "side-ratio" }, cell.ratio) : null),
              ),
            ),
          ),
        ),
      ),
    );
  }

  async #pair() {
    const [mine, other] = this.two;
    if (!mine || !other || mine === other) return;
    const note = find("pairs-note");
    if (mine.session.run.state !== "done" || other.session.run.state !== "done") {
      note.textContent = gettext("Each job becomes a dot when both runs are computed.");
      return;
    }
    const key = `${mine.run.id}:${other.run.id}`;
    find("part").hidden = false;
    if (this.pairKey === key) return;
    this.pairKey = key;
    note.textContent = gettext("Pairing jobs…");
    try {
      const found = await request(
        "GET",
        `/runs/${encodeURIComponent(mine.run.id)}/paired/${encodeURIComponent(other.run.id)}`,
      );
      if (this.pairKey !== key) return;
      const drawn =
        found.job.length < found.pairs
          ? gettext(" {count} of them are drawn.", { count: whole(found.job.length) })
          : "";
      note.textContent = found.pairs
        ? improvementInWords(
            {
              count: found.pairs,
              mean: found.mean_factor,
              median: found.median_factor,
              faster: found.faster,
              slower: found.slower,
            },
            this.names[mine.at],
          ) + drawn
        : gettext("No job ended in both runs.");
      find("scatter").hidden = !found.pairs;
      if (found.pairs) this.showPairs([mine.run.id, other.run.id]);
    } catch (error) {
      find("scatter").hidden = true;
      note.textContent = error.problems?.length
        ? `${error.message}: ${error.problems[0].message}. ` +
          (error.problems[0].allowed ? gettext("Needed: {allowed}.", { allowed: error.problems[0].allowed }) : "")
        : error.message;
    }
  }

  /** The whole runs' figures, once every run is computed. */
  #whole() {
    if (!this.columns.every((column) => column.session.run.state === "done")) return;
    this.figures ??= wholeRuns(
      find("whole"),
      this.columns.map((column) => column.run.id),
    );
    this.figures.follow(this.series?.name ?? "");
  }

  #fields() {
    find("reference").addEventListener("change", (event) => {
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
        go: (t_ns) => {
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
const boot = bootData();
if (boot.runs.length) {
  const page = new ComparePage(boot);
  request("GET", "/schedulers")
    .then((list) => {
      for (const one of list) page.labels[one.name] = one.label;
      for (const column of page.columns)
        if (!column.meta) column.label = page.labels[column.experiment.scheduler?.name] ?? column.label;
      page.named();
    })
    .catch(() => {});
}
