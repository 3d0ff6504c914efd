/** The reveal of a question: its run plays to the end, the metric grows, and then the result appears. */

import { reducedMotion } from "../../kit/dom.js";
import { html, render } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";
import { endOf, PLAYS_S } from "./growth.js";
import { resultView } from "./result_picture.js";

/**
 * @import { AskedQuestion, QuestionGrowth } from "../../contract/contract"
 * @import { AnswerValue } from "./class_api.js"
 * @import { Revealed } from "./result_picture.js"
 */

const DRAW_MS = 60;

export class Reveal {
  /**
   * @param {HTMLElement} place  where the result is rendered
   * @param {import("./class_picture.js").ClassPicture} picture  plays the run on its map
   * @param {() => void} over  called when the result is shown
   */
  constructor(place, picture, over = () => {}) {
    this.place = place;
    this.picture = picture;
    this.over = over;
    /** @type {{number: number, state: string} | null} */
    this.seen = null;
    /** When playback of the runs began; null while nothing plays. @type {number | null} */
    this.began = null;
    /** True if this question's run was played here; its map then stays. */
    this.plays = false;
  }

  /**
   * Update to the question of a message; return false if there is nothing to reveal.
   * @param {AskedQuestion | null} question
   * @param {AnswerValue | null} own  the reader's answer, or null
   */
  told(question, own = null) {
    const before = this.seen?.number === question?.number ? this.seen : null;
    this.seen = question && { number: question.number, state: question.state };
    const isRevealed = Boolean(question?.result) && /** @type {AskedQuestion} */ (question).state === "revealed";
    if (!before || !isRevealed) this.#stop();
    if (!isRevealed) return false;
    /** @type {Revealed} */
    this.question = /** @type {Revealed} */ (question);
    this.own = own;
    if (before && before.state !== "revealed" && !reducedMotion()) this.play();
    if (this.began === null) this.#draw(null);
    return true;
  }

  /** True while the runs play. */
  get isPlaying() {
    return this.began !== null;
  }

  /** Play the runs from their beginning to their end. */
  play() {
    const { question } = this;
    if (!question?.result.growth) return;
    const isFirst = this.began === null;
    this.began = performance.now();
    this.plays = Boolean(question.shown);
    if (question.shown) this.picture.playFrom(question.shown, endOf(question.result.growth) / PLAYS_S);
    this.#draw(0);
    if (isFirst) this.#tick();
  }

  #tick() {
    setTimeout(() => {
      if (this.began === null) return;
      const played = (performance.now() - this.began) / 1000 / PLAYS_S;
      if (played < 1) {
        this.#draw(played * endOf(/** @type {QuestionGrowth} */ (this.question.result.growth)));
        this.#tick();
        return;
      }
      this.began = null;
      this.#draw(null);
      this.over();
    }, DRAW_MS);
  }

  #stop() {
    this.began = null;
    this.plays = false;
    delete this.place.dataset.reveal;
    this.place.removeAttribute("aria-live");
  }

  /** Render the result at an instant; null means the end. */
  #draw(/** @type {number | null} */ t_s) {
    const { question, place } = this;
    place.dataset.reveal = t_s === null ? "over" : "plays";
    // Screen readers announce the result, not each step to it.
    place.setAttribute("aria-live", t_s === null ? "polite" : "off");
    const again = () => {
      this.play();
      this.over();
    };
    render(
      html`${resultView(question, this.own, t_s)}<button
          class="button"
          type="button"
          data-replay
          ?hidden=${t_s !== null || !question.result.growth}
          @click=${again}
          >${gettext("Play the runs again")}</button
        >`,
      place,
    );
  }
}
