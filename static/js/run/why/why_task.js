/** The dialog that explains why a task started when and where it did. */

import { explainTask } from "../../contract/api.js";
import { hasPolicy } from "../../experiment/experiment.js";
import { problemText } from "../../experiment/problems.js";
import { moment, whole } from "../../kit/format.js";
import { html } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";
import { tryChange } from "../own_copy.js";
import { changePart } from "./change_part.js";
import { reasonsDialog } from "./reasons_dialog.js";
import { fetchPart } from "./whys.js";

/** @import { Studio } from "../../studio/store.js" */

const noteView = (/** @type {string} */ words) => html`<p class="dialog-note" role="status">${words}</p>`;

/**
 * Show a task's decisions up to an instant (or all). If a flow network decides, also show the path of the task's unit
 * and the next-best one.
 * @param {Studio} studio
 * @param {number} task
 * @param {number | null} [at_s]
 */
export async function whyTask(studio, task, at_s = null) {
  const dialog = reasonsDialog(gettext("Task {task}", { task: whole(task) }));
  const run = studio.session.value?.run.id ?? "";
  const words = (/** @type {Error & {problems?: import("../../contract/api.js").Problem[]}} */ error) =>
    error.problems?.length ? problemText(error.problems[0]) : error.message;
  if (studio.meta.value?.network) {
    dialog.more(noteView(gettext("Looking for the path of its unit of flow…")));
    Promise.all([import("./way.js"), import("./networks.js")])
      .then(async ([{ wayElement }, { fetchWay }]) => dialog.more(wayElement(await fetchWay(run, { task, at_s }))))
      .catch((error) => dialog.more(noteView(words(error))));
  }
  if (hasPolicy(studio.schedulers.value.find(({ name }) => name === studio.meta.value?.scheduler.name))) {
    Promise.all([import("./policy_table.js"), import("./whys.js")])
      .then(async ([{ policyTable }, { fetchPolicyDecision }]) =>
        dialog.more(policyTable(await fetchPolicyDecision(run, task, at_s))),
      )
      .catch((error) => dialog.more(noteView(words(error))));
  }
  const time = (/** @type {number} */ t_s) => moment(t_s * 1e9);
  fetchPart(run, { kind: "task", number: task }, null)
    .then((part) => dialog.sure(part.sentence))
    .catch(() => {});
  try {
    const told = await explainTask(run, task, at_s);
    dialog.fill(told, time);
    if (told.probes) {
      const { probesTable } = await import("./probes_table.js");
      dialog.probes(probesTable(told.probes));
    }
    dialog.ask(
      changePart({
        runId: run,
        task,
        at_s,
        words,
        dialog: dialog.dialog,
        open: (/** @type {import("./change_part.js").Help} */ help) => tryChange(studio, help),
      }),
    );
  } catch (error) {
    dialog.fail(words(/** @type {Error} */ (error)));
  }
}
