/** The page of a challenge: its rules, its live board, and the reader's own entry. */

import { problemText } from "../experiment/problems.js";
import { drawBoard } from "../features/arena/board.js";
import { EntryForm } from "../features/arena/entry_form.js";
import { boundWords, noteWords, standingWords } from "../features/arena/words.js";
import { ClassSocket } from "../features/classes/class_socket.js";
import { ApiError, createExperiment, isAway, request } from "../contract/api.js";
import { bootData, wireTheme } from "../kit/boot.js";
import { find } from "../kit/dom.js";
import { wireGlossaryAndTips } from "../kit/glossary.js";
import { wirePageKeys } from "../kit/page_keys.js";
import { whole } from "../kit/format.js";
import { html, render } from "../kit/view.js";
import { gettext, language } from "../kit/words.js";

/**
 * @import { EntryBody, OwnExperiment } from "../features/arena/entry_form.js"
 * @import { Board, Challenge, Row } from "../features/arena/words.js"
 */

/**
 * @typedef {{challenge: Challenge, board: Board, own: OwnExperiment[], class?: string, author?: string,
 *   stays?: boolean}} Boot
 */

const SOON_MS = 1500;
const LATER_MS = 15000;
const ASKED_MS = 5000;
/** The page lists this many schedulers by name, and counts the rest. */
const MANY = 8;

class ChallengePage {
  /**
   * `class`: the id of the class that plays it on its own board, with the reader's name there as `author`. `stays`: the
   * page stays at this challenge when the class moves on.
   */
  constructor(/** @type {Boot} */ { challenge, board, own, class: classId = "", author = "", stays = false }) {
    this.asked = "";
    this.challenge = challenge;
    this.path = `/challenges/${encodeURIComponent(challenge.id)}`;
    this.boardPath = classId ? `/classes/${encodeURIComponent(classId)}/challenge` : this.path;
    this.query = stays ? `?challenge=${encodeURIComponent(challenge.id)}` : "";
    if (classId && !stays) this.#followClass(classId);
    this.form = /** @type {HTMLFormElement} */ (find("form"));
    this.entry = new EntryForm(this.form, {
      challenge,
      own,
      author,
      send: (body) => this.#enter(body),
      cancel: () => {
        this.form.hidden = true;
      },
    });
    render(this.#rules(), find("rules"));
    find("enter").addEventListener("click", () => this.#makeEntry());
    find("open-baseline").addEventListener("click", () => this.open(challenge.baseline));
    this.close = find("close");
    this.closeWords = this.close.textContent;
    this.close.addEventListener("click", () => this.#twice("close") && this.#close());
    // A press before this script runs would be lost.
    for (const name of ["enter", "open-baseline"]) /** @type {HTMLButtonElement} */ (find(name)).disabled = false;
    this.#show(board);
    const asked = new URLSearchParams(window.location.search).get("experiment");
    if (asked && challenge.state === "open") this.#makeEntry(asked);
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.#refresh();
    });
  }

  /** Return to the class when its teacher moves on. */
  #followClass(/** @type {string} */ classId) {
    const goBack = () => {
      window.location.href = `/classes/${classId}`;
    };
    new ClassSocket(classId, {
      told: ({ challenge }) => {
        if (challenge?.id !== this.challenge.id) goBack();
        // The teacher has closed the class's board: do not wait for the next reading.
        else if (challenge.closed && this.board?.state === "open") this.#refresh();
      },
      link: () => {},
      ended: goBack,
    });
  }

