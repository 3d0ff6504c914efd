/** The properties of a workload: densities and distribution functions, the sampled values, load against capacity. */

import { axisSeconds, measured, percent, short, three, whole } from "../../kit/format.js";
import { fitRows, statisticWords } from "../../experiment/workloads.js";
import { curve, mixtureOf, spanOf } from "../../experiment/distributions.js";
import { entryView, partView } from "../../experiment/forms/fields.js";
import { element, html, nothing, signal } from "../../kit/view.js";
import { Plot } from "../../experiment/forms/plot.js";
import { gettext } from "../../kit/words.js";
import { SHARES, asPercent, at, shapePlot, signed, quantile } from "./workload_plots.js";

/**
 * @import { PlotData } from "../../experiment/forms/plot.js"
 * @import { Shaped, Weighted } from "../../experiment/distributions.js"
 * @import { Preset, Workload } from "./workload.js"
 */

/**
 * @typedef {{edges: number[], cdf: number[]}} Drawn  the distribution function of a sample
 * @typedef {{name: string, mean: number | null, over_time: number[]}} ResourceLoad
 * @typedef {object} WorkloadAnswer  a preview from the server
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

/** Return a resource's usual name; custom resources keep theirs. */
const resourceName = (/** @type {string} */ name) => RESOURCES[name] ?? name;

/** The picture of a workload. Parts that need the server's preview stay empty until it arrives. */
export class WorkloadPicture {
  #shown = signal(/** @type {{answer: WorkloadAnswer, preset: Preset | null, workload: Workload} | null} */ (null));
  /** True if the workload has no distributions. */
  #none = signal(false);
  /** @type {Partial<WorkloadAnswer["distributions"]>} */
  #drawn = {};
  /** The workload of the curves. @type {Workload | null} */
  #last = null;
  #cut;

  /**
   * `cut(seconds)` is called when a user sets from which duration on a job is long; null restores the source's value.
   * @param {HTMLElement} parent
   * @param {(seconds: number | null) => void} cut
   */
  constructor(parent, cut) {
    this.#cut = cut;
    this.plots = this.#plots();
    parent.append(
      element(
        "div",
        "",
        () => html`
          <div ?hidden=${this.#none.value}>${this.#content()}</div>
          <p class="editor-about picture-empty" ?hidden=${!this.#none.value}
            >${gettext("This workload does not come from distributions, so there are none to edit.")}</p>`,
      ),
    );
  }

