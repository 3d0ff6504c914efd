/** The probes of a task's job, as /explain tells them, as rows to read. */

import { duration, whole } from "./format.js";

const ENDS = {
  waiting: "waits there", asking: "asks for a task", refused: "refused", "taken over": "taken over", "called back": "called back",
  "in vain": "no task left", dropped: "dropped, no task left", answered: "answered",
};

/**
 * One row for each stop of each probe: {probe, first (of its probe), won, worker, came_s, waited ("" for none), share of the
 * longest wait, behind, what}.
 */
export function probeRows(probes) {
  const longest = Math.max(0, ...probes.rows.flatMap((probe) => probe.stops.map((stop) => stop.waited_s ?? 0)));
  return probes.rows.flatMap((probe, number) => probe.stops.map((stop, place) => {
    const last = place === probe.stops.length - 1;
    const queued = stop.end !== "refused" && stop.end !== "answered";
    return {
      probe: number, first: place === 0, won: probe.won && last, worker: stop.worker, came_s: stop.from_s,
      waited: !queued ? "" : stop.waited_s === null ? "still" : duration(stop.waited_s * 1e9),
      share: longest > 0 && stop.waited_s ? stop.waited_s / longest : 0,
      behind: queued || stop.end === "answered" ? whole(stop.ahead) : "",
      what: last && probe.tasks.length ? `task ${probe.tasks.slice(0, 4).map(whole).join(", ")}${probe.tasks.length > 4 ? ` and ${whole(probe.tasks.length - 4)} more` : ""}` : ENDS[stop.end] ?? stop.end,
    };
  }));
}

/** What became of them, in one line. */
export function tellCounts(probes) {
  const words = { given: "fetched a task", waiting: "wait", asking: "ask", refused: "were refused last", "taken over": "on their way to another worker",
    "in vain": "came in vain", "called back": "called back", dropped: "dropped", answered: "answered only" };
  const parts = Object.entries(probes.counts).sort((a, b) => b[1] - a[1]).map(([end, count]) => `${whole(count)} ${words[end] ?? end}`);
  return `${whole(probes.total)} ${probes.total === 1 ? "probe" : "probes"}: ${parts.join(", ")}.`;
}
