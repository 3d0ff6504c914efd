/** The words' values at the shown instant; a worker computes them while playback rests and the words are open. */

import { problemText } from "../../experiment/problems.js";
import { moment, whole } from "../../kit/format.js";
import { html, signal } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";
import { fetchPolicyWords } from "../../run/why/whys.js";

/**
 * @import { Failure } from "../../contract/api.js"
 * @import { PolicyNow } from "../../run/why/whys.js"
 * @import { Studio } from "../../studio/store.js"
 */

const SETTLE_MS = 350;

export class WordValues {
  /** The last values, or why there are none. */
  #told = signal(/** @type {{now: PolicyNow | null, words: string}} */ ({ now: null, words: "" }));
  /** The run and the instant of the last request. */
  #asked = "";

  constructor(/** @type {Studio} */ studio) {
    this.studio = studio;
  }

  /** The values by word, or null before the first ones. */
  get values() {
    return this.#told.value.now?.words ?? null;
  }

  /** Update after the instant or the run changed. Former values stay until there are new ones. */
  look(/** @type {boolean} */ open) {
    const { player } = this.studio.stage;
    const run = this.studio.session.value?.run;
    if (!open || player.playing || run?.state !== "done" || this.studio.touched.value) return;
    const at_s = Math.round(Math.max(0, player.t_ns)) / 1e9;
    const asked = `${run.id} ${at_s}`;
    if (asked === this.#asked) return;
    this.#forget();
    this.#asked = asked;
    this.timer = setTimeout(() => this.#load(run.id, at_s), SETTLE_MS);
  }

  #forget() {
    clearTimeout(this.timer);
    this.abort?.abort();
  }

  async #load(/** @type {string} */ run, /** @type {number} */ at_s) {
    this.abort = new AbortController();
    const { signal } = this.abort;
    try {
      const now = await fetchPolicyWords(run, at_s, { signal });
      if (!signal.aborted) this.#told.value = { now, words: "" };
    } catch (caught) {
      const error = /** @type {Failure} */ (caught);
      if (signal.aborted) return;
      const words = error.problems?.length ? problemText(error.problems[0]) : error.message;
      this.#told.value = { now: null, words };
    }
  }

  /** Return whose values these are, or why there are none. */
  view() {
    const { now, words } = this.#told.value;
    return html`<p class="policy-fine" data-values-of=${now?.task ?? ""}>${now ? aboutText(now) : words}</p>`;
  }
}

/** @param {PolicyNow} now */
function aboutText({ t_s, task, waits }) {
  const time = moment(t_s * 1e9);
  if (task === null) return gettext("The run has no task.");
  return waits
    ? gettext("Values at {time} for task {task}, which waits longest.", { time, task: whole(task) })
    : gettext("At {time} no task waits. The values are those of task {task}, which started last.", {
        time,
        task: whole(task),
      });
}
