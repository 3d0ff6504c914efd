/** The inspector's messages: a worker counts them when the section is open and the clock rests. */

import { problemText } from "../../experiment/problems.js";
import { moment } from "../../kit/format.js";
import { countRows, lastOnes, tellCounts } from "./message_counts.js";
import { gettext } from "../../kit/words.js";
import { howFar } from "../../run/why/networks.js";
import { fetchPartMessages } from "../../run/why/whys.js";
import { effect, element, html, nothing, signal } from "../../kit/view.js";

/**
 * @import { Failure } from "../../contract/api.js"
 * @import { Part } from "../../run/why/whys.js"
 * @import { Studio } from "../../studio/store.js"
 * @import { PartCounts } from "./message_counts.js"
 */

const SETTLE_MS = 350;
const MOST_LAST = 12;

/** The section's contents: a note while it waits, then counts. @typedef {{words: string, counts?: PartCounts}} Told */

export class PartMessages {
  #part = signal(/** @type {Part | null} */ (null));
  #told = signal(/** @type {Told} */ ({ words: "" }));
  /** The run and the part of the rows. */
  #of = "";
  #asked = "";

  constructor(/** @type {Studio} */ studio) {
    this.studio = studio;
    this.element = element("details", "part-messages-fold", () => this.#view());
    this.element.dataset.partMessages = "";
    this.element.addEventListener("toggle", () => this.draw());
    effect(() => {
      this.element.hidden = !this.#part.value;
    });
  }

  /**
   * Show the counts of a part, or nothing for null.
   * @param {Part | null} part
   */
  show(part) {
    const meta = this.studio.meta.value;
    const session = this.studio.session.value;
    const isCounted = session?.run?.state === "done" && meta?.messages && !meta.outline;
    this.#part.value = isCounted ? part : null;
    this.draw();
  }

  draw() {
    const { player } = this.studio.stage;
    const part = this.#part.peek();
    if (!part || !this.element.open) {
      this.#forget();
      return;
    }
    const run = this.studio.session.value?.run.id ?? "";
    const of = JSON.stringify([run, part]);
    if (player.playing) {
      if (this.#of !== of) {
        this.#forget();
        this.#say(gettext("Pause to count the messages."));
      }
      return;
    }
    const until_s = Math.round(Math.max(0, player.t_ns)) / 1e9;
    const asked = `${of} ${until_s}`;
    if (asked === this.#asked) return;
    this.#forget();
    this.#asked = asked;
    if (this.#of !== of) this.#say(gettext("Counting…"));
    this.#of = of;
    this.timer = setTimeout(() => this.#load(run, part, until_s), SETTLE_MS);
  }

  #forget() {
    clearTimeout(this.timer);
    this.abort?.abort();
    this.#asked = "";
  }

  /**
   * @param {string} run
   * @param {Part} part
   * @param {number} until_s
   */
  async #load(run, part, until_s) {
    this.abort = new AbortController();
    const { signal } = this.abort;
    try {
      const counts = await fetchPartMessages(run, part, until_s, {
        signal,
        told: (state, progress) => {
          // Earlier counts stay until the new ones arrive.
          if (!this.#told.peek().counts?.kinds.length) this.#say(howFar(state, progress, gettext("Counting…")));
        },
      });
      if (!signal.aborted) this.#told.value = { words: tellCounts(counts), counts };
    } catch (caught) {
      const error = /** @type {Failure} */ (caught);
      if (!signal.aborted) this.#say(error.problems?.length ? problemText(error.problems[0]) : error.message);
    }
  }

  /** @param {string} words */
  #say(words) {
    this.#told.value = { words };
  }

  #view() {
    const { words, counts } = this.#told.value;
    return html`
      <summary>${gettext("Messages sent and received")}</summary>
      <div class="part-messages" aria-live="polite">
        ${words ? html`<p class="history-note">${words}</p>` : nothing}
        ${counts?.kinds.length ? [tableView(counts), this.#lastView(counts)] : nothing}
      </div>`;
  }

  #lastView(/** @type {PartCounts} */ counts) {
    const { stage } = this.studio;
    const go = (/** @type {number} */ t_s) => {
      stage.player.pause();
      stage.seek(Math.round(t_s * 1e9));
    };
    return html`
      <ol class="history" aria-label=${gettext("The last messages")} tabindex="0"
        >${lastOnes(counts, MOST_LAST).map(
          ({ t_s, text }) => html`
            <li
              ><button class="history-time" type="button" data-tip=${gettext("Go there")} @click=${() => go(t_s)}
                >${moment(t_s * 1e9)}</button
              ><span>${text}</span></li
            >`,
        )}</ol
      >`;
  }
}

function tableView(/** @type {PartCounts} */ counts) {
  const heads = counts.directed ? [gettext("Sent"), gettext("Received")] : [gettext("Messages")];
  return html`
    <table>
      <thead
        ><tr>${[gettext("Kind"), ...heads].map((head) => html`<th scope="col">${head}</th>`)}</tr></thead
      >
      <tbody
        >${countRows(counts).map(
          ({ help, label, cells }) => html`
            <tr data-tip=${help}><th scope="row">${label}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`,
        )}</tbody
      >
    </table>`;
}
