/** The leftover pool: capacity that jobs give up because they do not need it yet, and the jobs that use it. */

import { binsOf, leftoverPool, resourcesByUse, weightOf } from "./job_shares.js";
import { duration, percent, whole } from "../../kit/format.js";
import { picturePlace } from "../../draw/scenes/canvas_picture.js";
import { computed, effect, html, signal } from "../../kit/view.js";
import { OverTime, swatchView } from "./over_time.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Meta } from "../../contract/contract"
 * @import { Desk } from "./desk.js"
 * @import { Graphs } from "./job_graphs.js"
 * @import { Bins, Pool } from "./job_shares.js"
 * @import { Line } from "./over_time.js"
 */

/** @typedef {{graphs: Graphs, bins: Bins, meta: Meta, used: number[]}} Known  `used`: the resources that tasks use */

/**
 * Return the three lines of a pool.
 * @param {Pool} pool
 * @returns {Line[]}
 */
function linesOf(pool) {
  return [
    {
      label: gettext("Left over"),
      help: gettext("Capacity left over by jobs' plans and shares, while jobs are active."),
      values: pool.left,
      role: "ghost",
      fill: "ghost",
      alpha: 0.18,
    },
    {
      label: gettext("Given up"),
      help: gettext(
        "Part of the leftover that altruistic jobs gave up: their planned starts hold less than their " +
          "fair share although more of their tasks could run.",
      ),
      values: pool.given,
      role: [0, 0.9],
      fill: [0, 0.6],
      width: 2,
    },
    {
      label: gettext("Drawn"),
      help: gettext("Capacity used by tasks that started from leftover."),
      values: pool.drawn,
      role: "second",
      width: 2,
      dash: [6, 3],
    },
  ];
}

/**
 * Describe a part of the pool and the jobs with the most of it.
 * @param {number} part
 * @param {[number, number][]} list
 */
function most(part, list) {
  if (part <= 0) return gettext("nothing");
  const jobs = list.map(([job, share]) => gettext("job {job} {share}", { job: whole(job), share: percent(share) }));
  return gettext("{share}, most by {jobs}", { share: percent(part), jobs: jobs.join(", ") });
}

/**
 * Describe a bin of a resource's pool.
 * @param {{graphs: Graphs, bins: Bins, pool: Pool}} shown
 * @param {number} resource
 * @param {number} bin
 */
function tellBin({ graphs, bins, pool }, resource, bin) {
  return gettext("{from} to {to}: plans leave {left} of {resource} unused. Given up: {given}. Used: {drawn}.", {
    from: duration(bin * bins.length),
    to: duration((bin + 1) * bins.length),
    left: percent(pool.left[bin]),
    resource: graphs.resources[resource],
    given: most(pool.given[bin], pool.givers[bin]),
    drawn: most(pool.drawn[bin], pool.drawers[bin]),
  });
}

/**
 * @param {Known} known
 * @param {number} pressed
 * @param {(resource: number) => void} choose
 */
function resourcesView({ graphs, meta, used }, pressed, choose) {
  return used.map((number) => {
    const name = graphs.resources[number];
    return html`<button
      type="button"
      class="layer"
      aria-pressed=${String(number === pressed)}
      data-resource=${number}
      data-tip=${gettext("The pool of {name}.", { name })}
      @click=${() => choose(number)}
    >${meta.layers.find((each) => each.name === `of_${name}`)?.label ?? name}</button>`;
  });
}

export default {
  id: "leftover",
  title: gettext("Leftover"),
  question: gettext("Which capacity do jobs give up, and which jobs use it?"),
  // Only if tasks can start on leftover shares.
  needs: (/** @type {Meta} */ meta) =>
    meta.reasons.some((/** @type {{name: string}} */ reason) => reason.name === "left_over"),
  /**
   * @param {HTMLElement} body
   * @param {Desk} desk
   */
  mount(body, desk) {
    const known = signal(/** @type {Known | null} */ (null));
    const chosen = signal(-1);
    const choose = (/** @type {number} */ number) => {
      chosen.value = number;
    };
    const resource = computed(() => {
      const used = known.value?.used ?? [];
      return used.includes(chosen.value) ? chosen.value : (used[0] ?? 0);
    });
    const shown = computed(() => {
      if (!known.value) return null;
      const { graphs, bins, meta } = known.value;
      return { graphs, bins, pool: leftoverPool(graphs, bins, resource.value, weightOf(meta, graphs)) };
    });
    const lines = computed(() => (shown.value ? linesOf(shown.value.pool) : []));
    const place = picturePlace(
      body,
      () => html`<div
          class="layers"
          role="group"
          aria-label=${gettext("Resource")}
          ?hidden=${(known.value?.used.length ?? 0) < 2}
        >
          ${known.value && resourcesView(known.value, resource.value, choose)}
        </div>
        <p class="picture-key line-key">
          ${lines.value.map(
            (line) =>
              html`<span class="line-entry" tabindex="0" data-tip=${line.help}>${swatchView(line)}${line.label}</span>`,
          )}
        </p>`,
    );
    const chart = new OverTime(
      place,
      desk,
      gettext("Leftover and used capacity over time. Arrow keys go through time, Enter goes to that instant."),
      (bin) => (shown.value ? tellBin(shown.value, resource.value, bin) : ""),
    );
    effect(() => chart.set(shown.value?.bins ?? null, lines.value));
    return {
      graphs: (/** @type {Graphs | null} */ graphs) => {
        known.value = graphs && { graphs, bins: binsOf(graphs), meta: desk.meta, used: resourcesByUse(graphs) };
      },
      moved: () => chart.draw(),
      scene: () => chart.exported(lines.value),
    };
  },
};
