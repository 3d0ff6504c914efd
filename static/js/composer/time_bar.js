/** Where the scheduler's modelled time has gone so far: a stacked bar, a part for each stage. */

import { duration, percent } from "../lib/format.js";
import { h } from "../views/dom.js";

const NAMED = 0.045; // a narrower part has no room for its name

export class TimeBar {
  constructor(pick) {
    this.pick = pick;
    this.parts = new Map();
    this.bar = h("div", { class: "time-bar", role: "group", "aria-label": "Modelled time by stage" });
    this.words = h("p", { class: "time-words" });
    this.element = h("div", { class: "stage-time" }, this.bar, this.words);
  }

  show({ total, rows }, iteration_ms, exact) {
    for (const row of rows) {
      const part = this.parts.get(row.id) ?? this.#part(row.id);
      part.hidden = row.us <= 0;
      part.style.setProperty("--share", String(row.share));
      part.classList.toggle("is-narrow", row.share < NAMED);
      part.dataset.tip = `${row.id}: ${duration(row.us * 1e3)}, ${percent(row.share)} of the modelled time so far.`;
      part.setAttribute("aria-label", part.dataset.tip);
    }
    const last = iteration_ms === null ? "" : `, the last iteration ${duration(iteration_ms * 1e6)}`;
    const wall = exact?.performance?.wall_s;
    const real = wall ? ` Real time of the whole run, outside of its outcome: ${duration(wall * 1e9)}.` : "";
    const words = rows.length ? `Modelled time: ${duration(total * 1e3)}${last}.${real}` : "This run has no times of stages.";
    if (this.words.textContent !== words) this.words.textContent = words;
  }

  #part(id) {
    const part = h("button", { type: "button", class: "time-part", "data-time-of": id, "data-group": id.replace(/\d+/, ""), onclick: () => this.pick(id) }, id);
    this.parts.set(id, part);
    this.bar.append(part);
    return part;
  }
}