  #rules() {
    const { objective, limits, seeds, schedulers, values, closes_at: closes } = this.challenge;
    const few = schedulers.length > MANY ? gettext("any of {n} schedulers", { n: schedulers.length }) : "";
    const usable = [...(few ? [few] : schedulers.map((offer) => offer.label)), ...values.map((one) => one.label)];
    /** @type {([string, string[]] | null)[]} */
    const rules = [
      [objective.better === "less" ? gettext("Lowest value wins") : gettext("Highest value wins"), [objective.says]],
      limits.length ? [gettext("Limits"), limits.map(boundWords)] : null,
      [gettext("You may use"), [usable.join(", ")]],
      [gettext("Hidden seeds"), [whole(seeds)]],
      closes ? [gettext("Closes"), [new Date(closes).toLocaleString(language())]] : null,
    ];
    return rules
      .filter((each) => each !== null)
      .map(([name, told]) => html`<div><dt>${name}</dt>${told.map((one) => html`<dd>${one}</dd>`)}</div>`);
  }

  #show(/** @type {Board} */ board) {
    this.board = board;
    find("standing").textContent = standingWords(board);
    find("note").textContent = noteWords(this.challenge, board);
    find("enter").hidden = board.state !== "open";
    if (board.state !== "open") this.form.hidden = true;
    // The message about the sent entry ends with its runs.
    if (this.sent && !board.running) this.#note("");
    this.close.hidden = !this.challenge.mine || board.state !== "open";
    this.close.textContent = this.asked === "close" ? gettext("Confirm closing") : this.closeWords;
    const acts = {
      open: (/** @type {Row} */ row) => this.open(row.id),
      fork: (/** @type {Row} */ row) => this.#fork(row),
      withdraw: (/** @type {Row} */ row) => this.#withdraw(row),
    };
    drawBoard(/** @type {HTMLElement} */ (find("board")), {
      challenge: this.challenge,
      board,
      acts,
      asked: this.asked,
    });
    clearTimeout(this.timer);
    const soon = board.running || board.state === "closing";
    this.timer = setTimeout(() => this.#refresh(), soon ? SOON_MS : LATER_MS);
  }

  async #refresh() {
    clearTimeout(this.timer);
    if (document.hidden) return;
    try {
      this.#show(await request("GET", `${this.boardPath}/board${this.query}`));
    } catch (error) {
      if (!isAway(error)) this.#say(error);
      this.timer = setTimeout(() => this.#refresh(), LATER_MS);
    }
  }

  #makeEntry(experiment = "") {
    this.entry.begin(experiment);
    this.form.hidden = false;
    this.form.querySelector("input")?.focus();
    this.form.scrollIntoView({ block: "nearest" });
  }

  async #enter(/** @type {EntryBody} */ body) {
    try {
      const made = await request("POST", `${this.boardPath}/entries`, body);
      this.form.hidden = true;
      const isKnown = made.state === "ranked";
      this.#note(
        isKnown
          ? gettext("This entry has run before. Its result is below.")
          : gettext("Your entry runs under the hidden seeds. The board shows its place when the runs end."),
      );
      this.sent = !isKnown;
      await this.#refresh();
    } catch (error) {
      this.#say(error);
    }
  }

  /** Open an entry's run under the public seed. */
  async open(/** @type {string} */ id) {
    await this.#try(async () => {
      const { url } = await request("POST", `${this.path}/entries/${encodeURIComponent(id)}/open`, {});
      window.location.href = url;
    });
  }

  async #fork(/** @type {Row} */ row) {
    await this.#try(async () => {
      const stored = await request("GET", `/experiments/${encodeURIComponent(row.experiment_id)}`);
      const made = await createExperiment(stored.experiment, { madeOf: row.experiment_id });
      window.location.href = `/studio/${made.id}`;
    });
  }

  /** Return true if an action was requested a second time within some seconds; use this for actions without undo. */
  #twice(/** @type {string} */ what) {
    if (this.asked === what) return true;
    this.#ask(what);
    setTimeout(() => this.#ask(""), ASKED_MS);
    return false;
  }

  #ask(/** @type {string} */ what) {
    this.asked = what;
    if (this.board) this.#show(this.board);
  }

  async #withdraw(/** @type {Row} */ row) {
    if (!this.#twice(row.id)) return;
    await this.#try(async () => {
      await request("DELETE", `${this.path}/entries/${encodeURIComponent(row.id)}`);
      await this.#refresh();
    });
  }

  async #close() {
    await this.#try(async () => {
      await request("POST", `${this.path}/close`, {});
      await this.#refresh();
    });
  }

  async #try(/** @type {() => void} */ act) {
    try {
      await act();
    } catch (error) {
      this.#say(error);
    }
  }

  #say(/** @type {unknown} */ error) {
    const told =
      error instanceof ApiError && error.problems.length
        ? error.problems.map((each) => [each.label ? "" : each.path, problemText(each)].filter(Boolean).join(": "))
        : [/** @type {Error} */ (error).message];
    this.#note(told.join("\n"), false);
  }

  #note(/** @type {string} */ words, quiet = true) {
    const said = find("said");
    this.sent = false;
    said.textContent = words;
    said.classList.toggle("is-quiet", quiet);
    said.hidden = !words;
  }
}

wireTheme();
wireGlossaryAndTips();
wirePageKeys();
const boot = bootData();
if (boot.challenge) new ChallengePage(boot);
