/**
 * Change a run that this page simulates: machines fail, drain and return where the viewer points, and settings take
 * other values. The page simulates the changed run and shows it from the viewer's instant on.
 */

import { headerAt, isOwn, readHeader } from "../../engine/start_file.js";
import { touchHere } from "../../engine/here.js";
import { batch, signal } from "../../kit/view.js";
import { groupState } from "../../run/places.js";
import { Branches } from "./branches.js";
import { whyOf } from "./check.js";
import { afterTouch, openTouch, partOf, touchTime } from "./failures.js";
import { beginTouched, drawnMeta, possible } from "./touched.js";
import { Travel } from "./travel.js";

/** @import { Meta } from "../../contract/contract" */
/** @import { Signal } from "../../../vendor/signals/signals-core.mjs" */
/** @import { End } from "../../engine/here.js" */
/** @import { Header } from "../../engine/start_file.js" */
/** @import { Failure, Reached } from "../../engine/touch.js" */
/** @import { FrameStore, Picture } from "../../run/frames.js" */
/** @import { Branch } from "./branches.js" */

/**
 * The run that can be changed, and what its page shows. `show(null)` shows the run itself again.
 * `offers` are the changes that need another start from the server, which `parts` gets for the events.
 * @typedef {{store: FrameStore, meta: Meta, t_ns: () => number, picture: () => Picture | null,
 *   parts: (events: object[]) => Promise<Given>, script: string, type?: WorkerType,
 *   show: (touched: Touched | null) => void, pause?: () => void, offers?: (t_s: number) => Offer[]}} Touchable
 * @typedef {{at_s: number, kind: string, target: object, duration_s?: number, value?: Record<string, unknown>}} Planned
 *   an event of an experiment
 * @typedef {{id: string, label: string, help: string, events: Planned[]}} Offer
 * @typedef {{label: string, at_s: number, events: Planned[]}} Extra  a burst, for one, at an instant
 * @typedef {{store: FrameStore, meta: Meta, failures: Failure[], extras: Extra[], at_ns: number}} Touched
 *   `at_ns`: the instant that the viewer sees, that of the touch
 * @typedef {{start: ArrayBuffer, module: (name: string) => Promise<ArrayBuffer>}} Given  the start, and its modules
 * @typedef {Given & {header: Header}} Parts
 * @typedef {{failures?: Failure[], extras?: Extra[], at?: number[] | null}} Change  `at`: the places of the settings'
 *   values; null stands for the run's own
 */

/** Return all changes of a run as events of an experiment, in order of time. */
export const touchesOf = (/** @type {{failures: Failure[], extras: Extra[]}} */ { failures, extras }) =>
  /** @type {Planned[]} */ ([...failures, ...extras.flatMap((extra) => extra.events)]).sort((a, b) => a.at_s - b.at_s);

/** The changes of one run. */
export class Touch {
  /** Whether a tap on the map touches. */
  on = signal(false);
  /** What a touch reaches: a machine, its rack or its cluster. @type {Signal<"machine" | "rack" | "cluster">} */
  reach = signal("machine");
  /** What a touch does to a machine in service. @type {Signal<"fail" | "drain">} */
  kind = signal("fail");
  /** The `id` of the chosen offer; "" for the first. */
  offer = signal("");
  /** The target of the button and the key. @type {Signal<Reached>} */
  target = signal({ machine: 0 });
  /** @type {Signal<Failure[]>} */
  failures = signal([]);
  /** Bursts and other changes than failures of machines. @type {Signal<Extra[]>} */
  extras = signal([]);
  /** The place of each setting's value, or null for the run's own. @type {Signal<number[] | null>} */
  at = signal(null);
  /** The changed run on the screen, or null. @type {Signal<Touched | null>} */
  shown = signal(null);
  works = signal(false);
  why = signal("");
  /** The end of the changed run, or null; `cited`: the library's digest of it, if known. @type {Signal<End | null>} */
  end = signal(null);
  /** The parts by the events of `extras`. @type {Map<string, Promise<Parts>>} */
  #parts = new Map();
  #ends = new AbortController();

