/**
 * Change a run that this page simulates: machines fail, drain and return where the viewer points, and settings take
 * other values. The page simulates the changed run and shows it from the viewer's instant on.
 */

import { headerAt, isOwn } from "../../engine/start_file.js";
import { WarmThread } from "../../engine/here.js";
import { batch, signal } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";
import { FrameStore } from "../../run/frames.js";
import { groupState, nameOf } from "../../run/places.js";
import { Branches } from "./branches.js";
import { whyOf } from "./check.js";
import { afterStop, afterTouch, openTouch, partOf, touchTime } from "./failures.js";
import { Starts } from "./starts.js";
import { beginTouched, drawnMeta, keptFrames, possible } from "./touched.js";
import { Travel } from "./travel.js";

/** @import { Meta } from "../../contract/contract" */
/** @import { Signal } from "../../../vendor/signals/signals-core.mjs" */
/** @import { End } from "../../engine/here.js" */
/** @import { Header } from "../../engine/start_file.js" */
/** @import { Failure, Reached } from "../../engine/touch.js" */
/** @import { Experiment } from "../../experiment/experiment.js" */
/** @import { Picture } from "../../run/frames.js" */
/** @import { Branch } from "./branches.js" */
/** @import { TakePolicy } from "./policies.js" */
/** @import { Changes, Fetch, Parts } from "./starts.js" */
/** @import { Values } from "../../engine/turning.js" */

/**
 * The run that can be changed, and what its page shows. `show(null)` shows the run itself again.
 * `offers` are the changes that need another start from the server, which `parts` gets. `experiment` is the run's own,
 * if its settings can act in the page, and `own` has its values by path; `takePolicy` compiles its policies.
 * @typedef {{store: FrameStore, meta: Meta, t_ns: () => number, picture: () => Picture | null, parts: Fetch,
 *   experiment?: Experiment, own?: (path: string) => unknown, takePolicy?: TakePolicy, script: string,
 *   type?: WorkerType, show: (touched: Touched | null) => void, pause?: () => void,
 *   offers?: (t_s: number) => Offer[]}} Touchable
 * @typedef {{at_s: number, kind: string, target: object, duration_s?: number, value?: Record<string, unknown>}} Planned
 *   an event of an experiment
 * @typedef {{id: string, label: string, help: string, events: Planned[]}} Offer
 * @typedef {{label: string, at_s: number, events: Planned[]}} Extra  a burst, for one, at an instant
 * @typedef {{store: FrameStore, meta: Meta, failures: Failure[], extras: Extra[], at_ns: number, of?: string,
 *   change?: number, partial?: boolean}} Touched  `at_ns`: the instant that the viewer sees, that of the touch; `of`:
 *   the changes besides failures; `change`: its number; `partial`: the picture at this instant alone, the frames follow
 * @typedef {{failures?: Failure[], extras?: Extra[], at?: number[] | null, turned?: Changes | null}} Change  `at`: the
 *   places of the settings' values, `turned`: the experiment's values by path; null stands for the run's own
 */

/** Return all changes of a run as events of an experiment, in order of time. */
export const touchesOf = (/** @type {{failures: Failure[], extras: Extra[]}} */ { failures, extras }) =>
  /** @type {Planned[]} */ ([...failures, ...extras.flatMap((extra) => extra.events)]).sort((a, b) => a.at_s - b.at_s);

/** @type {Required<Change>} */
const UNCHANGED = { failures: [], extras: [], at: null, turned: null };

/** No task runs on a machine. */
const NONE = -1;

const layersOf = (/** @type {Header} */ { touch, drawn }) => touch?.layers ?? drawn ?? [];

/** Return a store with a single picture. */
function storeOf(/** @type {import("../../contract/contract").Frame} */ frame) {
  const store = new FrameStore();
  store.append(frame);
  return store;
}

