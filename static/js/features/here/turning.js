/** Settings that act in the page: a change of the experiment is simulated here, and the server runs nothing. */

import { signal } from "../../kit/view.js";

/** @import { Experiment } from "../../experiment/experiment.js" */
/** @import { Changes } from "./starts.js" */
/** @import { Touch } from "./touch.js" */

/** What a server takes as changes of a run, in characters. */
const MOST_CHARACTERS = 3_500;
/** Parts of an experiment that no run depends on. */
const ONLY_TOLD = new Set(["name", "question"]);
const PLAIN_KEY = /^\w+$/;

/** @returns {value is Record<string, unknown>} */
function isTable(/** @type {unknown} */ value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const isSame = (/** @type {unknown} */ one, /** @type {unknown} */ other) =>
  one === other || JSON.stringify(one) === JSON.stringify(other);

/**
 * Return what an experiment has and another has not: values by the paths of `Experiment.with_` in the library.
 * @param {unknown} own
 * @param {unknown} other
 * @param {string} [at]  the path of both
 * @returns {Changes}
 */
function differencesAt(own, other, at = "") {
  if (isSame(own, other)) return {};
  if (Array.isArray(own) && Array.isArray(other) && own.length === other.length)
    return Object.assign({}, ...other.map((each, place) => differencesAt(own[place], each, `${at}[${place}]`)));
  const [before, after] = [isTable(own) ? own : {}, isTable(other) ? other : {}];
  const keys = isTable(own) && isTable(other) ? [...new Set([...Object.keys(before), ...Object.keys(after)])] : [];
  if (at && !(keys.length && keys.every((key) => PLAIN_KEY.test(key)))) return { [at]: other ?? "absent" };
  return Object.assign({}, ...keys.map((key) => differencesAt(before[key], after[key], at ? `${at}.${key}` : key)));
}

/**
 * Return how an experiment's run differs from that of another one; null if that takes too many words.
 * @param {Experiment} own
 * @param {Experiment} other
 * @returns {Changes | null}
 */
export function differences(own, other) {
  const plain = (/** @type {Experiment} */ each) =>
    Object.fromEntries(Object.entries(each).filter(([key]) => !ONLY_TOLD.has(key)));
  const found = differencesAt(plain(own), plain(other));
  return JSON.stringify(found).length > MOST_CHARACTERS ? null : found;
}

export class Turning {
  /** Whether settings act in the page. */
  on = signal(false);
  /** The experiment that was turned last. @type {Experiment | null} */
  #newest = null;

  /**
   * @param {Touch} touch
   * @param {(experiment: Experiment) => void} toServer  runs an experiment that the page could not simulate
   */
  constructor(touch, toServer) {
    this.touch = touch;
    this.toServer = toServer;
  }

  /** Begin or end. */
  async toggle() {
    this.on.value = !this.on.value;
    if (this.on.value) await this.prepare();
  }

  /** Fetch what the first change needs. It ends where the page cannot simulate the run: changes go to the server. */
  async prepare() {
    if (!(await this.touch.prepare())) this.on.value = false;
  }

  /**
   * Simulate a changed experiment here, if it is the page's turn.
   * @param {Experiment} experiment
   * @returns {"changed" | "same" | null} "same": its run is on the screen already; null: it is the server's turn
   */
  take(experiment) {
    const own = this.touch.run()?.experiment;
    const turned = this.on.value && own ? differences(own, experiment) : null;
    if (!turned) return null;
    this.#turn(experiment, turned);
    return Object.keys(turned).length ? "changed" : "same";
  }

  /**
   * @param {Experiment} experiment
   * @param {Changes} turned
   */
  async #turn(experiment, turned) {
    this.#newest = experiment;
    const isDone = await this.touch.change({ turned: Object.keys(turned).length ? turned : null });
    if (!isDone && this.#newest === experiment) this.toServer(experiment);
  }
}
