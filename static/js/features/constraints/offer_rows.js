/**
 * A row per constraint: two bars to drag, the same values as numbers, their ratio, and whether the constraint is soft.
 */

import { percent, three, written } from "../../kit/format.js";
import { evidenceView } from "../../experiment/forms/evidence.js";
import { problemView } from "../../experiment/forms/fields.js";
import { html, nothing, repeat } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";
import { barView, shareView } from "./offer_fields.js";

/** @import { rows } from "../../experiment/constraints.js" */

/**
 * @typedef {ReturnType<typeof rows>[number]} ConstraintRow
 * @typedef {object} RowActs
 * @property {(name: string, share: number) => void} offer
 * @property {(name: string, share: number) => void} ask
 * @property {(name: string, soft: boolean) => void} soft
 * @property {(what: "offer" | "ask", index: number, text: string) => void} paste
 * @property {() => void} hold
 * @property {() => void} seal
 * @property {(row: ConstraintRow, index: number) => {name: unknown, fields: unknown} | null} custom  returns the name
 *   and the further fields of a custom constraint
 * @typedef {{on: RowActs, readOnly: boolean, asks: boolean, common: string, wrong: Map<string, string>}} Table `asks`:
 *   true if requests can be changed; `common`: the evidence of most rows; `wrong`: problems by constraint
 */

/**
 * Return the table of constraints, a row for each.
 * @param {ConstraintRow[]} found
 * @param {Omit<Table, "common">} about
 */
export function offerRowsView(found, about) {
  const table = { ...about, common: mostOf(found.map((row) => row.offerEvidence)) };
  return html`<div class="offer-rows" role="table" aria-label=${gettext("Constraints")}
    >${headView()}${repeat(
      found,
      (row) => `${row.name}/${Boolean(row.custom)}`,
      (row, index) => rowView(row, index, table),
    )}</div>`;
}

/** @param {unknown} text @param {string} tip */
const columnView = (text, tip) => html`<span role="columnheader" data-tip=${tip}>${text}</span>`;

const headView = () => html`<div class="offer-row offer-heads" role="row"
  >${columnView(gettext("Constraint"), gettext("The constraints that tasks may ask for."))}<span role="columnheader"
    ><i class="key key-offer"></i>${gettext("machines offer")}<i class="key key-ask"></i>${gettext("tasks ask")}</span
  >${columnView("Offer %", gettext("Share of the machines that offer it."))}${columnView(
    "Ask %",
    gettext("Share of the tasks that ask for it."),
  )}${columnView(
    "CRV",
    gettext(
      "Share of tasks that ask for a constraint, divided by the share of machines that offer it. Above 1, " +
        "those machines alone " +
        "decide how long such tasks wait.",
    ),
  )}${columnView(
    html`<span class="visually-hidden">${gettext("Hard or soft")}</span>`,
    gettext("A soft constraint may be relaxed, at the price of a longer run time."),
  )}</div>`;

/**
 * Return a cell of the table that takes no space of its own.
 * @param {unknown} content
 */
const cellView = (content) => html`<span class="cell" role="cell">${content}</span>`;

/**
 * @param {ConstraintRow} row
 * @param {number} index
 * @param {Table} table
 */
function rowView(row, index, table) {
  const { on, wrong, common } = table;
  const custom = on.custom(row, index);
  const trouble = wrong.get(row.name) ?? "";
  const tip = row.label === row.name ? "" : `${row.name}${row.axis ? `, ${row.axis}` : ""}`;
  const label = html`<span class="offer-name" role="rowheader" data-tip=${tip}>${row.label}</span>`;
  // The most common evidence appears above the table; a row shows its own only if it differs.
  const evidence =
    row.offerEvidence === common ? nothing : evidenceView(row.offerEvidence, gettext("what machines offer"));
  const { bars, numbers } = sharesView(row, index, table);
  return html`<div class=${trouble ? "offer-row has-problem" : "offer-row"} role="row" data-constraint=${row.name}
    ><span class="offer-what"
      >${custom ? html`${cellView(custom.name)}<span class="visually-hidden">${label}</span>` : label}<span
        class="offer-evidence"
        role="cell"
        >${evidence}</span></span
    ><div class="offer-pair" role="cell">${bars}</div>${numbers.map(cellView)}${ratioView(row)}${cellView(
      softView(row, table),
    )}${custom ? cellView(custom.fields) : nothing}${cellView(problemView(trouble))}</div>`;
}

