/** The starts of jobs beside their recorded starts, shown once the run of an imported cluster has ended. */

import { startsDialog, startsPage, startsTable } from "../../features/recorded/recorded_starts.js";
import { gettext } from "../../kit/words.js";
import { computed, effect, html, nothing, show, signal } from "../../kit/view.js";
import { rowsOf, startsWords } from "../../run/recorded_rows.js";
import { panelOf } from "../panel.js";

/**
 * @import { Row } from "../../run/recorded_rows.js"
 * @import { Studio } from "../store.js"
 */

const SHOWN = 5;

export default {
  id: "recorded",
  place: "right",
  title: gettext("Recorded starts"),
  question: gettext("How near is this run to what happened?"),
  mount(/** @type {HTMLElement} */ body, /** @type {Studio} */ studio) {
    const panel = panelOf(body);
    const known = computed(() => {
      studio.news.value;
      studio.figures.value;
      const found = studio.wholeRun()?.recorded_starts;
      return found?.jobs ? found : null;
    });
    /** The jobs with the largest differences, with the run that they are of. */
    const told = signal({ runId: "", rows: /** @type {Row[]} */ ([]) });
    const runNow = () => (known.value ? (studio.session.value?.run.id ?? "") : "");
    effect(() => {
      const runId = runNow();
      panel.hidden = !runId;
      if (!runId || told.peek().runId === runId) return;
      told.value = { runId, rows: [] };
      startsPage(runId, "difference", 0, SHOWN)
        .then((page) => {
          if (told.peek().runId === runId) told.value = { runId, rows: rowsOf(page) };
        })
        .catch(() => {}); // the numbers above the table are there; the dialog tells the error
    });
    show(body, () => {
      const [summary, runId, { rows }] = [known.value, runNow(), told.value];
      if (!summary) return nothing;
      return html`<p class="chart-caption" data-recorded-starts data-says="run:recorded-starts">
          ${startsWords(summary)}
        </p>
        ${rows.length ? startsTable(rows) : nothing}
        <button class="button" type="button" data-open-starts @click=${() => startsDialog(runId, summary)}
          >${gettext("All jobs…")}</button
        >`;
    });
  },
};
