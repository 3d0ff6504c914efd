/**
 * The probes of a task's job, or the machines that one task was sent to, as rows for a table. /explain returns them.
 */

import { duration, whole } from "../../kit/format.js";
import { counted } from "../../kit/counts.js";
import { gettext } from "../../kit/words.js";

/**
 * The answer of /explain about the probes of a task's job, or about one task.
 * @typedef {object} Probes
 * @property {"job" | "task"} of
 * @property {string} why
 * @property {number} total
 * @property {Record<string, number>} counts  the number of probes by their end
 * @property {{won: boolean, expected_s?: number | null, tasks: number[], stops: Stop[]}[]} rows
 * @typedef {{worker: number, from_s: number, waited_s: number | null, ahead: number | null, end: string}} Stop
 */

/** @type {Record<string, string>} */
const ENDS = {
  waiting: gettext("waits there"),
  asking: gettext("asks for a task"),
  refused: gettext("refused"),
  "taken over": gettext("taken over"),
  "called back": gettext("called back"),
  "in vain": gettext("no task left"),
  dropped: gettext("dropped, no task left"),
  answered: gettext("answered"),
};
/** @type {Record<string, string>} */
const ENDS_OF_TASK = {
  ...ENDS,
  refused: gettext("sent back"),
  dropped: gettext("dropped, it ran elsewhere"),
  given: gettext("started"),
  stopped: gettext("started, preempted later"),
  shed: gettext("given back"),
  upgraded: gettext("got a token"),
  "on its way": gettext("on its way there"),
  compared: gettext("compared"),
  full: gettext("queue full, according to the last report"),
  remembered: gettext("remembered"),
};
const NOT_QUEUED = new Set(["refused", "answered", "compared", "full", "remembered", "on its way"]);

/**
 * Return a row for each stop of each probe: {probe, first (of its probe), won, worker, came_s, waited ("" for none),
 * share of the longest wait, behind, expected ("" if unknown), what}.
 * @param {Probes} probes
 */
export function probeRows(probes) {
  const longest = Math.max(0, ...probes.rows.flatMap((probe) => probe.stops.map((stop) => stop.waited_s ?? 0)));
  return probes.rows.flatMap((probe, number) =>
    probe.stops.map((stop, place) => {
      const last = place === probe.stops.length - 1;
      const queued = !NOT_QUEUED.has(stop.end);
      return {
        probe: number,
        first: place === 0,
        won: probe.won && last,
        worker: stop.worker,
        came_s: stop.from_s,
        waited: !queued ? "" : stop.waited_s === null ? gettext("still") : duration(stop.waited_s * 1e9),
        share: longest > 0 && stop.waited_s ? stop.waited_s / longest : 0,
        behind: stop.ahead === null || !(queued || stop.end === "answered") ? "" : whole(stop.ahead),
        expected: place === 0 && typeof probe.expected_s === "number" ? duration(probe.expected_s * 1e9) : "",
        what:
          probes.of === "task"
            ? (ENDS_OF_TASK[stop.end] ?? stop.end)
            : last && probe.tasks.length
              ? gettext("task {tasks}{more}", {
                  tasks: probe.tasks.slice(0, 4).map(whole).join(", "),
                  more:
                    probe.tasks.length > 4
                      ? gettext(" and {count} more", { count: whole(probe.tasks.length - 4) })
                      : "",
                })
              : (ENDS[stop.end] ?? stop.end),
      };
    }),
  );
}

/** Summarize the probes' ends in one line. */
export function tellCounts(/** @type {Probes} */ probes) {
  if (probes.of === "task") return tellPlaces(probes);
  /** @type {Record<string, string>} */
  const words = {
    given: gettext("fetched a task"),
    waiting: gettext("wait"),
    asking: gettext("ask"),
    refused: gettext("were refused last"),
    "taken over": gettext("on their way to another worker"),
    "in vain": gettext("found no task left"),
    "called back": gettext("called back"),
    dropped: gettext("dropped"),
    answered: gettext("answered only"),
  };
  const parts = Object.entries(probes.counts)
    .sort((a, b) => b[1] - a[1])
    .map(([end, count]) => `${whole(count)} ${words[end] ?? end}`);
  return `${counted.probe(probes.total)}: ${parts.join(", ")}.`;
}

function tellPlaces(/** @type {Probes} */ probes) {
  /** @type {Record<string, string>} */
  const words = {
    given: gettext("started it"),
    waiting: gettext("has it waiting"),
    "on its way": gettext("will get it"),
    refused: gettext("sent it back"),
    dropped: gettext("dropped it"),
    shed: gettext("gave it back"),
    stopped: gettext("ran it for a while"),
    compared: gettext("only compared"),
    full: gettext("believed to be full"),
    answered: gettext("only asked"),
    remembered: gettext("only remembered"),
  };
  const parts = Object.entries(probes.counts)
    .sort((a, b) => b[1] - a[1])
    .map(([end, count]) => `${whole(count)} ${words[end] ?? end}`);
  return `${counted.worker(probes.total)}: ${parts.join(", ")}.`;
}