/** The changes of one run. */
export class Touch {
  /** Whether a tap on the map touches. */
  on = signal(false);
  /**
   * What a touch reaches: a machine, its rack, its cluster, or the task that has run longest there.
   * @type {Signal<"machine" | "rack" | "cluster" | "task">}
   */
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
  /** The values of the experiment that differ from the run's, or null. @type {Signal<Changes | null>} */
  turned = signal(null);
  /** The changed run on the screen, or null. @type {Signal<Touched | null>} */
  shown = signal(null);
  works = signal(false);
  why = signal("");
  /** The end of the changed run, or null; `cited`: the library's digest of it, if known. @type {Signal<End | null>} */
  end = signal(null);
  #starts = new Starts();
  /** The thread that holds a start. @type {{start: ArrayBuffer, module: string, thread: WarmThread} | null} */
  #warm = null;
  /** What the page draws of runs, by the header of their start. @type {WeakMap<object, Meta>} */
  #metas = new WeakMap();
  #ends = new AbortController();
  /** How many changes there were. */
  #number = 0;

  /** @param {() => Touchable | null} run  the run on the screen, or null */
  constructor(run) {
    this.run = run;
    this.branches = new Branches(this);
    this.travel = new Travel(this);
  }

  /** Begin or end to touch. The parts are fetched at once, so that the first touch does not wait. */
  toggle() {
    this.on.value = !this.on.value;
    if (this.on.value) this.prepare();
  }

  /** Fetch what the first change needs, and start its thread; return false if the page cannot simulate the run. */
  async prepare() {
    const run = this.run();
    const { signal: ended } = this.#ends;
    try {
      const parts = run && (await this.parts(run));
      // A change that came meanwhile has started one, and another run needs another one.
      if (run && parts && !ended.aborted) await this.#threadFor(run, parts.start, parts.header.module, parts.module);
    } catch (error) {
      this.#fail(error);
      return false;
    }
    return true;
  }

