/** What the studio says about its run: the state in the bar, a notice over the map, problems that no mark shows. */

import { problemText } from "../experiment/problems.js";
import { barValue, stateWords } from "./run_words.js";
import { find, h } from "../kit/dom.js";
import { gettext } from "../kit/words.js";

/**
 * @import { Problem } from "../contract/api.js"
 * @import { ToldState } from "./run_session.js"
 */

const CAN_CANCEL = new Set(["queued", "compiling", "running", "paused"]);
const CAN_RUN_AGAIN = new Set(["cancelled", "failed"]);
/** Computing that ends sooner than this is not worth a pause. */
const PAUSE_FROM_S = 5;
const KEEPS_NOTICE = new Set(["invalid", "unreachable", "failed"]);

/** What the map says in its middle, where there is more room than in the bar. */
/** @type {Record<string, string>} */
const LONGER = {
  cancelled: gettext("Canceled before the first picture. Press “Run again” above to restart the run."),
  compiling: gettext("Compiling the scheduler. This happens once per machine and takes up to half a minute."),
};

/** What is offered in the middle of the map when nothing runs by itself. */
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

export class Messages {
  /**
   * `cancel()` stops the run, `again({fresh})` starts it anew, `pause()` pauses its computing or goes on with it.
   * @param {{cancel: () => void, again: (wish: {fresh?: boolean}) => void, pause: () => void}} options
   */
  constructor({ cancel, again, pause }) {
    this.again = again;
    find("cancel").addEventListener("click", cancel);
    find("again").addEventListener("click", () => again({ fresh: this.known }));
    find("pause").addEventListener("click", pause);
  }

  /**
   * `hasPicture`: something is on the map; `readOnly`: the run belongs to somebody else.
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
    const empty = find("empty");
    empty.textContent = run.compiled?.known ? text : (LONGER[run.state] ?? text);
    const offer = OFFERS[run.state];
    if (offer)
      empty.replaceChildren(
        h("span", {}, offer[0]),
        h(
          "button",
          { class: "button button-heavy", type: "button", "data-offer": true, onclick: () => this.again({}) },
          offer[1],
        ),
      );
    if (run.state === "failed")
      empty.replaceChildren(
        h("span", {}, text),
        h(
          "button",
          { class: "button button-heavy", type: "button", onclick: () => this.again({}) },
          gettext("Run again"),
        ),
      );
    if (run.state === "badlink")
      empty.replaceChildren(
        h("span", {}, run.error),
        h("a", { class: "button button-heavy", href: "/studio" }, gettext("Start a new experiment")),
      );
    empty.classList.toggle("is-offer", Boolean(offer) || run.state === "badlink" || run.state === "failed");
    empty.hidden = hasPicture || run.state === "done";
    // Where there is no picture yet, the middle of the map has said it.
    if (run.state === "failed" && run.error && hasPicture)
      this.notice(gettext("The run failed: {error}", { error: run.error }), gettext("Run again"));
    else if (!KEEPS_NOTICE.has(run.state) && !this.timer) this.notice("");
  }

  /**
   * A line over the map, with a button that tries again if it is given a name; `ms`: it goes by itself, and not before.
   * @param {string} text
   */
  notice(text, again = "", ms = 0) {
    clearTimeout(this.timer);
    this.timer = ms ? setTimeout(() => this.notice(""), ms) : 0;
    const retry = again ? [h("button", { class: "link", type: "button", onclick: () => this.again({}) }, again)] : [];
    find("notice").replaceChildren(text, " ", ...retry);
    find("notice").hidden = !text;
  }

  /** Say where the problems are, when no mark of theirs is in sight. */
  point(/** @type {Problem[]} */ problems) {
    // Beside the text, or above the fields of the editor that is open, they are said already.
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
    const go = h(
      "button",
      {
        class: "link",
        type: "button",
        onclick: () => {
          find(where).click();
          find("notice").hidden = true;
        },
      },
      words,
    );
    find("notice").replaceChildren(
      `${problemText({ ...unseen, label: unseen.label || unseen.path || gettext("Experiment") })} `,
      go,
    );
    find("notice").hidden = false;
  }
}
