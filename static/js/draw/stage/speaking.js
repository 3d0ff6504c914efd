/** When the words about the map are said again: now and then during playback, and at each instant where it stands. */

/** @typedef {{store: object, seq: number, t_ns: number}} Instant  what is drawn: a run, its frame, and the clock */

/** During playback, the words are said again after this time. */
const SPOKEN_MS = 12_000;
/** While the clock is dragged or stepped fast, only the instant where it comes to rest is said. */
const SETTLE_MS = 300;

/** @param {Instant | null} one @param {Instant} other */
const isSame = (one, other) => one?.store === other.store && one.seq === other.seq && one.t_ns === other.t_ns;

export class Speaking {
  /** @type {Instant | null} */
  #said = null;
  #saidAt = 0;
  /** @type {Instant | null} */
  #drawn = null;
  #drawnAt = 0;

  /**
   * Return true if the words about the drawn instant must be said now.
   * @param {number} now  real time in milliseconds
   * @param {Instant} instant
   * @param {boolean} playing
   */
  isDue(now, instant, playing) {
    if (!isSame(this.#drawn, instant)) {
      this.#drawn = instant;
      this.#drawnAt = now;
    }
    if (playing) return now - this.#saidAt > SPOKEN_MS;
    return !isSame(this.#said, instant) && now - this.#drawnAt >= SETTLE_MS;
  }

  /**
   * Note that words were said: about the drawn instant, or an answer that must stay while this instant is drawn.
   * @param {number} now
   * @param {Instant} instant
   */
  said(now, instant) {
    this.#said = instant;
    this.#saidAt = now;
  }
}
