/** The viewer's position in a run. Time is in simulated nanoseconds; the run may still be growing. */

/** Playback time of a whole run in seconds; longer at the level Watch while a signature is open. */
export const WHOLE_RUN_SECONDS = 40;
export const WATCHED_SECONDS = 90;
const EDGE_LAG_FRAMES = 0;

/**
 * @typedef {import("./frames.js").FrameStore} FrameStore
 * @typedef {Pick<FrameStore, "count" | "startNs" | "endNs" | "complete" | "times" | "hasSteps" | "indexAt" |
 *   "nextMark" | "previousMark"> & {story?: FrameStore["story"]}} Playable  one run, or several together
 */

/** @template {Playable} Store */
export class Player {
  /**
   * `rate` is simulated seconds per second; with null the player chooses a rate that shows the run in under a minute.
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
    /** True if playback reached the end and now shows the most instructive instant. */
    this.rests = false;
    this.lasts = WHOLE_RUN_SECONDS;
    /** The slow-motion rate at an instant; it overrides the chosen rate. @type {((t_ns: number) => number) | null} */
    this.pace = null;
  }

  /**
   * Estimate the run's length from its progress. The length is known once the run ends.
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
  /** Where playback stops: at the end of the story, or at the run's end if the viewer is past the story. */
  get stopNs() {
    const { endNs, story } = this.store;
    return story && this.t_ns <= story.endNs ? story.endNs : endNs;
  }
  /** The instant that can be shown: a run that is being computed may not have reached the viewer's instant yet. */
  get shownNs() {
    return this.store.count ? Math.min(this.t_ns, this.store.endNs) : this.t_ns;
  }
  get waiting() {
    return this.playing && this.atEnd && !this.store.complete;
  }

  /**
   * Switch to another run at the same instant; if the current run had ended, start from the beginning.
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
   * Start at a link's instant. An instant after the story's end would show an empty map, so use the most instructive
   * instant.
   *
   * @param {number} t_ns
   */
  open(t_ns) {
    const { story } = this.store;
    this.t_ns = story && t_ns > story.endNs ? story.tellingNs : t_ns;
  }

  /**
   * Advance by `elapsed_ms` of real time; return true if the instant changed.
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

  /** Stop, and show the most instructive instant instead of the empty end. */
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
   * Go to an instant, limited to the part of the run that is loaded.
   *
   * @param {number} t_ns
   */
  seek(t_ns) {
    this.rests = false;
    this.t_ns = Math.min(Math.max(0, t_ns), Math.max(0, this.store.endNs));
  }

  /**
   * Pause and go to the next (1) or previous (-1) mark, or to a frame if the run has no marks.
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
 * Convert a slider position to a speed: 0, in the middle, is the natural rate; each step multiplies it by the square
 * root of two.
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
