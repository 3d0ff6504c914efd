/** Choose which of an experiment's runs a page shows. */

/** @import { Run } from "../contract/api.js" */

/**
 * Return the named run; else the newest run that has or will have a picture; else the newest stopped run. Opening a
 * page never restarts a run that a user canceled.
 * @template {Pick<Run, "id" | "state" | "recording">} R
 * @param {R[] | undefined} runs
 * @param {string | null} [named]
 */
export function pickRun(runs, named = null) {
  const newestFirst = [...(runs || [])].reverse();
  return (
    newestFirst.find((run) => run.id === named) ||
    newestFirst.find((run) => run.state === "done" && run.recording !== "removed") ||
    newestFirst.find((run) => run.state === "done") ||
    newestFirst.find((run) => ["running", "compiling", "queued", "paused"].includes(run.state)) ||
    newestFirst[0] ||
    null
  );
}
