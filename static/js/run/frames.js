/**
 * The frames of one run, in order, and the picture at each of them.
 *
 * The store keeps every decoded frame and a full copy of the picture every SNAPSHOT_EVERY frames, so rebuilding any
 * instant, forwards or backwards, needs at most that many deltas.
 */

import { emptyPicture, copyPicture, applyFrame } from "./frame_picture.js";
import { storyEnd, tellingInstant } from "./story.js";
import { countHolding, countUpTo } from "../kit/search.js";

/**
 * @typedef {import("../contract/contract").Frame} Frame
 * @typedef {import("../contract/contract").Summary} Summary
 * @typedef {{edges: number[], counts: Float64Array}} Histogram  the bins' lower bounds, and the count per bin
 * @typedef {{t_ns: number, kind: string, machine: number, task: number}} SeenMark
 * @typedef {{seq: number, t_ns: number, state: string, counters: Record<string, number>,
 *   layers: Record<string, Uint8Array>, hists: Record<string, Histogram>}} Picture  the complete state at one instant
 */

const SNAPSHOT_EVERY = 16;

export class FrameStore {
  constructor() {
    /** @type {Frame[]} */
    this.frames = [];
    /** @type {number[]} */
    this.times = [];
    /** @type {Record<string, {t: number[], v: number[]}>} */
    this.series = {};
    /** @type {SeenMark[]} */
    this.marks = [];
    /** @type {Set<string>} */
    this.quiet = new Set(); // kinds of marks that stepping skips
    /** @type {Partial<Summary> | null} */
    this.summary = null;
    /** @type {{of: number, endNs: number, tellingNs: number} | null} */
    this.told = null;
    /** Events of tasks, if known. @type {import("../contract/contract").Track | null} */
    this.track = null;
    /**
     * A summary of the track, if the recording has no track.
     * @type {import("../contract/contract").Density | null}
     */
    this.density = null;
    /**
     * Requests the track of some machines for a window of time, if the whole track is too large.
     *
     * @type {((window: import("./windows.js").Window) =>
     *   Promise<import("../contract/contract").Track | null>) | null}
     */
    this.askTrack = null;
    /** @type {Picture[]} */
    this.snapshots = [];
    this.growing = emptyPicture();
    this.cursor = emptyPicture();
    this.cursorIndex = -1;
  }

  get count() {
    return this.frames.length;
  }
  get lastSeq() {
    return this.frames.length ? this.frames[this.frames.length - 1].seq : -1;
  }
  get endNs() {
    return this.times.length ? this.times[this.times.length - 1] : 0;
  }
  get startNs() {
    return this.times.length ? this.times[0] : 0;
  }
  get complete() {
    return this.summary !== null;
  }
  /** Where playback of a finished run stops, and the instant that it shows then (story.js). */
  get story() {
    if (this.told?.of !== this.count && this.complete && this.count)
      this.told = { of: this.count, endNs: storyEnd(this), tellingNs: tellingInstant(this) };
    return this.complete && this.told ? this.told : null;
  }
  /** True if there are marks to step to. */
  get hasSteps() {
    return this.marks.some((mark) => !this.quiet.has(mark.kind));
  }

  /**
   * Append a frame. Return false if it is old or unusable (a delta after a gap).
   *
   * @param {Frame} frame
   */
  append(frame) {
    if (frame.seq <= this.lastSeq) return false;
    const contiguous = this.count > 0 && (frame.from_seq ?? frame.seq) <= this.lastSeq + 1;
    if (!frame.key && !contiguous) return false;
    const before = this.count ? this.endNs : -1;
    applyFrame(this.growing, frame);
    this.#appendSeries(frame.series || {});
    for (const mark of frame.marks || []) {
      const at = Number(mark[0]);
      if (at > before || this.count === 0)
        this.marks.push({ t_ns: at, kind: mark[1], machine: mark[2], task: mark[3] });
    }
    if (frame.end) this.summary = frame.end;
    if (this.count % SNAPSHOT_EVERY === 0) this.snapshots.push(copyPicture(this.growing));
    this.frames.push(frame);
    this.times.push(Number(frame.t_ns));
    return true;
  }