  #content() {
    const shown = this.#shown.value;
    const answer = shown?.answer;
    const { load, duration, size, gaps } = this.plots;
    return html`
      <p class="editor-about picture-waiting">${gettext("Drawing a sample…")}</p>
      <div aria-live="polite"
        >${(answer?.warnings ?? []).map(
          (each) => html`<p class="editor-warning" data-path=${each.path}>${each.message}</p>`,
        )}</div>
      <dl class="big-numbers">${answer ? numbersView(answer) : nothing}</dl>
      ${this.#cutoffView(answer)}
      <p class="editor-about">${answer ? noteWords(answer) : ""}</p>
      ${partView(
        gettext("Load"),
        gettext("arriving work against capacity"),
        html`${load.element}<p class="plot-legend">${(answer?.load.resources ?? []).map(legendView)}</p>`,
      )}
      ${partView(gettext("Task duration"), gettext("density, and cumulative share"), duration.element)}
      ${partView(gettext("Tasks per job"), gettext("density, and cumulative share"), size.element)}
      ${partView(
        gettext("Gaps"),
        gettext("share of gaps up to this length"),
        gaps.element,
        Boolean(answer && answer.distributions.gap_s.edges.length < 2),
      )}
      ${partView(
        gettext("Fit"),
        gettext("published values, and values of this sample"),
        html`<div class="picture-table fit-table" role="table" aria-label=${gettext("The preset's fit")}
          >${shown?.preset ? fitView(shown.answer, shown.preset, shown.workload) : nothing}</div>`,
        Boolean(shown && !shown.preset),
      )}`;
  }

  /** @param {WorkloadAnswer} [answer] */
  #cutoffView(answer) {
    const entry = entryView(
      {
        label: gettext("A job is long from (seconds)"),
        numeric: true,
        help: gettext("A job counts as long if its mean task duration is at least this."),
        value: answer ? three(answer.cutoff_s).replaceAll(",", "") : "",
      },
      (text) => {
        const value = Number(text.replace(",", "."));
        this.#cut(value > 0 ? value : null);
      },
    );
    return html`<label class="editor-line"
      ><span class="knob-label">${gettext("long from")}</span>${entry}<span class="knob-label">s</span></label>`;
  }

  #plots() {
    /** @param {number} value */
    const seconds = (value) => axisSeconds(value);
    const size = shapePlot(gettext("Tasks per job"), short, (x, data) =>
      gettext("{share} of the jobs have at most {tasks} tasks{drawn}.", {
        share: percent(at(data.x ?? [], data.cdf ?? [], x)),
        tasks: three(x),
        drawn: data.drawn
          ? gettext("; in the sample, {share}", { share: percent(at(data.drawn.edges, data.drawn.cdf, x)) })
          : "",
      }),
    );
    const duration = shapePlot(gettext("Task duration"), seconds, (x, data) =>
      gettext("{share} of the tasks run at most {time}{drawn}.", {
        share: percent(at(data.x ?? [], data.cdf ?? [], x)),
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
      sentence: (/** @type {number} */ x, /** @type {PlotData} */ data) =>
        gettext("{share} of the gaps between jobs are at most {time}.", {
          share: percent(at(data.series[0].x, data.series.at(-1)?.y ?? [], x)),
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
      sentence: (/** @type {number} */ x, /** @type {PlotData} */ data) =>
        gettext("At {time}, arriving work needs {series}.", {
          time: measured(x * 1e9),
          series: data.series
            .map((each) => gettext("{share} of the {name}", { share: percent(at(each.x, each.y, x)), name: each.name }))
            .join(", "),
        }),
    });
    return { size, duration, gaps, load };
  }

  empty() {
    this.#none.value = true;
  }

  /**
   * Draw the fields' distributions immediately; invalid fields keep the last picture.
   * @param {Workload} workload
   */
  curves(workload) {
    this.#last = workload;
    this.#none.value = false;
    /** @type {["tasks_per_job" | "duration_s", Plot][]} */
    const plots = [
      ["tasks_per_job", this.plots.size],
      ["duration_s", this.plots.duration],
    ];
    for (const [field, plot] of plots) {
      try {
        this.#shape(plot, mixtureOf(/** @type {Shaped} */ (workload), field), this.#drawn[field]);
      } catch {
        /* the server reports the problem */
      }
    }
  }

  /**
   * @param {Plot} plot
   * @param {Weighted[]} parts
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
   * @param {Workload} workload
   */
  show(answer, preset, workload) {
    this.#drawn = answer.distributions;
    this.#shown.value = { answer, preset, workload };
    this.#loads(answer.load);
    const gaps = answer.distributions.gap_s;
    if (gaps.edges.length > 1)
      this.plots.gaps.set({
        span: [gaps.edges[0], gaps.edges[gaps.edges.length - 1]],
        most: 1,
        ticks: SHARES,
        series: [{ x: gaps.edges, y: gaps.cdf, kind: "line", className: "plot-line" }],
      });
    if (this.#last) this.curves(this.#last);
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
  }
}

/**
 * @param {string} label
 * @param {string} value
 * @param {string} tip
 */
const numberView = (label, value, tip) => html`<div data-tip=${tip}><dd>${value}</dd><dt>${label}</dt></div>`;

/**
 * Return the three numbers at the top.
 * @param {WorkloadAnswer} answer
 */
const numbersView = ({ statistics, cutoff_s }) => [
  numberView(
    gettext("of the jobs are long by this limit"),
    percent(statistics.long_jobs),
    gettext("A job is long when its tasks run {cutoff} or more on average.", { cutoff: measured(cutoff_s * 1e9) }),
  ),
  numberView(
    gettext("of the tasks belong to long jobs"),
    percent(statistics.long_tasks),
    gettext("Tasks in long jobs."),
  ),
  numberView(gettext("of the task-seconds"), percent(statistics.long_task_seconds), gettext("Work in long jobs.")),
];

/**
 * Describe the size of the sample.
 * @param {WorkloadAnswer} answer
 */
const noteWords = ({ statistics, sample, notes }) =>
  gettext("{jobs} jobs and {tasks} tasks over {span}.{sample}{notes}", {
    jobs: whole(statistics.jobs),
    tasks: whole(statistics.tasks),
    span: measured(statistics.span_s * 1e9),
    sample: sample.whole ? "" : gettext(" This is a sample of the tasks that a run draws."),
    notes: notes.length ? ` ${notes.join(" ")}` : "",
  });

/**
 * @param {ResourceLoad} resource
 * @param {number} index
 */
const legendView = ({ name, mean }, index) =>
  html`<span class="legend-load legend-load-${index % 3}">${
    mean === null
      ? gettext("{name}: all at once", { name: resourceName(name) })
      : gettext("{name}: {mean} on average", { name: resourceName(name), mean: percent(mean) })
  }</span>`;

/**
 * Format a statistic with its unit.
 * @param {{name: string, share?: boolean}} row
 * @param {unknown} value
 */
function statistic(row, value) {
  if (typeof value !== "number") return "–";
  if (row.share) return percent(value);
  if (row.name.includes("_s") && !row.name.endsWith(".cv")) return measured(value * 1e9);
  return value < 1000 ? three(value) : whole(value);
}

/**
 * Return rows of published values beside the sample's.
 * @param {WorkloadAnswer} answer
 * @param {Preset} preset
 * @param {Workload} workload
 */
function fitView(answer, preset, workload) {
  // Values that depend on the preset's number of jobs and rate are comparable only while these are unchanged.
  const own = answer.sample.whole && workload.jobs === preset.workload.jobs;
  const rate = workload.arrivals.rate_per_s && workload.arrivals.rate_per_s === preset.workload.arrivals.rate_per_s;
  const rows = fitRows(preset, answer.statistics).filter(
    (row) => (own || !["jobs", "tasks"].includes(row.name)) && (rate || row.name !== "gap_s.mean"),
  );
  return html`
    <div class="picture-row fit-row picture-heads" role="row"
      ><span role="columnheader"><span class="visually-hidden">${gettext("What")}</span></span
      >${[gettext("known"), gettext("drawn"), gettext("off")].map(
        (each) => html`<span role="columnheader">${each}</span>`,
      )}</div
    >${rows.map(
      (row) => html`
        <div class="picture-row fit-row" role="row" data-fitted=${row.name}
          ><span role="rowheader">${statisticWords(row.name)}</span
          ><span role="cell">${statistic(row, row.wanted)}</span
          ><span role="cell">${statistic(row, row.found)}</span
          ><span role="cell">${
            row.off === null ? "–" : `${signed(row.off * 100)}${row.share ? " pp" : "\u202f%"}`
          }</span></div>`,
    )}`;
}