  /** End what is under way; return the signal that ends what comes next. */
  #stop() {
    this.#ends.abort();
    this.#ends = new AbortController();
    return this.#ends.signal;
  }

  /** Touch a target now, as a tap does. */
  async press(/** @type {Reached} */ target = this.target.value) {
    const run = this.run();
    if (!this.on.value || !run) return;
    const at_s = touchTime(run.t_ns());
    if (this.reach.value === "task" && "machine" in target) {
      await this.#stopOn(run, target.machine, at_s);
      return;
    }
    if ("task" in target) {
      await this.stop(target.task, at_s);
      return;
    }
    this.target.value = target;
    const failures = afterTouch(this.failures.value, target, at_s, this.#isOut(run, target), this.kind.value);
    await this.change({ failures }, at_s * 1e9);
  }

  /** Stop a task at the instant on the screen, also while taps do not touch. */
  async stopNow(/** @type {number} */ task) {
    const run = this.run();
    if (run) await this.stop(task, touchTime(run.t_ns()));
  }

  /** Stop a task at an instant; it loses its work and waits again. */
  async stop(/** @type {number} */ task, /** @type {number} */ at_s) {
    // From the inspector a task is stopped while taps may reach something else: the field keeps its target then.
    if (this.reach.value === "task") this.target.value = { task };
    await this.change({ failures: afterStop(this.failures.value, task, at_s) }, at_s * 1e9);
  }

  /** Stop the task that has run longest on a machine; if none runs there, say so. */
  async #stopOn(/** @type {Touchable} */ run, /** @type {number} */ machine, /** @type {number} */ at_s) {
    const interrupts = this.works.value;
    const task = await this.#taskOn(run, machine, at_s);
    if (task === null) return;
    if (task !== NONE) {
      await this.stop(task, at_s);
      return;
    }
    if (interrupts) await this.change({});
    const name = nameOf(run.meta, { kind: "machine", machine });
    this.why.value = gettext("no task runs on {machine} at this instant", { machine: name });
  }

  /**
   * Return the task that has run longest on a machine at an instant: NONE if none runs there, null if another change
   * came meanwhile or the page cannot simulate the run.
   * @param {Touchable} run
   * @param {number} machine
   * @param {number} at_s
   */
  async #taskOn(run, machine, at_s) {
    const ended = this.#stop();
    const { failures, at } = this.#changes;
    try {
      const { start, header, module, values } = await this.#chosen(run, this.#changes, ended);
      const its = at ? headerAt(header, at) : header;
      const thread = await this.#threadFor(run, start, its.module, module);
      ended.throwIfAborted();
      const wish = { failures, ...(at ? { at } : {}), values, times_ns: [], step_ns: 1, seq: 0, edges: [] };
      return await thread.taskOn(wish, machine, at_s * 1e9);
    } catch (error) {
      if (!ended.aborted) this.#fail(error);
      return null;
    }
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
      const { header } = await this.parts(run);
      const failures = possible(headerAt(header, at), this.failures.value);
      await this.change({ failures, at: isOwn(header, at) ? null : at });
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Show the run itself again. */
  reset() {
    return this.change({ failures: [], extras: [], at: null, turned: null });
  }

  /** Whether the run on the screen is changed. */
  get isChanged() {
    const { failures, extras, at, turned } = this.#changes;
    return failures.length > 0 || extras.length > 0 || at !== null || turned !== null;
  }

  /** @returns {Required<Change>} */
  get #changes() {
    const { failures, extras, at, turned } = this;
    return { failures: failures.value, extras: extras.value, at: at.value, turned: turned.value };
  }

  #set(/** @type {Required<Change>} */ { failures, extras, at, turned }) {
    this.failures.value = failures;
    this.extras.value = extras;
    this.at.value = at;
    this.turned.value = turned;
  }

  /** Whether a touch keeps the button's target out of service at an instant, or something else does. */
  returns(/** @type {number} */ t_ns) {
    const run = this.run();
    if (!run) return false;
    const open = openTouch(this.failures.value, this.target.value, touchTime(t_ns)) >= 0;
    return open || this.#isOut(run, this.target.value);
  }

  #isOut(/** @type {Touchable} */ run, /** @type {Reached} */ target) {
    if ("task" in target) return false;
    const state = groupState(run.meta, run.picture(), partOf(target));
    return state.machines > 0 && state.failed + state.draining === state.machines;
  }

  /**
   * Show the run with these changes; without any, the run itself. The map changes as soon as the changed run has
   * reached the viewer's instant.
   * @param {Change} change  what it does not name stays
   * @param {number} [touched_ns]  the instant of a new touch
   * @returns {Promise<boolean>} false if the page could not simulate it
   */
  async change(change, touched_ns) {
    const run = this.run();
    if (!run) return true;
    const at_ns = touched_ns ?? run.t_ns();
    this.travel.close();
    const ended = this.#stop();
    const changes = { ...this.#changes, ...change };
    this.#number += 1;
    batch(() => {
      this.#set(changes);
      this.end.value = null;
      this.why.value = "";
      this.works.value = this.isChanged;
    });
    if (!this.isChanged) {
      this.#show(run, null);
      return true;
    }
    try {
      const end = await this.#simulate(run, changes, at_ns, ended);
      if (!ended.aborted) this.end.value = end;
    } catch (error) {
      if (ended.aborted) return true;
      this.#fail(error);
      return false;
    }
    if (!ended.aborted) this.works.value = false;
    return true;
  }

  /**
   * Simulate a changed run and show it. Where its start has too little room, the server sends a larger one.
   * @param {Touchable} run
   * @param {Required<Change>} changes
   * @param {number} at_ns  the viewer's instant
   * @param {AbortSignal} ended
   * @returns {Promise<End>} rejects if another change came
   */
  async #simulate(run, changes, at_ns, ended) {
    const events = changes.extras.flatMap((extra) => extra.events);
    for (;;) {
      const chosen = await this.#chosen(run, changes, ended);
      ended.throwIfAborted();
      try {
        return await this.#simulateOn(run, changes, chosen, at_ns, ended);
      } catch (error) {
        ended.throwIfAborted();
        await this.#starts.enlarge(run.parts, events, changes.turned ?? {}, error);
      }
    }
  }

  /**
   * @param {Touchable} run
   * @param {Required<Change>} changes
   * @param {Parts & {values: Values}} chosen
   * @param {number} at_ns
   * @param {AbortSignal} signal
   */
  async #simulateOn(run, changes, { start, header, module, values }, at_ns, signal) {
    const { failures, extras, at, turned } = changes;
    const its = at ? headerAt(header, at) : header;
    const of = JSON.stringify([extras, at, turned]);
    const { store, wish } = beginTouched(run.store, changes, keptFrames(this.shown.value, { of, failures }, its));
    const touched = { store, failures, extras, meta: this.#metaOf(run, its), at_ns, of, change: this.#number };
    const thread = await this.#threadFor(run, start, its.module, module);
    signal.throwIfAborted();
    const edges = run.store.frames[0]?.hist?.allocation_delay?.edges ?? [];
    const seen = at_ns > wish.times_ns[0] ? { t_ns: at_ns, edges } : undefined;
    const end = await thread.simulate(
      { ...wish, values, seen },
      {
        signal,
        onPicture: (frame) => run.show({ ...touched, store: storeOf(frame), partial: true }),
        onFrames: (frames) => {
          for (const frame of frames) store.append(frame);
          if (store.endNs >= at_ns) this.#show(run, touched);
        },
      },
    );
    store.summary = {};
    this.#show(run, { ...touched }); // a new value: the end of the run is known now
    const cited = failures.length || Object.keys(values).length ? "" : its.outcome_digest;
    return { ...end, cited };
  }

  /**
   * Return the start with which a changed run is simulated, and what the page turns in it.
   * @param {Touchable} run
   * @param {Required<Change>} changes
   * @param {AbortSignal} signal
   * @returns {Promise<Parts & {values: Values}>}
   */
  async #chosen(run, { extras, turned }, signal) {
    const events = extras.flatMap((extra) => extra.events);
    if (!turned) return { ...(await this.#starts.plain(run.parts, events)), values: {} };
    const { own = () => undefined, takePolicy } = run;
    return this.#starts.withChanges(run.parts, events, turned, { own, takePolicy, signal });
  }

  /**
   * Return the thread that holds a start.
   * @param {Touchable} run
   * @param {ArrayBuffer} start
   * @param {string} name
   * @param {(name: string) => Promise<ArrayBuffer>} module
   */
  async #threadFor(run, start, name, module) {
    const bytes = await module(name);
    if (this.#warm?.start === start && this.#warm.module === name) return this.#warm.thread;
    this.#cool();
    const thread = new WarmThread(run.script, { start: start.slice(0), module: bytes.slice(0) }, run.type);
    this.#warm = { start, module: name, thread };
    return thread;
  }

  #cool() {
    this.#warm?.thread.end();
    this.#warm = null;
  }

  /** Return what the page draws of a run; the same object for the same start. */
  #metaOf(/** @type {Touchable} */ run, /** @type {Header} */ header) {
    const known = this.#metas.get(header) ?? drawnMeta({ ...run.meta, ...header.meta }, layersOf(header));
    this.#metas.set(header, known);
    return known;
  }

  #show(/** @type {Touchable} */ run, /** @type {Touched | null} */ touched) {
    this.shown.value = touched;
    run.show(touched);
  }

  /** Show a changed run again that was kept. */
  restore(/** @type {Branch} */ { touched, end, ...changes }) {
    const run = this.run();
    if (!run) return;
    this.travel.close();
    this.#stop();
    batch(() => {
      this.#set(changes);
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
    return this.#starts.plain(run.parts);
  }

  /**
   * Return what the run is simulated with as it is changed now, but for failures, and what the page turns in it.
   * @param {Touchable} run
   * @returns {Promise<Parts & {values: Values}>}
   */
  partsNow(run) {
    return this.#chosen(run, this.#changes, new AbortController().signal);
  }

  /** Say why, and show the run itself. */
  #fail(/** @type {unknown} */ error) {
    this.#starts.forget();
    this.#cool();
    batch(() => {
      this.#set(UNCHANGED);
      this.works.value = false;
      this.why.value = whyOf(error);
    });
    const run = this.run();
    if (run) this.#show(run, null);
  }

  /** Another run is on the screen: forget all changes. */
  forget() {
    this.travel.close();
    this.#stop();
    this.#starts.forget();
    this.#cool();
    batch(() => {
      this.on.value = false;
      this.#set(UNCHANGED);
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