  /** @param {Frame["series"]} series */
  #appendSeries(series) {
    for (const [name, points] of Object.entries(series)) {
      this.series[name] ||= { t: [], v: [] };
      const kept = this.series[name];
      for (const [t, value] of points) {
        const at = Number(t);
        if (kept.t.length && at <= kept.t[kept.t.length - 1]) continue;
        kept.t.push(at);
        kept.v.push(value);
      }
    }
  }

  /**
   * Return the index of the last frame at or before `t_ns`; 0 if all are later, -1 if there are none.
   *
   * @param {number} t_ns
   */
  indexAt(t_ns) {
    return this.count === 0 ? -1 : Math.max(0, countUpTo(this.times, t_ns) - 1);
  }

  /**
   * Return the frame to show while playback is paused: the last frame before the instant. If an event happened at the
   * instant, return the first frame that contains it. Addresses round instants up to the next microsecond.
   *
   * @param {number} t_ns
   */
  indexSeen(t_ns, happened = false) {
    const before = this.indexAt(t_ns);
    if (before < 0 || this.times[before] >= t_ns) return before;
    // The frame `before` already contains earlier events.
    const mark = this.marks[firstAfter(this.marks, Math.max(this.times[before], t_ns - 1001))];
    const event = happened || (mark !== undefined && mark.t_ns <= t_ns + 500);
    return event ? Math.min(before + 1, this.count - 1) : before;
  }

  /** @param {number} seq */
  indexOfSeq(seq) {
    return Math.max(
      -1,
      countUpTo(
        this.frames.map((frame) => frame.seq),
        seq,
      ) - 1,
    );
  }

  /**
   * Return the picture at frame `index`. The object is reused: read it before the next call.
   *
   * @param {number} index
   */
  pictureAt(index) {
    if (this.count === 0) return this.cursor;
    const wanted = Math.min(Math.max(0, index), this.count - 1);
    const base = Math.floor(wanted / SNAPSHOT_EVERY) * SNAPSHOT_EVERY;
    if (wanted < this.cursorIndex || this.cursorIndex < base) {
      this.cursor = copyPicture(this.snapshots[base / SNAPSHOT_EVERY]);
      this.cursorIndex = base;
    }
    while (this.cursorIndex < wanted) {
      this.cursorIndex += 1;
      applyFrame(this.cursor, this.frames[this.cursorIndex]);
    }
    return this.cursor;
  }

  /** @param {number} t_ns */
  pictureAtTime(t_ns) {
    return this.pictureAt(this.indexAt(t_ns));
  }

  /**
   * Return the marks with from < t <= to, in time order.
   *
   * @param {number} from_ns
   * @param {number} to_ns
   */
  marksBetween(from_ns, to_ns) {
    const times = this.marks;
    let low = firstAfter(times, from_ns);
    const found = [];
    while (low < times.length && times[low].t_ns <= to_ns) {
      found.push(times[low]);
      low += 1;
    }
    return found;
  }

  /** @param {number} t_ns */
  nextMark(t_ns) {
    let place = firstAfter(this.marks, t_ns);
    while (place < this.marks.length && this.quiet.has(this.marks[place].kind)) place += 1;
    return place < this.marks.length ? this.marks[place] : null;
  }

  /** @param {number} t_ns */
  previousMark(t_ns) {
    let place = firstAfter(this.marks, t_ns) - 1;
    while (place >= 0 && (this.marks[place].t_ns >= t_ns || this.quiet.has(this.marks[place].kind))) place -= 1;
    return place >= 0 ? this.marks[place] : null;
  }
}

/**
 * @param {SeenMark[]} marks
 * @param {number} t_ns
 */
function firstAfter(marks, t_ns) {
  return countHolding(marks.length, (place) => marks[place].t_ns <= t_ns);
}
