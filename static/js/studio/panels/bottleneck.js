/**
 * How waiting time is spent, so far and at the end: a sentence, a chart over time, a bar by queue and class, curves.
 */

import { axisSeconds, measured, percent } from "../../kit/format.js";
import { DELAY_PARTS } from "../../run/why/delay_bar.js";
import { bottleneckWords, neverStarted, stuckWords, waitCurves, waitRows } from "../../run/bottleneck.js";
import { fullPart, waitsNow } from "../../run/bottleneck_now.js";
import { roleBytes } from "../../run/roles.js";
import { overOfDensity, overOfTrack, peakOf, soFar } from "../../draw/charts/waits_over.js";
import { gettext } from "../../kit/words.js";
import { mostOf, stackOf, waitsChart } from "./waits_chart.js";
import { queueName } from "../../kit/names.js";
import { panelOf } from "../panel.js";
import { computed, effect, html, nothing, show, svgView } from "../../kit/view.js";

/**
 * @import { Meta, Summary } from "../../contract/contract"
 * @import { Over, Peak } from "../../draw/charts/waits_over.js"
 * @import { Picture } from "../../run/frames.js"
 * @import { RunSession } from "../../run/run_session.js"
 * @import { Studio } from "../store.js"
 */

/**
 * @typedef {ReturnType<typeof waitRows>[number]} WaitRow
 * @typedef {{rows: WaitRow[], whole: boolean, words: string, over: Over | null, peak: Peak | null,
 *   never: number}} Parts  `whole`:
 *   true for the whole run
 * @typedef {{of: object | null | undefined, over: Over | null, final: boolean, stuck: string[], parts: Parts | null,
 *   expected: boolean, peak: Peak | null}} Told  the panel's contents, and their sources
 */

const WIDE = 240;
const TALL = 80;
/** Smaller parts of the waiting time are not named at the level Watch. */
const NAMED = 0.05;

function nameOf(/** @type {WaitRow} */ row) {
  if (row.kind === "all") return gettext("All tasks");
  if (row.kind === "queue") return queueName(row.name);
  return row.name === "short" ? gettext("Short jobs") : gettext("Long jobs");
}

/** A run's waits over time. The object stays the same until more of the run is known, so unchanged charts are kept. */
class OverTime {
  /** @type {import("../../contract/contract").Track | import("../../contract/contract").Density | null} */
  of = null;
  /** @type {Over | null} */
  over = null;

  /**
   * @param {import("../../run/frames.js").FrameStore | undefined} store
   * @param {Meta | null} meta
   */
  take(store, meta) {
    const track = !meta?.work || store?.track?.left_out ? null : (store?.track ?? null);
    const density = track ? null : (store?.density ?? null);
    if ((track ?? density) === this.of) return this.over;
    this.of = track ?? density;
    this.over = track && meta ? overOfTrack(track, meta.queues) : density && overOfDensity(density);
    return this.over;
  }
}

/** Return the parts of a bar. */
function piecesView(/** @type {WaitRow} */ row) {
  return row.shares.map(
    (share, at) => html`<i
      class=${`delay-${at}`}
      data-tip=${`${DELAY_PARTS[at][1]}: ${percent(share)}`}
      ?hidden=${share < 0.002}
      .style=${`flex-grow: ${share}`}
    ></i>`,
  );
}

/**
 * Return a row: the group's name, a bar with the parts of its wait, a small chart over time if known, and the mean
 * wait.
 * @param {WaitRow} row
 * @param {number} number  the number of the group's curve
 * @param {Over | null} over
 */
function rowView(row, number, over) {
  const group = row.kind !== "all" && over?.groups.find((each) => each.kind === row.kind && each.name === row.name);
  const sign = row.kind === "all" ? nothing : html`<i class=${`curve-key curve-${number}`} aria-hidden="true"></i>`;
  return html`<div class="bottleneck-row" data-group=${row.name || row.kind}>
    <span class="bottleneck-name">${sign}${nameOf(row)}</span>
    <div class="delay-bar" aria-hidden="true">${piecesView(row)}</div>
    <span class="bottleneck-mean">${measured(row.mean_s * 1e9)}</span>
    ${group ? html`<div class="bottleneck-small">${stackOf(group, Math.max(1, mostOf(group)), 24)}</div>` : nothing}
  </div>`;
}

