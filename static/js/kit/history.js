/**
 * Undo and redo. The history stores whole values, so callers must not mutate them. Edits of one gesture form one step.
 */

const TOGETHER_MS = 700;
const MOST = 200;

/** @template T */
export class History {
  constructor(together_ms = TOGETHER_MS, most = MOST) {
    this.together_ms = together_ms;
    this.most = most;
    /** @type {T[]} */
    this.past = [];
    /** @type {T[]} */
    this.future = [];
    /** @type {string | null} */
    this.key = null;
    this.at = 0;
    this.held = false;
  }

  clear() {
    this.past = [];
    this.future = [];
    this.seal();
  }

  /** Make the next edit a step of its own, however soon it follows. */
  seal() {
    this.key = null;
    this.held = false;
  }

  /**
   * Merge edits with the same key into one step until seal(), however long they take. Use this while a handle is
   * dragged.
   */
  hold() {
    this.seal();
    this.held = true;
  }

  /**
   * Record the value before an edit. Edits with the same key in quick succession form one step.
   * @param {T} before
   * @param {string} key
   */
  record(before, key, now = Date.now()) {
    const same = Boolean(key) && key === this.key && (this.held || now - this.at < this.together_ms);
    this.key = key;
    this.at = now;
    this.future = [];
    if (same) return;
    this.past.push(before);
    if (this.past.length > this.most) this.past.shift();
  }

  /**
   * Return the value before the last step, or undefined.
   * @param {T} current
   */
  undo(current) {
    return this.#move(this.past, this.future, current);
  }

  /**
   * Return the value that was undone last, or undefined.
   * @param {T} current
   */
  redo(current) {
    return this.#move(this.future, this.past, current);
  }

  /**
   * @param {T[]} from
   * @param {T[]} to
   * @param {T} current
   */
  #move(from, to, current) {
    if (!from.length) return undefined;
    to.push(current);
    this.seal();
    return from.pop();
  }
}
