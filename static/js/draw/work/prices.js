/** The cost of each machine for one task in a solver's round, for the map and in words. */

import { decimals, duration, whole } from "../../kit/format.js";
import { gettext, ngettext } from "../../kit/words.js";

/**
 * @typedef {{task: number, t_ns: number, machine: number, words: string, of: (machine: number) => {texts: string[],
 *   warm: number, full?: boolean} | null}} Prices  `texts`: the same with fewer and fewer characters
 */
/** @typedef {{task: number, t_s: number, prices?: {machines: [number, number, number][], wait: number | null,
 *   chosen: number}}} Way
 */

/** From this price on, a cost is a penalty that no machine reaches. */
export const FORBIDDEN = 1e5;
/** The positions among a run's placements at which prices are requested. */
const ASKED = [0.05, 0.2, 0.4, 0.6, 0.8];

/**
 * Return a few tasks from all parts of a run, and when each ran: [task, seconds].
 *
 * @param {import("../../run/track.js").Track} track
 * @param {{rows: Uint32Array}} leaving  rows by when they leave their queue
 * @returns {[number, number][]}
 */
export function tasksToAsk(track, { rows }) {
  const found = ASKED.map((part) => rows[Math.floor(part * rows.length)]).filter((row) => row !== undefined);
  return [...new Set(found)].map((row) => [track.taskOf(row), (track.begun[row] * track.unit_ns) / 1e9 + 1e-3]);
}

/**
 * Return the last prices up to an instant, else the first; of a moment's task its own, if they are known.
 *
 * @param {Prices[]} all
 * @param {number} t_ns
 * @param {number} [task]
 */
export function pricesAt(all, t_ns, task) {
  if (task !== undefined) return all.find((each) => each.task === task);
  return all.findLast((each) => each.t_ns <= t_ns) ?? all[0];
}

/** Return the prices of a path that a worker found; null if the task was not in the network. @param {Way} way */
export function pricesOf(way) {
  if (!way.prices?.machines.length) return null;
  const { machines, chosen } = way.prices;
  const free = machines.filter(([machine, , full]) => !full || machine === chosen);
  const known = new Map(machines.map(([machine, price, full]) => [machine, { price, full: Boolean(full) }]));
  const all = free.map(([, price]) => price);
  const [least, most] = [Math.min(...all), Math.max(...all)];
  return {
    task: way.task,
    t_ns: way.t_s * 1e9,
    machine: chosen,
    words: tellPrices(way.task, way.prices, free),
    of: (/** @type {number} */ machine) => {
      const found = known.get(machine);
      if (!found) return null;
      const price = decimals(found.price);
      if (found.full && machine !== chosen)
        return { texts: [gettext("{price}, full", { price }), price, gettext("full")], warm: 0, full: true };
      return { texts: [price], warm: most > least ? (most - found.price) / (most - least) : 1 };
    },
  };
}

/**
 * Describe which machines are full, the others' costs, which one got the task, and the cost of waiting.
 * @param {number} task
 * @param {{machines: [number, number, number][], wait: number | null, chosen: number}} prices
 * @param {number[][]} free
 */
function tellPrices(task, { machines, wait, chosen }, free) {
  const full = machines.length - free.length;
  const parts = [
    ngettext(
      "Task {task}: {n} of {machines} machines is full after this round.",
      "Task {task}: {n} of {machines} machines are full after this round.",
      full,
      { n: full, task: whole(task), machines: whole(machines.length) },
    ),
  ];
  const own = machines.find(([machine]) => machine === chosen);
  const others = free.filter(([machine]) => machine !== chosen).map(([, price]) => price);
  if (own)
    parts.push(
      gettext("Machine {machine} costs {price} and gets the task.", {
        machine: whole(chosen),
        price: decimals(own[1]),
      }),
    );
  else parts.push(gettext("The task gets none of them and waits."));
  if (others.length) {
    const [least, most] = [Math.min(...others), Math.max(...others)];
    parts.push(
      least === most
        ? gettext("Each other machine with room costs {price}.", { price: decimals(least) })
        : gettext("Other machines with room cost {least} to {most}.", { least: decimals(least), most: decimals(most) }),
    );
  }
  if (wait !== null)
    parts.push(
      wait >= FORBIDDEN
        ? gettext("Waiting costs more than any machine.")
        : gettext("Waiting would cost {price}.", { price: decimals(wait) }),
    );
  return parts.join(" ");
}

/** Describe the prices with their instant. @param {Prices} prices */
export function tellRound(prices) {
  return gettext("At {time}: {words}", { time: duration(prices.t_ns), words: prices.words });
}
