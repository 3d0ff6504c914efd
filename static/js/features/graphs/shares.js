/** Dominant shares of jobs or queues over time, with their fair shares. */

import { binsOf, jobShare, largestJobs, queueShares, weightOf, weightsThere } from "./job_shares.js";
import { percent, whole, duration } from "../../kit/format.js";
import { picturePlace } from "../../draw/scenes/canvas_picture.js";
import { computed, effect, html, nothing, signal } from "../../kit/view.js";
import { OverTime, swatchView } from "./over_time.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Meta } from "../../contract/contract"
 * @import { Desk } from "./desk.js"
 * @import { Graphs } from "./job_graphs.js"
 * @import { Bins } from "./job_shares.js"
 * @import { Line } from "./over_time.js"
 */

const SHOWN = 6;
/** @type {(number[] | undefined)[]} */
const DASHES = [undefined, [7, 3], [2, 3], [9, 3, 2, 3], [4, 4], [12, 4]];
/** @type {{name: "jobs" | "queues", label: string, help: string}[]} */
const KINDS = [
  {
    name: "jobs",
    label: gettext("Jobs"),
    help: gettext(
      "The jobs with the most work, and the chosen job. A fair share is an equal part, or a part by " +
        "weight, for every active job.",
    ),
  },
  { name: "queues", label: gettext("Queues"), help: gettext("Each queue with its fair share.") },
];

export default {
  id: "shares",
  title: gettext("Shares"),
  question: gettext("Who holds how much of the datacenter, and what would be fair?"),
  /**
   * @param {HTMLElement} body
   * @param {Desk} desk
   */
  mount(body, desk) {
    const shown = signal(/** @type {{graphs: Graphs, bins: Bins, meta: Meta} | null} */ (null));
    const of = signal(KINDS[0].name);
    const lines = computed(() => {
      if (!shown.value) return [];
      const { graphs, bins, meta } = shown.value;
      return of.value === "jobs"
        ? jobLines(graphs, bins, weightOf(meta, graphs), desk.selection.job)
        : queueLines(meta, graphs, bins);
    });
    const named = () => lines.value.filter((line) => line.label);
    const place = picturePlace(
      body,
      () => html`<div class="layers" role="group" aria-label=${gettext("Shares of")}>
          ${KINDS.map(
            ({ name, label, help }) => html`<button
              type="button"
              class="layer"
              aria-pressed=${String(name === of.value)}
              data-shares=${name}
              data-tip=${help}
              @click=${() => {
                of.value = name;
              }}
            >${label}</button>`,
          )}
        </div>
        <p class="picture-key line-key">${named().map((line) => keyView(desk, line))}</p>`,
    );
    const chart = new OverTime(
      place,
      desk,
      gettext("Dominant shares over time. Arrow keys go through time, Enter goes to that instant."),
      (bin) => tellBin(shown.value?.bins.length ?? 0, lines.value, bin),
    );
    effect(() => chart.set(shown.value?.bins ?? null, lines.value));
    return {
      graphs: (/** @type {Graphs | null} */ graphs) => {
        shown.value = graphs && { graphs, bins: binsOf(graphs), meta: desk.meta };
      },
      moved: () => chart.draw(),
      scene: () => chart.exported(lines.value),
    };
  },
};

/**
 * Return a line's entry in the key; a job's entry selects the job.
 * @param {Desk} desk
 * @param {Line} line
 */
const keyView = (desk, line) => html`<button
  type="button"
  class="line-entry"
  data-job=${line.job ?? nothing}
  ?disabled=${line.job === undefined}
  @click=${() => line.job !== undefined && desk.selectJob(line.job)}
>${swatchView(line)}${line.label}</button>`;

/**
 * Describe a bin.
 * @param {number} length  the length of a bin
 * @param {Line[]} lines
 * @param {number} bin
 */
function tellBin(length, lines, bin) {
  const at = lines
    .filter((each) => each.values[bin] > 0.00005)
    .map((each) => `${each.label || gettext("fair share")} ${percent(each.values[bin])}`);
  return gettext("{from} to {to}: {shares}.", {
    from: duration(bin * length),
    to: duration((bin + 1) * length),
    shares: at.length ? at.join(", ") : gettext("no job holds anything"),
  });
}

/**
 * @param {Graphs} graphs
 * @param {Bins} bins
 * @param {(job: number) => number} weight
 * @param {number} chosen  a job; -1 for none
 */
function jobLines(graphs, bins, weight, chosen) {
  const shown = largestJobs(graphs, SHOWN).filter((job) => job !== chosen);
  if (chosen >= 0) shown.splice(SHOWN - 1);
  const all = weightsThere(graphs, bins, weight);
  const own = chosen >= 0 ? weight(chosen) : 1;
  /** @type {Line[]} */
  const drawn = shown.map((job, place) => ({
    label: gettext("Job {job}", { job: whole(job) }),
    job,
    values: jobShare(graphs, bins, job),
    role: [place % 8, 0.85],
    dash: DASHES[place % DASHES.length],
  }));
  if (chosen >= 0)
    drawn.push({
      label: gettext("Job {job}", { job: whole(chosen) }),
      job: chosen,
      values: jobShare(graphs, bins, chosen),
      role: "ink",
      width: 3,
    });
  /** @type {Line} */
  const fair = {
    label: gettext("Fair share of a job"),
    fair: true,
    values: all.map((sum) => (sum > 1e-9 ? Math.min(1, own / Math.max(own, sum)) : 0)),
    role: "muted",
    dash: [3, 3],
    width: 2,
  };
  return [...drawn, fair];
}

/**
 * @param {Meta} meta
 * @param {Graphs} graphs
 * @param {Bins} bins
 */
function queueLines(meta, graphs, bins) {
  return queueShares(graphs, bins, meta.queues.length).flatMap((values, queue) => {
    const { name, share } = meta.queues[queue];
    return [
      { label: name, values, role: [queue % 8, 0.85], dash: DASHES[Math.floor(queue / 8)] },
      {
        label: meta.queues.length < 4 ? gettext("{name}: fair share", { name }) : "",
        fair: true,
        values: values.map(() => share),
        role: [queue % 8, 0.6],
        dash: [3, 3],
      },
    ];
  });
}
