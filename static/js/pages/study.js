/** The page of a study: how far it is, its picture, its numbers. */

import { pairColour, sceneSvg } from "../kit/scene.js";
import {
  askedWords,
  cellAt,
  FINAL,
  intervalWords,
  inUnit,
  metricWords,
  pathWords,
  stateWords,
  STATISTICS,
  tellCell,
  valueWords,
  verdictCounts,
  verdictWords,
} from "../features/studies/study.js";
import { changeWords, sureWords, timesFirst, timesWords } from "../features/studies/study_changes.js";
import {
  DASHES,
  heatPlace,
  heatScene,
  lineStudyScene,
  pointAt,
  pointsOf,
  roleOf,
} from "../features/studies/study_scene.js";
import { ApiError, isAway } from "../kit/api.js";
import { changeStudy, openRun, studyResults, StudySocket } from "../features/studies/study_socket.js";
import { CanvasPicture } from "../kit/canvas_picture.js";
import { h, isDark, onTheme } from "../kit/dom.js";
import { save, svgBlob, toPng } from "../run/export_menu.js";
import { wireTips } from "../kit/tips.js";
import { bootData, wireTheme } from "../kit/boot.js";
import { wirePageKeys } from "../kit/page_keys.js";
import { problemText } from "../run/run_messages.js";

const MOST_SPELT_OUT = 2;
const AGAIN_MS = 4000;
/** @returns {HTMLSelectElement} */
const find = (name) => document.querySelector(`[data-${name}]`);
const USUAL = [
  "allocation_delay_s.mean",
  "allocation_delay_s.p50",
  "allocation_delay_s.p90",
  "allocation_delay_s.p99",
  "allocation_delay_s.p99.9",
  "allocation_delay_s.max",
  "job_completion_s.mean",
  "job_completion_s.p50",
  "job_completion_s.p99",
  "job_delay_s.mean",
  "job_delay_s.p99",
  "makespan_s",
  "utilisation.cpus",
  "fairness.jain_mean",
];

class StudyPage {
  constructor(study) {
    this.study = study;
    const query = new URLSearchParams(window.location.search);
    this.chosen = {
      metric: query.get("metric") ?? "allocation_delay_s.p99",
      statistic: STATISTICS[query.get("statistic")] ? query.get("statistic") : "mean",
      against: Number(query.get("against")) || 0,
    };
    this.shown = Number(query.get("scheduler")) || 0;
    this.results = null;
    this.over = null;
    this.opened = new Set();
    this.asking = false;
    this.stale = false;
    this.#fields();
    this.#buttons();
    this.picture = new CanvasPicture(
      find("picture"),
      "The study as a picture. Arrow keys go from value to value, Enter opens a run of it in the studio.",
      this.#model(),
    );
    onTheme(() => this.#legend());
    this.#progress(study);
    this.#load();
    if (!FINAL.has(study.state))
      this.socket = new StudySocket(study.socket_url, {
        told: (news) => this.#told(news),
        link: (up) => {
          find("link").hidden = up;
        },
      });
  }

  get isHeat() {
    return this.study.plan.axes.length === 2;
  }

  #told(news) {
    const before = this.study;
    this.study = { ...before, ...news };
    this.#progress(this.study);
    if (news.done !== before.done || news.state !== before.state) this.#load();
  }

