/** The board of a challenge: a row for each entry, the best first. */

import { focusedIn } from "../../kit/dom.js";
import { html, nothing, render, repeat, svgView } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";
import { against, changeWords, figure, interval, limitWords, outWords, roleWords, stateWords } from "./words.js";

/** @import { Board, Challenge, Estimate, Limit, Row } from "./words.js" */

/**
 * @typedef {{challenge: Challenge, span: [number, number] | null, baseline: Row | undefined, leader: Row | undefined,
 *   acts: Record<"open" | "fork" | "withdraw", Act>, asked: string}} Drawn
 */

const WIDTH = 200;
const EDGE = 6;

/** Return the smallest and largest value that any row's interval reaches. @returns {[number, number] | null} */
export function extent(/** @type {Row[]} */ rows) {
  const ends = rows.flatMap(({ estimate }) =>
    estimate ? [estimate.low ?? estimate.value, estimate.high ?? estimate.value] : [],
  );
  if (!ends.length) return null;
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  return high > low ? [low, high] : [low - 1, high + 1];
}

/** @typedef {(row: Row) => void} Act */

/**
 * Render the board into an element. A focused button keeps the focus even if its row moves.
 * @param {HTMLElement} place
 * @param {{challenge: Challenge, board: Board, asked: string, acts: Record<"open" | "fork" | "withdraw", Act>}} shown
 */
export function drawBoard(place, { challenge, board, acts, asked }) {
  const rows = board.rows;
  const baseline = rows.find((row) => row.role === "baseline");
  const leader = rows.find((row) => row.place === 1 && !row.out);
  const drawn = { challenge, span: extent(rows), baseline, leader, acts, asked };
  const focused = focusedIn(place);
  const rowKey = (/** @type {Row} */ row) => row.id;
  render(html`<ol class="board">${repeat(rows, rowKey, (row) => rowView(row, drawn))}</ol>`, place);
  // Browsers remove the focus from a moved element.
  if (focused?.isConnected && focused !== document.activeElement) focused.focus();
}

function rowView(/** @type {Row} */ row, /** @type {Drawn} */ { challenge, span, baseline, leader, acts, asked }) {
  return html`<li
    class="board-row${row.mine ? " is-mine" : ""}"
    data-entry=${row.id}
    data-role=${row.role}
    data-state=${row.state}
    data-place=${row.place ?? ""}
  >
    <p
      class="board-place"
      aria-label=${row.place ? gettext("Place {place}", { place: row.place }) : gettext("No place yet")}
      >${row.place ? `${row.place}.` : "–"}</p
    >
    ${whoView(row)} ${valueView(row, challenge, span, baseline)}
    <div class="board-against"
      >${comparisons(row, challenge, leader).map((line) => html`<p>${line}</p>`)}${limitsView(row)}</div
    >
    ${buttonsView(row, acts, asked)}
  </li>`;
}

function whoView(/** @type {Row} */ row) {
  return html`<div class="board-who">
    <h3
      >${roleWords(row)}${row.mine ? html`<span class="board-tag">${gettext("you")}</span>` : nothing}</h3
    >
    <p
      >${row.hidden ? gettext("Scheduler and changes are hidden while the challenge is open.") : row.scheduler}</p
    >
    ${row.note ? html`<p>${row.note}</p>` : nothing}
    ${
      row.changes.length
        ? html`<details class="board-changes" data-changes=${row.id}>
            <summary>${gettext("Changes to the baseline")}</summary>
            <ul>
              ${row.changes.map((change) => html`<li>${changeWords(change)}</li>`)}
            </ul>
          </details>`
        : nothing
    }
  </div>`;
}

/**
 * @param {Row} row
 * @param {Challenge} challenge
 * @param {[number, number] | null} span
 * @param {Row | undefined} baseline
 */
