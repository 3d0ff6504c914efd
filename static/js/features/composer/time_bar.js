/** A scheduler's time by stage: the modeled time so far, and below it the measured CPU time. */

import { duration, percent, whole } from "../../kit/format.js";
import { ENGINE } from "./pipeline.js";
import { gettext } from "../../kit/words.js";
import { html, nothing } from "../../kit/view.js";

/** @import { Measured, TimeRow } from "./pipeline.js" */

/**
 * @typedef {object} Times
 * @property {{total: number, rows: TimeRow[]}} modeled
 * @property {Measured | null} measured  null if the run has no summary, or its summary has no stage times
 * @property {number | null} iteration_ms  the duration of the last iteration
 * @property {boolean} over  true if the run is complete
 */

const NAMED = 0.045; // a narrower part has no room for its name
const MEASURED = gettext(
  "Measured on the server that computed the run, by sampling some steps. The measurement differs from " +
    "run to run and does not affect the outcome.",
);

/**
 * @param {Times} times
 * @param {(stage: string) => void} pick
 */
export function timeBarView({ modeled, measured, iteration_ms, over }, pick) {
  return html`<div class="stage-time">
    ${barView({
      name: gettext("Modeled"),
      help: gettext(
        "Time that the stages' algorithms would take as written. It is the same for every run and on every machine.",
      ),
      ...modeled,
      said: "",
      pick,
      tell: (row) =>
        gettext("{stage}: {time}, {share} of the modeled time so far.", {
          stage: row.id,
          time: duration(row.us * 1e3),
          share: percent(row.share),
        }),
    })}
    ${barView({
      name: gettext("Measured"),
      help: measured
        ? gettext("{measured} Here {steps} steps.", { measured: MEASURED, steps: whole(measured.steps) })
        : MEASURED,
      rows: measured?.rows ?? [],
      total: measured?.total ?? 0,
      said: measured
        ? ""
        : over
          ? gettext("This run has no measured times of stages.")
          : gettext("Available once the run is complete."),
      pick,
      tell: tellMeasured,
    })}
    <p class="time-words">${wordsOf(modeled.rows, measured, iteration_ms)}</p>
  </div>`;
}

/**
 * Return a label, a stacked bar and its total.
 * @param {{name: string, help: string, total: number, rows: TimeRow[], said: string, pick: (stage: string) => void,
 *   tell: (row: TimeRow) => string}} bar  `said` replaces the bar if it has no parts
 */
function barView({ name, help, total, rows, said, pick, tell }) {
  return html`<span class="time-name" data-tip=${help}>${name}</span>
    <div class="time-bar" role="group" aria-label=${gettext("{name} time by stage", { name })}
      ><span class="time-said" ?hidden=${!said}>${said}</span>${rows.map((row) => partView(row, pick, tell(row)))}</div
    ><span class="time-total">${total > 0 ? duration(total * 1e3) : ""}</span>`;
}

/**
 * Return a stage's part of the bar. It may be a pixel wide, so a click on it only selects the stage; the stage's card
 * is the control.
 * @param {TimeRow} row
 * @param {(stage: string) => void} pick
 * @param {string} words
 */
function partView({ id, us, share }, pick, words) {
  const isEngine = id === ENGINE;
  const isNarrow = share < (isEngine ? 2 * NAMED : NAMED);
  return html`<span
    class="time-part${isNarrow ? " is-narrow" : ""}"
    role="img"
    aria-label=${words}
    data-tip=${words}
    data-time-of=${id}
    data-group=${isEngine ? ENGINE : id.replace(/\d+/, "")}
    ?hidden=${us <= 0}
    .style=${`--share: ${share}`}
    @click=${isEngine ? nothing : () => pick(id)}
  >${id}</span>`;
}

/** @param {TimeRow} row */
const tellMeasured = (row) =>
  gettext("{stage}: {time}, {share} of the CPU time of the whole run.", {
    stage: row.id === ENGINE ? gettext("The engine (event queue, counters, faults; belongs to no stage)") : row.id,
    time: duration(row.us * 1e3),
    share: percent(row.share),
  });

/**
 * @param {TimeRow[]} rows
 * @param {Measured | null} measured
 * @param {number | null} iteration_ms
 */
function wordsOf(rows, measured, iteration_ms) {
  if (!rows.length) return gettext("This run has no times of stages.");
  const last = iteration_ms === null ? "" : gettext("Last iteration: {time}. ", { time: duration(iteration_ms * 1e6) });
  return (
    last + (measured ? gettext("Measured: the server's CPU time for the whole run, not part of the outcome.") : "")
  );
}