  /** Ask for the newest results, once at a time. */
  async #load() {
    if (this.asking) {
      this.stale = true;
      return;
    }
    this.asking = true;
    this.stale = false;
    try {
      this.results = await studyResults(this.study.id, this.chosen);
      this.#say("");
    } catch (error) {
      clearTimeout(this.again);
      if (isAway(error)) this.again = setTimeout(() => this.#load(), AGAIN_MS);
      this.#say(
        error instanceof ApiError && error.problems.length ? error.problems.map(problemText).join(" ") : error.message,
      );
    }
    this.asking = false;
    this.#draw();
    if (this.stale) this.#load();
  }

  #say(words, quiet = false) {
    const said = find("said");
    said.textContent = words;
    said.classList.toggle("is-quiet", quiet);
    said.hidden = !words;
  }

  #progress(study) {
    find("state").textContent = stateWords(study);
    document.body.dataset.studyState = study.state;
    const bar = /** @type {HTMLElement} */ (find("progress"));
    /** @type {HTMLProgressElement} */ (bar).value = study.progress;
    bar.hidden = FINAL.has(study.state);
    const own = study.mine && !FINAL.has(study.state);
    find("pause").hidden = !own || study.state !== "running";
    find("resume").hidden = !own || study.state !== "paused";
    find("cancel").hidden = !own;
    const error = find("failure");
    error.hidden = !study.error;
    if (study.error) error.textContent = `Run ${study.error.run}: ${study.error.message}`;
  }

  #buttons() {
    for (const what of ["pause", "resume", "cancel"])
      find(what).addEventListener("click", async () => {
        try {
          this.#told(await changeStudy(this.study, what));
        } catch (error) {
          this.#say(error.message);
        }
      });
    find("svg").addEventListener("click", () => {
      if (this.results) save(this.#file("svg"), svgBlob(this.#svg()));
    });
    find("png").addEventListener("click", async () => {
      if (this.results) save(this.#file("png"), await toPng(this.#svg()));
    });
  }

  #file(kind) {
    return `study-${this.chosen.metric.replace(/[^a-z0-9]+/gi, "-")}.${kind}`;
  }

  #svg() {
    const subtitle =
      `${metricWords(this.results.metric)}; ${this.results.method}; ` +
      (this.isHeat ? this.study.schedulers[this.shown].label : askedWords(this.study));
    return sceneSvg([...this.picture.scene(), ...this.#names()], {
      width: this.picture.width,
      height: this.picture.height + (this.isHeat ? 0 : 8),
      title: this.study.name || "Study",
      subtitle,
    });
  }

  /** Names beside the ends of lines, for a file that has no legend beside it. */
  #names() {
    if (this.isHeat || !this.study.plan.axes.length) return [];
    return this.study.schedulers.map((one, at) => ({
      kind: "text",
      x: 80 + at * 130,
      y: 16,
      words: `${at % 2 ? "○" : "●"} ${one.label}`,
      fill: roleOf(at),
      size: 12,
      anchor: "start",
      weight: 600,
    }));
  }

  #fields() {
    const { study } = this;
    find("asked").textContent = askedWords(study);
    this.metric = find("metric");
    this.metric.append(...this.#metricOptions([this.chosen.metric]));
    const statistic = find("statistic");
    statistic.append(...Object.entries(STATISTICS).map(([value, label]) => h("option", { value }, label)));
    statistic.value = this.chosen.statistic;
    const against = find("against");
    against.append(...study.schedulers.map((one, at) => h("option", { value: at }, one.label)));
    this.chosen.against = Math.min(this.chosen.against, study.schedulers.length - 1);
    against.value = String(this.chosen.against);
    find("against-field").hidden = study.schedulers.length < 2;
    this.shown = Math.min(this.shown, study.schedulers.length - 1);
    const shown = find("shown");
    shown.append(...study.schedulers.map((one, at) => h("option", { value: at }, one.label)));
    shown.value = String(this.shown);
    find("shown-field").hidden = !this.isHeat || study.schedulers.length < 2;
    const pick = (field, act) =>
      field.addEventListener("change", () => {
        act(field.value);
        this.over = null;
        this.#address();
      });
    pick(this.metric, (value) => {
      this.chosen.metric = value;
      this.#load();
    });
    pick(statistic, (value) => {
      this.chosen.statistic = value;
      this.#load();
    });
    pick(against, (value) => {
      this.chosen.against = Number(value);
      this.#load();
    });
    pick(shown, (value) => {
      this.shown = Number(value);
      this.#draw();
    });
  }

  #metricOptions(names) {
    return names.map((name) => h("option", { value: name }, metricWords(name)));
  }

  /** What is measured is known once a run is done: the usual ones first. */
  #metrics() {
    const names = this.results?.metrics ?? [];
    if (!names.length || this.metric.dataset.count === String(names.length)) return;
    this.metric.dataset.count = String(names.length);
    const usual = USUAL.filter((name) => names.includes(name));
    const group = (label, members) => h("optgroup", { label }, this.#metricOptions(members));
    this.metric.replaceChildren(
      group("Usual", usual),
      group(
        "Everything measured",
        names.filter((name) => !usual.includes(name)),
      ),
    );
    this.metric.value = this.chosen.metric;
  }

  #address() {
    const query = new URLSearchParams({ metric: this.chosen.metric });
    if (this.chosen.statistic !== "mean") query.set("statistic", this.chosen.statistic);
    if (this.chosen.against) query.set("against", String(this.chosen.against));
    if (this.shown) query.set("scheduler", String(this.shown));
    window.history.replaceState(null, "", `${window.location.pathname}?${query}`);
  }

  #draw() {
    this.#metrics();
    const has = Boolean(this.results?.cells.length);
    find("empty").hidden = has;
    find("empty").textContent = FINAL.has(this.study.state)
      ? "No run of this study was finished, so there is nothing to show."
      : "The first runs are on their way; values appear here as they end.";
    find("method").textContent = has
      ? `${this.results.method[0].toUpperCase()}${this.results.method.slice(1)}. ` +
        `${sureWords(this.results, this.isHeat)}` +
        `${this.study.schedulers.length > 1 ? "; schedulers are compared seed by seed" : ""}.` +
        (FINAL.has(this.study.state)
          ? ""
          : ` The study ${this.study.state === "paused" ? "is paused" : "still runs"}: read verdicts at its end.`)
      : "";
    this.#legend();
    this.#table();
    this.picture.draw();
  }

  #legend() {
    const legend = find("legend");
    const { study } = this;
    if (this.isHeat) {
      const values = (this.results?.cells ?? [])
        .filter((cell) => cell.scheduler === this.shown)
        .map((cell) => cell.value);
      if (!values.length) {
        legend.replaceChildren();
        return;
      }
      const steps = [0, 0.25, 0.5, 0.75, 1].map((level) => {
        const step = h("i");
        step.style.background = pairColour(["level", level], isDark());
        return step;
      });
      const show = (value) => inUnit(value, this.results.unit);
      legend.replaceChildren(
        h(
          "span",
          { class: "study-key" },
          study.schedulers[this.shown].label,
          " ",
          show(Math.min(...values)),
          h("span", { class: "study-ramp", "aria-hidden": "true" }, steps),
          show(Math.max(...values)),
        ),
        ...(study.schedulers.length > 1 && this.shown !== this.chosen.against
          ? [
              h(
                "span",
                { class: "study-key" },
                `A small ring: not distinguishable yet from ${study.schedulers[this.chosen.against].label}.`,
              ),
            ]
          : []),
      );
      return;
    }
    legend.replaceChildren(
      ...study.schedulers.map((one, at) => {
        const swatch = h("i", { class: "study-swatch", "aria-hidden": "true" });
        swatch.style.borderTopColor = pairColour(roleOf(at), isDark());
        swatch.style.borderTopStyle = DASHES[at] ? "dashed" : "solid";
        return h("span", { class: "study-key" }, swatch, one.label);
      }),
    );
  }

  #points() {
    if (!this.results?.cells.length) return [];
    if (!this.isHeat) return pointsOf(this.study, this.results, this.picture.width, this.picture.height);
    const [first, second] = this.study.plan.axes;
    return first.values.flatMap((_, across) =>
      second.values.map((__, up) => ({ scheduler: this.shown, at: [across, up] })),
    );
  }

  #model() {
    return {
      scene: (width, height) => {
        if (!this.results?.cells.length) return [];
        const options = { width, height, over: this.over };
        return this.isHeat
          ? heatScene(this.study, this.results, this.shown, options)
          : lineStudyScene(this.study, this.results, options);
      },
      hit: (x, y) => {
        if (!this.results?.cells.length) return null;
        const { width, height } = this.picture;
        if (!this.isHeat) return pointAt(this.study, this.results, width, height, x, y);
        const at = heatPlace(this.study, width, height).at(x, y);
        return at && { scheduler: this.shown, at };
      },
      tell: (item) => tellCell(this.study, this.results, item.scheduler, item.at),
      pick: (item) => this.#open(item),
      over: (item) => {
        this.over = item;
        this.picture?.draw();
      },
      step: (item, dx, dy) => this.#step(item, dx, dy),
      at: (item) => this.#placeOf(item),
    };
  }

  #placeOf(item) {
    const { width, height } = this.picture;
    if (this.isHeat) {
      const box = heatPlace(this.study, width, height).cell(item.at);
      return [box.x + box.w / 2, box.y + box.h / 2];
    }
    const point = this.#points().find((each) => each.scheduler === item.scheduler && each.at.join() === item.at.join());
    return point ? [point.x, point.y] : null;
  }

  #step(item, dx, dy) {
    const points = this.#points();
    if (!points.length) return null;
    if (!item) return { scheduler: points[0].scheduler, at: points[0].at };
    const inside = (value, most) => Math.min(most - 1, Math.max(0, value));
    const { axes } = this.study.plan;
    if (this.isHeat)
      return {
        scheduler: this.shown,
        at: [inside(item.at[0] + dx, axes[0].values.length), inside(item.at[1] - dy, axes[1].values.length)],
      };
    const many = this.study.schedulers.length;
    const next = axes.length
      ? { scheduler: inside(item.scheduler + dy, many), at: [inside(item.at[0] + dx, axes[0].values.length)] }
      : { scheduler: inside(item.scheduler + (dx || dy), many), at: [] };
    return points.some((point) => point.scheduler === next.scheduler && point.at.join() === next.at.join())
      ? next
      : item;
  }

  /** The first seed's run of a cell, in the studio. */
  async #open({ scheduler, at }) {
    const { cell } = cellAt(this.results, scheduler, at);
    if (!cell) return;
    this.#say("Opening this run in the studio…", true);
    try {
      const made = await openRun(this.study.id, cell.cell);
      window.location.href = `/studio/${made.id}`;
    } catch (error) {
      this.#say(error.message);
    }
  }

  #table() {
    const { study, results } = this;
    const place = find("table");
    if (!results?.cells.length) {
      place.replaceChildren();
      return;
    }
    const { axes } = study.plan;
    const paired = study.schedulers.length > 1;
    const reference = study.schedulers[results.against].label;
    const show = (value) => inUnit(value, results.unit);
    const growing = results.cells.map((cell) => timesFirst(study, results, cell)).find(Boolean);
    const head = [
      ...(paired ? ["Scheduler"] : []),
      ...axes.map((axis) => pathWords(axis.path)),
      "Runs",
      metricWords(results.metric),
      "95 % interval",
      ...(growing ? [`Times that at ${valueWords(axes[0].path, growing.at)}`] : []),
      ...(paired ? [`Against ${reference}, paired by seed`] : []),
      "A run",
    ];
    const row = (cell) => {
      const comparisons = results.comparisons.filter((each) => each.cell === cell.cell);
      const against = comparisons.map((each) =>
        h(
          "p",
          { class: `study-verdict is-${each.verdict.split(" ")[0]}` },
          comparisons.length > 1
            ? `${axes.map((axis, at) => valueWords(axis.path, axis.values[each.at[at]])).join(", ")}: `
            : null,
          verdictWords(each, reference, results.unit),
        ),
      );
      const facts = [
        ...axes.map((axis, at) => valueWords(axis.path, cell.values[at])),
        String(cell.n),
        show(cell.value),
        cell.low === null ? `needs more runs` : `${show(cell.low)} to ${show(cell.high)}`,
        ...(growing ? [timesWords(timesFirst(study, results, cell))] : []),
      ];
      return h(
        "tr",
        {},
        paired ? h("th", { scope: "row" }, study.schedulers[cell.scheduler].label) : null,
        facts.map((fact) => h("td", {}, fact)),
        paired
          ? h(
              "td",
              { class: "study-against" },
              cell.scheduler === results.against
                ? "–"
                : against.length > MOST_SPELT_OUT
                  ? this.#folded(cell.cell, verdictCounts(comparisons), against)
                  : against,
            )
          : null,
        h(
          "td",
          {},
          h(
            "button",
            {
              class: "link",
              type: "button",
              "aria-label": `Open a run in the studio: ${tellCell(
                study,
                results,
                cell.scheduler,
                cell.at.map((one) => one ?? 0),
              )}`,
              onclick: () => this.#open({ scheduler: cell.scheduler, at: cell.at.map((one) => one ?? 0) }),
            },
            "Open",
          ),
        ),
      );
    };
    place.replaceChildren(
      h(
        "table",
        { class: "trace-table study-table" },
        h("caption", { class: "visually-hidden" }, `${metricWords(results.metric)} in every cell of the study`),
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            head.map((name) => h("th", { scope: "col" }, name)),
          ),
        ),
        h("tbody", {}, [...results.cells].sort(byPlace).map(row)),
      ),
    );
    find("summary").textContent = this.#summary();
  }

  /** Many comparisons of one cell, behind a line that counts them; open ones stay open as results come. */
  #folded(cell, words, against) {
    const keep = (event) => {
      if (event.target.open) this.opened.add(cell);
      else this.opened.delete(cell);
    };
    return h("details", { open: this.opened.has(cell), ontoggle: keep }, h("summary", {}, words), against);
  }

  /** The outcome in a sentence or two: where a parameter doubles it; without a parameter, what it is. */
  #summary() {
    const { study, results } = this;
    if (study.plan.axes.length === 1 && FINAL.has(study.state)) return changeWords(study, results);
    if (study.plan.axes.length || results.cells.length < 1) return "";
    const show = (value) => inUnit(value, results.unit);
    return results.cells
      .map((cell) => {
        const comparison = results.comparisons.find((each) => each.cell === cell.cell);
        return (
          `${study.schedulers[cell.scheduler].label}: ${intervalWords(cell, show)}` +
          (comparison ? `, ${verdictWords(comparison, study.schedulers[results.against].label, results.unit)}` : "") +
          "."
        );
      })
      .join(" ");
  }
}

/** Scheduler by scheduler, in the order of values. */
function byPlace(one, other) {
  const key = (cell) => [cell.scheduler, ...cell.at.map((place) => place ?? -1)];
  const [mine, theirs] = [key(one), key(other)];
  const at = mine.findIndex((place, index) => place !== theirs[index]);
  return at < 0 ? 0 : mine[at] - theirs[at];
}

wireTheme();
wirePageKeys("study");
wireTips();
const boot = bootData();
if (boot.study) new StudyPage(boot.study);