/** Return the view of the level Watch: the bar of all tasks, the names of its larger parts, and the sentence. */
function briefView(/** @type {Parts} */ { rows: [all], words }) {
  const named = all.shares.map((share, at) => ({ share, at })).filter(({ share }) => share >= NAMED);
  const parts = named.map(
    ({ share, at }) =>
      html`<span><i class=${`delay-${at}`} aria-hidden="true"></i>${DELAY_PARTS[at][1]} ${percent(share)}</span>`,
  );
  return html`<p class="story-label">${gettext("Where does waiting time go?")}</p>
    <div class="delay-bar" aria-hidden="true">${piecesView(all)}</div>
    <p class="bottleneck-key" data-says="run:wait-shares">${parts}</p>
    <p class="story-line" data-says="run:bottleneck">${words}</p>`;
}

/** Return, for each group, the fraction of its tasks started within a given wait. */
function curvesView(/** @type {NonNullable<ReturnType<typeof waitCurves>>} */ found) {
  const lines = found.curves.map(({ points }, number) => {
    const path = points.map(([x, y]) => `${(x * WIDE).toFixed(1)},${((1 - y) * TALL).toFixed(1)}`).join(" ");
    return svgView`<polyline class=${`curve-line curve-${number + 1}`} points=${path}></polyline>`;
  });
  const label = gettext("Share of each group's tasks that started within a given wait");
  return html`<div class="bottleneck-curves">
    <p class="chart-title">${gettext("Started within, by group")}</p>
    <svg viewBox=${`0 0 ${WIDE} ${TALL}`} role="img" aria-label=${label}>${lines}</svg>
    <p class="bottleneck-axis"><span>${axisSeconds(found.low)}</span> <span>${axisSeconds(found.high)}</span></p>
  </div>`;
}

function keyView() {
  const parts = DELAY_PARTS.map(
    ([, label, help], at) =>
      html`<span data-tip=${help}><i class=${`delay-${at}`} aria-hidden="true"></i>${label}</span>`,
  );
  return html`<p class="bottleneck-key">${parts}</p>`;
}

/** Return the charts and bars below the sentences. */
function partsView(/** @type {Parts} */ { rows, whole, over, peak, never }) {
  const curves = waitCurves(rows);
  const numbers = new Map(curves?.curves.map((curve, at) => [`${curve.kind} ${curve.name}`, at + 1]) ?? []);
  return html`${over ? waitsChart(over, peak, never) : nothing}
    <p class="chart-title" data-means-whole=${String(whole)}>
      ${whole ? gettext("Mean wait and its parts, whole run") : gettext("Mean wait and its parts, so far")}
    </p>
    ${rows.map((row) => rowView(row, numbers.get(`${row.kind} ${row.name}`) ?? 0, over))} ${keyView()}
    ${curves ? curvesView(curves) : nothing}`;
}

/** Return the tasks that wait forever: a heading, then a line for each group. */
function stuckView([heading, ...groups] = /** @type {string[]} */ ([])) {
  return html`<div class="bottleneck-stuck" role="alert" data-stuck data-says="run:stuck" ?hidden=${!heading}>
    ${heading ? html`<strong>${heading}</strong>${groups.map((each) => html`<p>${each}</p>`)}` : nothing}
  </div>`;
}

/**
 * Describe how many tasks wait now, and where; the number is that of the map's picture. In a stuck run, machines with
 * room left have none for the tasks that wait, so the sentences do not mention it.
 * @param {Over | null} over
 * @param {Meta | null} meta
 * @param {Picture | null} picture
 * @param {boolean} stuck
 * @param {number} never  tasks that wait until the run's end
 */
function nowWords(over, meta, picture, stuck, never) {
  const full = stuck ? null : fullPart(meta && roleBytes(meta, picture, "load"));
  return waitsNow(over, picture?.t_ns ?? 0, picture?.counters.tasks_waiting ?? 0, full, never);
}

/**
 * Create the element in the left column for the bar and the sentence at the level Watch, which hides the panel itself.
 */