function valueView(row, challenge, span, baseline) {
  const { unit } = challenge.objective;
  const told = row.estimate && row.state !== "waiting" ? interval(row.estimate, unit) : "–";
  const runs = row.state === "running" || row.state === "waiting";
  return html`<div class="board-value">
    <p class="board-mean">${told}</p>
    ${row.estimate && span ? pictureView(row, span, baseline, unit) : nothing}
    ${runs ? html`<p data-progress=${row.done}>${stateWords(row)}</p>` : nothing}
  </div>`;
}

/** Return the row's interval on the axis that all rows share; the baseline's mean is dashed. */
function pictureView(
  /** @type {Row} */ row,
  /** @type {[number, number]} */ [low, high],
  /** @type {Row | undefined} */ baseline,
  /** @type {string} */ unit,
) {
  const at = (/** @type {number} */ one) => EDGE + ((one - low) / (high - low)) * (WIDTH - 2 * EDGE);
  const { estimate } = /** @type {Row & {estimate: Estimate}} */ (row);
  const base = baseline?.estimate ? at(baseline.estimate.value) : null;
  const label = gettext("{interval}; the axis is from {low} to {high}", {
    interval: interval(estimate, unit),
    low: figure(low, unit),
    high: figure(high, unit),
  });
  const [left, right, middle] = [estimate.low ?? estimate.value, estimate.high ?? estimate.value, estimate.value].map(
    at,
  );
  // The mean is a line without length: its round end stays round in a stretched picture.
  return html`<svg
    class="board-interval"
    viewBox="0 0 ${WIDTH} 20"
    role="img"
    aria-label=${label}
    preserveAspectRatio="none"
  >
    <line class="rail" x1=${EDGE} x2=${WIDTH - EDGE} y1="10" y2="10" />
    ${base === null ? nothing : svgView`<line class="baseline" x1=${base} x2=${base} y1="2" y2="18" />`}
    <line class="span" x1=${left} x2=${right} y1="10" y2="10" />
    <line class="mean" x1=${middle} x2=${middle} y1="10" y2="10" />
  </svg>`;
}

/**
 * @param {Row} row
 * @param {Challenge} challenge
 * @param {Row | undefined} leader
 */
function comparisons(row, challenge, leader) {
  const { better, unit } = challenge.objective;
  if (row.out) return [];
  const lines = [];
  if (row === leader) lines.push(gettext("Leads."));
  else if (row.against_leader && leader) lines.push(against(row.against_leader, better, unit, gettext("the leader")));
  if (row.against_baseline && leader?.role !== "baseline")
    lines.push(against(row.against_baseline, better, unit, gettext("the baseline")));
  return lines;
}

function limitsView(/** @type {Row} */ row) {
  const broken = outWords(row);
  const limitView = (/** @type {Limit} */ limit) =>
    limit.holds
      ? html`<p>${limitWords(limit)}</p>`
      : html`<p class="is-broken" data-out="limit">${limitWords(limit)}</p>`;
  return [
    broken ? html`<p class="is-broken" data-out=${row.out}>${broken}</p>` : nothing,
    row.done ? row.limits.map(limitView) : nothing,
  ];
}

/**
 * @param {Row} row
 * @param {Record<"open" | "fork" | "withdraw", Act>} acts
 * @param {string} asked
 */
function buttonsView(row, acts, asked) {
  const button = (/** @type {keyof typeof acts} */ name, /** @type {string} */ label, title = "") =>
    html`<button
      class="button"
      type="button"
      data-act=${name}
      title=${title || nothing}
      @click=${() => acts[name](row)}
      >${label}</button
    >`;
  const withdraw = asked === row.id ? gettext("Confirm withdrawal") : gettext("Withdraw");
  return html`<div class="board-acts"
    >${row.hidden ? nothing : button("open", gettext("Open"), gettext("Open a run of this entry in the studio"))}
    ${row.may_fork ? button("fork", gettext("Fork"), gettext("Make a copy that belongs to you")) : nothing}
    ${row.mine && row.role === "entry" ? button("withdraw", withdraw) : nothing}</div
  >`;
}
