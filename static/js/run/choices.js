/**
 * Recorded decisions about single tasks: which machines had no room, and every other machine's score. The module does
 * not need a page.
 */

import { countUpTo } from "../kit/search.js";
import { decimals, whole } from "../kit/format.js";
import { declared, gettext, ngettext } from "../kit/words.js";
import { short, whole as column } from "./columns.js";

/** @typedef {NonNullable<import("../contract/contract").Track["choices"]>} Wire */
/** @typedef {{place: number, at: number, share: number, task: number, machine: number}} Shown */

/** The fraction of a span for which a decision is shown. */
const LASTS = 0.65;
/** Where the decision of a moment stands: all scores are seen and the best machine is framed. */
const STANDS = 0.8;

export class Choices {
  /** @param {Wire} wire */
  constructor(wire) {
    this.count = wire.count;
    this.at = column(wire.at);
    this.task = column(wire.task);
    this.machine = Int32Array.from(column(wire.machine), (number) => number - 1);
    this.scores = short(wire.scores);
    this.machines = wire.count ? this.scores.length / wire.count : 0;
    this.parts = (wire.parts ?? []).map(({ label, tenths }) => ({ label, tenths: short(tenths) }));
  }

  /**
   * Return the parts of a machine's score in a decision, the largest first.
   * @param {number} place
   * @param {number} machine
   */
  partsOf(place, machine) {
    return this.parts
      .map(({ label, tenths }) => ({ label, points: tenths[place * this.machines + machine] / 10 }))
      .filter((part) => part.points > 0)
      .sort((a, b) => b.points - a.points);
  }

  /** Return a machine's score in a decision, 0 to 100; null if it had no room. @param {number} place */
  score(place, /** @type {number} */ machine) {
    const score = this.scores[place * this.machines + machine];
    return score ? (score - 1) / 10 : null;
  }

  /**
   * Return the decision to show at `now`, or null. Time is cut into spans; the first decision of each span is shown for
   * a part of it.
   *
   * @param {number} now
   * @param {number} span
   * @returns {Shown | null}
   */
  shownAt(now, span) {
    if (!(span > 0)) return null;
    const from = Math.floor(now / span) * span;
    for (const begin of [from, from - span]) {
      const place = countUpTo(this.at, begin - 1e-9);
      const at = this.at[place];
      if (place >= this.count || at > now || at >= begin + span) continue;
      const share = (now - at) / (LASTS * span);
      return share > 1 ? null : this.#shown(place, share);
    }
    return null;
  }

  /**
   * Return the decision about a moment's task once it was made; it stands as long as the moment does. Null before.
   *
   * @param {number} task
   * @param {number} now
   * @param {number} span
   * @returns {Shown | null}
   */
  about(task, now, span) {
    const place = this.task.indexOf(task);
    const share = (now - this.at[place]) / (LASTS * span);
    return place >= 0 && share >= 0 ? this.#shown(place, Math.min(share, STANDS)) : null;
  }

  /** @param {number} place @param {number} share @returns {Shown} */
  #shown(place, share) {
    return { place, at: this.at[place], share, task: this.task[place], machine: this.machine[place] };
  }

  /** Return how many machines had room, the best and the worst score. @param {number} place */
  summary(place) {
    let [room, best, least] = [0, 0, 100];
    for (let machine = 0; machine < this.machines; machine += 1) {
      const score = this.score(place, machine);
      if (score === null) continue;
      room += 1;
      best = Math.max(best, score);
      least = Math.min(least, score);
    }
    return { room, best, least, machine: this.machine[place], task: this.task[place] };
  }
}

/** Describe a decision: the machines without room, the scores of the others, the chosen machine. */
export function tellChoice(/** @type {Choices} */ choices, /** @type {number} */ place) {
  const { room, best, least, machine, task } = choices.summary(place);
  const out = choices.machines - room;
  const names = { n: out, task: whole(task), machines: whole(choices.machines) };
  const some = ngettext(
    "Task {task}: {n} of {machines} machines has no room.",
    "Task {task}: {n} of {machines} machines have no room.",
    out,
    names,
  );
  const first = out ? some : gettext("Task {task}: all {machines} machines have room.", names);
  if (room === 1)
    return `${first} ${gettext("Only machine {machine} has room and gets the task.", { machine: whole(machine) })}`;
  const scores =
    best === least
      ? gettext("All {room} with room have the same score, {best} of 100; machine {machine} gets the task.", {
          room: whole(room),
          best: decimals(best),
          machine: whole(machine),
        })
      : gettext(
          "The {room} with room get scores from {least} to {best} of 100; machine {machine} has the best score " +
            "and gets the task.",
          {
            room: whole(room),
            least: decimals(least),
            best: decimals(best),
            machine: whole(machine),
          },
        );
  return `${first} ${scores}`;
}

/** Describe the parts of a machine's score; "" if they are unknown or the machine had no room. */
export function tellParts(/** @type {Choices} */ choices, /** @type {number} */ place, /** @type {number} */ machine) {
  const score = choices.score(place, machine);
  const parts = score === null ? [] : choices.partsOf(place, machine);
  if (score === null || !parts.length) return "";
  const names = parts.map(({ label, points }) =>
    gettext("{points} for {label}", { points: decimals(points), label: declared({ label }).label }),
  );
  return gettext("Machine {machine} scores {score} of 100: {parts}.", {
    machine: whole(machine),
    score: decimals(score),
    parts: names.join(", "),
  });
}
