/** The board of a challenge: a row for each entry, the best first. */

import { focusedIn, h, svg } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";
import { against, changeWords, figure, interval, limitWords, outWords, roleWords, stateWords } from "./words.js";

/** @import { Challenge, Limit, Row } from "./words.js" */

/**
 * @typedef {{challenge: Challenge, span: [number, number] | null, baseline: Row | undefined, leader: Row | undefined,
 *   acts: Record<"open" | "fork" | "withdraw", Act>, open: Set<string | null>, asked: string}} Drawn
 */

const WIDTH = 200;
const EDGE = 6;

/** The least and greatest value that any row's interval reaches. @returns {[number, number] | null} */
export function extent(/** @type {Row[]} */ rows) {
  const ends = rows.flatMap(({ estimate }) =>
    estimate ? [estimate.low ?? estimate.value, estimate.high ?? estimate.value] : [],
  );
  if (!ends.length) return null;
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  return high > low ? [low, high] : [low - 1, high + 1];
}

/** @typedef {(row: any) => void} Act */

/**
 * Draw the board into a place.
 * @param {HTMLElement} place
 * @param {{challenge: any, board: any, asked: string, acts: Record<"open" | "fork" | "withdraw", Act>}} shown
 */
export function drawBoard(place, { challenge, board, acts, asked }) {
  const span = extent(board.rows);
  const baseline = board.rows.find((/** @type {Row} */ row) => row.role === "baseline");
  const leader = board.rows.find((/** @type {Row} */ row) => row.place === 1 && !row.out);
  const open = new Set([...place.querySelectorAll("details[open]")].map((each) => each.getAttribute("data-changes")));
  const rows = board.rows.map((/** @type {Row} */ row) =>
    rowOf(row, { challenge, span, baseline, leader, acts, open, asked }),
  );
  const focused = focusedIn(place);
  const act = focused?.dataset.act;
  const entry = focused?.closest("[data-entry]")?.getAttribute("data-entry");
  place.replaceChildren(h("ol", { class: "board" }, rows));
  // A board that is drawn anew leaves the keyboard where it was.
  if (act) /** @type {HTMLElement} */ (place.querySelector(`[data-entry="${entry}"] [data-act="${act}"]`))?.focus();
}

function rowOf(/** @type {Row} */ row, /** @type {Drawn} */ { challenge, span, baseline, leader, acts, open, asked }) {
  return h(
    "li",
    {
      class: `board-row${row.mine ? " is-mine" : ""}`,
      "data-entry": row.id,
      "data-role": row.role,
      "data-state": row.state,
      "data-place": row.place ?? "",
    },
    h(
      "p",
      {
        class: "board-place",
        "aria-label": row.place ? gettext("Place {place}", { place: row.place }) : gettext("No place yet"),
      },
      row.place ? `${row.place}.` : "–",
    ),
    who(row, open),
    value(row, challenge, span, baseline),
    h("div", { class: "board-against" }, ...comparisons(row, challenge, leader), ...limits(row)),
    buttons(row, acts, asked),
  );
}

/**
 * @param {Row} row
 * @param {Set<string | null>} open
 */
function who(row, open) {
  return h(
    "div",
    { class: "board-who" },
    h("h3", {}, roleWords(row), row.mine ? h("span", { class: "board-tag" }, gettext("you")) : null),
    h("p", {}, row.hidden ? gettext("Scheduler and changes are hidden while the challenge is open.") : row.scheduler),
    row.note ? h("p", {}, row.note) : null,
    row.changes.length
      ? h(
          "details",
          { class: "board-changes", "data-changes": row.id, open: open.has(row.id) },
          h("summary", {}, gettext("Changes to the baseline")),
          h(
            "ul",
            {},
            row.changes.map((/** @type {Parameters<typeof changeWords>[0]} */ change) =>
              h("li", {}, changeWords(change)),
            ),
          ),
        )
      : null,
  );
}

/**
 * @param {Row} row
 * @param {Challenge} challenge
 * @param {[number, number] | null} span
 * @param {Row | undefined} baseline
 */
function value(row, challenge, span, baseline) {
  const { unit } = challenge.objective;
  const told = row.estimate && row.state !== "waiting" ? interval(row.estimate, unit) : "–";
  return h(
    "div",
    { class: "board-value" },
    h("p", { class: "board-mean" }, told),
    row.estimate && span ? picture(row, span, baseline, unit) : null,
    row.state === "running" || row.state === "waiting" ? h("p", { "data-progress": row.done }, stateWords(row)) : null,
  );
}

/** The interval on the axis that all rows share; the baseline's mean is dashed. */
function picture(
  /** @type {Row} */ row,
  /** @type {[number, number]} */ [low, high],
  /** @type {Row | undefined} */ baseline,
  /** @type {string} */ unit,
) {
  const at = (/** @type {number} */ one) => EDGE + ((one - low) / (high - low)) * (WIDTH - 2 * EDGE);
  const { estimate } = row;
  const base = baseline?.estimate ? at(baseline.estimate.value) : null;
  const label = gettext("{interval}; the axis is from {low} to {high}", {
    interval: interval(estimate, unit),
    low: figure(low, unit),
    high: figure(high, unit),
  });
  return svg(
    "svg",
    {
      class: "board-interval",
      viewBox: `0 0 ${WIDTH} 20`,
      role: "img",
      "aria-label": label,
      preserveAspectRatio: "none",
    },
    svg("line", { class: "rail", x1: EDGE, x2: WIDTH - EDGE, y1: 10, y2: 10 }),
    base === null ? null : svg("line", { class: "baseline", x1: base, x2: base, y1: 2, y2: 18 }),
    svg("line", {
      class: "span",
      x1: at(estimate.low ?? estimate.value),
      x2: at(estimate.high ?? estimate.value),
      y1: 10,
      y2: 10,
    }),
    // A line without length: its round end stays round in a picture that is stretched.
    svg("line", { class: "mean", x1: at(estimate.value), x2: at(estimate.value), y1: 10, y2: 10 }),
  );
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
  return lines.map((line) => h("p", {}, line));
}

function limits(/** @type {Row} */ row) {
  const broken = outWords(row);
  const told = row.done
    ? row.limits.map((/** @type {Limit} */ limit) =>
        h("p", limit.holds ? {} : { class: "is-broken", "data-out": "limit" }, limitWords(limit)),
      )
    : [];
  return broken ? [h("p", { class: "is-broken", "data-out": row.out }, broken), ...told] : told;
}

/**
 * @param {Row} row
 * @param {Record<"open" | "fork" | "withdraw", Act>} acts
 * @param {string} asked
 */
function buttons(row, acts, asked) {
  const button = (
    /** @type {string} */ label,
    /** @type {Act} */ act,
    /** @type {string} */ data,
    /** @type {string | null} */ title = null,
  ) => h("button", { class: "button", type: "button", "data-act": data, title, onclick: () => act(row) }, label);
  return h(
    "div",
    { class: "board-acts" },
    row.hidden ? null : button(gettext("Open"), acts.open, "open", gettext("Open a run of this entry in the studio")),
    row.may_fork ? button(gettext("Fork"), acts.fork, "fork", gettext("Make a copy that belongs to you")) : null,
    row.mine && row.role === "entry"
      ? button(asked === row.id ? gettext("Confirm withdrawal") : gettext("Withdraw"), acts.withdraw, "withdraw")
      : null,
  );
}
