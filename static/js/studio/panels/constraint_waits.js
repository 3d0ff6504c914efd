/** How long tasks wait by the constraint that they ask for and by their time of arrival, once the run has ended. */

import { clock, duration, measured, short, whole } from "../../kit/format.js";
import { css, levelShade } from "../../kit/palette.js";
import { h, isDark, onTheme } from "../../kit/dom.js";
import { constraintRows } from "../../run/constraint_rows.js";
import { gettext, ngettext } from "../../kit/words.js";
import { panelOf } from "../panel.js";
import { effect } from "../../kit/view.js";

/**
 * @import { ConstraintWaits } from "../../contract/contract"
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

/**
 * An element with a background: the page's policy forbids styles that are written as attributes.
 * @param {HTMLElement} element
 * @param {string} background
 */
function painted(element, background) {
  element.style.background = background;
  return element;
}

function strip(/** @type {Row} */ row) {
  const cells = row.cells.map((/** @type {Cell} */ cell) => {
    const element = h("i", { "data-tip": cell.tasks ? cellWords(row, cell) : null });
    return cell.shade === null ? element : painted(element, css(levelShade(cell.shade, isDark())));
  });
  return h("div", { class: "waits-strip", "aria-hidden": "true" }, ...cells);
}

function tableRow(/** @type {Row} */ row) {
  return h(
    "tr",
    { "data-constraint": row.name ?? "" },
    h("th", { scope: "row", title: nameOf(row) }, nameOf(row)),
    h("td", { title: whole(row.tasks) }, short(row.tasks)),
    h("td", {}, row.mean_ns === null ? gettext("none started") : measured(row.mean_ns)),
    h("td", {}, strip(row)),
  );
}

function table(/** @type {Rows} */ told) {
  const heads = [gettext("Constraint"), gettext("Tasks"), gettext("Mean wait"), gettext("By arrival")];
  return h(
    "table",
    { class: "waits-table" },
    h("thead", {}, h("tr", {}, ...heads.map((head) => h("th", { scope: "col" }, head)))),
    h("tbody", {}, ...told.rows.map(tableRow)),
  );
}

function key(/** @type {Rows} */ told) {
  const shades = [0, 0.25, 0.5, 0.75, 1].map((level) => painted(h("i"), css(levelShade(level, isDark()))));
  return h(
    "p",
    { class: "heat-key" },
    h("span", { class: "legend-end" }, "0"),
    h("span", { class: "legend-ramp", "aria-hidden": "true" }, ...shades),
    h("span", { class: "legend-end" }, duration(told.most_ns)),
    h("span", {}, gettext("A task that asks for several constraints counts with each.")),
  );
}

export default {
  id: "constraint-waits",
  place: "right",
  title: gettext("Waiting by constraint"),
  question: gettext("Which constraint makes tasks wait?"),
  mount(/** @type {HTMLElement} */ body, /** @type {Studio} */ studio) {
    const panel = panelOf(body);
    /** @type {ConstraintWaits | null} */
    let shown = null;
    const draw = () => {
      const told = shown && constraintRows(shown);
      body.replaceChildren(...(told ? [table(told), key(told)] : []));
      panel.hidden = !told;
    };
    const look = () => {
      const { news: _changed, figures: _moved } = studio;
      const waits = studio.session?.store.summary?.constraint_waits ?? null;
      if (waits === shown) return;
      shown = waits;
      draw();
    };
    draw();
    onTheme(draw);
    effect(look);
  },
};
