/**
 * The studio's messages about its run: the state in the bar, a notice over the map, and problems that no field shows.
 */

import { problemText } from "../experiment/problems.js";
import { barValue, stateWords } from "./run_words.js";
import { find } from "../kit/dom.js";
import { effect, html, nothing, show, signal } from "../kit/view.js";
import { gettext } from "../kit/words.js";

/**
 * @import { Problem } from "../contract/api.js"
 * @import { ToldState } from "./run_session.js"
 */

const CAN_CANCEL = new Set(["queued", "compiling", "running", "paused"]);
const CAN_RUN_AGAIN = new Set(["cancelled", "failed"]);
/** Shorter computations are not worth a pause button, in seconds. */
const PAUSE_FROM_S = 5;
const KEEPS_NOTICE = new Set(["invalid", "unreachable", "failed"]);

/** Longer texts for the middle of the map, which has more room than the bar. */
/** @type {Record<string, string>} */
const LONGER = {
  cancelled: gettext("Canceled before the first picture. Press “Run again” above to restart the run."),
  compiling: gettext("Compiling the scheduler. This happens once per machine and takes up to half a minute."),
};

/** What the middle of the map offers when nothing runs automatically. */
/** @type {Record<string, [words: string, button: string]>} */
const OFFERS = {
  linked: [
    gettext("The link itself holds this experiment. The server stores it only when it runs."),
    gettext("Run it"),
  ],
  removed: [
    gettext("The recording of this run was deleted to make room. The same seed gives the same run again."),
    gettext("Run it again"),
  ],
};

/** @typedef {{text: string, button: string, act: () => void}} Notice  a notice with a button, unless `button` is "" */
/** @type {Notice} */
const SILENT = { text: "", button: "", act: () => {} };

export class Messages {
  /** The message in the middle of the map. */
  #empty = signal(/** @type {{text: string, offer: unknown} | null} */ (null));
  #notice = signal(SILENT);

  /**
   * `cancel()` stops the run, `again({fresh})` restarts it, `pause()` pauses or resumes the computation.
   * @param {{cancel: () => void, again: (wish: {fresh?: boolean}) => void, pause: () => void}} options
   */
  constructor({ cancel, again, pause }) {
    this.again = again;
    find("cancel").addEventListener("click", cancel);
    find("again").addEventListener("click", () => again({ fresh: this.known }));
    find("pause").addEventListener("click", pause);
    this.#showTexts();
  }

  #showTexts() {
    const [empty, notice] = [find("empty"), find("notice")];
    const first = empty.textContent;
    empty.replaceChildren();
    show(empty, () => this.#empty.value?.offer ?? this.#empty.value?.text ?? first);
    show(notice, () => {
      const { text, button, act } = this.#notice.value;
      return html`${text} ${
        button ? html`<button class="link" type="button" @click=${act}>${button}</button>` : nothing
      }`;
    });
    effect(() => {
      empty.classList.toggle("is-offer", Boolean(this.#empty.value?.offer));
      notice.hidden = !this.#notice.value.text;
    });
  }

  /**
   * Show a run's state. `hasPicture`: the map shows something; `readOnly`: another user owns the run.
   * @param {ToldState} run
   * @param {{hasPicture: boolean, readOnly: boolean}} options
   */
  status(run, { hasPicture, readOnly }) {
    const text = stateWords(run);
    const state = find("state");
    if (state.textContent !== text) {
      state.textContent = text;
      state.title = text;
    }
    document.body.dataset.runState = run.state;
    find("progress").value = barValue(run);
    find("cancel").hidden = readOnly || !CAN_CANCEL.has(run.state);
    const paused = run.state === "paused";
    find("pause").textContent = paused ? gettext("Resume computing") : gettext("Pause computing");
    find("pause").hidden =
      readOnly || !(paused || (run.state === "running" && !run.pausing && (run.eta_s ?? 0) > PAUSE_FROM_S));
    const known = run.state === "done" && Boolean(run.known);
    find("again").hidden = !known && !CAN_RUN_AGAIN.has(run.state);
    find("again").textContent = known ? gettext("Run it again on this server") : gettext("Run again");
    this.known = known;
    this.#empty.value = {
      text: run.compiled?.known ? text : (LONGER[run.state] ?? text),
      offer: this.#offer(run, text),
    };
    find("empty").hidden = hasPicture || run.state === "done";
    // Without a picture, the middle of the map shows the error.
    if (run.state === "failed" && run.error && hasPicture)
      this.notice(gettext("The run failed: {error}", { error: run.error }), gettext("Run again"));
    else if (!KEEPS_NOTICE.has(run.state) && !this.timer) this.notice("");
  }

  /**
   * Show a notice over the map, with a retry button if `again` names one. With `ms` the notice stays for that time and
   * then disappears.
   * @param {string} text
   */
  notice(text, again = "", ms = 0) {
    clearTimeout(this.timer);
    this.timer = ms ? setTimeout(() => this.notice(""), ms) : 0;
    this.#notice.value = { text, button: again, act: () => this.again({}) };
  }

  /**
   * Return what the middle of the map offers in a run's state: a text with a button or a link; null for nothing.
   * @param {ToldState} run
   * @param {string} text
   */
  #offer(run, text) {
    const again = (/** @type {string} */ words, /** @type {boolean} */ marked) =>
      html`<button
        class="button button-heavy"
        type="button"
        ?data-offer=${marked}
        @click=${() => this.again({})}
      >
        ${words}
      </button>`;
    if (run.state === "badlink")
      return html`<span>${run.error}</span
        ><a class="button button-heavy" href="/studio">${gettext("Start a new experiment")}</a>`;
    if (run.state === "failed") return html`<span>${text}</span>${again(gettext("Run again"), false)}`;
    const found = OFFERS[run.state];
    return found ? html`<span>${found[0]}</span>${again(found[1], true)}` : null;
  }

  /** Show a notice with the first problem that no visible field marks, and a button that opens its place. */
  point(/** @type {Problem[]} */ problems) {
    // The list beside the JSON text or above the editor's fields already shows them.
    if (
      document.body.dataset.left === "json" ||
      document.querySelector(".editor:not([hidden]) > .editor-trouble:not([hidden])")
    )
      return;
    const marks =
      ".knob.has-problem, .plan-item.has-problem, .editor:not([hidden]) [aria-invalid=true], " +
      ".editor:not([hidden]) .has-problem [data-path]";
    const marked = [...document.querySelectorAll(marks)]
      .flatMap((mark) => [mark.dataset.path, mark.dataset.problem])
      .flatMap((path) => (path ? [path] : []));
    const unseen = problems.find((each) => !marked.some((path) => each.path.startsWith(path)));
    if (!unseen) return;
    const [where, words] = unseen.path.startsWith("events")
      ? ["edit=events", gettext("Show the events")]
      : ["tab=json", gettext("Show in the JSON")];
    const act = () => {
      find(where).click();
      this.#notice.value = SILENT;
    };
    const label = unseen.label || unseen.path || gettext("Experiment");
    this.#notice.value = { text: problemText({ ...unseen, label }), button: words, act };
  }
}
