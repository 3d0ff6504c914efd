/** Where a scheduler's time goes by stage: the modelled time so far, and below it what the machine really took. */

import { duration, percent, whole } from "../../kit/format.js";
import { ENGINE } from "./pipeline.js";
import { h } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";

const NAMED = 0.045; // a narrower part has no room for its name
const MEASURED =
  "Measured on the server that computed the run, by a clock that looks at some steps. It is no part of the " +
  "outcome, and differs from run to run.";

export class TimeBar {
  constructor(pick) {
    this.modelled = new Parts(
      "Modelled",
      "What the literal algorithms of the stages would take: the same on every run and machine.",
      pick,
    );
    this.measured = new Parts("Measured", MEASURED, pick);
    this.words = h("p", { class: "time-words" });
    this.element = h("div", { class: "stage-time" }, ...this.modelled.row, ...this.measured.row, this.words);
  }

  /** `real` is measuredOf() of the summary, null without one; `over` tells whether the run is computed. */
  show({ total, rows }, iteration_ms, real, over) {
    this.modelled.show(
      rows,
      total,
      (row) => `${row.id}: ${duration(row.us * 1e3)}, ${percent(row.share)} of the modelled time so far.`,
    );
    this.measured.show(
      real?.rows ?? [],
      real?.total ?? 0,
      (row) =>
        `${row.id === ENGINE ? "The engine (queue of events, counting, faults; no stage's)" : row.id}: ` +
        `${duration(row.us * 1e3)}, ${percent(row.share)} of the CPU time of the whole run.`,
    );
    this.measured.say(
      real
        ? ""
        : over
          ? gettext("This run has no measured times of stages.")
          : gettext("Told once the run is computed."),
    );
    this.measured.name.dataset.tip = real ? `${MEASURED} Here ${whole(real.steps)} steps.` : MEASURED;
    const last = iteration_ms === null ? "" : `Last iteration: ${duration(iteration_ms * 1e6)}. `;
    const words = rows.length
      ? `${last}${real ? gettext("Measured: CPU time of the server for the whole run, outside of its outcome.") : ""}`
      : "This run has no times of stages.";
    if (this.words.textContent !== words) this.words.textContent = words;
  }
}

/** A label, a stacked bar and its total. */
class Parts {
  constructor(name, help, pick) {
    this.pick = pick;
    this.parts = new Map();
    this.said = h("span", { class: "time-said" });
    this.bar = h("div", { class: "time-bar", role: "group", "aria-label": `${name} time by stage` }, this.said);
    this.total = h("span", { class: "time-total" });
    this.name = h("span", { class: "time-name", "data-tip": help }, name);
    this.row = [this.name, this.bar, this.total];
  }

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

  say(words) {
    if (this.said.textContent !== words) this.said.textContent = words;
    this.said.hidden = !words;
  }

  #part(id) {
    const known = {
      class: "time-part",
      "data-time-of": id,
      "data-group": id === ENGINE ? ENGINE : id.replace(/\d+/, ""),
    };
    const part =
      id === ENGINE
        ? h("span", { ...known, role: "img" }, id)
        : h("button", { ...known, type: "button", onclick: () => this.pick(id) }, id);
    this.parts.set(id, part);
    this.bar.append(part);
    return part;
  }
}
