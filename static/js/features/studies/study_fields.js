/** The fields of a study's page: what is measured, how, and what the figure shows. */

import { askedWords, axisWords, STATISTICS } from "../../run/study/study.js";
import { find, h } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";

/** @import { Results, Study } from "../../run/study/study.js" */

/**
 * The page of a study, as its parts use it.
 * @typedef {object} StudyView
 * @property {Study} study
 * @property {Results | null} results
 * @property {{metric: string, statistic: string, against: number}} chosen
 * @property {Record<string, any>} drawn  what the figure shows of the results
 * @property {HTMLSelectElement} metric
 * @property {(names: string[]) => HTMLOptionElement[]} metricOptions
 * @property {any} figure
 * @property {() => Record<string, any>} params
 * @property {Set<number>} opened
 * @property {any} [summary]
 * @property {() => void} address
 * @property {() => void} load
 * @property {(cell: number) => void} open
 * @typedef {(field: HTMLSelectElement, act: (value: string) => void) => void} PickField
 */

/** @type {Record<string, string>} */
export const SHOWN = { values: gettext("Values"), difference: gettext("Difference"), ratio: gettext("Ratio") };

/** Fill the fields from the study and the address, and let them act. */
export function studyFields(/** @type {StudyView} */ page) {
  const { study } = page;
  find("asked").textContent = askedWords(study);
  page.metric.append(...page.metricOptions([page.chosen.metric]));
  const statistic = find("statistic");
  statistic.append(...Object.entries(STATISTICS).map(([value, label]) => h("option", { value }, label)));
  statistic.value = page.chosen.statistic;
  const against = find("against");
  against.append(
    ...study.schedulers.map((/** @type {Record<string, any>} */ one, at) => h("option", { value: at }, one.label)),
  );
  page.chosen.against = Math.min(page.chosen.against, study.schedulers.length - 1);
  against.value = String(page.chosen.against);
  find("against-field").hidden = study.schedulers.length < 2;
  const pick = (/** @type {HTMLSelectElement} */ field, /** @type {(value: string) => void} */ act) =>
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
 * The fields that change the figure alone.
 * @param {StudyView} page
 * @param {PickField} pick
 */
function drawnFields(page, pick) {
  const { study, drawn } = page;
  const { axes } = study.plan;
  const several = study.schedulers.length > 1;
  drawn.shown = Math.min(drawn.shown, study.schedulers.length - 1);
  const select = (
    /** @type {string} */ name,
    /** @type {[any, string][]} */ options,
    /** @type {boolean} */ isThere,
    /** @type {(value: string) => any} */ act,
  ) => {
    const field = find(name);
    field.append(...options.map(([value, label]) => h("option", { value }, label)));
    field.value = String(drawn[name]);
    find(`${name}-field`).hidden = !isThere;
    pick(field, (value) => {
      drawn[name] = act(value);
      page.figure.show(page.params());
    });
  };
  select("show", Object.entries(SHOWN), several, String);
  select(
    "shown",
    study.schedulers.map((/** @type {Record<string, any>} */ one, at) => [at, one.label]),
    axes.length === 2 && several,
    Number,
  );
  select(
    "x",
    axes.map((axis, at) => [at, axisWords(axis)]),
    axes.length === 2,
    Number,
  );
  for (const [name, isThere] of Object.entries({ lines: axes.length === 2, seeds: axes.length < 2 })) {
    const box = /** @type {any} */ (find(name));
    box.checked = drawn[name];
    find(`${name}-field`).hidden = !isThere;
    pick(box, () => {
      drawn[name] = box.checked;
      page.figure.show(page.params());
    });
  }
}
