/** The paper's tables: published numbers beside those derived from the matrix. */

import { tellBounds } from "./matrix_cells.js";
import { gettext } from "../../kit/words.js";
import { html, nothing } from "../../kit/view.js";

/** @import { DifferenceRow, DifferenceTable, GroupFigure, Reference } from "./reference.js" */

const round = (/** @type {number} */ value) => String(Math.round(value * 10) / 10);

/**
 * Return a scrollable table below its note.
 * @param {string} note
 * @param {string} label
 * @param {unknown} head
 * @param {unknown} rows
 */
const figures = (note, label, head, rows) => html`
  <div class="matrix-body">
    <p class="matrix-note">${note}</p>
    <div class="matrix-scroll" tabindex="0" role="region" aria-label=${label}>
      <table class="table-figures"><thead>${head}</thead><tbody>${rows}</tbody></table>
    </div>
  </div>`;

const pairHeads = () => html`
  <th scope="col">${gettext("published")}</th><th scope="col">${gettext("recomputed")}</th>`;

/** @param {GroupFigure | undefined} row */
const groupCells = (row) =>
  row &&
  html`
    <td>${row.published}</td>
    <td
      class=${row.agrees ? nothing : "is-different"}
      data-cell-tip=${row.agrees ? gettext("Agrees within one point.") : gettext("Differs by a point or more.")}
    >${round(row.recomputed)}${row.agrees ? "" : " ✗"}</td>`;

/**
 * Return Table II: how much of each group each scheduler has.
 * @param {Reference} reference
 */
export function groupsTable({ groups, groups_table: rows, systems }) {
  const found = new Map(rows.map((row) => [`${row.system} ${row.group}`, row]));
  return figures(
    gettext(
      "Percent of each group's stages: a full symbol counts one, a partial one half. {agree} of {figures} " +
        "recomputed figures agree with the published ones within one point.",
      { agree: rows.filter((row) => row.agrees).length, figures: rows.length },
    ),
    gettext("Table II"),
    html`
      <tr><td></td>${groups.map((group) => html`<th scope="colgroup" colspan="2">${group.name}</th>`)}</tr>
      <tr><th scope="col">${gettext("Scheduler")}</th>${groups.map(pairHeads)}</tr>`,
    systems.map(
      ({ name }) => html`
        <tr><th scope="row">${name}</th>${groups.map((group) => groupCells(found.get(`${name} ${group.id}`)))}</tr>`,
    ),
  );
}

/**
 * Return a verdict in words, not as a check mark: the cells were derived from these numbers, so a match proves nothing.
 * @param {DifferenceRow} row
 */
const verdict = (row) => html`
  <td class="table-verdict">${row.agrees ? gettext("used to find the cells") : gettext("✗ differs")}</td>`;

/**
 * Return Table III or VIII: the ten stages in which two halves of the schedulers differ most.
 * @param {Reference} reference
 * @param {DifferenceTable} table
 */
export function differenceTable({ stages }, { id, halves, rows }) {
  const names = new Map(stages.map((stage) => [stage.id, stage.name]));
  return figures(
    gettext(
      "Percentage of a stage that each half of the schedulers has. These figures helped to find the cells, so the " +
        "cells do not check them. Where cells are open, the recomputed figure is a range; {exact} of {figures} " +
        "figures have no open cell.",
      { exact: rows.reduce((sum, row) => sum + row.exact.filter(Boolean).length, 0), figures: 2 * rows.length },
    ),
    gettext("Table {table}", { table: id }),
    html`
      <tr>
        <td></td>
        ${halves.map((half) => html`<th scope="colgroup" colspan="2">${id === "VIII" ? `${half} 2010` : half}</th>`)}
        <td></td>
      </tr>
      <tr>
        <th scope="col">${gettext("Stage")}</th>
        ${halves.map(pairHeads)}
        <th scope="col">${gettext("Verdict")}</th>
      </tr>`,
    rows.map(
      (row) => html`
        <tr>
          <th scope="row">${row.stage} ${names.get(row.stage)}</th>
          ${row.published.map((value, half) => html`<td>${value}</td><td>${tellBounds(row.bounds[half])}</td>`)}
          ${verdict(row)}
        </tr>`,
    ),
  );
}
