/** A trace's statistics: numbers and figures, with a fit's sample over them if there is one. */

import { measured, percent, short, three, whole } from "../../kit/format.js";
import { burstWords } from "./traces.js";
import { FigureView } from "../../draw/charts/figure_view.js";
import { gettext } from "../../kit/words.js";
import { element, html, nothing, signal } from "../../kit/view.js";

/** @import { BurstWindow, Burstiness } from "./traces.js" */

/** @param {number} value */
const seconds = (value) => measured(value * 1e9);
/** @param {number} value */
const count = (value) => (value < 10 ? three(value) : short(Math.round(value)));
/**
 * @typedef {{mean: number, cv: number, max: number, percentiles: Record<string, number>}} Distribution
 * @typedef {Record<string, unknown> & {long: {jobs: number, task_seconds: number},
 *   distributions: Record<string, Distribution>, burstiness: Burstiness, cutoff_s: number,
 *   over_time: Record<string, unknown>, graphs?: GraphStatistics | null}} Statistics  statistics of a trace, or of a
 *   fit's sample
 * @typedef {{jobs: number, stages: number, edges: number, parallelism: number,
 *   distributions: Record<string, Distribution>}} GraphStatistics
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

/**
 * @typedef {{own: Statistics, fit: Statistics | null}} Shown  a trace's statistics, and those of a sample of its fit
 */

/**
 * Return {element, show(statistics, fit or null)}: the trace's numbers, and figures that load as they come near the
 * viewport.
 * @param {string} traceId
 */
export function traceFigures(traceId) {
  const shown = signal(/** @type {Shown | null} */ (null));
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
    view.element.dataset.figure = name;
    if (name === "running" || name === "tasks") view.element.classList.add("is-wide");
    return { name, view };
  });
  const figureOf = (/** @type {string} */ of) => drawn.find(({ name }) => name === of)?.view.element;
  return {
    element: element("div", "", () => {
      const { value } = shown;
      return html`
        <dl class="trace-counts">${value ? countsView(value) : nothing}</dl>
        <div class="trace-figures">
          ${figureOf("running")}
          ${DISTRIBUTIONS.map(([name]) => figureOf(name))}
          ${burstView(value)}
          ${GRAPHS.slice(0, 2).map(([name]) => figureOf(name))}
          ${figureOf("tasks")}
        </div>
        ${percentilesView(value)}
        <p class="trace-words">${value ? burstWords(value.own.burstiness) : nothing}</p>`;
    }),
    show(/** @type {Statistics} */ own, /** @type {Statistics | null} */ fit) {
      for (const { name, view } of drawn) {
        const there = own.distributions[name] ?? own.graphs?.distributions[name] ?? own.over_time[name];
        view.element.hidden = !there;
        if (there) view.show({ kind: name, cutoff_s: fit ? own.cutoff_s : null });
      }
      shown.value = { own, fit };
    },
  };
}

