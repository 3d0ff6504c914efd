/** Queues, priorities and machines in a study: estimates with intervals, and differences paired by seed. */

import { clusterMeasure } from "../../run/cluster_measures.js";
import { verdictWords } from "../../run/study/study.js";
import { studyResults } from "../../run/study/study_socket.js";
import { find } from "../../kit/dom.js";
import { html, nothing, show, signal } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Cell, Comparison, Results, Study } from "../../run/study/study.js"
 * @import { ClusterMeasure } from "../../run/cluster_measures.js"
 * @typedef {{metric: string, unit: string, cells: Cell[], comparisons: (Comparison & {scheduler: number})[]}} Estimated
 * @typedef {{measure: ClusterMeasure, number: Estimated}} StudyRow
 */

const PARTS = "by_priority,by_queue,room";

/**
 * Return the rows by part, in the table's order: priorities, queues, use of machines, what still fits. A count that is
 * 0 in every run has no row.
 * @param {Estimated[]} numbers
 * @returns {[string, StudyRow[]][]}
 */
export function studyRows(numbers) {
  /** @type {Map<string, StudyRow[]>} */
  const parts = new Map();
  for (const begin of ["by_priority.", "by_queue.", "room."])
    for (const number of numbers.filter((each) => each.metric.startsWith(begin))) {
      const measure = clusterMeasure(number.metric);
      const isZero = measure?.isCount && number.cells.every((cell) => cell.value === 0);
      if (measure && !isZero && number.cells.length)
        parts.set(measure.part, [...(parts.get(measure.part) ?? []), { measure, number }]);
    }
  return [...parts];
}

/**
 * A study's section of such numbers. It asks for them when it is opened, and again with each new result.
 */
export class ClusterStudy {
  #numbers = signal(/** @type {Estimated[]} */ ([]));
  #said = signal("");
  #against = signal(0);
  /** The results that the numbers belong to. */
  #key = "";

  constructor(/** @type {Study} */ study) {
    this.study = study;
    /** @type {Results | null} */
    this.results = null;
    this.place = /** @type {HTMLDetailsElement} */ (find("cluster-section"));
    this.place.addEventListener("toggle", () => this.#load());
    show(find("cluster"), () => this.#view());
  }

  /** Take new results of the page. A study that varies parameters has no such section. */
  update(/** @type {Results} */ results) {
    this.results = results;
    const isThere = results.metrics.some((/** @type {string} */ name) => clusterMeasure(name) !== null);
    this.place.hidden = !isThere || this.study.plan.axes.length > 0;
    this.#load();
  }

  async #load() {
    const { results, place } = this;
    if (!results || place.hidden || !place.open) return;
    const { statistic = "mean", against, runs } = results;
    const key = `${statistic}:${against}:${runs}`;
    if (key === this.#key) return;
    this.#key = key;
    try {
      const found = await studyResults(this.study.id, { metric: results.metric, statistic, against, also: PARTS });
      if (key !== this.#key) return;
      this.#against.value = against;
      this.#numbers.value = found.also;
      this.#said.value = "";
    } catch (caught) {
      const error = /** @type {Error} */ (caught);
      this.#key = "";
      this.#said.value = error.message;
    }
  }

  #view() {
    const said = this.#said.value;
    if (said) return html`<p class="study-said" role="alert">${said}</p>`;
    const rows = studyRows(this.#numbers.value);
    if (!rows.length) return html`<p class="study-method" role="status">${gettext("Fetching…")}</p>`;
    const { schedulers } = this.study;
    const against = this.#against.value;
    return html`<table class="trace-table study-table study-cluster-table">
      <caption class="visually-hidden">${gettext("Queues, priorities and machines of all schedulers")}</caption>
      <thead>
        <tr>
          <th scope="col">${gettext("Measure")}</th>
          ${schedulers.map((one) => html`<th scope="col">${one.label}</th>`)}
        </tr>
      </thead>
      ${rows.map(
        ([part, some]) =>
          html`<tbody>
            <tr class="study-part"><th scope="rowgroup" colspan=${schedulers.length + 1}>${part}</th></tr>
            ${some.map((row) => this.#row(row, against))}
          </tbody>`,
      )}
    </table>`;
  }

  #row(/** @type {StudyRow} */ { measure, number }, /** @type {number} */ against) {
    const { schedulers } = this.study;
    return html`<tr data-measure=${measure.name}>
      <th scope="row" data-tip=${measure.help}>${measure.label}</th>
      ${schedulers.map((_one, at) => {
        const cell = number.cells.find((each) => each.scheduler === at);
        const compared = number.comparisons.find((each) => each.scheduler === at);
        return html`<td>${cell ? estimateView(measure, cell) : "–"}
          ${
            compared
              ? html`<p class="study-verdict is-${compared.verdict.split(" ")[0]}"
                  >${verdictWords(compared, schedulers[against].label, number.unit)}</p
                >`
              : nothing
          }</td>`;
      })}
    </tr>`;
  }
}

/** Return a value with its interval below it. */
function estimateView(/** @type {ClusterMeasure} */ measure, /** @type {Cell} */ { value, low, high }) {
  const interval =
    low === null || high === null
      ? nothing
      : html`<span class="study-interval"
          >${gettext("{low} to {high}", { low: measure.show(low), high: measure.show(high) })}</span
        >`;
  return html`${measure.show(value)}${interval}`;
}
