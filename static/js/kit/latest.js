/** Asks for one thing at a time: what comes while an answer is under way waits, and only the newest of it. */

export class Latest {
  /** `work(value)` gives a promise; `done(answer, value)` and `failed(error, value)` are called in the order of asking. */
  constructor(work, { done, failed }) {
    this.work = work;
    this.done = done;
    this.failed = failed;
    this.busy = false;
    this.waiting = null;
    this.asked = 0;
  }

  ask(value) {
    this.waiting = { value };
    if (!this.busy) this.#go();
  }

  /** Nobody wants an answer any more, neither one under way nor one that waits. */
  drop() {
    this.waiting = null;
    this.asked += 1;
  }

  async #go() {
    const { value } = this.waiting;
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
      if (this.waiting) this.#go();
    }
  }
}
