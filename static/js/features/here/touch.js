/**
 * Touch a run that this page simulates: machines fail and return where the viewer points. The page simulates the
 * changed run and shows it from that instant on.
 */

import { readHeader } from "../../engine/start_file.js";
import { touchHere } from "../../engine/here.js";
import { batch, signal } from "../../kit/view.js";
import { groupState } from "../../run/places.js";
import { whyOf } from "./check.js";
import { afterTouch, openTouch, partOf, touchTime } from "./failures.js";
import { beginTouched, drawnMeta } from "./touched.js";

/** @import { Meta } from "../../contract/contract" */
/** @import { Signal } from "../../../vendor/signals/signals-core.mjs" */
/** @import { End } from "../../engine/here.js" */
/** @import { Failure, Reached, Touch as Table } from "../../engine/touch.js" */
/** @import { FrameStore, Picture } from "../../run/frames.js" */

/**
 * The run that can be touched, and what its page shows. `show(null)` shows the run itself again.
 * @typedef {{store: FrameStore, meta: Meta, t_ns: () => number, picture: () => Picture | null,
 *   parts: () => Promise<{start: ArrayBuffer, module: ArrayBuffer}>, script: string,
 *   show: (touched: Touched | null) => void}} Touchable
 * @typedef {{store: FrameStore, meta: Meta, failures: Failure[], at_ns: number}} Touched  `at_ns`: the instant that the
 *   viewer sees, that of the touch
 * @typedef {{start: ArrayBuffer, module: ArrayBuffer, table: Table}} Parts
 */

/** The touches of one run. */
export class Touch {
  /** Whether a tap on the map touches. */
  on = signal(false);
  /** What a touch reaches: a machine, its rack or its cluster. @type {Signal<"machine" | "rack" | "cluster">} */
  reach = signal("machine");
  /** The target of the button and the key. @type {Signal<Reached>} */
  target = signal({ machine: 0 });
  /** @type {Signal<Failure[]>} */
  failures = signal([]);
  works = signal(false);
  why = signal("");
  /** The end of the changed run, or null. @type {Signal<End | null>} */
  end = signal(null);
  /** @type {Promise<Parts> | null} */
  #parts = null;
  #ends = new AbortController();

  /** @param {() => Touchable | null} run  the run on the screen, or null */
  constructor(run) {
    this.run = run;
  }

  /** Begin or end to touch. The parts are fetched at once, so that the first touch does not wait. */
  toggle() {
    this.on.value = !this.on.value;
    const run = this.run();
    if (this.on.value && run) this.#fetched(run).catch((error) => this.#fail(error));
  }

  /** Touch a target now, as a tap does. */
  async press(/** @type {Reached} */ target = this.target.value) {
    const run = this.run();
    if (!this.on.value || !run) return;
    const at_s = touchTime(run.t_ns());
    this.target.value = target;
    await this.simulate(afterTouch(this.failures.value, target, at_s, this.#isOut(run, target)), at_s * 1e9);
  }

  /** Take one touch back. */
  remove(/** @type {number} */ place) {
    return this.simulate(this.failures.value.filter((_, other) => other !== place));
  }

  /** Whether a touch keeps the button's target out of service at an instant, or something else does. */
  returns(/** @type {number} */ t_ns) {
    const run = this.run();
    if (!run) return false;
    const open = openTouch(this.failures.value, this.target.value, touchTime(t_ns)) >= 0;
    return open || this.#isOut(run, this.target.value);
  }

  #isOut(/** @type {Touchable} */ run, /** @type {Reached} */ target) {
    const state = groupState(run.meta, run.picture(), partOf(target));
    return state.machines > 0 && state.failed + state.draining === state.machines;
  }

  /**
   * Show the run with these failures; without any, the run itself. The map changes as soon as the changed run has
   * reached the viewer's instant.
   * @param {Failure[]} failures
   * @param {number} [touched_ns]  the instant of a new touch
   */
  async simulate(failures, touched_ns) {
    const run = this.run();
    if (!run) return;
    const at_ns = touched_ns ?? run.t_ns();
    this.#ends.abort();
    this.#ends = new AbortController();
    const { signal: ended } = this.#ends;
    batch(() => {
      this.failures.value = failures;
      this.end.value = null;
      this.why.value = "";
      this.works.value = failures.length > 0;
    });
    if (!failures.length) {
      run.show(null);
      return;
    }
    try {
      const { start, module, table } = await this.#fetched(run);
      if (ended.aborted) return;
      const { store, wish } = beginTouched(run.store, failures);
      const touched = { store, failures, meta: drawnMeta(run.meta, table), at_ns };
      const given = { start: start.slice(0), module: module.slice(0), wish };
      const end = await touchHere(run.script, given, {
        signal: ended,
        onFrames: (frames) => {
          for (const frame of frames) store.append(frame);
          if (store.endNs >= at_ns) run.show(touched);
        },
      });
      if (ended.aborted) return;
      store.summary = {};
      run.show({ ...touched }); // a new value: the end of the run is known now
      this.end.value = end;
    } catch (error) {
      if (!ended.aborted) this.#fail(error);
    }
    if (!ended.aborted) this.works.value = false;
  }

  /** @returns {Promise<Parts>} */
  #fetched(/** @type {Touchable} */ run) {
    this.#parts ??= run.parts().then(async ({ start, module }) => {
      const { touch } = await readHeader(start);
      if (!touch) throw new Error("this start has no table of incidents");
      return { start, module, table: touch };
    });
    return this.#parts;
  }

  /** Say why, and show the run itself. */
  #fail(/** @type {unknown} */ error) {
    this.#parts = null;
    this.failures.value = [];
    this.works.value = false;
    this.why.value = whyOf(error);
    this.run()?.show(null);
  }

  /** Another run is on the screen: forget all touches. */
  reset() {
    this.#ends.abort();
    this.#parts = null;
    batch(() => {
      this.on.value = false;
      this.failures.value = [];
      this.works.value = false;
      this.why.value = "";
      this.end.value = null;
      this.target.value = { machine: 0 };
      this.reach.value = "machine";
    });
  }
}
