/**
 * Tracks of windows. If a run's whole track is too large, the page requests the tasks of the visible machines for some
 * seconds around the instant.
 */

/** @typedef {import("../contract/contract").Track} Wire */
/** @typedef {{from_s: number, until_s: number, first: number, machines: number}} Window */

/** With more visible machines than this, the page requests no tasks. */
export const MOST_MACHINES = 800;
/** Seconds of playback that a window covers, and how many seconds before its end the page requests the next one. */
const AHEAD_S = 20;
const SOON_S = 5;
const BEHIND_S = 2;
const LEAST_S = 1;
/** The minimum time between two requests, in milliseconds. */
const PAUSE_MS = 500;

/**
 * Return the window needed to draw machines `first` to `last` at an instant; null if the window `known` suffices.
 *
 * @param {{first: number, last: number, now_s: number, rate: number, end_s: number}} look
 * @param {Window | null} known
 * @returns {Window | null}
 */
export function windowFor({ first, last, now_s, rate, end_s }, known) {
  const soon = Math.min(end_s, now_s + SOON_S * rate);
  const inside = known && known.first <= first && known.first + known.machines > last;
  if (inside && known.from_s <= now_s && known.until_s >= Math.max(now_s, soon)) return null;
  const around = last - first + 1;
  const from = Math.max(0, first - Math.ceil(around / 2));
  return {
    from_s: Math.max(0, now_s - Math.max(LEAST_S, BEHIND_S * rate)),
    until_s: now_s + Math.max(LEAST_S, AHEAD_S * rate),
    first: from,
    machines: last + Math.ceil(around / 2) + 1 - from,
  };
}

/**
 * Return the first and the last visible machine; null if none or too many are visible.
 *
 * @param {{ids: Int32Array, count: number}} visible
 */
export function rangeOf({ ids, count }) {
  if (!count || count > MOST_MACHINES) return null;
  let [first, last] = [ids[0], ids[0]];
  for (let place = 1; place < count; place += 1) {
    if (ids[place] < first) first = ids[place];
    if (ids[place] > last) last = ids[place];
  }
  return { first, last };
}

export class Windows {
  constructor() {
    this.forget();
  }

  forget() {
    /** @type {Wire | null} */
    this.track = null;
    /** @type {Window | null} */
    this.known = null;
    /** @type {import("./frames.js").FrameStore | null} */
    this.store = null;
    this.asking = false;
    /** @type {number} */
    this.askedAt = -Infinity;
  }

  /**
   * Return the loaded track of the visible machines; request missing parts.
   *
   * @param {import("./player.js").Player<import("./frames.js").FrameStore>} player
   * @param {{ids: Int32Array, count: number} | null} visible
   */
  trackFor(player, visible) {
    const { store } = player;
    if (store !== this.store) this.forget();
    this.store = store;
    const range = store.askTrack && visible && rangeOf(visible);
    if (!range) return null;
    const look = { ...range, now_s: player.t_ns / 1e9, rate: player.rate, end_s: store.endNs / 1e9 };
    const wanted = windowFor(look, this.known);
    if (wanted && !this.asking && performance.now() - this.askedAt > PAUSE_MS) this.#ask(store, wanted);
    return this.track;
  }

  /** @param {import("./frames.js").FrameStore} store @param {Window} wanted */
  async #ask(store, wanted) {
    this.asking = true;
    this.askedAt = performance.now();
    const found = await /** @type {NonNullable<typeof store.askTrack>} */ (store.askTrack)(wanted).catch(() => null);
    if (store !== this.store) return;
    this.asking = false;
    this.known = wanted;
    if (found) this.track = found;
  }
}
