/** How long tasks wait: percentiles, histogram and distribution function, with the previous run as a ghost. */

import { measured } from "../../kit/format.js";
import { PERCENTILES, percentiles, total } from "../../kit/histogram.js";
import { h } from "../../kit/dom.js";
import { waitCaption, withinCaption } from "../../run/captions.js";
import { CdfView, HistogramView, sharedSpan } from "../../draw/charts/charts.js";
import { gettext } from "../../kit/words.js";
import { effect } from "../../kit/view.js";

/**
 * @import { Histogram } from "../../run/frames.js"
 * @import { Preview } from "../live_preview.js"
 * @import { Studio } from "../store.js"
 */

/**
 * @typedef {ReturnType<typeof percentileCell>} Cell
 * @typedef {Record<string, number | null>} Values  percentiles in nanoseconds
 * @typedef {(hist: Histogram | null, values: Values, old: Histogram | null, before: Values, said: string,
 *   view?: Preview | null) => void} Tell
 */

/** @type {Record<string, string>} */
const PERCENTILE_HELP = {
  p50: gettext("Half of the tasks waited at most this long."),
  p90: gettext("Nine in ten tasks waited at most this long."),
  p99: gettext("All but one in a hundred tasks waited at most this long."),
  "p99.9": gettext("All but one in a thousand tasks waited at most this long."),
};

const chart = (/** @type {string} */ name, /** @type {string} */ label) =>
  h("div", { class: `chart chart-${name}`, role: "img", "aria-label": label });

function percentileCell(/** @type {string} */ name) {
  const value = h("dd", { "data-percentile": name, "data-says": `percentile:${name}` }, "–");
  const before = h("dd", {
    class: "before",
    "data-says": `before:${name}`,
    hidden: true,
    "data-tip": gettext("The previous run at the same instant."),
  });
  const element = h(
    "div",
    { class: "percentile", "data-tip": PERCENTILE_HELP[name] },
    h("dt", {}, name),
    value,
    before,
  );
  return { name, value, before, element };
}

/** Exact waits of the whole run when the viewer stands at its end, or undefined. */
export function exactOf(/** @type {Studio} */ studio, /** @type {string} */ name) {
  /** @type {Record<string, any> | null | undefined} */
  const summary = studio.exactAtEnd();
  /** @type {Record<string, number | null> | undefined} */
  const times = summary?.[`${name}_s`];
  return times;
}

/**
 * What the run's frame says at the viewer's instant; exact values at its end.
 * @param {Histogram | null} filled
 * @param {Record<string, number | null> | null | undefined} exact
 */
export function valuesOf(filled, exact) {
  const values = percentiles(filled);
  for (const [each] of PERCENTILES) if (exact && typeof exact[each] === "number") values[each] = exact[each] * 1e9;
  return values;
}

/** What stands in place of the charts: nothing has started yet, or nothing did in the whole run. */
function emptyWords(/** @type {Record<string, number | null> | null | undefined} */ exact) {
  if (exact?.p50 === null) return gettext("No task started.");
  return gettext("Waits appear as soon as the first task starts.");
}

/**
 * Percentiles of the run, or what a preview foretells of them; and of the run before where there is one.
 * @param {Cell[]} cells
 * @param {Values} values
 * @param {Values} before
 * @param {Preview | null} view
 */
function fill(cells, values, before, view) {
  for (const cell of cells) {
    cell.value.textContent = view?.cells?.[cell.name] ?? measured(values[cell.name]);
    cell.before.hidden = before[cell.name] === null;
    cell.before.textContent = view?.beforeCells?.[cell.name] ?? measured(before[cell.name]);
  }
}

/** A histogram that has counted something, or null. */
export function filledOf(/** @type {Histogram | null | undefined} */ hist) {
  return hist && total(hist.counts) > 0 ? hist : null;
}

/**
 * @param {HTMLElement} note
 * @param {string} words
 */
