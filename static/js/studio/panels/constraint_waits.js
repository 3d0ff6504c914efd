/** Waits by constraint and by arrival time, shown once the run has ended. */

import { clock, duration, measured, short, whole } from "../../kit/format.js";
import { css, levelShade } from "../../kit/palette.js";
import { isDark, onTheme } from "../../kit/dom.js";
import { constraintRows } from "../../run/constraint_rows.js";
import { gettext, ngettext } from "../../kit/words.js";
import { panelOf } from "../panel.js";
import { computed, effect, html, nothing, show, signal } from "../../kit/view.js";

/**
 * @import { Studio } from "../store.js"
 */

/**
 * @typedef {ReturnType<typeof constraintRows>} Rows
 * @typedef {Rows["rows"][number]} Row
 * @typedef {Row["cells"][number]} Cell
 */

const nameOf = (/** @type {Row} */ row) => row.name ?? gettext("No constraint");

/**
 * @param {Row} row
 * @param {Cell} cell
 */
function cellWords(row, cell) {
  const [name, from, until] = [nameOf(row), clock(cell.from_ns), clock(cell.until_ns)];
  if (cell.mean_ns === null) {
    const told = { name, from, until, tasks: whole(cell.tasks) };
    return gettext("{name}: of {tasks} tasks that arrived from {from} to {until}, none started.", told);
  }
  const told = { name, from, until, mean: measured(cell.mean_ns), tasks: whole(cell.tasks) };
  return ngettext(
    "{name}: the task that arrived from {from} to {until} waited {mean}.",
    "{name}: the {tasks} tasks that arrived from {from} to {until} waited {mean} on average.",
    cell.tasks,
    told,
  );
}

const shadeOf = (/** @type {number} */ level) => css(levelShade(level, isDark()));

function stripView(/** @type {Row} */ row) {
  return html`<div class="waits-strip" aria-hidden="true">
    ${row.cells.map(
      (cell) => html`<i
        data-tip=${cell.tasks ? cellWords(row, cell) : nothing}
        .style=${cell.shade === null ? "" : `background: ${shadeOf(cell.shade)}`}
      ></i>`,
    )}
  </div>`;
}

function rowView(/** @type {Row} */ row) {
  return html`<tr data-constraint=${row.name ?? ""}>
    <th scope="row" title=${nameOf(row)}>${nameOf(row)}</th>
    <td title=${whole(row.tasks)} data-says=${`tasks:${row.name ?? ""}`}>${short(row.tasks)}</td>
    <td data-says=${`mean-wait:${row.name ?? ""}`}
      >${row.mean_ns === null ? gettext("none started") : measured(row.mean_ns)}</td
    >
    <td>${stripView(row)}</td>
  </tr>`;
}

function tableView(/** @type {Rows} */ { rows }) {
  const heads = [gettext("Constraint"), gettext("Tasks"), gettext("Mean wait"), gettext("By arrival")];
  return html`<table class="waits-table">
    <thead>
      <tr>
        ${heads.map((head) => html`<th scope="col">${head}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(rowView)}
    </tbody>
  </table>`;
}

function keyView(/** @type {Rows} */ { most_ns }) {
  return html`<p class="heat-key">
    <span class="legend-end">0</span>
    <span class="legend-ramp" aria-hidden="true"
      >${[0, 0.25, 0.5, 0.75, 1].map((level) => html`<i .style=${`background: ${shadeOf(level)}`}></i>`)}</span
    >
    <span class="legend-end">${duration(most_ns)}</span>
    <span>${gettext("A task that asks for several constraints counts with each.")}</span>
  </p>`;
}

export default {
  id: "constraint-waits",
  place: "right",
  title: gettext("Waiting by constraint"),
  question: gettext("Which constraint makes tasks wait?"),
  mount(/** @type {HTMLElement} */ body, /** @type {Studio} */ studio) {
    const panel = panelOf(body);
    const themes = signal(0); // the number of theme changes: each changes the shades
    onTheme(() => {
      themes.value += 1;
    });
    const waits = computed(() => {
      studio.news.value;
      studio.figures.value;
      return studio.wholeRun()?.constraint_waits ?? null;
    });
    const rows = computed(() => waits.value && constraintRows(waits.value));
    show(body, () => {
      themes.value;
      return rows.value ? [tableView(rows.value), keyView(rows.value)] : nothing;
    });
    effect(() => {
      panel.hidden = !rows.value;
    });
  },
};
