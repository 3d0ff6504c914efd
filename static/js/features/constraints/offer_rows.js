/**
 * One row a constraint: a pair of bars to drag, the same as numbers, their ratio, and whether a task may do without.
 */

import { percent, three, written } from "../../kit/format.js";
import { h } from "../../kit/dom.js";
import { evidenceTag } from "../../experiment/forms/evidence.js";
import { gettext } from "../../kit/words.js";
import { bar, number } from "./offer_fields.js";

/**
 * @import { rows } from "../../experiment/constraints.js"
 * @import { Child } from "../../kit/dom.js"
 * @import { customExtra } from "./custom_row.js"
 */

/**
 * @typedef {ReturnType<typeof rows>[number]} ConstraintRow
 * @typedef {object} RowActs
 * @property {(name: string, share: number) => void} offer
 * @property {(name: string, share: number) => void} ask
 * @property {(name: string, soft: boolean) => void} soft
 * @property {(what: "offer" | "ask", index: number, text: string) => void} paste
 * @property {() => void} hold
 * @property {() => void} seal
 * @property {(name: string, index: number) => ReturnType<typeof customExtra> | null} [extra]
 * @typedef {object} OfferRow
 * @property {string} name
 * @property {HTMLElement} element
 * @property {ReturnType<typeof bar>} offer
 * @property {ReturnType<typeof bar>} ask
 * @property {ReturnType<typeof number>} offerNumber
 * @property {ReturnType<typeof number>} askNumber
 * @property {HTMLElement} label
 * @property {HTMLElement} evidence
 * @property {HTMLElement} ratio
 * @property {HTMLButtonElement} soft
 * @property {HTMLElement} problem
 * @property {ReturnType<typeof customExtra> | null} extra
 * @property {string} [now]  what it shows
 */

/**
 * `on`: offer(name, share), ask(name, share), paste(what, index, text), soft(name, soft, slowdown), hold(), seal(),
 * extra(row, index).
 */
export class OfferRows {
  /**
   * @param {HTMLElement} parent
   * @param {RowActs} on
   */
  constructor(parent, on) {
    this.on = on;
    this.body = h("div", { class: "offer-rows", role: "table", "aria-label": gettext("Constraints") });
    parent.append(this.body);
    /** @type {OfferRow[]} */
    this.rows = [];
    this.key = "";
  }

