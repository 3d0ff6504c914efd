/**
 * What a workload is like: densities and distribution functions at once, what was drawn of them, load against capacity.
 */

import { axisSeconds, measured, percent, short, three, whole } from "../../kit/format.js";
import { fitRows, statisticWords } from "../../experiment/workloads.js";
import { curve, mixtureOf, spanOf } from "../../experiment/distributions.js";
import { h } from "../../kit/dom.js";
import { entry } from "../../experiment/forms/fields.js";
import { Plot } from "../../experiment/forms/plot.js";
import { gettext } from "../../kit/words.js";
import { SHARES, asPercent, at, shapePlot, signed, quantile } from "./workload_plots.js";

/**
 * @import { Child } from "../../kit/dom.js"
 * @import { Preset } from "./workload.js"
 */

/**
 * @param {string} title
 * @param {string} about
 * @param {...Child} content
 */
const part = (title, about, ...content) =>
  h(
    "section",
    { class: "picture-part" },
    h("h2", {}, h("span", { class: "panel-title" }, title), " ", h("span", { class: "panel-question" }, about)),
    ...content,
  );

/**
 * @typedef {{edges: number[], cdf: number[]}} Drawn  the distribution function of a sample
 * @typedef {{name: string, mean: number | null, over_time: number[]}} ResourceLoad
 * @typedef {object} WorkloadAnswer  a preview of the server
 * @property {{tasks_per_job: Drawn, duration_s: Drawn, gap_s: Drawn}} distributions
 * @property {{path: string, message: string}[]} warnings
 * @property {{from_s: number, slot_s: number, resources: ResourceLoad[]}} load
 * @property {Record<string, number>} statistics
 * @property {number} cutoff_s
 * @property {{whole: boolean}} sample
 * @property {string[]} notes
 */

/** @type {Record<string, string>} */
const RESOURCES = { cpus: gettext("CPUs"), gpus: gettext("GPUs"), memory_gb: gettext("Memory") };

/** What people call a resource; one of an experiment's own keeps its name. */
const resourceName = (/** @type {string} */ name) => RESOURCES[name] ?? name;

export class WorkloadPicture {
  /**
   * `cut(seconds)`: a person says from when on a job is long; null for what its source says.
   * @param {HTMLElement} parent
   * @param {(seconds: number | null) => void} cut
   */
  constructor(parent, cut) {
    this.warnings = h("div", { "aria-live": "polite" });
    this.numbers = h("dl", { class: "big-numbers" });
    this.note = h("p", { class: "editor-about" });
    this.cutoff = entry(
      {
        label: gettext("A job is long from (seconds)"),
        numeric: true,
        help: gettext("A job counts as long if its mean task duration is at least this."),
      },
      (/** @type {string} */ text) => {
        const value = Number(text.replace(",", "."));
        cut(value > 0 ? value : null);
      },
    );
    this.cutoffLine = h(
      "label",
      { class: "editor-line" },
      h("span", { class: "knob-label" }, gettext("long from")),
      this.cutoff.element,
      h("span", { class: "knob-label" }, "s"),
    );
    this.waiting = h("p", { class: "editor-about picture-waiting" }, gettext("Drawing a sample…"));
    this.plots = this.#plots();
    this.legend = h("p", { class: "plot-legend" });
    this.fit = h("div", { class: "picture-table fit-table", role: "table", "aria-label": gettext("The preset's fit") });
    this.fitPart = part(gettext("Fit"), gettext("published values, and values of this sample"), this.fit);
    this.gapPart = part(gettext("Gaps"), gettext("share of gaps up to this length"), this.plots.gaps.element);
    this.content = h(
      "div",
      {},
      this.waiting,
      this.warnings,
      this.numbers,
      this.cutoffLine,
      this.note,
      part(gettext("Load"), gettext("arriving work against capacity"), this.plots.load.element, this.legend),
      part(gettext("Task duration"), gettext("density, and cumulative share"), this.plots.duration.element),
      part(gettext("Tasks per job"), gettext("density, and cumulative share"), this.plots.size.element),
      this.gapPart,
      this.fitPart,
    );
    this.nothing = h(
      "p",
      { class: "editor-about picture-empty", hidden: true },
      gettext("This workload does not come from distributions, so there are none to edit."),
    );
    /** @type {Partial<WorkloadAnswer["distributions"]>} */
    this.drawn = {};
    /** @type {any} */
    this.last = null;
    parent.append(this.content, this.nothing);
  }

