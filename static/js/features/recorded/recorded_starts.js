/** The starts of jobs beside their recorded starts: the request, the table, and a dialog with all jobs. */

import { request } from "../../contract/api.js";
import { openForm } from "../../kit/dialogs.js";
import { html, nothing, signal } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";
import { rowsOf, startsWords } from "../../run/recorded_rows.js";

/**
 * @import { Failure } from "../../contract/api.js"
 * @import { RecordedStarts } from "../../contract/contract"
 * @import { Page, Row } from "../../run/recorded_rows.js"
 */

/** @typedef {"job" | "difference"} Order */

const PAGE_ROWS = 200;
/** @type {Record<Order, string>} */
const ORDERS = {
  difference: gettext("largest difference first"),
  job: gettext("by job"),
};

const address = (/** @type {string} */ runId, /** @type {string} */ part) =>
  `/runs/${encodeURIComponent(runId)}/${part}`;

/**
 * Fetch some jobs of a run.
 * @param {string} runId
 * @param {Order} order
 * @param {number} first
 * @param {number} count
 * @returns {Promise<Page>}
 */
export function startsPage(runId, order, first, count) {
  return request("GET", address(runId, `recorded-starts?order=${order}&first=${first}&count=${count}`));
}

/** Return a table of jobs. */
export function startsTable(/** @type {Row[]} */ rows) {
  const help = gettext("The start in this run minus the recorded start. + means later.");
  return html`<table class="waits-table starts-table" data-says="starts:jobs">
    <thead>
      <tr>
        <th scope="col">${gettext("Job")}</th>
        <th scope="col">${gettext("Recorded start")}</th>
        <th scope="col">${gettext("Start in this run")}</th>
        <th scope="col" data-tip=${help}>${gettext("Difference")}</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ({ job, words: [name, ...cells], shift_s }) =>
          html`<tr data-job=${job} data-shift=${shift_s}>
            <th scope="row">${name}</th>
            ${cells.map((cell) => html`<td>${cell}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/**
 * Open a dialog with all jobs of a run, and the downloads of the table.
 * @param {string} runId
 * @param {RecordedStarts} summary
 */
export function startsDialog(runId, summary) {
  const list = new StartsList(runId);
  const download = (/** @type {string} */ name, /** @type {string} */ label) =>
    html`<a class="button" href=${`/api/v1${address(runId, name)}`} download data-starts-file=${name}>${label}</a>`;
  const dialog = openForm({
    title: gettext("Recorded starts, job by job"),
    content: () => html`<p class="dialog-note">${startsWords(summary)}</p>
      ${list.view()}`,
    before: () => [download("starts.csv", "CSV"), download("starts.parquet", gettext("Parquet"))],
  });
  dialog.classList.add("dialog-wide");
  return dialog;
}

/** The rows that the dialog shows so far. */
class StartsList {
  /** @param {string} runId */
  constructor(runId) {
    this.runId = runId;
    this.order = signal(/** @type {Order} */ ("difference"));
    this.shown = signal({ rows: /** @type {Row[]} */ ([]), next: /** @type {number | null} */ (0), trouble: "" });
    this.more();
  }

  /** Fetch the next page of the order. */
  async more() {
    const [order, { rows, next }] = [this.order.peek(), this.shown.peek()];
    if (next === null) return;
    try {
      const page = await startsPage(this.runId, order, next, PAGE_ROWS);
      // The order may have changed, or the page may have come already.
      if (order !== this.order.peek() || this.shown.peek().next !== next) return;
      this.shown.value = { rows: [...rows, ...rowsOf(page)], next: page.next, trouble: "" };
    } catch (caught) {
      const error = /** @type {Failure} */ (caught);
      this.shown.value = { rows, next, trouble: error.message };
    }
  }

  /** @param {Order} order */
  choose(order) {
    this.order.value = order;
    this.shown.value = { rows: [], next: 0, trouble: "" };
    this.more();
  }

  view() {
    const { rows, next, trouble } = this.shown.value;
    return html`<label class="dialog-label"
        >${gettext("Order")}<select
          class="knob-select"
          data-starts-order
          @change=${(/** @type {Event & {target: HTMLSelectElement}} */ event) =>
            this.choose(/** @type {Order} */ (event.target.value))}
        >
          ${Object.entries(ORDERS).map(
            ([key, words]) => html`<option value=${key} ?selected=${key === this.order.value}>${words}</option>`,
          )}
        </select></label
      >
      ${trouble ? html`<p class="dialog-trouble" role="alert">${trouble}</p>` : nothing}
      <div class="starts-all" tabindex="0" role="region" aria-label=${gettext("Jobs")}>${startsTable(rows)}</div>
      ${
        next !== null && rows.length
          ? html`<button class="button" type="button" data-starts-more @click=${() => this.more()}
              >${gettext("Show more jobs")}</button
            >`
          : nothing
      }`;
  }
}
