/** An event queue in the order of the library's loops: by time, then by kind, then by insertion. */

/**
 * @template What
 * @typedef {{at: number, kind: number, seq: number, what: What}} Event
 */

/** @param {Event<unknown>} one @param {Event<unknown>} other */
const before = (one, other) =>
  one.at !== other.at ? one.at < other.at : one.kind !== other.kind ? one.kind < other.kind : one.seq < other.seq;

/** @template What  what the events are about */
export class Events {
  constructor() {
    /** @type {Event<What>[]} */
    this.heap = [];
    this.seq = 0;
  }

  /** @param {number} at @param {number} kind @param {What} what */
  add(at, kind, what) {
    const { heap } = this;
    const event = { at, kind, seq: this.seq, what };
    this.seq += 1;
    let hole = heap.length;
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      if (before(heap[parent], event)) break;
      heap[hole] = heap[parent];
      hole = parent;
    }
    heap[hole] = event;
  }

  /** @returns {Event<What> | undefined} the next event, removed from the queue */
  take() {
    const { heap } = this;
    const first = heap[0];
    const last = heap.pop();
    if (!first || !last || !heap.length) return first;
    let hole = 0;
    for (;;) {
      let child = 2 * hole + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && before(heap[child + 1], heap[child])) child += 1;
      if (before(last, heap[child])) break;
      heap[hole] = heap[child];
      hole = child;
    }
    heap[hole] = last;
    return first;
  }
}
