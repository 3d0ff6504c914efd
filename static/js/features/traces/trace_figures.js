/** A trace's statistics: numbers and figures, with a draw of a fit over them where there is one. */

import { measured, percent, short, three, whole } from "../../kit/format.js";
import { burstWords } from "./traces.js";
import { h } from "../../kit/dom.js";
import { FigureView } from "../../draw/charts/figure_view.js";
import { gettext } from "../../kit/words.js";

/** @import { BurstWindow, Burstiness } from "./traces.js" */

/** @param {number} value */
const seconds = (value) => measured(value * 1e9);
/** @param {number} value */
const count = (value) => (value < 10 ? three(value) : short(Math.round(value)));
/**
 * @typedef {{mean: number, cv: number, max: number, percentiles: Record<string, number>}} Distribution
 * @typedef {Record<string, any> & {distributions: Record<string, Distribution>, burstiness: Burstiness,
 *   cutoff_s: number, over_time: Record<string, unknown>, graphs?: any}} Statistics  of a trace, or of a fit's draw
 */
/** @typedef {[name: string, title: string, about: string, show: (value: number) => string]} Row */

/** @type {Row[]} */
const DISTRIBUTIONS = [
  ["tasks_per_job", gettext("Tasks per job"), gettext("Share of jobs with at most this many tasks."), short],
  ["duration_s", gettext("Task duration"), gettext("Share of tasks that run at most this long."), seconds],
  [
    "gap_s",
    gettext("Gaps between jobs"),
    gettext("Share of gaps between arrivals that are at most this long."),
    seconds,
  ],
];
/** @type {Row[]} */
const GRAPHS = [
  [
    "stages_per_job",
    gettext("Stages per graph"),
    gettext("Share of the jobs that are graphs with at most this many stages."),
    short,
  ],
  [
    "critical_path_s",
    gettext("Critical path"),
    gettext("Share of graphs whose longest chain of tasks takes at most this long."),
    seconds,
  ],
  ["depth", gettext("Depth"), "", short],
  ["tasks_per_stage", gettext("Tasks per stage"), "", short],
];
const RUNNING = [
  "running",
  gettext("Tasks that run at a time"),
  gettext("If every task started on arrival, with unlimited machines."),
];
const ARRIVALS = ["tasks", gettext("Arrivals"), gettext("Tasks that arrive in each of 240 equal intervals.")];
const COLUMNS = ["p50", "p90", "p95", "p99", "p99.9"];

/** @param {HTMLElement} rows */
function percentileTable(rows) {
  const head = ["mean", "CV", ...COLUMNS, "max"].map((name) => h("th", { scope: "col" }, name));
  return h(
    "div",
    { class: "trace-table-place", tabindex: "0", role: "region", "aria-label": gettext("Percentiles") },
    h(
      "table",
      { class: "trace-table" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, gettext("Distribution")), head)),
      rows,
    ),
  );
}

/**
 * {element, show(statistics, fit or null)}: the trace's numbers, and figures that are asked for as they come near.
 * @param {string} traceId
 */
export function traceFigures(traceId) {
  const counts = h("dl", { class: "trace-counts" });
  const drawn = [RUNNING, ...DISTRIBUTIONS, ...GRAPHS.slice(0, 2), ARRIVALS].map(([name, title, about]) => {
    const view = new FigureView({
      source: `/traces/${encodeURIComponent(traceId)}/figure`,
      publish: `/traces/${encodeURIComponent(traceId)}/figure`,
      params: { kind: name },
      name: `trace-${name}`,
      title,
      about,
      caption: false,
    });
    view.element.dataset.figure = title;
    if (name === "running" || name === "tasks") view.element.classList.add("is-wide");
    return { name, view };
  });
  /** @param {string} of */
  const figureOf = (of) => drawn.find(({ name }) => name === of)?.view.element;
  const table = h("tbody");
  const bursts = h("p", { class: "trace-words" });
  const windows = h("tbody");
  const element = h(
    "div",
    {},
    counts,
    h(
      "div",
      { class: "trace-figures" },
      figureOf("running"),
      DISTRIBUTIONS.map(([name]) => figureOf(name)),
      burstFigure(windows),
      GRAPHS.slice(0, 2).map(([name]) => figureOf(name)),
      figureOf("tasks"),
    ),
    percentileTable(table),
    bursts,
  );
  return {
    element,
    show(/** @type {Statistics} */ own, /** @type {Statistics | null} */ fit) {
      counts.replaceChildren(...countsOf(own, fit));
      for (const { name, view } of drawn) {
        const there = own.distributions[name] ?? own.graphs?.distributions[name] ?? own.over_time[name];
        view.element.hidden = !there;
        if (there) view.show({ kind: name, cutoff_s: fit ? own.cutoff_s : null });
      }
      table.replaceChildren(
        ...DISTRIBUTIONS.flatMap(([name, title, , axis]) =>
          rowsOf(title, axis, own.distributions[name], fit?.distributions[name]),
        ),
        ...GRAPHS.flatMap(([name, title, , axis]) => rowsOf(title, axis, own.graphs?.distributions[name], null)),
      );
      bursts.textContent = burstWords(own.burstiness);
      windows.replaceChildren(
        ...own.burstiness.windows.map((each, index) => windowRow(each, fit?.burstiness.windows[index])),
      );
    },
  };
}

