/** Why the chosen task waits, or waited, at the viewer's instant: its parents by name, then the scheduler's reasons. */

import { clock, whole } from "../lib/format.js";
import { parentsHolding } from "../lib/job_sentences.js";
import { explainTask } from "../net/api.js";
import { reasonsDialog } from "../views/reasons_dialog.js";

export async function whyWaiting(desk) {
  const { graphs, t_ns, studio } = desk;
  const at = desk.asked;
  if (at < 0) return;
  const { placements, stages } = graphs;
  const stage = placements.stage[at];
  const end_ns = studio.stage.player.store.endNs;
  const told = (ns) => clock(ns, end_ns);
  const state = placements.end[at] >= 0 && placements.end[at] <= t_ns ? "is done" : placements.start[at] >= 0 && placements.start[at] <= t_ns ? "runs" : t_ns < graphs.jobs.arrival[stages.job[stage]] ? "has not arrived" : "waits";
  const dialog = reasonsDialog(`Task ${whole(placements.task[at])} ${state} at ${told(t_ns)}`);
  const own = parentsHolding(graphs, stage, t_ns);
  try {
    const found = await explainTask(desk.runId, placements.task[at], t_ns / 1e9);
    const rows = found.decisions.map((each) => ({ time: told(each.t_s * 1e9), text: each.times > 1 ? `${each.sentence} (${whole(each.times)} times)` : each.sentence }));
    if (own) rows.push({ time: told(t_ns), text: own });
    dialog.fill(rows);
  } catch (error) { dialog.fail(error.problems?.length ? studio.problemText(error.problems[0]) : error.message); }
}