function briefPlace() {
  const brief = document.createElement("section");
  brief.className = "waits-brief";
  brief.dataset.waitsBrief = "";
  document.querySelector(".left-knobs")?.append(brief);
  return brief;
}

const touchedWords = () =>
  gettext(
    "This page simulates the run that you changed, and does not measure where its waiting time goes. " +
      "Open it as an experiment to see that.",
  );

/** The contents of a touched run: the page simulates its picture without its waits. @type {Told} */
const NOTHING = { of: null, over: null, final: true, stuck: [], parts: null, expected: false, peak: null };

/**
 * Return the panel's contents for the run on screen: `last` itself while nothing changed. The previous run's parts
 * stay, hidden, until this run has waits to show; a run whose outcome is known has its own parts or none.
 * @param {Pick<Studio, "session" | "meta" | "touched" | "wholeRun">} studio
 * @param {Over | null} over
 * @param {Told | null} last
 * @returns {Told}
 */
export function toldOf(studio, over, last) {
  const touched = studio.touched.value;
  if (touched) return last?.of === touched ? last : { ...NOTHING, of: touched };
  const session = studio.session.value;
  const summary = studio.wholeRun();
  const of = summary ?? session;
  const final = Boolean(session?.final);
  const peak = session ? peakOf(session.store) : null;
  const same = last && last.of === of && last.over === over && last.final === final;
  if (same && last.peak?.tasks === peak?.tasks) return last;
  const known = summary ?? (over && soFar(over));
  const rows = waitRows(known);
  const stuck = stuckWords(summary);
  const words = rows.length ? bottleneckWords(known, studio.meta.value?.work?.keeper) : "";
  const kept = summary ? null : (last?.parts ?? null);
  return {
    ...{ of, over, final, stuck, peak, expected: !rows.length && !stuck.length },
    parts: rows.length ? { rows, whole: Boolean(summary), words, over, peak, never: neverStarted(summary) } : kept,
  };
}

export default {
  id: "bottleneck",
  place: "right",
  title: gettext("Bottleneck"),
  question: gettext("Where does waiting time go?"),
  mount(/** @type {HTMLElement} */ body, /** @type {Studio} */ studio) {
    const panel = panelOf(body);
    const brief = briefPlace();
    const overTime = new OverTime();
    const over = computed(() => {
      const session = studio.session.value;
      const meta = studio.meta.value;
      studio.figures.value;
      studio.news.value;
      return studio.touched.value ? null : overTime.take(session?.store, meta);
    });
    /** @type {Told | null} */
    let last = null;
    const told = computed(() => {
      studio.figures.value;
      studio.news.value;
      last = toldOf(studio, over.value, last);
      return last;
    });
    const charts = computed(() => told.value.parts && partsView(told.value.parts));
    const skeletons = html`<div class="skeleton"></div>
      <div class="skeleton"></div>`;

    show(body, () => {
      const { of, stuck, parts, expected } = told.value;
      const note = of && of === studio.touched.value ? touchedWords() : "";
      const never = neverStarted(studio.wholeRun());
      const now = nowWords(over.value, studio.meta.value, studio.figures.value, stuck.length > 0, never);
      return html`${stuckView(stuck)}
        <p class="bottleneck-says" role="status" data-bottleneck data-says="run:bottleneck">${parts?.words ?? note}</p>
        <p class="bottleneck-says" role="status" data-bottleneck-now data-says="waiting">${now}</p>
        <div data-says="run:wait-means">${charts.value ?? (expected ? skeletons : nothing)}</div>`;
    });
    show(brief, () => {
      const { stuck, parts } = told.value;
      return html`${stuck.length ? stuckView(stuck) : nothing}${parts ? briefView(parts) : nothing}`;
    });
    effect(() => {
      const { stuck, expected, final } = told.value;
      // The panel keeps its space while a run is expected, so the panels below it do not move when the run arrives.
      for (const part of [panel, brief]) {
        part.classList.toggle("is-expected", expected);
        part.hidden = final && expected;
      }
      // The page opens on the tasks that wait for ever, in the part that this level shows.
      if (stuck.length) (panel.checkVisibility() ? panel : brief).scrollIntoView({ block: "nearest" });
    });
  },
};
