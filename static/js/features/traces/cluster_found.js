/** The contents of an imported cluster in numbers, histograms and tables, before any run. */

import { whole } from "../../kit/format.js";
import { html, nothing } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";

/** @import { Experiment } from "../../experiment/experiment.js" */

/**
 * @typedef {{edges: number[], counts: number[]}} Histogram
 * @typedef {object} Cluster  a trace's `cluster` in the server's format
 * @property {Experiment} experiment
 * @property {Report} report
 * @property {Charts} charts
 */

/**
 * @typedef {Partial<Record<"machines" | "pods" | "jobs" | "placed" | "pending" | "later" | "endless", number>>} Numbers
 * @typedef {Numbers & {not_understood?: Record<string, number>, not_understood_in?: Record<string, string[]>}} Report
 * @typedef {{cpus: Histogram, memory_gb: Histogram}} Histograms  by resource
 * @typedef {[name: string, count: number][]} Rows
 * @typedef {{requested_share_of_machine: Histograms, requests: Histograms, tasks_by_queue: Rows, tasks_by_owner: Rows,
 *   tasks_by_priority: Rows}} Charts
 */

/**
 * Return a cluster's experiment with its trace.
 * @param {Cluster} cluster
 * @param {string} id
 */
export function experimentOfCluster(cluster, id) {
  const { experiment } = cluster;
  return { ...experiment, workload: { ...experiment.workload, trace: id } };
}

/** @param {Numbers} report @returns {[words: string, count: number][]} */
export function numbers(report) {
  /** @type {[string, number | undefined][]} */
  const all = [
    [gettext("Machines"), report.machines],
    [gettext("Pods"), report.pods],
    [gettext("Jobs"), report.jobs],
    [gettext("Running at time 0"), report.placed],
    [gettext("Waiting at time 0"), report.pending],
    [gettext("Arriving later"), report.later],
    [gettext("Without an end"), report.endless],
  ];
  return /** @type {[string, number][]} */ (all.filter(([, count]) => count !== undefined));
}

/**
 * Return a histogram as bars, with text for screen readers.
 * @param {string} title
 * @param {Histogram} histogram
 * @param {(value: number) => string} show
 */
function bars(title, { edges, counts }, show) {
  const most = Math.max(...counts, 1);
  const bar = (/** @type {number} */ count, /** @type {number} */ at) => {
    const words = `${show(edges[at])} – ${show(edges[at + 1])}: ${whole(count)}`;
    const height = Math.max((100 * count) / most, count ? 2 : 0);
    return html`<span
      class="cluster-bar"
      role="img"
      aria-label=${words}
      title=${words}
      .style=${`height: ${height}%`}
    ></span>`;
  };
  return html`
    <figure class="cluster-chart">
      <figcaption>${title}</figcaption>
      <div class="cluster-bars">${counts.map(bar)}</div>
      <div class="cluster-axis"><span>${show(edges[0])}</span><span>${show(edges[edges.length - 1])}</span></div>
    </figure>`;
}

/**
 * @param {string} title
 * @param {[name: string, count: number][]} rows
 * @param shown  the first objects of a row, by its name
 */
const table = (title, rows, shown = /** @type {Record<string, string[]>} */ ({})) => html`
  <table class="cluster-table">
    <caption>${title}</caption>
    <tbody
      >${rows.map(
        ([name, count]) =>
          html`<tr>
            <th scope="row"
              >${name || gettext("others")}${
                shown[name]?.length ? html`<span class="cluster-objects">${shown[name].join(", ")}</span>` : nothing
              }</th>
            <td>${whole(count)}</td>
          </tr>`,
      )}</tbody>
  </table>`;

/** @param {Cluster} cluster */
export function clusterFound({ report, charts }) {
  const percent = (/** @type {number} */ share) => `${Math.round(100 * share)} %`;
  const plain = (/** @type {number} */ value) => String(Math.round(value * 100) / 100);
  const unknown = /** @type {[string, number][]} */ (Object.entries(report.not_understood ?? {}));
  const shares = charts.requested_share_of_machine;
  return html`
    <div class="cluster-found">
      <dl class="trace-counts"
        >${numbers(report).map(([words, count]) => html`<div><dt>${words}</dt><dd>${whole(count)}</dd></div>`)}</dl>
      <div class="cluster-charts">
        ${
          // A history has no task that runs at time 0.
          report.placed
            ? [
                bars(gettext("Machines by requested share of CPUs"), shares.cpus, percent),
                bars(gettext("Machines by requested share of memory"), shares.memory_gb, percent),
              ]
            : nothing
        }
        ${bars(gettext("Tasks by requested CPUs"), charts.requests.cpus, plain)}
        ${bars(gettext("Tasks by requested memory, GB"), charts.requests.memory_gb, plain)}
        ${table(gettext("Tasks by queue"), charts.tasks_by_queue)}
        ${table(gettext("Tasks by owner"), charts.tasks_by_owner)}
        ${table(gettext("Tasks by priority"), charts.tasks_by_priority)}
        ${unknown.length ? table(gettext("Not understood, by field"), unknown, report.not_understood_in) : nothing}
      </div>
    </div>`;
}
