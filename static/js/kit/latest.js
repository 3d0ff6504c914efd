/** Runs one request at a time. While a request is pending, only the newest further request waits. */

/**
 * @template Value
 * @template Answer
 */
export class Latest {
  /**
   * `done` and `failed` are called in the order of the requests.
   * @param {(value: Value) => Promise<Answer>} work
   * @param {{done: (answer: Answer, value: Value) => void,
   *   failed: (error: import("../contract/api.js").ApiError, value: Value) => void}} on
   */
  constructor(work, { done, failed }) {
    this.work = work;
    this.done = done;
    this.failed = failed;
    this.busy = false;
    /** @type {{value: Value} | null} */
    this.waiting = null;
    this.asked = 0;
  }

  /** @param {Value} value */
  ask(value) {
    this.waiting = { value };
    if (!this.busy) this.#go();
  }

  /** Ignore the pending answer and drop the waiting request. */
  drop() {
    this.waiting = null;
    this.asked += 1;
  }

  #next() {
    return this.waiting;
  }

  async #go() {
    const { value } = /** @type {{value: Value}} */ (this.#next());
    this.waiting = null;
    this.busy = true;
    this.asked += 1;
    const mine = this.asked;
    try {
      const answer = await this.work(value);
      if (mine === this.asked) this.done(answer, value);
    } catch (error) {
      if (mine === this.asked) this.failed(/** @type {import("../contract/api.js").ApiError} */ (error), value);
    } finally {
      this.busy = false;
      if (this.#next()) this.#go();
    }
  }
}
