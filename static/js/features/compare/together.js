/** Several runs at one instant of simulated time, for one player: as long as the longest run, complete when all are. */

/** @import { SeenMark } from "../../run/frames.js" */

/** @typedef {import("../../run/frames.js").FrameStore} FrameStore */

export class Together {
  /** @param {FrameStore[]} stores */
  constructor(stores) {
    this.stores = stores;
  }

  get count() {
    return Math.max(0, ...this.stores.map((store) => store.count));
  }
  get startNs() {
    return Math.min(...this.stores.map((store) => (store.count ? store.startNs : Infinity)), Infinity) === Infinity
      ? 0
      : Math.min(...this.stores.filter((store) => store.count).map((store) => store.startNs));
  }
  get endNs() {
    return Math.max(0, ...this.stores.map((store) => (store.count ? store.endNs : 0)));
  }
  get complete() {
    return this.stores.length > 0 && this.stores.every((store) => store.complete);
  }
  get marks() {
    return { length: this.stores.reduce((sum, store) => sum + store.marks.length, 0) };
  }
  /** @returns {FrameStore | null} */
  get longest() {
    /** @type {FrameStore | null} */
    let best = null;
    for (const store of this.stores) if (!best || (store.count && store.endNs > best.endNs)) best = store;
    return best;
  }
  get hasSteps() {
    return this.stores.some((store) => store.hasSteps);
  }
  get times() {
    return this.longest?.times ?? [];
  }

  indexAt(/** @type {number} */ t_ns) {
    return this.longest?.indexAt(t_ns) ?? -1;
  }

  nextMark(/** @type {number} */ t_ns) {
    return nearest(
      this.stores.map((store) => store.nextMark(t_ns)),
      (a, b) => a.t_ns < b.t_ns,
    );
  }

  previousMark(/** @type {number} */ t_ns) {
    return nearest(
      this.stores.map((store) => store.previousMark(t_ns)),
      (a, b) => a.t_ns > b.t_ns,
    );
  }
}

/**
 * @param {(SeenMark | null)[]} marks
 * @param {(one: SeenMark, other: SeenMark) => boolean} before
 */
function nearest(marks, before) {
  return marks.reduce((best, mark) => (mark && (!best || before(mark, best)) ? mark : best), null);
}
