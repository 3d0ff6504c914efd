/** The tasks' waits: percentiles, histogram and distribution function, with the previous run as a ghost. */

import { measured } from "../../kit/format.js";
import { PERCENTILES, percentiles, total } from "../../kit/histogram.js";
import { waitCaption, withinCaption } from "../../run/captions.js";
import { CdfView, HistogramView, sharedSpan } from "../../draw/charts/charts.js";
import { gettext } from "../../kit/words.js";
import { effect, html, nothing, show, signal } from "../../kit/view.js";

/**
 * @import { Histogram } from "../../run/frames.js"
 * @import { Preview } from "../live_preview.js"
 * @import { Studio } from "../store.js"
 */

/**
 * @typedef {Record<string, number | null>} Values  percentiles in nanoseconds
 * @typedef {object} Told  the panel's contents
 * @property {Histogram | null} hist
 * @property {Values} values
 * @property {Histogram | null} old  the dashed run's histogram
 * @property {Values} before
 * @property {string} said  the meaning of the dashed curve
 * @property {string} empty  the text shown while the charts are empty
 * @property {boolean} isWhole  true if the values are those of the whole run
 * @property {Preview | null} view
 * @property {Record<string, number | null>} [jobs]  times of the whole run's jobs from arrival to end, in seconds
 */

/** @type {Record<string, string>} */
const PERCENTILE_HELP = {
  p50: gettext("Half of the tasks waited at most this long."),
  p90: gettext("Nine in ten tasks waited at most this long."),
  p99: gettext("All but one in a hundred tasks waited at most this long."),
  "p99.9": gettext("All but one in a thousand tasks waited at most this long."),
};

/** Return an empty element that a uPlot chart fills. */
function chartPlace(/** @type {string} */ name, /** @type {string} */ label) {
  const place = document.createElement("div");
  place.className = `chart chart-${name}`;
  place.role = "img";
  place.ariaLabel = label;
  return place;
}

/** @typedef {Record<string, Record<string, number | null> | undefined>} Times  a summary's waits by name */

/** Return a summary's waits in seconds, or undefined. */
const waitsIn = (/** @type {unknown} */ summary, /** @type {string} */ name) =>
  /** @type {Times | null | undefined} */ (summary)?.[`${name}_s`];

/** Return exact waits of the whole run if playback is at its end, or undefined. */
export function exactOf(/** @type {Pick<Studio, "exactAtEnd">} */ studio, /** @type {string} */ name) {
  return waitsIn(studio.exactAtEnd(), name);
}

/**
 * Return the values of the current frame; exact values at the run's end.
 * @param {Histogram | null} filled
 * @param {Record<string, number | null> | null | undefined} exact
 */
export function valuesOf(filled, exact) {
  const values = percentiles(filled);
  for (const [each] of PERCENTILES) if (exact && typeof exact[each] === "number") values[each] = exact[each] * 1e9;
  return values;
}

/**
 * Return the text for empty charts: nothing has started yet, or nothing starts in the whole run.
 * @param {Record<string, number | null> | null | undefined} ofRun  waits of the whole run, as far as they are known
 */
export function emptyWords(ofRun) {
  if (ofRun?.p50 === null) return gettext("No task starts in this run.");
  return gettext("Waits appear as soon as the first task starts.");
}

/** Return a nonempty histogram, or null. */
export function filledOf(/** @type {Histogram | null | undefined} */ hist) {
  return hist && total(hist.counts) > 0 ? hist : null;
}

/** Return the part of the run that the percentiles cover: they change while playback runs. */
function coveredView(/** @type {Told} */ { hist, isWhole, view }) {
  const words = view
    ? gettext("A task's wait, to the preview's end")
    : isWhole
      ? gettext("A task's wait, whole run")
      : gettext("A task's wait, so far");
  return html`<p class="chart-title" data-covered ?hidden=${!hist}>${words}</p>`;
}

/** Return the percentiles of the run or its preview, each with the previous run's. */
function percentilesView(/** @type {Told} */ { values, before, view }) {
  const previous = gettext("The previous run at the same instant; at the end of playback, the whole previous run.");
  const of = view ? "preview-" : "";
  const cellView = (/** @type {string} */ name) => {
    const value = view?.cells?.[name] ?? measured(values[name]);
    const old = view?.beforeCells?.[name] ?? measured(before[name]);
    const none = before[name] === null;
    return html`<div class="percentile" data-tip=${PERCENTILE_HELP[name]}>
      <dt>${name}</dt>
      <dd data-percentile=${name} data-says=${`${of}percentile:${name}`}>${value}</dd>
      <dd class="before" data-says=${`${of}before:${name}`} ?hidden=${none} data-tip=${previous}>${old}</dd>
    </div>`;
  };
  return html`<dl class="percentiles">${PERCENTILES.map(([name]) => cellView(name))}</dl>`;
}

/** Return how long jobs take in the whole run, where that is known. */
function jobsView(/** @type {Told} */ { jobs }) {
  if (typeof jobs?.mean !== "number" || typeof jobs.p50 !== "number") return nothing;
  const words = gettext(
    "A job takes {mean} on average, from its arrival to the end of its last task; half take at most {p50}.",
    {
      mean: measured(jobs.mean * 1e9),
      p50: measured(jobs.p50 * 1e9),
    },
  );
  return html`<p class="chart-caption" data-caption="jobs" data-says="hist:jobs">${words}</p>`;
}

