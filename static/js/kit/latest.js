/** Runs one request at a time. While a request is pending, only the newest further request waits. */

export class Latest {
  /**
   * `done` and `failed` are called in the order of the requests.
   * @param {(value: any) => Promise<any>} work
   * @param {{done: (answer: any, value: any) => void, failed: (error: any, value: any) => void}} on
   */
  constructor(work, { done, failed }) {
    this.work = work;
    this.done = done;
    this.failed = failed;
    this.busy = false;
    /** @type {{value: any} | null} */
    this.waiting = null;
    this.asked = 0;
  }

  /** @param {any} value */
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
    const { value } = /** @type {{value: any}} */ (this.#next());
    this.waiting = null;
    this.busy = true;
    this.asked += 1;
    const mine = this.asked;
    try {
      const answer = await this.work(value);
      if (mine === this.asked) this.done(answer, value);
    } catch (error) {
      if (mine === this.asked) this.failed(error, value);
    } finally {
      this.busy = false;
      if (this.#next()) this.#go();
    }
  }
}