/** @param {HTMLElement} windows */
function burstFigure(windows) {
  return h(
    "figure",
    { class: "figure", "data-figure": gettext("Burstiness") },
    h("h2", { class: "figure-title" }, gettext("Burstiness")),
    h(
      "p",
      { class: "figure-about" },
      gettext(
        "Jobs that arrive in windows of a length: variance over mean (1: as by chance), and the busiest window " +
          "over the mean.",
      ),
    ),
    h(
      "table",
      { class: "trace-table" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          [gettext("Window"), gettext("Variance / mean"), gettext("Peak / mean")].map((name) =>
            h("th", { scope: "col" }, name),
          ),
        ),
      ),
      windows,
    ),
  );
}

/**
 * @param {BurstWindow} own
 * @param {BurstWindow | undefined} fit
 */
function windowRow(own, fit) {
  /** @param {"dispersion" | "peak_to_mean"} of */
  const both = (of) => [three(own[of]), ...(fit ? [h("span", { class: "of-fit" }, ` / ${three(fit[of])}`)] : [])];
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, seconds(own.length_s)),
    h("td", {}, both("dispersion")),
    h("td", {}, both("peak_to_mean")),
  );
}

/**
 * @param {Statistics} own
 * @param {Statistics | null} fit
 */
function countsOf(own, fit) {
  /** @type {[string, string, (value: number) => string][]} */
  const facts = [
    [gettext("Jobs"), "jobs", whole],
    [gettext("Tasks"), "tasks", short],
    [gettext("From first to last"), "span_s", seconds],
    [gettext("Work"), "work_s", (value) => gettext("{hours} task-h", { hours: short(value / 3600) })],
    [gettext("Run at a time, mean"), "mean_concurrency", count],
  ];
  /** @param {Statistics} of */
  const jobs = (of) => percent(of.long.jobs);
  /** @param {Statistics} of */
  const taskSeconds = (of) => percent(of.long.task_seconds);
  /**
   * @param {string} title
   * @param {string} value
   * @param {string | null} drawn
   */
  const one = (title, value, drawn) =>
    h(
      "div",
      {},
      h("dt", {}, title),
      h("dd", {}, value, ...(drawn ? [h("span", { class: "of-fit" }, gettext("drawn: {drawn}", { drawn }))] : [])),
    );
  return [
    ...facts.map(([title, name, show]) => one(title, show(own[name]), fit && show(fit[name]))),
    one(gettext("Long jobs (from {cutoff})", { cutoff: seconds(own.cutoff_s) }), jobs(own), fit && jobs(fit)),
    one(gettext("Task-seconds in them"), taskSeconds(own), fit && taskSeconds(fit)),
    ...graphCounts(own.graphs, one),
  ];
}

/**
 * Statistics that were measured before graphs were read have none.
 * @param {any} graphs
 * @param {(title: string, value: string, drawn: string | null) => HTMLElement} one
 */
function graphCounts(graphs, one) {
  if (!graphs) return [];
  return [
    one(gettext("Jobs that are graphs"), whole(graphs.jobs), null),
    one(gettext("Stages in them"), short(graphs.stages), null),
    one(gettext("Edges between stages"), short(graphs.edges), null),
    one(gettext("Run at a time in a graph, mean"), count(graphs.parallelism), null),
  ];
}

/**
 * @param {string} title
 * @param {(value: number) => string} show
 * @param {Distribution | null | undefined} own
 * @param {Distribution | null | undefined} fit
 */
function rowsOf(title, show, own, fit) {
  if (!own) return [];
  /** @param {Distribution} of */
  const cells = (of) =>
    [show(of.mean), three(of.cv), ...COLUMNS.map((name) => show(of.percentiles[name])), show(of.max)].map((text) =>
      h("td", {}, text),
    );
  return [
    h("tr", {}, h("th", { scope: "row" }, title), cells(own)),
    ...(fit ? [h("tr", { class: "of-fit" }, h("th", { scope: "row" }, gettext("drawn")), cells(fit))] : []),
  ];
}
