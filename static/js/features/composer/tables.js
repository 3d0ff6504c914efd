/** The paper's tables, published beside what follows from the matrix. */

import { tellBounds } from "./matrix_cells.js";
import { h } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";

/** @import { DifferenceRow, DifferenceTable, GroupFigure, Reference } from "./reference.js" */

/** @param {number} value */
const round = (value) => String(Math.round(value * 10) / 10);
/**
 * Words, not a tick: the cells were solved from these figures, so that they come out again shows nothing.
 * @param {DifferenceRow} row
 */
const verdict = (row) =>
  h("td", { class: "table-verdict" }, row.agrees ? gettext("used to find the cells") : gettext("✗ differs"));

/** @param {Reference} reference */
function groupsHead(reference) {
  return h(
    "thead",
    {},
    h(
      "tr",
      {},
      h("td", {}),
      reference.groups.map((group) => h("th", { scope: "colgroup", colspan: 2 }, group.name)),
    ),
    h(
      "tr",
      {},
      h("th", { scope: "col" }, gettext("Scheduler")),
      reference.groups.flatMap(() => [
        h("th", { scope: "col" }, gettext("published")),
        h("th", { scope: "col" }, gettext("recomputed")),
      ]),
    ),
  );
}

/** @param {GroupFigure} row */
function groupCells(row) {
  const tip = row.agrees ? gettext("Agrees within one point.") : gettext("Differs by a point or more.");
  return [
    h("td", {}, String(row.published)),
    h(
      "td",
      { class: row.agrees ? null : "is-different", "data-cell-tip": tip },
      `${round(row.recomputed)}${row.agrees ? "" : " ✗"}`,
    ),
  ];
}

/**
 * Table II: how much each scheduler has of each group.
 * @param {Reference} reference
 */
export function groupsTable(reference) {
  const figures = new Map(reference.groups_table.map((row) => [`${row.system} ${row.group}`, row]));
  const agree = reference.groups_table.filter((row) => row.agrees).length;
  return h(
    "div",
    { class: "matrix-body" },
    h(
      "p",
      { class: "matrix-note" },
      gettext(
        "Percent of each group's stages: a full symbol counts one, a partial one half. {agree} of {figures} " +
          "recomputed figures agree with the published ones within one point.",
        { agree, figures: reference.groups_table.length },
      ),
    ),
    h(
      "div",
      { class: "matrix-scroll", tabindex: "0", role: "region", "aria-label": gettext("Table II") },
      h(
        "table",
        { class: "table-figures" },
        groupsHead(reference),
        h(
          "tbody",
          {},
          reference.systems.map((system) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, system.name),
              reference.groups.flatMap((group) =>
                groupCells(/** @type {GroupFigure} */ (figures.get(`${system.name} ${group.id}`))),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}

/** @param {DifferenceTable} table */
function halvesHead(table) {
  return h(
    "thead",
    {},
    h(
      "tr",
      {},
      h("td", {}),
      table.halves.map((half) =>
        h("th", { scope: "colgroup", colspan: 2 }, table.id === "VIII" ? `${half} 2010` : half),
      ),
      h("td", {}),
    ),
    h(
      "tr",
      {},
      h("th", { scope: "col" }, gettext("Stage")),
      table.halves.flatMap(() => [
        h("th", { scope: "col" }, gettext("published")),
        h("th", { scope: "col" }, gettext("recomputed")),
      ]),
      h("th", { scope: "col" }, gettext("Verdict")),
    ),
  );
}

/**
 * Table III or VIII: the ten stages in which two halves of the schedulers differ most.
 * @param {Reference} reference
 * @param {DifferenceTable} table
 */
export function differenceTable(reference, table) {
  const names = new Map(reference.stages.map((stage) => [stage.id, stage.name]));
  const exact = table.rows.reduce((sum, row) => sum + row.exact.filter(Boolean).length, 0);
  return h(
    "div",
    { class: "matrix-body" },
    h(
      "p",
      { class: "matrix-note" },
      gettext(
        "Percentage of a stage that each half of the schedulers has. These figures helped to find the cells, so the " +
          "cells do not check them. Where cells are open, the recomputed figure is a range; {exact} of {figures} " +
          "figures have no open cell.",
        { exact, figures: 2 * table.rows.length },
      ),
    ),
    h(
      "div",
      {
        class: "matrix-scroll",
        tabindex: "0",
        role: "region",
        "aria-label": gettext("Table {table}", { table: table.id }),
      },
      h(
        "table",
        { class: "table-figures" },
        halvesHead(table),
        h(
          "tbody",
          {},
          table.rows.map((row) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, `${row.stage} ${names.get(row.stage)}`),
              row.published.flatMap((published, half) => [
                h("td", {}, String(published)),
                h("td", {}, tellBounds(row.bounds[half])),
              ]),
              verdict(row),
            ),
          ),
        ),
      ),
    ),
  );
}
