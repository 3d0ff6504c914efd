/** The table of queues, priorities and machines under runs side by side, and the study that gives it intervals. */

import { problemText } from "../../experiment/problems.js";
import { createExperiment } from "../../contract/api.js";
import { startStudy } from "../../run/study/study_socket.js";
import { find } from "../../kit/dom.js";
import { html, render, show, signal } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";
import { clusterRows } from "./cluster_rows.js";
import { sideRow, sideTable } from "./side_table.js";

/**
 * @import { Failure } from "../../contract/api.js"
 * @import { ComparePage, SideColumn } from "./side_column.js"
 * @import { ClusterRow } from "./cluster_rows.js"
 */

const SEEDS = 10;

/** Render the table once a run has ended; without such measures, its section stays hidden. */
export function drawClusterTable(/** @type {ComparePage} */ page) {
  const summaries = page.columns.map((column) => column.store.summary ?? null);
  const parts = clusterRows(summaries, page.reference);
  find("cluster-section").hidden = !parts.length;
  const place = find("cluster");
  const key = JSON.stringify([parts, page.names]);
  if (!parts.length || place.dataset.key === key) return;
  place.dataset.key = key;
  render(tableOf(page, parts), place);
  if (!offered.has(page)) offerIntervals(page);
  offered.add(page);
}

/**
 * @param {ComparePage} page
 * @param {[string, ClusterRow[]][]} parts
 */
function tableOf(page, parts) {
  const width = page.names.length + 1;
  const bodies = parts.map(
    ([part, rows]) =>
      html`<tbody>
        <tr class="side-part"><th scope="rowgroup" colspan=${width}>${part}</th></tr>
        ${rows.map(({ measure, cells }) => sideRow({ ...measure, cells }))}
      </tbody>`,
  );
  return sideTable(page, gettext("Queues, priorities and machines, with ratios to the baseline"), bodies);
}

/** Return true if the runs' experiments differ in the scheduler and its parameters alone. */
export function areAlike(/** @type {Pick<SideColumn, "experiment" | "seed">[]} */ columns) {
  const kept = columns.map(({ experiment, seed }) => {
    const { name: _name, question: _question, scheduler: _scheduler, fork_of: _fork, ...rest } = experiment;
    return JSON.stringify([seed, Object.entries(rest).sort(([one], [other]) => (one < other ? -1 : 1))]);
  });
  return new Set(kept).size === 1;
}

/** Pages that have offered a study. @type {WeakSet<ComparePage>} */
const offered = new WeakSet();

/** Offer a study of the same schedulers under several seeds, where the runs differ in the scheduler alone. */
function offerIntervals(/** @type {ComparePage} */ page) {
  if (!areAlike(page.columns)) return;
  const said = signal("");
  const isStarting = signal(false);
  const start = async () => {
    isStarting.value = true;
    said.value = gettext("Starting…");
    try {
      window.location.href = `/studies/${await studyOf(page)}`;
    } catch (caught) {
      const error = /** @type {Failure} */ (caught);
      said.value = error.problems?.length ? error.problems.map(problemText).join(" ") : error.message;
      isStarting.value = false;
    }
  };
  show(
    find("cluster-intervals"),
    () =>
      html`<button class="link" type="button" data-intervals ?disabled=${isStarting.value} @click=${start}
          >${gettext("Get intervals from {seeds} seeds", { seeds: SEEDS })}</button
        ><span class="side-note" role="status">${said.value}</span>`,
  );
}

/** Start the study of the runs' schedulers; return its id. */
async function studyOf(/** @type {ComparePage} */ page) {
  const { experiment } = page.columns[0];
  const made = await createExperiment(experiment);
  const schedulers = page.columns.map(({ experiment: { scheduler } }) => ({
    name: scheduler?.name,
    params: scheduler?.params ?? {},
  }));
  const { id } = await startStudy(made.id, { name: experiment.name || "", repeats: SEEDS, schedulers });
  return id;
}
