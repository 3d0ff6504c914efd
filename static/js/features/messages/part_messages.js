/** The inspector's fold of messages: counted by a worker when it is open and the clock stands still. */

import { problemText } from "../../experiment/problems.js";
import { moment } from "../../kit/format.js";
import { countRows, lastOnes, tellCounts } from "./message_counts.js";
import { gettext } from "../../kit/words.js";
import { howFar } from "../../run/why/networks.js";
import { fetchPartMessages } from "../../run/why/whys.js";
import { h } from "../../kit/dom.js";

/**
 * @import { Part } from "../../run/why/whys.js"
 * @import { Studio } from "../../studio/store.js"
 * @import { PartCounts } from "./message_counts.js"
 */

const SETTLE_MS = 350;
const MOST_LAST = 12;

export class PartMessages {
  constructor(/** @type {Studio} */ studio) {
    this.studio = studio;
    /** @type {Part | null} */
    this.part = null;
    /** The run and the part that the rows are about. */
    this.of = "";
    this.asked = "";
    this.body = h("div", { class: "part-messages", "aria-live": "polite" });
    this.element = h(
      "details",
      { class: "part-messages-fold", "data-part-messages": "", hidden: true, ontoggle: () => this.draw() },
      h("summary", {}, gettext("Messages sent and received")),
      this.body,
    );
  }

  /**
   * Tell of a part as the server counts it, or of none (null).
   * @param {Part | null} part
   */
  show(part) {
    const run = this.studio.session?.run;
    this.part = part && run?.state === "done" && this.studio.meta?.messages && !this.studio.meta.outline ? part : null;
    this.element.hidden = !this.part;
    this.draw();
  }

  draw() {
    const { player } = this.studio.stage;
    if (!this.part || !this.element.open) {
      this.#forget();
      return;
    }
    const run = this.studio.session?.run.id ?? "";
    const of = JSON.stringify([run, this.part]);
    if (player.playing) {
      if (this.of !== of) {
        this.#forget();
        this.#say(gettext("Pause to count the messages."));
      }
      return;
    }
    const until_s = Math.round(Math.max(0, player.t_ns)) / 1e9;
    const asked = `${of} ${until_s}`;
    if (asked === this.asked) return;
    this.#forget();
    this.asked = asked;
    if (this.of !== of) this.#say(gettext("Counting…"));
    this.of = of;
    this.timer = setTimeout(() => this.#load(run, until_s), SETTLE_MS);
  }

  #forget() {
    clearTimeout(this.timer);
    this.abort?.abort();
    this.asked = "";
  }

  /**
   * @param {string} run
   * @param {number} until_s
   */
  async #load(run, until_s) {
    this.abort = new AbortController();
    const { signal } = this.abort;
    try {
      const { part } = this;
      if (!part) return;
      const found = await fetchPartMessages(run, part, until_s, {
        signal,
        told: (state, progress) => {
          if (!this.body.querySelector("table")) this.#say(howFar(state, progress, gettext("Counting…")));
        },
      });
      if (!signal.aborted) this.#draw(found);
    } catch (/** @type {any} */ error) {
      if (!signal.aborted) this.#say(error.problems?.length ? problemText(error.problems[0]) : error.message);
    }
  }

  /** @param {PartCounts} found */
  #draw(found) {
    const { stage } = this.studio;
    const heads = found.directed ? [gettext("Sent"), gettext("Received")] : [gettext("Messages")];
    const table = h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, gettext("Kind")),
          heads.map((head) => h("th", { scope: "col" }, head)),
        ),
      ),
      h(
        "tbody",
        {},
        countRows(found).map((row) =>
          h(
            "tr",
            { "data-tip": row.help },
            h("th", { scope: "row" }, row.label),
            row.cells.map((cell) => h("td", {}, cell)),
          ),
        ),
      ),
    );
    /** @param {number} t_s */
    const go = (t_s) => {
      stage.player.pause();
      stage.seek(Math.round(t_s * 1e9));
    };
    const last = lastOnes(found, MOST_LAST).map((one) =>
      h(
        "li",
        {},
        h(
          "button",
          { class: "history-time", type: "button", "data-tip": gettext("Go there"), onclick: () => go(one.t_s) },
          moment(one.t_s * 1e9),
        ),
        h("span", {}, one.text),
      ),
    );
    this.body.replaceChildren(
      h("p", { class: "history-note" }, tellCounts(found)),
      ...(found.kinds.length
        ? [table, h("ol", { class: "history", "aria-label": gettext("The last messages"), tabindex: "0" }, last)]
        : []),
    );
  }

  /** @param {string} words */
  #say(words) {
    this.body.replaceChildren(h("p", { class: "history-note" }, words));
  }
}
