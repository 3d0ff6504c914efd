/**
 * Explain why the chosen task waits or waited at the current instant: its parents by name, then the scheduler's
 * reasons.
 */

import { problemText } from "../../experiment/problems.js";
import { clock, moment, whole } from "../../kit/format.js";
import { parentsHolding } from "./job_sentences.js";
import { explainTask } from "../../contract/api.js";
import { changePart } from "../../run/why/change_part.js";
import { reasonsDialog } from "../../run/why/reasons_dialog.js";
import { tryChange } from "../../run/own_copy.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Failure } from "../../contract/api.js"
 * @import { Desk } from "./desk.js"
 */

/** @param {Desk} desk */
export async function whyWaiting(desk) {
  const { graphs, t_ns, studio } = desk;
  const at = desk.asked;
  if (!graphs || at < 0) return;
  const { placements, stages } = graphs;
  const stage = placements.stage[at];
  const end_ns = studio.stage.player.store.endNs;
  /** @param {number} ns */
  const told = (ns) => clock(ns, end_ns);
  const values = { task: whole(placements.task[at]), time: told(t_ns) };
  const dialog = reasonsDialog(
    placements.end[at] >= 0 && placements.end[at] <= t_ns
      ? gettext("Task {task} is done at {time}", values)
      : placements.start[at] >= 0 && placements.start[at] <= t_ns
        ? gettext("Task {task} runs at {time}", values)
        : t_ns < graphs.jobs.arrival[stages.job[stage]]
          ? gettext("Task {task} has not arrived at {time}", values)
          : gettext("Task {task} waits at {time}", values),
  );
  const own = parentsHolding(graphs, stage, t_ns);
  try {
    const found = await explainTask(desk.runId, placements.task[at], t_ns / 1e9);
    if (own) found.decisions.push({ t_s: t_ns / 1e9, sentence: own, times: 1 });
    dialog.fill(found, (t_s) => moment(t_s * 1e9));
    dialog.ask(
      changePart({
        runId: desk.runId,
        task: placements.task[at],
        at_s: t_ns / 1e9,
        words: (error) => error.message,
        dialog: dialog.dialog,
        open: (help) => tryChange(desk.studio, help),
      }),
    );
  } catch (caught) {
    const error = /** @type {Failure} */ (caught);
    dialog.fail(error.problems?.length ? problemText(error.problems[0]) : error.message);
  }
}
