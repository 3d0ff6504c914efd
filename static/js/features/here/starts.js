/** The packed starts of one run: its own, and those of changed experiments. Each is fetched once. */

import { readHeader } from "../../engine/start_file.js";
import { canTurn } from "../../engine/turning.js";

/** @import { Header } from "../../engine/start_file.js" */
/** @import { Values } from "../../engine/turning.js" */
/** @import { TakePolicy } from "./policies.js" */
/** @import { Planned } from "./touch.js" */

/**
 * @typedef {{start: ArrayBuffer, module: (name: string) => Promise<ArrayBuffer>}} Given  the start, and its modules
 * @typedef {Given & {header: Header}} Parts
 * @typedef {Record<string, unknown>} Changes  values of an experiment by path; "absent" removes one
 * @typedef {{events: object[], changes: Changes, full: number[]}} Asked  what a start has besides the run: `full` are
 *   the arrays that turned out to be too small
 * @typedef {(asked: Asked) => Promise<Given>} Fetch
 * @typedef {{asked: Asked, parts: Promise<Parts>}} Known
 */

/** The most starts that stay, besides the run's own. */
const MOST = 6;
/** The most often that the server is asked for larger arrays. */
const MOST_FULL = 8;
const FULL = /^an array of the run is full \(reason (\d+)\)/;

/**
 * Return what a page writes into a start to have all changes, by path; null if the start cannot have them.
 * @param {Header} header
 * @param {Changes} has  the changes with which the start was made
 * @param {Changes} wanted
 * @param {(path: string) => unknown} own  the values of the run itself
 * @param {TakePolicy} [takePolicy]  where the page compiles policies
 * @returns {Values | null}
 */
export function valuesFor(header, has, wanted, own, takePolicy) {
  const wantedAt = (/** @type {string} */ path) => (path in wanted ? wanted[path] : own(path));
  const changed = [...new Set([...Object.keys(has), ...Object.keys(wanted)])].filter((path) => {
    const now = path in has ? has[path] : own(path);
    return JSON.stringify(wantedAt(path)) !== JSON.stringify(now);
  });
  const taken = takePolicy ? takePolicy(header, changed, wanted, own) : { values: {}, others: changed };
  if (!taken) return null;
  const { values, others } = taken;
  for (const path of others) {
    const value = wantedAt(path);
    if (!canTurn(header, path, value)) return null;
    values[path] = /** @type {import("../../engine/start_file.js").Value} */ (value);
  }
  return values;
}

export class Starts {
  /** The newest last. @type {Known[]} */
  #known = [];
  /** The request under way. @type {Promise<unknown>} */
  #busy = Promise.resolve();

  /**
   * Return the run's start with these events more.
   * @param {Fetch} fetch
   * @param {Planned[]} [events]
   * @returns {Promise<Parts>}
   */
  plain(fetch, events = []) {
    return this.#fetched(fetch, { events, changes: {}, full: [] });
  }

  /**
   * Return a start with these changes, and what the page writes into it. The server is asked only if no start that is
   * here serves; it gets one request at a time.
   * @param {Fetch} fetch
   * @param {Planned[]} events
   * @param {Changes} changes
   * @param {{own: (path: string) => unknown, takePolicy?: TakePolicy, signal: AbortSignal}} run
   * @returns {Promise<Parts & {values: Values}>} rejects if a newer change came meanwhile
   */
  async withChanges(fetch, events, changes, { own, takePolicy, signal }) {
    await this.plain(fetch, events);
    for (;;) {
      const found = await this.#found(events, changes, own, takePolicy);
      if (found) return found;
      const busy = this.#busy;
      await busy;
      signal.throwIfAborted();
      if (busy !== this.#busy) continue;
      await this.#fetched(fetch, { events, changes, full: [] });
    }
  }

  /**
   * Get larger arrays for changes whose run found one full. Rejects with the error if that does not help.
   * @param {Fetch} fetch
   * @param {Planned[]} events
   * @param {Changes} changes
   * @param {unknown} error  of the engine
   */
  async enlarge(fetch, events, changes, error) {
    const [, reason] = FULL.exec(error instanceof Error ? error.message : "") ?? [];
    const named = nameOf({ events, changes });
    const before = this.#known.find(({ asked }) => nameOf(asked) === named)?.asked.full ?? [];
    if (!reason || !Object.keys(changes).length || before.length >= MOST_FULL) throw error;
    this.#known = this.#known.filter(({ asked }) => nameOf(asked) !== named);
    await this.#fetched(fetch, { events, changes, full: [...before, Number(reason)] });
  }

  forget() {
    this.#known = [];
  }

  /**
   * @param {object[]} events
   * @param {Changes} changes
   * @param {(path: string) => unknown} own
   * @param {TakePolicy} [takePolicy]
   * @returns {Promise<Parts & {values: Values} | null>}
   */
  async #found(events, changes, own, takePolicy) {
    const there = JSON.stringify(events);
    for (const { asked, parts } of [...this.#known].reverse()) {
      if (JSON.stringify(asked.events) !== there) continue;
      const known = await parts.catch(() => null);
      const values = known && valuesFor(known.header, asked.changes, changes, own, takePolicy);
      if (values) return { ...known, values };
    }
    return null;
  }

  /**
   * @param {Fetch} fetch
   * @param {Asked} asked
   * @returns {Promise<Parts>}
   */
  #fetched(fetch, asked) {
    const known = this.#known.find((each) => nameOf(each.asked) === nameOf(asked));
    if (known) return known.parts;
    const parts = fetch(asked).then(withHeader);
    this.#known.push({ asked, parts });
    const others = this.#known.filter((each) => Object.keys(each.asked.changes).length);
    if (others.length > MOST) this.#known = this.#known.filter((each) => each !== others[0]);
    parts.catch(() => {
      this.#known = this.#known.filter((each) => each.parts !== parts);
    });
    this.#busy = parts.catch(() => null);
    return parts;
  }
}

const nameOf = (/** @type {{events: object[], changes: Changes}} */ { events, changes }) =>
  JSON.stringify([events, Object.entries(changes).sort()]);

/** Read the header, and let each module be fetched once. @returns {Promise<Parts>} */
async function withHeader(/** @type {Given} */ { start, module }) {
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
}
