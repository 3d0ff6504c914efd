/** The fields of a study's page: the metric, the statistic, and the figure's options. */

import { askedWords, axisWords, isInSeconds, STATISTICS } from "../../run/study/study.js";
import { find } from "../../kit/dom.js";
import { html, render } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { View } from "../../kit/view.js"
 * @import { Results, Study } from "../../run/study/study.js"
 */

/**
 * The study page as its parts use it.
 * @typedef {object} StudyView
 * @property {Study} study
 * @property {Results | null} results
 * @property {{metric: string, statistic: string, against: number}} chosen
 * @property {Drawn} drawn  the figure's options
 * @property {HTMLSelectElement} metric
 * @property {(names: string[]) => View[]} metricOptions
 * @property {{show: (params: Record<string, unknown>) => unknown}} figure
 * @property {() => Record<string, unknown>} params
 * @property {Set<number>} opened
 * @property {() => string} summary
 * @property {() => void} address
 * @property {() => void} load
 * @property {(cell: number) => void} open
 * @typedef {{shown: number, show: string, x: number, lines: boolean, seeds: boolean, unit: string,
 *   x_unit: string}} Drawn
 * @typedef {(field: HTMLSelectElement | HTMLInputElement, act: (value: string) => void) => void} PickField
 */

/** Units of a time axis, by the server's names. @type {Record<string, string>} */
export const UNITS = {
  "": gettext("Automatic"),
  s: gettext("Seconds"),
  ms: gettext("Milliseconds"),
  min: gettext("Minutes"),
};

/** @type {Record<string, string>} */
export const SHOWN = { values: gettext("Values"), difference: gettext("Difference"), ratio: gettext("Ratio") };

/**
 * Set a field's options and its value.
 * @param {string} name
 * @param {[string | number, string][]} options
 * @param {unknown} value
 * @returns {HTMLSelectElement}
 */
function choice(name, options, value) {
  const field = find(name);
  render(
    options.map(([each, label]) => html`<option value=${each}>${label}</option>`),
    field,
  );
  field.value = String(value);
  return field;
}

/** Fill the fields from the study and the address, and wire them. */
export function studyFields(/** @type {StudyView} */ page) {
  const { study } = page;
  find("asked").textContent = askedWords(study);
  page.chosen.against = Math.min(page.chosen.against, study.schedulers.length - 1);
  render(page.metricOptions([page.chosen.metric]), page.metric);
  const statistic = choice("statistic", Object.entries(STATISTICS), page.chosen.statistic);
  const against = choice(
    "against",
    study.schedulers.map((one, at) => [at, one.label]),
    page.chosen.against,
  );
  find("against-field").hidden = study.schedulers.length < 2;
  const pick = (
    /** @type {HTMLSelectElement | HTMLInputElement} */ field,
    /** @type {(value: string) => void} */ act,
  ) =>
    field.addEventListener("change", () => {
      act(field.value);
      page.address();
    });
  pick(page.metric, (value) => {
    page.chosen.metric = value;
    page.load();
  });
  pick(statistic, (value) => {
    page.chosen.statistic = value;
    page.load();
  });
  pick(against, (value) => {
    page.chosen.against = Number(value);
    page.load();
  });
  drawnFields(page, pick);
}

/**
 * Fill the fields that change only the figure.
 * @param {StudyView} page
 * @param {PickField} pick
 */
function drawnFields(page, pick) {
  const { study, drawn } = page;
  /** @type {Record<string, unknown>} */
  const fields = drawn;
  const { axes } = study.plan;
  const several = study.schedulers.length > 1;
  drawn.shown = Math.min(drawn.shown, study.schedulers.length - 1);
  const select = (
    /** @type {string} */ name,
    /** @type {[string | number, string][]} */ options,
    /** @type {boolean} */ isThere,
    /** @type {(value: string) => unknown} */ act,
  ) => {
    find(`${name}-field`).hidden = !isThere;
    pick(choice(name, options, fields[name]), (value) => {
      fields[name] = act(value);
      unitFields(page);
      page.figure.show(page.params());
    });
  };
  select("show", Object.entries(SHOWN), several, String);
  select(
    "shown",
    study.schedulers.map((/** @type {{label: string}} */ one, at) => [at, one.label]),
    axes.length === 2 && several,
    Number,
  );
  select(
    "x",
    axes.map((axis, at) => [at, axisWords(axis)]),
    axes.length === 2,
    Number,
  );
  for (const name of ["unit", "x_unit"]) select(name, Object.entries(UNITS), false, String);
  for (const [name, isThere] of Object.entries({ lines: axes.length === 2, seeds: axes.length < 2 })) {
    const box = /** @type {HTMLInputElement} */ (find(name));
    box.checked = Boolean(fields[name]);
    find(`${name}-field`).hidden = !isThere;
    pick(box, () => {
      fields[name] = box.checked;
      unitFields(page);
      page.figure.show(page.params());
    });
  }
}

/**
 * Offer units for axes of times: the metric's, and the horizontal parameter's. Ratios have no unit, and a heat map's
 * columns have names.
 */
export function unitFields(/** @type {StudyView} */ { study, results, drawn }) {
  const { axes } = study.plan;
  const across = axes[axes.length === 2 ? drawn.x : 0];
  const asLines = axes.length === 1 || (axes.length === 2 && drawn.lines);
  const isTime = across?.values.every((value) => typeof value === "number") && isInSeconds(across.path);
  find("unit-field").hidden = results?.unit !== "s" || drawn.show === "ratio";
  find("x_unit-field").hidden = !(asLines && isTime);
}