/**
 * Return offers and requests, as bars and as numbers.
 * @param {ConstraintRow} row
 * @param {number} index
 * @param {Table} table
 */
function sharesView(row, index, { on, readOnly, asks }) {
  const { name } = row;
  const fixed = row.offerSource === "attribute";
  const offered = gettext("{share} of the machines offer {name}{how}.", {
    share: percent(row.offer),
    name: row.label,
    how: fixed ? gettext(", as their attributes decide") : "",
  });
  const most = row.ask > row.askMost - 0.001 && row.askMost < 1;
  const asked = gettext("{share} of the tasks ask for {name}.{most}", {
    share: percent(row.ask),
    name: row.label,
    most: most ? gettext(" More is not possible: the factors of the classes exclude the other tasks.") : "",
  });
  const off = { offer: readOnly || fixed, ask: readOnly || !asks };
  /** @param {"offer" | "ask"} what @param {string} words @param {number} column */
  const number = (what, words, column) =>
    shareView(
      { label: gettext("{what} {name}, percent", { what: words, name }), value: row[what], off: off[what], column },
      { act: (value) => on[what](name, value), paste: (text) => on.paste(what, index, text) },
    );
  return {
    bars: [
      barView(
        {
          kind: "offer",
          label: gettext("Machines that offer {name}", { name }),
          value: row.offer,
          words: offered,
          off: off.offer,
        },
        (value) => on.offer(name, value),
        on,
      ),
      barView(
        {
          kind: "ask",
          label: gettext("Tasks that ask for {name}", { name }),
          value: row.ask,
          words: asked,
          most: row.askMost,
          off: off.ask,
        },
        (value) => on.ask(name, value),
        on,
      ),
    ],
    numbers: [number("offer", gettext("Machines that offer"), 0), number("ask", gettext("Tasks that ask for"), 1)],
  };
}

/** Return demand over supply. @param {ConstraintRow} row */
function ratioView({ ratio }) {
  const tight = ratio > 1;
  const tip =
    ratio === Infinity
      ? gettext("Tasks ask for it and no machine offers it.")
      : tight
        ? gettext("More tasks ask, by share, than machines offer: these tasks queue for few machines.")
        : gettext("Share of tasks that ask for a constraint, divided by the share of machines that offer it.");
  return html`<span class=${tight ? "offer-ratio is-tight" : "offer-ratio"} role="cell" data-tip=${tip}
    >${ratio === Infinity ? gettext("none offer") : `${tight ? "▲ " : ""}${ratioText(ratio)}`}</span>`;
}

/**
 * Return the soft/hard switch: a task may run without a soft constraint.
 * @param {ConstraintRow} row
 * @param {Table} table
 */
function softView({ name, soft, slowdown }, { on, readOnly }) {
  const label = soft
    ? gettext("soft{slowdown}", { slowdown: slowdown ? ` ×${three(slowdown)}` : "" })
    : gettext("hard");
  const tip = soft
    ? gettext("A task may run without it{slowdown}. Click to make it hard.", {
        slowdown: slowdown ? gettext(", {slowdown} times as long", { slowdown: three(slowdown) }) : "",
      })
    : gettext("A task waits for a machine that offers it. Click to make it soft.");
  return html`<button
    class="offer-soft"
    type="button"
    aria-pressed=${String(Boolean(soft))}
    aria-label=${
      soft
        ? gettext("{label}: {name} may be relaxed", { label, name })
        : gettext("{label}: {name} may not be relaxed", { label, name })
    }
    data-tip=${tip}
    ?disabled=${readOnly}
    @click=${() => on.soft(name, !soft)}
  >${label}</button>`;
}

/**
 * Format a ratio with two decimals, which suffice to compare; a tiny ratio is shown as less than 0.01.
 * @param {number} ratio
 */
function ratioText(ratio) {
  return ratio > 0 && ratio < 0.005 ? `< ${written(0.01, 2, 2)}` : ratio < 10 ? written(ratio, 2, 2) : three(ratio);
}

/**
 * Return the most frequent value.
 * @param {string[]} values
 */
export function mostOf(values) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((one, other) => other[1] - one[1])[0]?.[0] ?? "";
}