const NOTE_HELP = gettext(
  "While a setting moves or a policy is edited, a part of the run is simulated as a preview. At the end of the full " +
    "run, both are compared here.",
);

/** Return what the preview omits, or its error. */
const noteView = (/** @type {string} */ words) =>
  html`<p
    class="preview-note"
    role="status"
    data-preview-note
    ?hidden=${!words}
    data-tip=${`${words} ${NOTE_HELP}`}
  >${words}</p>`;

/** Return the two charts with titles and captions. */
function chartsView(
  /** @type {Told} */ { hist, values, old, said, isWhole, view },
  /** @type {HTMLElement} */ bars,
  /** @type {HTMLElement} */ curve,
) {
  const caption = waitCaption(values);
  const of = view ? "preview-" : "";
  const waits = view?.cells && caption ? gettext("In the simulated part: {caption}", { caption }) : caption;
  const title = isWhole ? gettext("Tasks by wait, whole run") : gettext("Tasks by wait, so far");
  return html`<p class="chart-title" data-whole=${String(isWhole)}>
      ${view ? gettext("Tasks by wait, to the preview's end") : title}
    </p>
    ${bars}
    <p class="chart-caption" data-caption="waits" data-says=${`${of}hist:waits`}>${waits}</p>
    <p class="chart-title">
      ${gettext("Started within")}<span class="ghost-note" ?hidden=${!old}>${said}</span>
    </p>
    ${curve}
    <p class="chart-caption" data-caption="within" data-says=${`${of}hist:within`}>${withinCaption(hist, old)}</p>`;
}

/** Return the panel's contents while a control moves: the preview. */
function previewed(/** @type {Preview} */ view) {
  const { hist, values, ghost: old, before } = view;
  const said = gettext("dashed: where you started");
  return { hist, values, old, before, said, empty: emptyWords(null), isWhole: false, view };
}

/** Return the panel's contents for the run at the current instant. @returns {Told} */
export function ofRun(
  /** @type {Pick<Studio, "exactAtEnd" | "ghost" | "ghostPicture" | "isAtEnd" | "session" | "touched">} */ studio,
  /** @type {Record<string, Histogram>} */ hists,
  /** @type {string} */ name,
) {
  const hist = filledOf(hists[name]);
  const old = studio.ghostPicture()?.hists[name] || null;
  const known = studio.touched?.value ? null : studio.session.value?.store.summary;
  const before = studio.exactAtEnd() ? waitsIn(studio.ghost?.value?.store.summary, name) : undefined;
  return {
    ...{ hist, values: valuesOf(hist, exactOf(studio, name)), old, before: valuesOf(filledOf(old), before) },
    ...{ said: gettext("dashed: previous run"), empty: emptyWords(waitsIn(known, name)) },
    ...{ isWhole: studio.isAtEnd(), view: null, jobs: waitsIn(studio.exactAtEnd(), "job_completion") },
  };
}

export default {
  id: "waiting",
  place: "right",
  title: gettext("Waiting"),
  question: gettext("How long until a task starts?"),
  mount(/** @type {HTMLElement} */ body, /** @type {Studio} */ studio) {
    const bars = chartPlace("histogram", gettext("Histogram of waiting times"));
    const curve = chartPlace("cdf", gettext("Share of tasks that waited at most this long"));
    const none = percentiles(null);
    const told = signal(
      /** @type {Told} */ ({
        ...{ hist: null, values: none, old: null, before: none, view: null },
        ...{ said: gettext("dashed: previous run"), empty: emptyWords(null), isWhole: false },
      }),
    );
    const note = signal("");
    const nameNow = () => studio.meta.value?.hists[0]?.name ?? "allocation_delay";

    show(
      body,
      () => html`${coveredView(told.value)} ${percentilesView(told.value)}
        ${noteView(note.value)} ${chartsView(told.value, bars, curve)} ${jobsView(told.value)}
        <p class="chart-empty" ?hidden=${Boolean(told.value.hist)}>${told.value.empty}</p>`,
    );
    // The charts measure their containers, which must therefore be in the page.
    const histogram = new HistogramView(bars);
    const cdf = new CdfView(curve);
    effect(() => {
      const { hist, values, old, view } = told.value;
      const span = sharedSpan(hist, old);
      histogram.update(hist, values, span);
      cdf.update(hist, old, span);
      body.classList.toggle("is-empty", !hist);
      body.classList.toggle("is-preview", Boolean(view));
      body.classList.toggle("is-foretold", Boolean(view?.cells));
    });
    // While a control moves, show its preview; afterwards the run, and a note with the preview's error.
    effect(() => {
      const { livePreview } = studio;
      const { value: _told } = livePreview.told;
      const view = livePreview.view(nameNow());
      note.value = view?.says ?? livePreview.words;
      if (view) told.value = previewed(view);
      else if (told.peek().view) told.value = { ...told.peek(), view: null };
    });
    effect(() => {
      const { livePreview } = studio;
      const figures = studio.figures.value;
      const { value: _told } = livePreview.told;
      if (livePreview.holding || !figures) return;
      told.value = ofRun(studio, figures.hists, nameNow());
    });
  },
};
