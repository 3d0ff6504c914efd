/** The probes of a task's job, or where one task was looked for and sent, as /explain tells them, as rows to read. */

import { duration, whole } from "../../kit/format.js";

const ENDS = {
  waiting: "waits there",
  asking: "asks for a task",
  refused: "refused",
  "taken over": "taken over",
  "called back": "called back",
  "in vain": "no task left",
  dropped: "dropped, no task left",
  answered: "answered",
};
const ENDS_OF_TASK = {
  ...ENDS,
  refused: "sent back",
  dropped: "dropped, it ran elsewhere",
  given: "started",
  stopped: "started, stopped later",
  shed: "given back",
  upgraded: "got a token",
  "on its way": "on its way there",
  compared: "compared",
  full: "queue full, as far as known",
  remembered: "remembered",
};
const NOT_QUEUED = new Set(["refused", "answered", "compared", "full", "remembered", "on its way"]);

/**
 * One row for each stop of each probe: {probe, first (of its probe), won, worker, came_s, waited ("" for none), share
 * of the longest wait, behind, expected ("" where nobody did), what}.
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
        waited: !queued ? "" : stop.waited_s === null ? "still" : duration(stop.waited_s * 1e9),
        share: longest > 0 && stop.waited_s ? stop.waited_s / longest : 0,
        behind: stop.ahead === null || !(queued || stop.end === "answered") ? "" : whole(stop.ahead),
        expected: place === 0 && typeof probe.expected_s === "number" ? duration(probe.expected_s * 1e9) : "",
        what:
          probes.of === "task"
            ? (ENDS_OF_TASK[stop.end] ?? stop.end)
            : last && probe.tasks.length
              ? `task ${probe.tasks.slice(0, 4).map(whole).join(", ")}` +
                (probe.tasks.length > 4 ? ` and ${whole(probe.tasks.length - 4)} more` : "")
              : (ENDS[stop.end] ?? stop.end),
      };
    }),
  );
}

/** What became of them, in one line. */
export function tellCounts(probes) {
  if (probes.of === "task") return tellPlaces(probes);
  const words = {
    given: "fetched a task",
    waiting: "wait",
    asking: "ask",
    refused: "were refused last",
    "taken over": "on their way to another worker",
    "in vain": "came in vain",
    "called back": "called back",
    dropped: "dropped",
    answered: "answered only",
  };
  const parts = Object.entries(probes.counts)
    .sort((a, b) => b[1] - a[1])
    .map(([end, count]) => `${whole(count)} ${words[end] ?? end}`);
  return `${whole(probes.total)} ${probes.total === 1 ? "probe" : "probes"}: ${parts.join(", ")}.`;
}

function tellPlaces(probes) {
  const words = {
    given: "started it",
    waiting: "has it waiting",
    "on its way": "will get it",
    refused: "sent it back",
    dropped: "dropped it",
    shed: "gave it back",
    stopped: "ran it for a while",
    compared: "only compared",
    full: "thought to be full",
    answered: "only asked",
    remembered: "only remembered",
  };
  const parts = Object.entries(probes.counts)
    .sort((a, b) => b[1] - a[1])
    .map(([end, count]) => `${whole(count)} ${words[end] ?? end}`);
  return `${whole(probes.total)} ${probes.total === 1 ? "worker" : "workers"}: ${parts.join(", ")}.`;
}
