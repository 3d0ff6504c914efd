/** Where a scheduler's time goes by stage: the modelled time so far, and below it what the machine really took. */

import { duration, percent, whole } from "../../kit/format.js";
import { ENGINE } from "./pipeline.js";
import { h } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";

/** @import { Measured, TimeRow } from "./pipeline.js" */

const NAMED = 0.045; // a narrower part has no room for its name
const MEASURED = gettext(
  "Measured on the server that computed the run, by sampling some steps. The measurement differs from " +
    "run to run and does not affect the outcome.",
);

export class TimeBar {
  /** @param {(stage: string) => void} pick */
  constructor(pick) {
    this.modelled = new Parts(
      gettext("Modeled"),
      gettext(
        "Time that the stages' algorithms would take as written. It is the same for every run and on every machine.",
      ),
      pick,
    );
    this.measured = new Parts(gettext("Measured"), MEASURED, pick);
    this.words = h("p", { class: "time-words" });
    this.element = h("div", { class: "stage-time" }, ...this.modelled.row, ...this.measured.row, this.words);
  }

  /**
   * `real` is measuredOf() of the summary, null without one; `over` tells whether the run is computed.
   * @param {{total: number, rows: TimeRow[]}} options
   * @param {number | null} iteration_ms
   * @param {Measured | null} real
   * @param {boolean} over
   */
  show({ total, rows }, iteration_ms, real, over) {
    this.modelled.show(rows, total, (row) =>
      gettext("{stage}: {time}, {share} of the modeled time so far.", {
        stage: row.id,
        time: duration(row.us * 1e3),
        share: percent(row.share),
      }),
    );
    this.measured.show(real?.rows ?? [], real?.total ?? 0, (row) =>
      gettext("{stage}: {time}, {share} of the CPU time of the whole run.", {
        stage: row.id === ENGINE ? gettext("The engine (event queue, counters, faults; belongs to no stage)") : row.id,
        time: duration(row.us * 1e3),
        share: percent(row.share),
      }),
    );
    this.measured.say(
      real
        ? ""
        : over
          ? gettext("This run has no measured times of stages.")
          : gettext("Available once the run is complete."),
    );
    this.measured.name.dataset.tip = real
      ? gettext("{measured} Here {steps} steps.", { measured: MEASURED, steps: whole(real.steps) })
      : MEASURED;
    const last =
      iteration_ms === null ? "" : gettext("Last iteration: {time}. ", { time: duration(iteration_ms * 1e6) });
    const words = rows.length
      ? `${last}${real ? gettext("Measured: the server's CPU time for the whole run, not part of the outcome.") : ""}`
      : gettext("This run has no times of stages.");
    if (this.words.textContent !== words) this.words.textContent = words;
  }
}

/** A label, a stacked bar and its total. */
class Parts {
  /**
   * @param {string} name
   * @param {string} help
   * @param {(stage: string) => void} pick
   */
  constructor(name, help, pick) {
    this.pick = pick;
    /** @type {Map<string, HTMLElement>} */
    this.parts = new Map();
    this.said = h("span", { class: "time-said" });
    this.bar = h(
      "div",
      { class: "time-bar", role: "group", "aria-label": gettext("{name} time by stage", { name }) },
      this.said,
    );
    this.total = h("span", { class: "time-total" });
    this.name = h("span", { class: "time-name", "data-tip": help }, name);
    this.row = [this.name, this.bar, this.total];
  }

  /**
   * @param {TimeRow[]} rows
   * @param {number} total
   * @param {(row: TimeRow) => string} tell
   */
  show(rows, total, tell) {
    for (const part of this.parts.values()) part.hidden = true;
    for (const row of rows) {
      const part = this.parts.get(row.id) ?? this.#part(row.id);
      part.hidden = row.us <= 0;
      part.style.setProperty("--share", String(row.share));
      part.classList.toggle("is-narrow", row.share < (row.id === ENGINE ? 2 * NAMED : NAMED));
      part.dataset.tip = tell(row);
      part.setAttribute("aria-label", part.dataset.tip);
    }
    const words = total > 0 ? duration(total * 1e3) : "";
    if (this.total.textContent !== words) this.total.textContent = words;
  }

  /** @param {string} words */
  say(words) {
    if (this.said.textContent !== words) this.said.textContent = words;
    this.said.hidden = !words;
  }

  /** @param {string} id */
  #part(id) {
    const known = {
      class: "time-part",
      "data-time-of": id,
      "data-group": id === ENGINE ? ENGINE : id.replace(/\d+/, ""),
    };
    // Parts may be a pixel wide: what is operated is the stage's card, and a click here only points at it.
    const part = h("span", { ...known, role: "img" }, id);
    if (id !== ENGINE) part.addEventListener("click", () => this.pick(id));
    this.parts.set(id, part);
    this.bar.append(part);
    return part;
  }
}
