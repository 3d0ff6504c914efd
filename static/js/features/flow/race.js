/** All solvers on the same rounds: two from the flow of the round before, one from nothing, in real seconds. */

import { problemText } from "../../experiment/problems.js";
import { tellRace } from "./network.js";
import { howFar, raceSolvers } from "../../run/why/networks.js";
import { RaceChart } from "./race_chart.js";
import { h } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Meta } from "../../contract/contract"
 * @import { RunSession } from "../../run/run_session.js"
 * @import { RaceRow } from "./race_chart.js"
 */

const HINT = gettext(
  "Each round of this run is solved three times on the same network: along shortest paths and by cost scaling from " +
    "the previous round's flow, and by OR-tools from scratch. Times are measured on the server; no outcome depends " +
    "on them.",
);

export default {
  id: "race",
  title: gettext("Race"),
  question: gettext("How much faster is repairing the flow than solving from scratch?"),
  own: true,
  needs: (/** @type {Meta} */ meta) => Boolean(meta.network),
  /** @param {HTMLElement} body */
  mount(body) {
    const race = new Race(body);
    return {
      run: (/** @type {RunSession | null} */ session) => race.run(session),
      graphs() {},
      shown: () => race.chart.resize(),
    };
  },
};

function keyLine() {
  /**
   * @param {Record<string, string>} swatch
   * @param {string} words
   */
  const entry = (swatch, words) => h("span", { class: "line-entry" }, h("i", swatch), words);
  return h(
    "p",
    { class: "picture-key line-key" },
    entry({ class: "line-swatch", "data-role": "data" }, gettext("shortest paths (ssp)")),
    entry({ class: "line-swatch is-dotted", "data-role": "muted" }, gettext("cost scaling (scaling)")),
    entry({ class: "line-swatch is-dashed", "data-role": "second" }, gettext("from scratch (OR-tools)")),
    h("span", { class: "line-entry" }, gettext("log scale, ms a round")),
  );
}

class Race {
  /** @param {HTMLElement} body */
  constructor(body) {
    /** @type {RaceRow[]} */
    this.rows = [];
    /** @type {AbortController | null} */
    this.abort = null;
    /** @type {(() => void) | null} */
    this.cancel = null;
    /** @type {string | null} */
    this.of = null;
    this.drawn = 0;
    this.start = h(
      "button",
      {
        type: "button",
        class: "button button-small",
        "data-race": "",
        onclick: () => (this.abort ? this.cancel?.() : this.#go()),
      },
      gettext("Start the race"),
    );
    const place = h("div", { class: "picture-place race-place" });
    this.hint = h("p", { class: "desk-empty", role: "status" }, HINT);
    this.about = h("p", { class: "desk-about", role: "status" });
    place.append(this.hint);
    body.append(
      h("div", { class: "picture-tools" }, this.start, keyLine()),
      place,
      h("div", { class: "flow-foot" }, this.about),
    );
    this.chart = new RaceChart(place);
  }

  #draw(force = false) {
    const now = performance.now();
    if (!force && now - this.drawn < 200) return;
    this.drawn = now;
    this.chart.update(this.rows);
    this.about.textContent = this.rows.length
      ? gettext(
          "{race} The times are the server's own and affect no outcome. The time to record changes is not included.",
          {
            race: tellRace(this.rows),
          },
        )
      : "";
  }

  /** @param {string} words */
  #say(words) {
    this.hint.textContent = words;
    this.hint.hidden = !words;
  }

  #idle() {
    this.abort = null;
    this.cancel = null;
    this.start.textContent = this.rows.length ? gettext("Race again") : gettext("Start the race");
  }

  async #go() {
    const run = this.of;
    if (!run) return;
    this.rows = [];
    this.abort = new AbortController();
    const mine = this.abort;
    this.start.textContent = gettext("Cancel");
    this.#say(gettext("Waiting for a worker…"));
    this.#draw(true);
    try {
      const race = await raceSolvers(run, {
        signal: mine.signal,
        row: (row) => {
          this.rows.push(row);
          this.#say("");
          this.#draw();
        },
        told: (now) => {
          this.cancel = () => now.cancel().catch(() => mine.abort());
          if (!this.rows.length) this.#say(howFar(now.state, now.progress, gettext("Racing…")));
        },
      });
      if (this.abort === mine) this.#ended(race);
    } catch (/** @type {any} */ error) {
      if (this.abort !== mine) return;
      this.#idle();
      if (error.name !== "AbortError")
        this.#say(error.problems?.length ? problemText(error.problems[0]) : error.message);
    }
  }

  /** @param {any} race */
  #ended(race) {
    const { rows, about } = this;
    this.#idle();
    this.#draw(true);
    if (race.state === "failed") this.#say(race.problems[0]?.message ?? gettext("The race failed."));
    else if (!rows.length)
      this.#say(
        race.state === "cancelled"
          ? gettext("The race was canceled.")
          : gettext("No round of this run had anything to solve."),
      );
    if (race.state === "cancelled" && rows.length) about.textContent += gettext(" Canceled before its end.");
    if (race.over === "time") about.textContent += gettext(" Stopped at the time limit.");
    if (race.every > 1) about.textContent += gettext(" One round in {every} was compared.", { every: race.every });
  }

  /** @param {RunSession | null} session */
  run(session) {
    const ready = session?.run.state === "done";
    this.start.disabled = !ready;
    if (this.of === session?.run.id && ready) return;
    this.abort?.abort();
    this.abort = null;
    this.rows = [];
    this.of = ready ? session.run.id : null;
    this.#idle();
    this.#draw(true);
    this.#say(ready ? HINT : gettext("The solvers can race when the run is computed."));
  }
}
