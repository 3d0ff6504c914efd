/** Asks for one thing at a time: what comes while an answer is under way waits, and only the newest of it. */

export class Latest {
  /**
   * `done` and `failed` are called in the order of asking.
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

  /** Nobody wants an answer any more, neither one under way nor one that waits. */
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
