/** The table of a study: a row for each cell, with its interval and its comparison. */

import {
  noneWords,
  rowsOf,
  runsWords,
  inUnit,
  axisWords,
  tellCell,
  valueWords,
  verdictCounts,
  verdictWords,
} from "../../run/study/study.js";
import { timesFirst, timesWords } from "./study_changes.js";
import { find } from "../../kit/dom.js";
import { html, nothing, render } from "../../kit/view.js";
import { capital, gettext } from "../../kit/words.js";

/**
 * @import { View } from "../../kit/view.js"
 * @import { Cell, Results } from "../../run/study/study.js"
 * @import { StudyView } from "./study_fields.js"
 */

const MOST_SPELT_OUT = 2;
/** The runs that an interval needs: scheduler_core/studies/statistics.py. @type {Record<string, number>} */
const LEAST_RUNS = { mean: 2, median: 6, bootstrap: 3 };

/** Say why a cell has no interval: its runs are too few, or they all have one value. */
export function noIntervalWords(/** @type {Pick<Cell, "n">} */ { n }, /** @type {Results} */ { statistic = "mean" }) {
  return n < LEAST_RUNS[statistic] ? gettext("needs more runs") : gettext("none: all runs have this value");
}

/** Render the table of the page's results. */
export function studyTable(/** @type {StudyView} */ page) {
  const { study, results } = page;
  const place = find("table");
  const rows = results ? /** @type {Cell[]} */ (rowsOf(results)) : [];
  if (!results || !rows.length) {
    render(nothing, place);
    return;
  }
  const { axes } = study.plan;
  const paired = study.schedulers.length > 1;
  const reference = study.schedulers[results.against].label;
  const growing = results.cells.map((/** @type {Cell} */ cell) => timesFirst(study, results, cell)).find(Boolean);
  const head = [
    ...(paired ? [gettext("Scheduler")] : []),
    ...axes.map((axis) => capital(axisWords(axis))),
    gettext("Runs"),
    results.labels[results.metric],
    gettext("95 % interval"),
    ...(growing ? [gettext("Relative to {value}", { value: valueWords(axes[0], growing.at) })] : []),
    ...(paired ? [gettext("Against {reference}, paired by seed", { reference })] : []),
    gettext("Example run"),
  ];
  const caption = gettext("{metric} for every value and scheduler", { metric: results.labels[results.metric] });
  const shown = { paired, growing: Boolean(growing), reference };
  render(
    html`<table class="trace-table study-table">
      <caption class="visually-hidden">${caption}</caption>
      <thead>
        <tr>
          ${head.map((name) => html`<th scope="col">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.sort(byPlace).map((cell) => row(page, results, cell, shown))}
      </tbody>
    </table>`,
    place,
  );
  find("summary").textContent = page.summary();
}

/** Return a cell of the study as a row. */
function row(
  /** @type {StudyView} */ page,
  /** @type {Results} */ results,
  /** @type {Cell} */ cell,
  /** @type {{paired: boolean, growing: boolean, reference: string}} */ { paired, growing, reference },
) {
  const { study } = page;
  const { axes } = study.plan;
  const show = (/** @type {number | null} */ value) => inUnit(value, results.unit);
  const at = cell.at.map((one) => one ?? 0);
  const facts = [
    ...axes.map((axis, place) => valueWords(axis, cell.values[place])),
    runsWords(cell, results),
    cell.value === null ? noneWords(results.metric) : show(cell.value),
    cell.value === null
      ? "–"
      : cell.low === null
        ? noIntervalWords(cell, results)
        : gettext("{low} to {high}", { low: show(cell.low), high: show(cell.high) }),
    ...(growing ? [cell.value === null ? "–" : timesWords(timesFirst(study, results, cell))] : []),
  ];
  const name = gettext("Open a run in the studio: {cell}", { cell: tellCell(study, results, cell.scheduler, at) });
  const open = () => page.open(cell.cell);
  return html`<tr>
    ${paired ? html`<th scope="row">${study.schedulers[cell.scheduler].label}</th>` : nothing}
    ${facts.map((fact) => html`<td>${fact}</td>`)}
    ${paired ? html`<td class="study-against">${against(page, results, cell, reference)}</td>` : nothing}
    <td>
      <button class="link" type="button" data-open-run aria-label=${name} @click=${open}>${gettext("Open")}</button>
    </td>
  </tr>`;
}

/**
 * Return a cell's comparison with the baseline in words; many are collapsed.
 * @param {StudyView} page
 * @param {Results} results
 * @param {Cell} cell
 * @param {string} reference
 */
function against(page, results, cell, reference) {
  const { axes } = page.study.plan;
  if (cell.scheduler === results.against) return "–";
  const comparisons = results.comparisons.filter((each) => each.cell === cell.cell);
  const where = (/** @type {{at: (number | null)[]}} */ each) =>
    axes.map((axis, at) => valueWords(axis, axis.values[each.at[at] ?? -1])).join(", ");
  const words = comparisons.map(
    (each) =>
      html`<p class="study-verdict is-${each.verdict.split(" ")[0]}">
        ${comparisons.length > 1 ? `${where(each)}: ` : nothing}${verdictWords(each, reference, results.unit)}
      </p>`,
  );
  return words.length > MOST_SPELT_OUT ? folded(page, cell.cell, verdictCounts(comparisons), words) : words;
}

/**
 * Return a cell's many comparisons behind a line that counts them; open ones stay open when results arrive.
 * @param {StudyView} page
 * @param {number} cell
 * @param {string} words
 * @param {View[]} against
 */
function folded(page, cell, words, against) {
  const keep = (/** @type {Event} */ event) => {
    if (/** @type {HTMLDetailsElement} */ (event.target).open) page.opened.add(cell);
    else page.opened.delete(cell);
  };
  return html`<details ?open=${page.opened.has(cell)} @toggle=${keep}>
    <summary>${words}</summary>
    ${against}
  </details>`;
}

/**
 * Sort by scheduler, then by value.
 * @param {Cell} one
 * @param {Cell} other
 */
function byPlace(one, other) {
  const key = (/** @type {Cell} */ cell) => [cell.scheduler, ...cell.at.map((place) => place ?? -1)];
  const [mine, theirs] = [key(one), key(other)];
  const at = mine.findIndex((place, index) => place !== theirs[index]);
  return at < 0 ? 0 : mine[at] - theirs[at];
}