/** @param {Shown | null} shown */
const percentilesView = (shown) => html`
  <div class="trace-table-place" tabindex="0" role="region" aria-label=${gettext("Percentiles")}>
    <table class="trace-table">
      <thead>
        <tr>
          <th scope="col">${gettext("Distribution")}</th>
          ${["mean", "CV", ...COLUMNS, "max"].map((name) => html`<th scope="col">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${
          shown &&
          DISTRIBUTIONS.map(([name, title, , show]) =>
            rowsView(title, show, shown.own.distributions[name], shown.fit?.distributions[name]),
          )
        }
        ${
          shown &&
          GRAPHS.map(([name, title, , show]) => rowsView(title, show, shown.own.graphs?.distributions[name], null))
        }
      </tbody>
    </table>
  </div>`;

/**
 * Return a distribution's rows: the trace's and the fit's.
 * @param {string} title
 * @param {(value: number) => string} show
 * @param {Distribution | null | undefined} own
 * @param {Distribution | null | undefined} fit
 */
function rowsView(title, show, own, fit) {
  if (!own) return nothing;
  const cells = (/** @type {Distribution} */ of) =>
    [show(of.mean), three(of.cv), ...COLUMNS.map((name) => show(of.percentiles[name])), show(of.max)].map(
      (text) => html`<td>${text}</td>`,
    );
  return html`
    <tr><th scope="row">${title}</th>${cells(own)}</tr>
    ${fit ? html`<tr class="of-fit"><th scope="row">${gettext("drawn")}</th>${cells(fit)}</tr>` : nothing}`;
}

/** @param {Shown | null} shown */
const burstView = (shown) => html`
  <figure class="figure" data-figure="burstiness">
    <h2 class="figure-title">${gettext("Burstiness")}</h2>
    <p class="figure-about">${gettext(
      "Jobs that arrive in windows of a length: variance over mean (1: as by chance), and the busiest window " +
        "over the mean.",
    )}</p>
    <table class="trace-table">
      <thead>
        <tr>
          ${[gettext("Window"), gettext("Variance / mean"), gettext("Peak / mean")].map(
            (name) => html`<th scope="col">${name}</th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${shown?.own.burstiness.windows.map((own, place) => windowView(own, shown.fit?.burstiness.windows[place]))}
      </tbody>
    </table>
  </figure>`;

/**
 * @param {BurstWindow} own
 * @param {BurstWindow | undefined} fit
 */
function windowView(own, fit) {
  const both = (/** @type {"dispersion" | "peak_to_mean"} */ of) => html`
    <td>${three(own[of])}${fit ? html`<span class="of-fit"> / ${three(fit[of])}</span>` : nothing}</td>`;
  return html`<tr><th scope="row">${seconds(own.length_s)}</th>${both("dispersion")}${both("peak_to_mean")}</tr>`;
}

/**
 * @param {string} title
 * @param {string} value
 * @param {string | null} [drawn]  the fit's value
 */
const countView = (title, value, drawn) => html`
  <div>
    <dt>${title}</dt>
    <dd>${value}${drawn ? html`<span class="of-fit">${gettext("drawn: {drawn}", { drawn })}</span>` : nothing}</dd>
  </div>`;

const numberOf = (/** @type {Statistics} */ of, /** @type {string} */ name) => /** @type {number} */ (of[name]);

/** @param {Shown} shown */
function countsView({ own, fit }) {
  /** @type {[title: string, name: string, show: (value: number) => string][]} */
  const facts = [
    [gettext("Jobs"), "jobs", whole],
    [gettext("Tasks"), "tasks", short],
    [gettext("From first to last"), "span_s", seconds],
    [gettext("Work"), "work_s", (value) => gettext("{hours} task-h", { hours: short(value / 3600) })],
    [gettext("Run at a time, mean"), "mean_concurrency", count],
  ];
  const jobs = (/** @type {Statistics} */ of) => percent(of.long.jobs);
  const taskSeconds = (/** @type {Statistics} */ of) => percent(of.long.task_seconds);
  return [
    ...facts.map(([title, name, show]) =>
      countView(title, show(numberOf(own, name)), fit && show(numberOf(fit, name))),
    ),
    countView(gettext("Long jobs (from {cutoff})", { cutoff: seconds(own.cutoff_s) }), jobs(own), fit && jobs(fit)),
    countView(gettext("Task-seconds in them"), taskSeconds(own), fit && taskSeconds(fit)),
    ...graphCounts(own.graphs),
  ];
}

/**
 * Older statistics have no graphs.
 * @param {GraphStatistics | null | undefined} graphs
 */
function graphCounts(graphs) {
  if (!graphs) return [];
  return [
    countView(gettext("Jobs that are graphs"), whole(graphs.jobs)),
    countView(gettext("Stages in them"), short(graphs.stages)),
    countView(gettext("Edges between stages"), short(graphs.edges)),
    countView(gettext("Run at a time in a graph, mean"), count(graphs.parallelism)),
  ];
}
