/** The leftover pool: what jobs give up that do not need it yet, and who draws it. */

import { binsOf, leftoverPool, resourcesByUse } from "./job_shares.js";
import { duration, percent, whole } from "../../kit/format.js";
import { childrenOf, h } from "../../kit/dom.js";
import { OverTime } from "./over_time.js";
import { swatch } from "./shares.js";
import { weightOf } from "./weights.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Meta } from "../../contract/contract"
 * @import { Desk } from "./desk.js"
 * @import { Graphs } from "./job_graphs.js"
 * @import { Bins, Pool } from "./job_shares.js"
 * @import { Line } from "./over_time.js"
 */

/**
 * The three lines of a pool.
 * @param {Pool} pool
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
 * @param {Meta} meta
 * @param {Graphs} graphs
 * @param {number} number
 * @param {(number: number) => void} choose
 */
function resourceButton(meta, graphs, number, choose) {
  const name = graphs.resources[number];
  const layer = meta.layers.find((each) => each.name === `of_${name}`);
  return h(
    "button",
    {
      type: "button",
      class: "layer",
      "data-resource": number,
      "data-tip": gettext("The pool of {name}.", { name }),
      onclick: () => choose(number),
    },
    layer?.label ?? name,
  );
}

/**
 * @param {HTMLElement} buttons
 * @param {number} resource
 */
function press(buttons, resource) {
  for (const each of childrenOf(buttons))
    each.setAttribute("aria-pressed", String(Number(each.dataset.resource) === resource));
}

/**
 * A part of the pool and the jobs with the most of it.
 * @param {number} part
 * @param {[number, number][]} list
 */
function most(part, list) {
  if (part <= 0) return gettext("nothing");
  const jobs = list.map(([job, share]) => gettext("job {job} {share}", { job: whole(job), share: percent(share) }));
  return gettext("{share}, most by {jobs}", { share: percent(part), jobs: jobs.join(", ") });
}

/**
 * What a bin holds of the pool of a resource.
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

export default {
  id: "leftover",
  title: gettext("Leftover"),
  question: gettext("Which capacity do jobs give up, and which jobs use it?"),
  // Only where tasks can start on what others left over.
  needs: (/** @type {Meta} */ meta) =>
    meta.reasons.some((/** @type {{name: string}} */ reason) => reason.name === "left_over"),
  /**
   * @param {HTMLElement} body
   * @param {Desk} desk
   */
  mount(body, desk) {
    /** @type {{graphs: Graphs, bins: Bins, pool: Pool} | null} */
    let shown = null;
    /** @type {Line[]} */
    let lines = [];
    let resource = -1;
    const resources = h("div", { class: "layers", role: "group", "aria-label": gettext("Resource") });
    const key = h("p", { class: "picture-key line-key" });
    const place = h("div", { class: "picture-place" });
    body.append(h("div", { class: "picture-tools" }, resources, key), place);

    const tell = (/** @type {number} */ bin) => (shown ? tellBin(shown, resource, bin) : "");
    const chart = new OverTime(
      place,
      desk,
      gettext("Leftover and used capacity over time. Arrow keys go through time, Enter goes to that instant."),
      tell,
    );
    const build = (/** @type {Graphs} */ graphs, /** @type {Bins} */ bins) => {
      press(resources, resource);
      const pool = leftoverPool(graphs, bins, resource, weightOf(desk.meta, graphs));
      shown = { graphs, bins, pool };
      lines = linesOf(pool);
      key.replaceChildren(
        ...lines.map((each) =>
          h("span", { class: "line-entry", tabindex: "0", "data-tip": each.help }, swatch(each), each.label),
        ),
      );
      chart.set(bins, lines);
    };
    return {
      /** @param {Graphs | null} graphs */
      graphs(graphs) {
        if (!graphs) {
          shown = null;
          lines = [];
          chart.set(null, []);
          return;
        }
        const bins = binsOf(graphs);
        const used = resourcesByUse(graphs);
        if (!used.includes(resource)) resource = used[0] ?? 0;
        /** @param {number} number */
        const choose = (number) => {
          resource = number;
          build(graphs, bins);
        };
        resources.replaceChildren(...used.map((number) => resourceButton(desk.meta, graphs, number, choose)));
        resources.hidden = used.length < 2;
        build(graphs, bins);
      },
      moved: () => chart.draw(),
      scene: () => chart.exported(lines),
    };
  },
};
