/** The tables under runs side by side: a column for each run, a row for each measure, and ratios to the baseline. */

import { html, nothing } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";

/** @import { ComparePage } from "./side_column.js" */

/** @typedef {{name: string, label: string, help: string, cells: {text: string, ratio?: string}[]}} SideRow */

/**
 * Return a table.
 * @param {Pick<ComparePage, "names" | "reference">} page
 * @param {string} caption  what the table has, for readers who do not see it
 * @param {unknown} bodies  the table's bodies
 */
export function sideTable({ names, reference }, caption, bodies) {
  const base = html`<span class="side-base">${gettext("baseline")}</span>`;
  return html`<table class="trace-table side-table">
    <caption class="visually-hidden">${caption}</caption>
    <thead>
      <tr>
        <th scope="col">${gettext("Whole run")}</th>
        ${names.map((name, at) => html`<th scope="col">${name}${at === reference ? base : nothing}</th>`)}
      </tr>
    </thead>
    ${bodies}
  </table>`;
}

/** Return the row of a measure. */
export function sideRow(/** @type {SideRow} */ { name, label, help, cells }) {
  const cell = (/** @type {SideRow["cells"][number]} */ { text, ratio }) =>
    html`<td>${text}${ratio ? html`<span class="side-ratio">${ratio}</span>` : nothing}</td>`;
  return html`<tr data-measure=${name}>
    <th scope="row" data-tip=${help}>${label}</th>
    ${cells.map(cell)}
  </tr>`;
}
