/** Fetch the jobs of a finished run as graphs, page by page. */

import { request } from "../../contract/api.js";

const PAGE = 20_000;
/** A page can draw this many tasks without a pause; of larger runs it shows only the first jobs. */
const MOST_TASKS = 200_000;

/**
 * @typedef {import("./job_graphs.js").Columns & {left: number}} Fetched  `left`: the number of omitted jobs
 * @typedef {{signal?: AbortSignal, told?: ((share: number) => void) | null}} Options
 */

/**
 * Fetch up to `most` rows of a run's table as columns: {total, columns}. `told(share)` receives the progress.
 * @param {string} runId
 * @param {string} table
 * @param {Options & {most?: number}} [options]
 */
export async function fetchTable(runId, table, { most = Infinity, signal, told } = {}) {
  /** @type {Record<string, number[]>} */
  const columns = {};
  let first = 0;
  for (;;) {
    const page = await request(
      "GET",
      `/runs/${encodeURIComponent(runId)}/graphs/${table}?first=${first}&count=${Math.min(PAGE, most - first)}`,
      undefined,
      { signal },
    );
    for (const [name, values] of Object.entries(page.columns))
      columns[name] = columns[name] ? columns[name].concat(values) : values;
    first = page.next ?? page.total;
    told?.(first / Math.max(1, Math.min(page.total, most)));
    if (page.next === null || first >= most) return { total: page.total, columns };
  }
}

/**
 * Fetch everything shown about a run; `left` counts the omitted jobs.
 * @param {string} runId
 * @param {Options} [options]
 * @returns {Promise<Fetched>}
 */
export async function fetchGraphs(runId, options = {}) {
  const jobs = await fetchTable(runId, "jobs", { ...options, told: null });
  const { tasks, stages } = jobs.columns;
  let shown = 0;
  let sum = 0;
  while (shown < tasks.length && (shown === 0 || sum + tasks[shown] <= MOST_TASKS)) {
    sum += tasks[shown];
    shown += 1;
  }
  const rows = stages.slice(0, shown).reduce((all, count) => all + count, 0);
  const kept = Object.fromEntries(Object.entries(jobs.columns).map(([name, values]) => [name, values.slice(0, shown)]));
  const stageRows = await fetchTable(runId, "stages", { ...options, most: rows });
  const placements = await fetchTable(runId, "placements", { ...options, most: sum });
  return /** @type {Fetched} */ ({
    jobs: kept,
    stages: stageRows.columns,
    placements: placements.columns,
    left: jobs.total - shown,
  });
}
