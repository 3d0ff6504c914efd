/** The branches of a run that a viewer keeps, and which run stands beside the changed one. */

import { batch, computed, signal } from "../../kit/view.js";

/** @import { Meta } from "../../contract/contract" */
/** @import { Signal } from "../../../vendor/signals/signals-core.mjs" */
/** @import { End } from "../../engine/here.js" */
/** @import { Failure } from "../../engine/touch.js" */
/** @import { FrameStore } from "../../run/frames.js" */
/** @import { Changes } from "./starts.js" */
/** @import { Extra, Touch, Touched } from "./touch.js" */

/**
 * A changed run that stays: what changed it, its frames and its end.
 * @typedef {{number: number, failures: Failure[], extras: Extra[], at: number[] | null, turned: Changes | null,
 *   touched: Touched, end: End}} Branch
 * @typedef {{store: FrameStore, meta: Meta, number: number}} Other  the run beside; number 0: the run before
 */

export class Branches {
  /** @type {Signal<Branch[]>} */
  kept = signal([]);
  /** The number of the branch beside the changed run; 0 is the run before, null stands for none. */
  beside = signal(/** @type {number | null} */ (null));
  /** The run beside the changed one, or null. @type {{readonly value: Other | null}} */
  other = computed(() => this.#other());

  constructor(/** @type {Touch} */ touch) {
    this.touch = touch;
  }

  /** @returns {Other | null} */
  #other() {
    const number = this.beside.value;
    if (number === null || !this.touch.shown.value) return null;
    const run = number === 0 ? this.touch.run() : this.kept.value.find((each) => each.number === number)?.touched;
    return run ? { store: run.store, meta: run.meta, number } : null;
  }

  /** Whether the run on the screen is one of the branches. */
  get isKept() {
    return this.kept.value.some((each) => each.touched === this.touch.shown.value);
  }

  /** Keep the changed run on the screen, beside what follows. */
  keep() {
    const { shown, end, failures, extras, at, turned } = this.touch;
    if (!shown.value || !end.value || this.isKept) return;
    const number = Math.max(0, ...this.kept.value.map((each) => each.number)) + 1;
    const changes = { failures: failures.value, extras: extras.value, at: at.value, turned: turned.value };
    const made = { number, ...changes, touched: shown.value, end: end.value };
    batch(() => {
      this.kept.value = [...this.kept.value, made];
      this.beside.value = number;
    });
  }

  /** Show a branch in place of the run on the screen. */
  take(/** @type {number} */ number) {
    const found = this.kept.value.find((each) => each.number === number);
    if (found) this.touch.restore(found);
  }

  drop(/** @type {number} */ number) {
    batch(() => {
      this.kept.value = this.kept.value.filter((each) => each.number !== number);
      if (this.beside.value === number) this.beside.value = null;
    });
  }

  forget() {
    this.kept.value = [];
    this.beside.value = null;
  }
}
