/** The table of whole runs side by side, and their jobs in pairs. */

import { whole } from "../../kit/format.js";
import { classesOf, comparedRows, findingOfRuns } from "./compared_rows.js";
import { improvementInWords } from "../../draw/scenes/job_pairs.js";
import { request } from "../../contract/api.js";
import { sideRow, sideTable } from "./side_table.js";
import { find } from "../../kit/dom.js";
import { html, nothing, render } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Failure } from "../../contract/api.js"
 * @import { ComparePage } from "./side_column.js"
 */

const ONCE = gettext(
  "Each number comes from a single run; a study over several seeds shows how certain the difference is.",
);

/** Render the runs' exact numbers, with ratios to the baseline. */
export function drawTable(/** @type {ComparePage} */ page) {
  const summaries = page.columns.map((column) => column.store.summary ?? null);
  const found = findingOfRuns(page.names, summaries, page.reference);
  const finding = found && `${found} ${ONCE}`;
  if (find("finding").textContent !== finding) find("finding").textContent = finding;
  const place = find("table");
  if (!summaries.some(Boolean)) {
    const words = gettext("Exact results of the whole runs appear here when they are computed.");
    render(html`<p class="side-note">${words}</p>`, place);
    return;
  }
  const rows = comparedRows(summaries, page.reference);
  const key = JSON.stringify([rows, page.names]);
  if (place.dataset.key === key) return;
  place.dataset.key = key;
  const classes = classesOf(summaries);
  render(html`${tableOf(page, rows)}${classes ? html`<p class="side-note">${classes}</p>` : nothing}`, place);
}

/**
 * Return the table: a column for each run, a row for each metric.
 * @param {ComparePage} page
 * @param {ReturnType<typeof comparedRows>} rows
 */
function tableOf(page, rows) {
  const body = rows.map(({ figure, name, help, cells }) => sideRow({ name: figure, label: name, help, cells }));
  const caption = gettext("Results of the whole runs, with ratios to the baseline");
  return sideTable(page, caption, html`<tbody>${body}</tbody>`);
}

/** Fetch and draw the two chosen runs' jobs in pairs, once both runs are complete. */
export async function drawPairs(/** @type {ComparePage} */ page) {
  const [mine, other] = page.two;
  if (!mine || !other || mine === other) return;
  const note = find("pairs-note");
  if (mine.session.run.state !== "done" || other.session.run.state !== "done") {
    note.textContent = gettext("Each job becomes a dot when both runs are computed.");
    return;
  }
  const key = `${mine.run.id}:${other.run.id}`;
  find("part").hidden = false;
  if (page.pairKey === key) {
    if (page.pairTold) note.textContent = page.pairTold(); // a run's name may arrive with its first frame
    return;
  }
  page.pairKey = key;
  page.pairTold = null;
  note.textContent = gettext("Pairing jobs…");
  try {
    const found = await request(
      "GET",
      `/runs/${encodeURIComponent(mine.run.id)}/paired/${encodeURIComponent(other.run.id)}`,
    );
    if (page.pairKey !== key) return;
    const drawn =
      found.job.length < found.pairs
        ? gettext(" The picture shows {count} of them.", { count: whole(found.job.length) })
        : "";
    const figures = {
      mean: found.mean_factor,
      median: found.median_factor,
      faster: found.faster,
      slower: found.slower,
    };
    page.pairTold = () =>
      found.pairs
        ? improvementInWords({ count: found.pairs, ...figures }, page.names[mine.at]) + drawn
        : gettext("No job ended in both runs.");
    note.textContent = page.pairTold();
    find("scatter").hidden = !found.pairs;
    if (found.pairs) page.showPairs([mine.run.id, other.run.id]);
  } catch (caught) {
    const error = /** @type {Failure} */ (caught);
    find("scatter").hidden = true;
    note.textContent = error.problems?.length
      ? `${error.message}: ${error.problems[0].message}. ` +
        (error.problems[0].allowed ? gettext("Allowed: {allowed}.", { allowed: error.problems[0].allowed }) : "")
      : error.message;
  }
}
