/** The run on the screen again, simulated by this page. */

import { engineModule, runStart } from "../../contract/api.js";
import { readHeader } from "../../engine/start_file.js";
import { Check, checkView } from "../../features/here/check.js";
import { gettext } from "../../kit/words.js";
import { show, watch } from "../../kit/view.js";

/** @import { Studio } from "../store.js" */

/** Fetch the start of a run and the module that it names. */
async function partsOf(/** @type {string} */ runId) {
  const start = await runStart(runId);
  const { module } = await readHeader(start);
  return { start, module: await engineModule(module) };
}

export default {
  id: "here",
  place: "right",
  title: gettext("In this page"),
  question: gettext("Does this browser get the same result?"),
  mount(/** @type {HTMLElement} */ body, /** @type {Studio} */ studio) {
    const check = new Check();
    const script = document.body.dataset.engineWorker ?? "";
    watch(
      () => studio.session.value?.run.id ?? "",
      () => check.reset(),
    );
    show(body, () => {
      studio.news.value;
      const runId = studio.session.value?.run.id ?? "";
      const cited = studio.session.value?.store.summary?.outcome_digest ?? "";
      return checkView(check, { cited, source: { script, parts: () => partsOf(runId) } });
    });
  },
};