  #head() {
    /**
     * @param {Child} text
     * @param {string} tip
     */
    const head = (text, tip) => h("span", { role: "columnheader", "data-tip": tip }, text);
    return h(
      "div",
      { class: "offer-row offer-heads", role: "row" },
      head(gettext("Constraint"), gettext("The constraints that tasks may ask for.")),
      h(
        "span",
        { role: "columnheader" },
        h("i", { class: "key key-offer" }),
        gettext("machines offer"),
        h("i", { class: "key key-ask" }),
        gettext("tasks ask"),
      ),
      head("Offer %", gettext("Share of the machines that offer it.")),
      head("Ask %", gettext("Share of the tasks that ask for it.")),
      head(
        "CRV",
        gettext(
          "Share of tasks that ask for a constraint, divided by the share of machines that offer it. Above 1, " +
            "those machines alone " +
            "decide how long such tasks wait.",
        ),
      ),
      head(
        h("span", { class: "visually-hidden" }, gettext("Hard or soft")),
        gettext("A soft constraint may be relaxed, at the price of a longer run time."),
      ),
    );
  }

  /**
   * @param {string} name
   * @param {number} index
   */
  #row(name, index) {
    const { on } = this;
    const offer = bar("offer", gettext("Machines that offer {name}", { name }), (value) => on.offer(name, value), on);
    const ask = bar("ask", gettext("Tasks that ask for {name}", { name }), (value) => on.ask(name, value), on);
    /** @param {"offer" | "ask"} what */
    const column = (what) =>
      number(
        gettext("{what} {name}, percent", {
          what: what === "offer" ? gettext("Machines that offer") : gettext("Tasks that ask for"),
          name,
        }),
        {
          act: (value) => on[what](name, value),
          /** @param {string} text */
          paste: (text) => on.paste(what, index, text),
          next: () => this.rows[index + 1]?.[`${what}Number`].element.focus(),
        },
      );
    const [offerNumber, askNumber] = [column("offer"), column("ask")];
    const label = h("span", { class: "offer-name", role: "rowheader" });
    const evidence = h("span", { class: "offer-evidence", role: "cell" });
    const ratio = h("span", { class: "offer-ratio", role: "cell" });
    const soft = h("button", { class: "offer-soft", type: "button", "aria-pressed": "false" });
    const problem = h("p", { class: "knob-problem", role: "alert", hidden: true });
    const extra = on.extra?.(name, index) ?? null;
    const element = h(
      "div",
      { class: "offer-row", role: "row", "data-constraint": name },
      h(
        "span",
        { class: "offer-what" },
        extra ? [cell(extra.name), h("span", { class: "visually-hidden" }, label)] : label,
        evidence,
      ),
      h("div", { class: "offer-pair", role: "cell" }, offer.element, ask.element),
      cell(offerNumber.element),
      cell(askNumber.element),
      ratio,
      cell(soft),
      extra ? cell(extra.element) : null,
      cell(problem),
    );
    soft.addEventListener("click", () => on.soft(name, soft.getAttribute("aria-pressed") !== "true"));
    return { name, element, offer, ask, offerNumber, askNumber, label, evidence, ratio, soft, problem, extra };
  }

  /** @param {ConstraintRow[]} found */
  set(found, { readOnly = false, asks = true } = {}) {
    const key = JSON.stringify(found.map((row) => [row.name, Boolean(row.custom)]));
    if (key !== this.key) {
      this.key = key;
      this.rows = found.map((row, index) => this.#row(row.name, index));
      this.body.replaceChildren(this.#head(), ...this.rows.map((row) => row.element));
    }
    const common = mostOf(found.map((row) => row.offerEvidence));
    found.forEach((row, index) => this.#fill(this.rows[index], row, { readOnly, asks, common }));
  }

  /**
   * @param {OfferRow} own
   * @param {ConstraintRow} row
   * @param {{readOnly: boolean, asks: boolean, common: string}} options
   */
  #fill(own, row, { readOnly, asks, common }) {
    const now = JSON.stringify([row, readOnly, asks, common]);
    if (own.now === now) return;
    own.now = now;
    const name = row.label === row.name ? row.name : `${row.label}`;
    own.label.textContent = name;
    own.label.dataset.tip = row.label === row.name ? "" : `${row.name}${row.axis ? `, ${row.axis}` : ""}`;
    own.offer.set(
      row.offer,
      `${percent(row.offer)} of the machines offer ${name}` +
        `${row.offerSource === "attribute" ? gettext(", as their attributes decide") : ""}.`,
    );
    own.ask.set(
      row.ask,
      `${percent(row.ask)} of the tasks ask for ${name}.` +
        (row.ask > row.askMost - 0.001 && row.askMost < 1
          ? " More cannot: factors of the classes keep the others from it."
          : ""),
      row.askMost,
    );
    own.offerNumber.set(row.offer);
    own.askNumber.set(row.ask);
    // The table's own evidence stands above it; a row says where it differs.
    const evidence = row.offerEvidence === common ? "" : row.offerEvidence;
    if (own.evidence.dataset.key !== evidence) {
      own.evidence.dataset.key = evidence;
      own.evidence.replaceChildren(...(evidence ? [evidenceTag(evidence, gettext("what machines offer"))] : []));
    }
    const tight = row.ratio > 1;
    own.ratio.textContent =
      row.ratio === Infinity ? gettext("none offer") : `${tight ? "▲ " : ""}${ratioText(row.ratio)}`;
    own.ratio.classList.toggle("is-tight", tight);
    own.ratio.dataset.tip =
      row.ratio === Infinity
        ? gettext("Tasks ask for it and no machine offers it.")
        : tight
          ? gettext("More tasks ask, by share, than machines offer: these tasks queue for few machines.")
          : gettext("Share of tasks that ask for a constraint, divided by the share of machines that offer it.");
    own.soft.setAttribute("aria-pressed", String(row.soft));
    own.soft.textContent = row.soft
      ? gettext("soft{slowdown}", { slowdown: row.slowdown ? ` ×${three(row.slowdown)}` : "" })
      : gettext("hard");
    own.soft.setAttribute(
      "aria-label",
      row.soft
        ? gettext("{label}: {name} may be relaxed", { label: own.soft.textContent, name: row.name })
        : gettext("{label}: {name} may not be relaxed", { label: own.soft.textContent, name: row.name }),
    );
    own.soft.dataset.tip = row.soft
      ? gettext("A task may run without it{slowdown}. Click to make it hard.", {
          slowdown: row.slowdown ? gettext(", {slowdown} times as long", { slowdown: three(row.slowdown) }) : "",
        })
      : gettext("A task waits for a machine that offers it. Click to make it soft.");
    own.offer.disable(readOnly || row.offerSource === "attribute");
    own.offerNumber.disable(readOnly || row.offerSource === "attribute");
    own.ask.disable(readOnly || !asks);
    own.askNumber.disable(readOnly || !asks);
    own.soft.disabled = readOnly;
    own.extra?.set(row, readOnly);
  }

  /**
   * Say what is wrong with a row; "" takes it away.
   * @param {number} index
   * @param {string} text
   */
  problem(index, text) {
    const own = this.rows[index];
    if (!own) return;
    own.problem.hidden = !text;
    own.problem.textContent = text;
    own.element.classList.toggle("has-problem", Boolean(text));
  }
}

/**
 * What stands in the row as a cell of its table and takes no room of its own.
 * @param {Child} content
 */
function cell(content) {
  return h("span", { class: "cell", role: "cell" }, content);
}

/**
 * Two decimals are enough to compare; what is nearly nothing is said to be.
 * @param {number} ratio
 */
function ratioText(ratio) {
  return ratio > 0 && ratio < 0.005 ? `< ${written(0.01, 2, 2)}` : ratio < 10 ? written(ratio, 2, 2) : three(ratio);
}

/**
 * What most of them are.
 * @param {string[]} values
 */
export function mostOf(values) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((one, other) => other[1] - one[1])[0]?.[0] ?? "";
}
