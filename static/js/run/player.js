/** Where the viewer is in a run. Time is simulated nanoseconds; the run may still be growing. */

/** Seconds that the playback of a whole run takes; more at the level Watch while a signature is open. */
export const WHOLE_RUN_SECONDS = 40;
export const WATCHED_SECONDS = 90;
const EDGE_LAG_FRAMES = 0;

/**
 * @typedef {import("./frames.js").FrameStore} FrameStore
 * @typedef {Pick<FrameStore, "count" | "startNs" | "endNs" | "complete" | "times" | "hasSteps" | "indexAt" |
 *   "nextMark" | "previousMark"> & {story?: FrameStore["story"]}} Playable  a run, or several together
 */

/** @template {Playable} Store */
export class Player {
  /**
   * `rate` is simulated seconds per second; null lets the player choose one that shows the run in under a minute.
   *
   * @param {Store} store
   * @param {{rate?: number | null, loop?: boolean, playing?: boolean, t_ns?: number}} options
   */
  constructor(store, { rate = null, loop = false, playing = true, t_ns = 0 } = {}) {
    this.store = store;
    this.chosenRate = rate;
    this.loop = loop;
    this.playing = playing;
    this.t_ns = t_ns;
    this.expectedEndNs = 0;
    /** Whether the run was played to its end and now shows its most telling instant. */
    this.rests = false;
    this.lasts = WHOLE_RUN_SECONDS;
    /** Rate of slow motion at an instant; overrides the chosen rate. @type {((t_ns: number) => number) | null} */
    this.pace = null;
  }

  /**
   * The run's likely length: known at its end, estimated from its progress before.
   *
   * @param {number} progress
   */
  setProgress(progress) {
    if (progress > 0.02 && this.store.count) this.expectedEndNs = this.store.endNs / progress;
  }

  get naturalRate() {
    const { complete, endNs, story } = this.store;
    const end = complete ? (story?.endNs ?? endNs) : Math.max(this.expectedEndNs, endNs);
    return end > 0 ? end / 1e9 / this.lasts : 1;
  }

  get rate() {
    return this.pace?.(this.t_ns) ?? this.chosenRate ?? this.naturalRate;
  }
  get atEnd() {
    return this.store.count > 0 && this.t_ns >= this.store.endNs - EDGE_LAG_FRAMES;
  }
  get ended() {
    return this.rests || (this.atEnd && this.store.complete);
  }
  /** Where playing stops: where the story ends, or at the very end for who looks at what comes after. */
  get stopNs() {
    const { endNs, story } = this.store;
    return story && this.t_ns <= story.endNs ? story.endNs : endNs;
  }
  get waiting() {
    return this.playing && this.atEnd && !this.store.complete;
  }

  /**
   * Take over another run at the same instant; one that was seen to its end starts again.
   *
   * @param {Store} store
   */
  replace(store, { sameRun = false } = {}) {
    if (this.ended && !sameRun) {
      this.t_ns = 0;
      this.playing = true;
    }
    if (!sameRun) this.rests = false;
    this.store = store;
    this.expectedEndNs = 0;
  }

  /**
   * Begin at an instant that a link names; one after the story's end would show an empty map.
   *
   * @param {number} t_ns
   */
  open(t_ns) {
    const { story } = this.store;
    this.t_ns = story && t_ns > story.endNs ? story.tellingNs : t_ns;
  }

  /**
   * Advance by `elapsed_ms` of the viewer's time; true when the instant changed.
   *
   * @param {number} elapsed_ms
   */
  tick(elapsed_ms) {
    if (!this.playing || this.store.count === 0) return false;
    const before = this.t_ns;
    const end = this.stopNs;
    if (this.t_ns >= end && this.store.complete) {
      if (this.loop) this.t_ns = this.store.startNs;
      else this.#rest();
      return this.t_ns !== before;
    }
    this.t_ns = Math.min(Math.max(end, this.t_ns), this.t_ns + Math.min(elapsed_ms, 250) * 1e6 * this.rate);
    return this.t_ns !== before;
  }

  /** Stop, and show the instant that tells most instead of the empty end. */
  #rest() {
    this.playing = false;
    if (!this.store.story) return;
    this.t_ns = this.store.story.tellingNs;
    this.rests = true;
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }
  pause() {
    this.playing = false;
  }

  play() {
    if (this.ended) this.t_ns = this.store.startNs;
    this.rests = false;
    this.playing = true;
  }

  /**
   * Go to an instant, within what is known so far.
   *
   * @param {number} t_ns
   */
  seek(t_ns) {
    this.rests = false;
    this.t_ns = Math.min(Math.max(0, t_ns), Math.max(0, this.store.endNs));
  }

  /**
   * To the next (1) or previous (-1) mark, or frame where a run has no marks; pauses.
   *
   * @param {number} direction
   */
  step(direction) {
    this.pause();
    const mark = direction > 0 ? this.store.nextMark(this.t_ns) : this.store.previousMark(this.t_ns);
    if (mark) {
      this.seek(mark.t_ns);
      return mark;
    }
    if (this.store.count && !this.store.hasSteps) {
      const index = this.store.indexAt(this.t_ns) + direction;
      this.seek(this.store.times[Math.min(Math.max(0, index), this.store.count - 1)]);
    } else {
      this.seek(direction > 0 ? this.store.endNs : 0);
    }
    return null;
  }
}

/**
 * The speed slider: 0 in the middle is the natural rate, each step a factor of the square root of two.
 *
 * @param {number} position
 * @param {number} natural
 */
export function rateFromSlider(position, natural) {
  return natural * 2 ** (position / 2);
}
/**
 * @param {number} rate
 * @param {number} natural
 */
export function sliderFromRate(rate, natural) {
  return Math.min(10, Math.max(-10, Math.round(2 * Math.log2(rate / natural))));
}