  #plots() {
    /** @param {number} value */
    const seconds = (value) => axisSeconds(value);
    const size = shapePlot(gettext("Tasks per job"), short, (x, data) =>
      gettext("{share} of the jobs have at most {tasks} tasks{drawn}.", {
        share: percent(at(data.x, data.cdf, x)),
        tasks: three(x),
        drawn: data.drawn
          ? gettext("; in the sample, {share}", { share: percent(at(data.drawn.edges, data.drawn.cdf, x)) })
          : "",
      }),
    );
    const duration = shapePlot(gettext("Task duration"), seconds, (x, data) =>
      gettext("{share} of the tasks run at most {time}{drawn}.", {
        share: percent(at(data.x, data.cdf, x)),
        time: measured(x * 1e9),
        drawn: data.drawn
          ? gettext("; in the sample, {share}", { share: percent(at(data.drawn.edges, data.drawn.cdf, x)) })
          : "",
      }),
    );
    const gaps = new Plot({
      label: gettext("Gaps between jobs in the sample. Arrow keys read values."),
      axis: seconds,
      unit: asPercent,
      height: 84,
      /** @param {number} x */
      sentence: (/** @type {number} */ x, /** @type {any} */ data) =>
        gettext("{share} of the gaps between jobs are at most {time}.", {
          share: percent(at(data.series[0].x, data.series.at(-1).y, x)),
          time: measured(x * 1e9),
        }),
    });
    const load = new Plot({
      label: gettext("Offered load over time against capacity. Arrow keys read values."),
      log: false,
      /** @param {number} value */
      axis: (value) => measured(value * 1e9),
      unit: asPercent,
      /** @param {number} x */
      sentence: (/** @type {number} */ x, /** @type {any} */ data) =>
        gettext("At {time}, arriving work needs {series}.", {
          time: measured(x * 1e9),
          series: data.series
            .map((/** @type {any} */ each) =>
              gettext("{share} of the {name}", { share: percent(at(each.x, each.y, x)), name: each.name }),
            )
            .join(", "),
        }),
    });
    return { size, duration, gaps, load };
  }

  empty() {
    this.content.hidden = true;
    this.nothing.hidden = false;
  }

  /**
   * Draw what the fields say, at once; damaged fields leave the last picture.
   * @param {any} workload
   */
  curves(workload) {
    this.last = workload;
    this.content.hidden = false;
    this.nothing.hidden = true;
    /** @type {["tasks_per_job" | "duration_s", Plot][]} */
    const plots = [
      ["tasks_per_job", this.plots.size],
      ["duration_s", this.plots.duration],
    ];
    for (const [field, plot] of plots) {
      try {
        this.#shape(plot, mixtureOf(workload, field), this.drawn[field]);
      } catch {
        /* the server says what is wrong */
      }
    }
  }

  /**
   * @param {Plot} plot
   * @param {any} parts
   * @param {Drawn | undefined} drawn
   */
  #shape(plot, parts, drawn) {
    const [low, high] = spanOf(parts);
    const { x, density, cdf } = curve(parts, 120, [low, high]);
    if (!cdf.every(Number.isFinite)) return;
    const most = Math.max(...density, 1e-9);
    const own = drawn?.edges?.length ? drawn : null;
    plot.set({
      span: [low, high],
      most: 1,
      ticks: SHARES,
      x,
      cdf,
      drawn: own,
      series: [
        { x, y: density.map((value) => (0.9 * value) / most), kind: "area", className: "plot-area" },
        ...(own ? [{ x: own.edges, y: own.cdf, kind: "steps", className: "plot-drawn" }] : []),
        { x, y: cdf, kind: "line", className: "plot-line" },
      ],
    });
  }

  /**
   * @param {WorkloadAnswer} answer
   * @param {Preset | null} preset
   * @param {any} workload
   */
  show(answer, preset, workload) {
    this.drawn = answer.distributions;
    this.#warn(answer.warnings);
    this.#numbers(answer);
    this.#loads(answer.load);
    const gaps = answer.distributions.gap_s;
    this.gapPart.hidden = gaps.edges.length < 2;
    if (gaps.edges.length > 1)
      this.plots.gaps.set({
        span: [gaps.edges[0], gaps.edges[gaps.edges.length - 1]],
        most: 1,
        ticks: SHARES,
        series: [{ x: gaps.edges, y: gaps.cdf, kind: "line", className: "plot-line" }],
      });
    this.#fits(answer, preset, workload);
    if (this.last) this.curves(this.last);
  }

  /** @param {{path: string, message: string}[]} warnings */
  #warn(warnings) {
    this.warnings.replaceChildren(
      ...warnings.map((each) => h("p", { class: "editor-warning", "data-path": each.path }, each.message)),
    );
  }

  /** @param {WorkloadAnswer} options */
  #numbers({ statistics, cutoff_s, sample, notes }) {
    /**
     * @param {string} label
     * @param {string} value
     * @param {string} tip
     */
    const number = (label, value, tip) => h("div", { "data-tip": tip }, h("dd", {}, value), h("dt", {}, label));
    const cutoff = measured(cutoff_s * 1e9);
    this.numbers.replaceChildren(
      number(
        gettext("of the jobs are long by this limit"),
        percent(statistics.long_jobs),
        gettext("A job is long when its tasks run {cutoff} or more on average.", { cutoff }),
      ),
      number(
        gettext("of the tasks belong to long jobs"),
        percent(statistics.long_tasks),
        gettext("Tasks in long jobs."),
      ),
      number(gettext("of the task-seconds"), percent(statistics.long_task_seconds), gettext("Work in long jobs.")),
    );
    this.cutoff.set(three(cutoff_s).replaceAll(",", ""));
    this.note.textContent = gettext("{jobs} jobs and {tasks} tasks over {span}.{sample}{notes}", {
      jobs: whole(statistics.jobs),
      tasks: whole(statistics.tasks),
      span: measured(statistics.span_s * 1e9),
      sample: sample.whole ? "" : gettext(" This is a sample of the tasks that a run draws."),
      notes: notes.length ? ` ${notes.join(" ")}` : "",
    });
  }

  /** @param {WorkloadAnswer["load"]} options */
  #loads({ from_s, slot_s, resources }) {
    const shown = resources.filter((each) => each.over_time.length);
    const most = Math.max(1.2, ...shown.flatMap((each) => [quantile(each.over_time, 0.98) * 1.1]));
    const end = from_s + slot_s * (shown[0]?.over_time.length ?? 1);
    this.plots.load.set({
      span: [from_s, end],
      most,
      ticks: [0, 1, ...(most > 2.5 ? [most] : [])],
      rule: 1,
      series: shown.map((each, index) => ({
        name: each.name,
        x: [...each.over_time.map((_, slot) => from_s + slot * slot_s), end],
        y: [...each.over_time, each.over_time.at(-1)],
        kind: "steps",
        className: `plot-load plot-load-${index % 3}`,
      })),
    });
    this.legend.replaceChildren(
      ...resources.map((each, index) =>
        h(
          "span",
          { class: `legend-load legend-load-${index % 3}` },
          each.mean === null
            ? gettext("{name}: all at once", { name: resourceName(each.name) })
            : gettext("{name}: {mean} on average", { name: resourceName(each.name), mean: percent(each.mean) }),
        ),
      ),
    );
  }

  /**
   * @param {WorkloadAnswer} answer
   * @param {Preset | null} preset
   * @param {any} workload
   */
  #fits(answer, preset, workload) {
    this.fitPart.hidden = !preset;
    if (!preset) return;
    /**
     * @param {{name: string, share?: boolean}} row
     * @param {unknown} value
     */
    const text = (row, value) =>
      typeof value !== "number"
        ? "–"
        : row.share
          ? percent(value)
          : row.name.includes("_s") && !row.name.endsWith(".cv")
            ? measured(value * 1e9)
            : value < 1000
              ? three(value)
              : whole(value);
    // What the preset's own number of jobs and rate decide can be held against it only while they are as it has them.
    const own = answer.sample.whole && workload.jobs === preset.workload.jobs;
    const rate = workload.arrivals.rate_per_s && workload.arrivals.rate_per_s === preset.workload.arrivals.rate_per_s;
    const rows = fitRows(preset, answer.statistics).filter(
      (row) => (own || !["jobs", "tasks"].includes(row.name)) && (rate || row.name !== "gap_s.mean"),
    );
    const head = h(
      "div",
      { class: "picture-row fit-row picture-heads", role: "row" },
      [gettext("What"), gettext("known"), gettext("drawn"), gettext("off")].map((each, index) =>
        h("span", { role: "columnheader" }, index ? each : h("span", { class: "visually-hidden" }, each)),
      ),
    );
    this.fit.replaceChildren(
      head,
      ...rows.map((row) =>
        h(
          "div",
          { class: "picture-row fit-row", role: "row" },
          h("span", { role: "rowheader" }, statisticWords(row.name)),
          h("span", { role: "cell" }, text(row, row.wanted)),
          h("span", { role: "cell" }, text(row, row.found)),
          h(
            "span",
            { role: "cell" },
            row.off === null ? "–" : `${signed(row.off * 100)}${row.share ? " pp" : "\u202f%"}`,
          ),
        ),
      ),
    );
  }
}
