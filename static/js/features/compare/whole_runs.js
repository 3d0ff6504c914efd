/** Figures of whole runs from the server; they appear when every run is complete. */

import { targetOf } from "../../kit/dom.js";
import { html, render } from "../../kit/view.js";
import { FigureView } from "../../draw/charts/figure_view.js";
import { gettext } from "../../kit/words.js";

/** @type {[string, string][]} */
const KINDS = [
  ["waits", gettext("Queueing delay")],
  ["percentiles", gettext("Queueing delay, percentiles")],
  ["jobs", gettext("Job completion time")],
  ["timeline", gettext("Over time")],
];
const SOURCE = "/comparisons/figure";
const PUBLISH = "/compare/figure";
const SHEET = "/comparisons/sheet.html";

/**
 * Show a choice of figures of some runs inside `place`.
 * @param {HTMLElement} place
 * @param {string[]} runs run ids
 */
export function wholeRuns(place, runs) {
  const params = { runs: runs.join(","), kind: "waits", series: "" };
  const view = new FigureView({ source: SOURCE, publish: PUBLISH, sheet: SHEET, params, name: "comparison" });
  const choose = (/** @type {Event} */ event) => view.show({ ...view.params, kind: targetOf(event).value });
  const choice = html`
    <select class="picture-select" data-kind aria-label=${gettext("Figure of the whole runs")} @change=${choose}
      >${KINDS.map(([value, label]) => html`<option value=${value}>${label}</option>`)}</select
    >`;
  place.replaceChildren();
  render([choice, view.element], place);
  return {
    /** @param {string} series the series of a timeline, as chosen beside the animated one */
    follow(series) {
      if (series === view.params.series) return;
      if (view.params.kind === "timeline") view.show({ ...view.params, series });
      else view.params = { ...view.params, series };
    },
  };
}

/**
 * Show the jobs of two runs in pairs. Return a function that shows two other runs.
 * @param {HTMLElement} place
 */
export function jobPairs(place) {
  /** @type {FigureView | null} */
  let view = null;
  return (/** @type {[string, string]} */ two) => {
    const params = { runs: two.join(","), kind: "pairs" };
    if (view) {
      view.show(params);
      return;
    }
    view = new FigureView({ source: SOURCE, publish: PUBLISH, sheet: SHEET, params, name: "job-pairs" });
    place.append(view.element);
  };
}