function sayNote(note, words) {
  note.hidden = !words;
  note.textContent = words;
  note.dataset.tip = words;
}

/**
 * Whether the panel shows a preview, and whether that is of a part of the run.
 * @param {HTMLElement} body
 * @param {Preview | null} view
 */
function mark(body, view) {
  body.classList.toggle("is-preview", Boolean(view));
  body.classList.toggle("is-foretold", Boolean(view?.cells));
}

/** The sentences under the two charts. */
function captionsOf() {
  const [waits, within] = ["waits", "within"].map((name) =>
    h("p", { class: "chart-caption", "data-caption": name, "data-says": `hist:${name}` }),
  );
  const tell = (
    /** @type {Record<string, number | null>} */ values,
    /** @type {Histogram | null} */ hist,
    /** @type {Histogram | null} */ old,
    /** @type {boolean} */ part,
  ) => {
    const caption = waitCaption(values);
    waits.textContent = part && caption ? gettext("In the simulated part: {caption}", { caption }) : caption;
    within.textContent = withinCaption(hist, old);
  };
  return { waits, within, tell };
}

export default {
  id: "waiting",
  place: "right",
  title: gettext("Waiting"),
  question: gettext("How long until a task starts?"),
  mount(/** @type {HTMLElement} */ body, /** @type {Studio} */ studio) {
    const cells = PERCENTILES.map(([name]) => percentileCell(name));
    const bars = chart("histogram", gettext("Histogram of waiting times"));
    const curve = chart("cdf", gettext("Share of tasks that waited at most this long"));
    const ghostNote = h("span", { class: "ghost-note", hidden: true }, gettext("dashed: previous run"));
    const empty = h("p", { class: "chart-empty" }, emptyWords(null));
    body.classList.add("is-empty");
    const byWait = h("p", { class: "chart-title" }, gettext("Tasks by wait, so far"));
    const captions = captionsOf();
    const note = h("p", { class: "preview-note", role: "status", "data-preview-note": true, hidden: true });
    body.append(
      h("dl", { class: "percentiles" }, ...cells.map((cell) => cell.element)),
      note,
      byWait,
      bars,
      captions.waits,
      h("p", { class: "chart-title" }, gettext("Started within"), ghostNote),
      curve,
      captions.within,
      empty,
    );
    const histogram = new HistogramView(bars);
    const cdf = new CdfView(curve);
    let name = "allocation_delay";

    /** @type {Tell} */
    const tell = (hist, values, old, before, said, view = null) => {
      fill(cells, values, before, view);
      const span = sharedSpan(hist, old);
      histogram.update(hist, values, span);
      cdf.update(hist, old, span);
      captions.tell(values, hist, old, Boolean(view?.cells));
      ghostNote.hidden = !old;
      ghostNote.textContent = said;
      empty.hidden = Boolean(hist);
      body.classList.toggle("is-empty", !hist);
    };

    // A preview, while a control moves; afterwards how far it was off.
    effect(() => {
      const { livePreview, meta } = studio;
      const { value: _told } = livePreview.told;
      name = meta?.hists[0]?.name ?? name;
      const view = livePreview.view(name);
      sayNote(note, view?.says ?? livePreview.words);
      mark(body, view);
      byWait.textContent = view ? gettext("Tasks by wait, to the preview's end") : gettext("Tasks by wait, so far");
      if (view) tell(view.hist, view.values, view.ghost, view.before, gettext("dashed: where you started"), view);
    });
    effect(() => {
      const { livePreview, figures } = studio;
      const { value: _told } = livePreview.told;
      if (livePreview.holding || !figures) return;
      const filled = filledOf(figures.hists[name]);
      const old = studio.ghostPicture()?.hists[name] || null;
      const exact = exactOf(studio, name);
      empty.textContent = emptyWords(exact);
      tell(filled, valuesOf(filled, exact), old, percentiles(filledOf(old)), gettext("dashed: previous run"));
    });
  },
};