  /** @param {() => Touchable | null} run  the run on the screen, or null */
  constructor(run) {
    this.run = run;
    this.branches = new Branches(this);
    this.travel = new Travel(this);
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
    const failures = afterTouch(this.failures.value, target, at_s, this.#isOut(run, target), this.kind.value);
    await this.change({ failures }, at_s * 1e9);
  }

  /** Take one touch back. */
  remove(/** @type {number} */ place) {
    return this.change({ failures: this.failures.value.filter((_, other) => other !== place) });
  }

  /** Let something else happen now than a failure of machines. */
  async happen(/** @type {Offer} */ { label, events }) {
    const run = this.run();
    if (!run) return;
    const at_s = touchTime(run.t_ns());
    const extra = { label, at_s, events: events.map((event) => ({ ...event, at_s })) };
    await this.change({ extras: [...this.extras.value, extra] }, at_s * 1e9);
  }

  /** Take such a change back. */
  undo(/** @type {number} */ place) {
    return this.change({ extras: this.extras.value.filter((_, other) => other !== place) });
  }

  /** Give the settings other values: `at` has the place of each. */
  async set(/** @type {number[]} */ at) {
    const run = this.run();
    if (!run) return;
    try {
      const { header } = await this.#fetched(run);
      const failures = possible(headerAt(header, at), this.failures.value);
      await this.change({ failures, at: isOwn(header, at) ? null : at });
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Show the run itself again. */
  reset() {
    return this.change({ failures: [], extras: [], at: null });
  }

  /** Whether the run on the screen is changed. */
  get isChanged() {
    return this.failures.value.length > 0 || this.extras.value.length > 0 || this.at.value !== null;
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
   * Show the run with these changes; without any, the run itself. The map changes as soon as the changed run has
   * reached the viewer's instant.
   * @param {Change} change  what it does not name stays
   * @param {number} [touched_ns]  the instant of a new touch
   */
  async change({ failures = this.failures.value, extras = this.extras.value, at = this.at.value }, touched_ns) {
    const run = this.run();
    if (!run) return;
    const at_ns = touched_ns ?? run.t_ns();
    this.travel.close();
    this.#ends.abort();
    this.#ends = new AbortController();
    const { signal: ended } = this.#ends;
    batch(() => {
      this.failures.value = failures;
      this.extras.value = extras;
      this.at.value = at;
      this.end.value = null;
      this.why.value = "";
      this.works.value = this.isChanged;
    });
    if (!this.isChanged) {
      this.#show(run, null);
      return;
    }
    try {
      const end = await this.#simulate(run, { failures, extras, at }, at_ns, ended);
      if (end) this.end.value = end;
    } catch (error) {
      if (!ended.aborted) this.#fail(error);
    }
    if (!ended.aborted) this.works.value = false;
  }

  /**
   * Simulate a changed run and show it.
   * @param {Touchable} run
   * @param {Required<Change>} change
   * @param {number} at_ns  the viewer's instant
   * @param {AbortSignal} ended
   * @returns {Promise<End | null>} null if another change came
   */
  async #simulate(run, { failures, extras, at }, at_ns, ended) {
    const { start, header, module } = await this.#fetched(run, extras);
    const its = at ? headerAt(header, at) : header;
    const { store, wish } = beginTouched(run.store, { failures, extras, at });
    const meta = drawnMeta({ ...run.meta, ...its.meta }, its.touch?.layers ?? its.drawn ?? []);
    const touched = { store, failures, extras, meta, at_ns };
    const given = { start: start.slice(0), module: (await module(its.module)).slice(0), wish };
    if (ended.aborted) return null;
    const end = await touchHere(run.script, given, {
      type: run.type,
      signal: ended,
      onFrames: (frames) => {
        for (const frame of frames) store.append(frame);
        if (store.endNs >= at_ns) this.#show(run, touched);
      },
    });
    if (ended.aborted) return null;
    store.summary = {};
    this.#show(run, { ...touched }); // a new value: the end of the run is known now
    return { ...end, cited: failures.length ? "" : its.outcome_digest };
  }

  #show(/** @type {Touchable} */ run, /** @type {Touched | null} */ touched) {
    this.shown.value = touched;
    run.show(touched);
  }

  /** Show a changed run again that was kept. */
  restore(/** @type {Branch} */ { failures, extras, at, touched, end }) {
    const run = this.run();
    if (!run) return;
    this.travel.close();
    this.#ends.abort();
    batch(() => {
      this.failures.value = failures;
      this.extras.value = extras;
      this.at.value = at;
      this.end.value = end;
      this.works.value = false;
      this.why.value = "";
      this.#show(run, touched);
    });
  }

  /**
   * Return what the run is simulated with, without changes. It is fetched once.
   * @param {Touchable} run
   * @returns {Promise<Parts>}
   */
  parts(run) {
    return this.#fetched(run);
  }

  /**
   * Return what the run is simulated with as it is changed now, but for failures.
   * @param {Touchable} run
   * @returns {Promise<Parts>}
   */
  partsNow(run) {
    return this.#fetched(run, this.extras.value);
  }

  /** @returns {Promise<Parts>} */
  #fetched(/** @type {Touchable} */ run, /** @type {Extra[]} */ extras = []) {
    const events = extras.flatMap((extra) => extra.events);
    const asked = JSON.stringify(events);
    const known = this.#parts.get(asked);
    if (known) return known;
    const parts = run.parts(events).then(async ({ start, module }) => {
      /** @type {Map<string, Promise<ArrayBuffer>>} */
      const kept = new Map();
      const once = (/** @type {string} */ name) => {
        const found = kept.get(name) ?? module(name);
        kept.set(name, found);
        return found;
      };
      const header = await readHeader(start);
      await once(header.module); // the first change does not wait for it
      return { start, header, module: once };
    });
    this.#parts.set(asked, parts);
    return parts;
  }

  /** Say why, and show the run itself. */
  #fail(/** @type {unknown} */ error) {
    this.#parts.clear();
    batch(() => {
      this.failures.value = [];
      this.extras.value = [];
      this.at.value = null;
      this.works.value = false;
      this.why.value = whyOf(error);
    });
    const run = this.run();
    if (run) this.#show(run, null);
  }

  /** Another run is on the screen: forget all changes. */
  forget() {
    this.travel.close();
    this.#ends.abort();
    this.#parts.clear();
    batch(() => {
      this.on.value = false;
      this.failures.value = [];
      this.extras.value = [];
      this.at.value = null;
      this.shown.value = null;
      this.branches.forget();
      this.works.value = false;
      this.why.value = "";
      this.end.value = null;
      this.target.value = { machine: 0 };
      this.reach.value = "machine";
      this.kind.value = "fail";
      this.offer.value = "";
    });
  }
}
