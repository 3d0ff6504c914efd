/** Go through the run on the screen event by event. This page simulates it up to the event, and draws the map. */

import { TravelThread } from "../../engine/here.js";
import { headerAt } from "../../engine/start_file.js";
import { FrameStore } from "../../run/frames.js";
import { batch, signal } from "../../kit/view.js";
import { whyOf } from "./check.js";
import { drawnMeta } from "./touched.js";

/** @import { Stand } from "../../engine/traveler.js" */
/** @import { Signal } from "../../../vendor/signals/signals-core.mjs" */
/** @import { Touch, Touchable } from "./touch.js" */

export class Travel {
  /** Where the run stands, or null if the page does not travel. @type {Signal<Stand | null>} */
  stand = signal(null);
  works = signal(false);
  why = signal("");
  /** @type {TravelThread | null} */
  #thread = null;

  constructor(/** @type {Touch} */ touch) {
    this.touch = touch;
  }

  /** Begin with the last event up to the instant on the screen. */
  async begin() {
    const run = this.touch.run();
    if (!run || this.works.value) return;
    this.close();
    this.works.value = true;
    try {
      const { start, header, module, values } = await this.touch.partsNow(run);
      const at = this.touch.at.value;
      const its = at ? headerAt(header, at) : header;
      const edges = run.store.frames[0]?.hist?.allocation_delay?.edges ?? [];
      const given = { start: start.slice(0), module: (await module(its.module)).slice(0) };
      const travel = { failures: this.touch.failures.value, edges, at, values };
      this.#thread = new TravelThread(run.script, { ...given, travel }, run.type);
      this.works.value = false;
      await this.#go({ t_ns: run.t_ns() });
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Go so many events on, or back. */
  step(/** @type {number} */ by) {
    const stand = this.stand.value;
    return stand ? this.to(stand.event + by) : undefined;
  }

  /** Go to the state after an event; 0 is the start. */
  to(/** @type {number} */ event) {
    return this.#go({ event: Math.max(0, event) });
  }

  /** @param {{event: number} | {t_ns: number}} where */
  async #go(where) {
    const thread = this.#thread;
    const run = this.touch.run();
    if (!thread || !run || this.works.value) return;
    this.works.value = true;
    try {
      const stand = await thread.go(where);
      if (thread !== this.#thread) return;
      const { header } = await this.touch.partsNow(run);
      run.pause?.();
      batch(() => {
        this.stand.value = stand;
        this.works.value = false;
      });
      run.show(this.#shown(run, stand, header.touch?.layers ?? header.drawn ?? []));
    } catch (error) {
      this.#fail(error);
    }
  }

  /**
   * Return what the page shows: the frames before, and the one at the event.
   * @param {Touchable} run
   * @param {Stand} stand
   * @param {import("../../engine/touch.js").DrawnLayer[]} layers
   */
  #shown(run, { frame, t_ns }, layers) {
    const store = new FrameStore();
    const before = this.touch.shown.value?.store ?? run.store;
    for (const each of before.frames) if (Number(each.t_ns) < t_ns) store.append(each);
    store.append({ ...frame, seq: store.lastSeq + 1, from_seq: store.lastSeq + 1 });
    store.summary = {};
    const { failures, extras } = this.touch;
    const changes = { failures: failures.value, extras: extras.value };
    return { store, ...changes, meta: drawnMeta(run.meta, layers), at_ns: t_ns };
  }

  /** Show the run again as it was. */
  end() {
    const run = this.touch.run();
    this.close();
    run?.show(this.touch.shown.value);
  }

  /** Forget where the run stood; something else is shown. */
  close() {
    this.#thread?.end();
    this.#thread = null;
    batch(() => {
      this.stand.value = null;
      this.works.value = false;
      this.why.value = "";
    });
  }

  #fail(/** @type {unknown} */ error) {
    const why = whyOf(error);
    this.end();
    this.why.value = why;
  }
}
