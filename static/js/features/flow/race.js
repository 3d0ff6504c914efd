/** All solvers on the same rounds: two start from the previous round's flow, one from scratch, in measured seconds. */

import { problemText } from "../../experiment/problems.js";
import { tellRace } from "./network.js";
import { howFar, raceSolvers } from "../../run/why/networks.js";
import { picturePlace } from "../../draw/scenes/canvas_picture.js";
import { RaceChart } from "./race_chart.js";
import { batch, element, html, signal, watch } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Failure } from "../../contract/api.js"
 * @import { Meta } from "../../contract/contract"
 * @import { RunSession } from "../../run/run_session.js"
 * @import { Race as SolverRace } from "../../run/why/networks.js"
 * @import { RaceRow } from "./race_chart.js"
 */

const DRAW_MS = 200;
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

/**
 * Return an entry of the key, drawn as in the chart.
 * @param {string} classes
 * @param {string} role
 * @param {string} words
 */
const entryView = (classes, role, words) =>
  html`<span class="line-entry"><i class="line-swatch ${classes}" data-role=${role}></i>${words}</span>`;

const keyView = () => html`<p class="picture-key line-key">
  ${entryView("", "data", gettext("shortest paths (ssp)"))}
  ${entryView("is-dotted", "muted", gettext("cost scaling (scaling)"))}
  ${entryView("is-dashed", "second", gettext("from scratch (OR-tools)"))}
  <span class="line-entry">${gettext("log scale, ms a round")}</span>
</p>`;

class Race {
  #state = {
    /** The rounds on screen, and how the race ended; null before its end. */
    rows: signal(/** @type {RaceRow[]} */ ([])),
    ended: signal(/** @type {SolverRace | null} */ (null)),
    running: signal(false),
    /** True if the run on screen is complete. */
    ready: signal(false),
    /** The text shown while there are no rounds to draw. */
    hint: signal(HINT),
  };
  /** The solved rounds, drawn several times a second. @type {RaceRow[]} */
  #rows = [];
  /** @type {AbortController | null} */
  #abort = null;
  /** @type {(() => void) | null} */
  #cancel = null;
  /** The run on which a race is possible. @type {string | null} */
  #of = null;
  #drawn = 0;

  /** @param {HTMLElement} body */
  constructor(body) {
    const { rows, hint } = this.#state;
    const place = picturePlace(
      body,
      () => this.#toolsView(),
      () => html`<p class="desk-empty" role="status" ?hidden=${!hint.value}>${hint.value}</p>`,
    );
    place.classList.add("race-place");
    body.append(element("div", "flow-foot", () => html`<p class="desk-about" role="status">${this.#words()}</p>`));
    this.chart = new RaceChart(place);
    watch(
      () => rows.value,
      (shown) => this.chart.update(shown),
    );
  }

  #toolsView() {
    const { rows, running, ready } = this.#state;
    const start = rows.value.length ? gettext("Race again") : gettext("Start the race");
    return html`<button
        type="button"
        class="button button-small"
        data-race
        ?disabled=${!ready.value}
        @click=${() => (running.value ? this.#cancel?.() : this.#go())}
      >${running.value ? gettext("Cancel") : start}</button>
      ${keyView()}`;
  }

  /** Describe the race so far. */
  #words() {
    const rows = this.#state.rows.value;
    const race = this.#state.ended.value;
    if (!rows.length) return "";
    const told = gettext(
      "{race} The times are the server's own and affect no outcome. The time to record changes is not included.",
      { race: tellRace(rows) },
    );
    return [
      told,
      race?.state === "cancelled" ? gettext(" Canceled before its end.") : "",
      race?.over === "time" ? gettext(" Stopped at the time limit.") : "",
      race?.every && race.every > 1 ? gettext(" One round in {every} was compared.", { every: race.every }) : "",
    ].join("");
  }

  #draw() {
    this.#drawn = performance.now();
    this.#state.rows.value = [...this.#rows];
  }

  #idle() {
    this.#abort = null;
    this.#cancel = null;
    this.#state.running.value = false;
  }

  async #go() {
    const run = this.#of;
    if (!run) return;
    const mine = new AbortController();
    const { hint } = this.#state;
    this.#abort = mine;
    this.#begin(true, gettext("Waiting for a worker…"));
    try {
      const race = await raceSolvers(run, {
        signal: mine.signal,
        row: (/** @type {RaceRow} */ row) => {
          this.#rows.push(row);
          hint.value = "";
          if (performance.now() - this.#drawn >= DRAW_MS) this.#draw();
        },
        told: (now) => {
          this.#cancel = () => now.cancel().catch(() => mine.abort());
          if (!this.#rows.length) hint.value = howFar(now.state, now.progress, gettext("Racing…"));
        },
      });
      if (this.#abort === mine) this.#end(race);
    } catch (caught) {
      const error = /** @type {Failure} */ (caught);
      if (this.#abort !== mine) return;
      this.#idle();
      if (error.name !== "AbortError")
        hint.value = error.problems?.length ? problemText(error.problems[0]) : error.message;
    }
  }

  /**
   * Clear the rounds, before a race or without one.
   * @param {boolean} running
   * @param {string} hint
   */
  #begin(running, hint) {
    this.#rows = [];
    batch(() => {
      this.#state.ended.value = null;
      this.#state.running.value = running;
      this.#state.hint.value = hint;
      this.#draw();
    });
  }

  /** @param {SolverRace} race */
  #end(race) {
    const { ended, hint } = this.#state;
    batch(() => {
      this.#idle();
      this.#draw();
      ended.value = race;
      if (race.state === "failed") hint.value = race.problems[0]?.message ?? gettext("The race failed.");
      else if (!this.#rows.length)
        hint.value =
          race.state === "cancelled"
            ? gettext("The race was canceled.")
            : gettext("No round of this run had anything to solve.");
    });
  }

  /** @param {RunSession | null} session */
  run(session) {
    const ready = session?.run.state === "done";
    this.#state.ready.value = ready;
    if (this.#of === session?.run.id && ready) return;
    this.#abort?.abort();
    this.#idle();
    this.#of = ready ? session.run.id : null;
    this.#begin(false, ready ? HINT : gettext("The solvers can race when the run is computed."));
  }
}
