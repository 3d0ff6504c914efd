/** Dominant shares over time, of jobs or of queues, with what would be fair. */

import { binsOf, jobShare, largestJobs, queueShares, weightsThere } from "./job_shares.js";
import { percent, whole, duration } from "../../kit/format.js";
import { ownerColour } from "../../kit/palette.js";
import { OverTime } from "./over_time.js";
import { childrenOf, h, isDark, onTheme } from "../../kit/dom.js";
import { weightOf } from "./weights.js";
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

/** @param {(of: "jobs" | "queues") => void} choose */
function kindButtons(choose) {
  /**
   * @param {"jobs" | "queues"} name
   * @param {string} label
   * @param {string} help
   */
  const choice = (name, label, help) =>
    h(
      "button",
      { type: "button", class: "layer", "data-shares": name, "data-tip": help, onclick: () => choose(name) },
      label,
    );
  return h(
    "div",
    { class: "layers", role: "group", "aria-label": gettext("Shares of") },
    choice(
      "jobs",
      gettext("Jobs"),
      gettext(
        "The jobs with the most work, and the chosen job. A fair share is an equal part, or a part by " +
          "weight, for every active job.",
      ),
    ),
    choice("queues", gettext("Queues"), gettext("Each queue with its fair share.")),
  );
}

/**
 * A line in the key; that of a job chooses it.
 * @param {Desk} desk
 * @param {Line} line
 */
function entry(desk, line) {
  return h(
    "button",
    {
      class: "line-entry",
      "data-job": line.job,
      type: "button",
      disabled: line.job === undefined,
      onclick: () => line.job !== undefined && desk.selectJob(line.job),
    },
    swatch(line),
    line.label,
  );
}

/**
 * @param {Desk} desk
 * @param {Graphs} graphs
 * @param {Bins} bins
 */
function jobLines(desk, graphs, bins) {
  const chosen = desk.selection.job;
  const weight = weightOf(desk.meta, graphs);
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

export default {
  id: "shares",
  title: gettext("Shares"),
  question: gettext("Who holds how much of the datacenter, and what would be fair?"),
  /**
   * @param {HTMLElement} body
   * @param {Desk} desk
   */
  mount(body, desk) {
    /** @type {{graphs: Graphs, bins: Bins} | null} */
    let shown = null;
    /** @type {"jobs" | "queues"} */
    let of = "jobs";
    /** @type {Line[]} */
    let lines = [];
    const kinds = kindButtons((name) => {
      of = name;
      build();
    });
    const key = h("p", { class: "picture-key line-key" });
    const place = h("div", { class: "picture-place" });
    body.append(h("div", { class: "picture-tools" }, kinds, key), place);

    const build = () => {
      if (!shown) return;
      const { graphs, bins } = shown;
      for (const each of childrenOf(kinds)) each.setAttribute("aria-pressed", String(each.dataset.shares === of));
      lines = of === "jobs" ? jobLines(desk, graphs, bins) : queueLines(desk.meta, graphs, bins);
      key.replaceChildren(...lines.filter((each) => each.label).map((each) => entry(desk, each)));
      chart.set(bins, lines);
    };
    /** @param {number} bin */
    const tell = (bin) => {
      const at = lines
        .filter((each) => each.values[bin] > 0.00005)
        .map((each) => `${each.label || gettext("fair share")} ${percent(each.values[bin])}`);
      const length = shown?.bins.length ?? 0;
      return gettext("{from} to {to}: {shares}.", {
        from: duration(bin * length),
        to: duration((bin + 1) * length),
        shares: at.length ? at.join(", ") : gettext("no job holds anything"),
      });
    };
    const chart = new OverTime(
      place,
      desk,
      gettext("Dominant shares over time. Arrow keys go through time, Enter goes to that instant."),
      tell,
    );

    return {
      /** @param {Graphs | null} next */
      graphs(next) {
        shown = next ? { graphs: next, bins: binsOf(next) } : null;
        lines = [];
        if (!shown) {
          chart.set(null, []);
          return;
        }
        build();
      },
      selected() {
        if (of === "jobs") build();
      },
      moved: () => chart.draw(),
      scene: () => chart.exported(lines),
    };
  },
};

/**
 * A line of a key, drawn as in the chart.
 * @param {Pick<Line, "role" | "dash" | "width">} each
 */
export function swatch(each) {
  const hue = Array.isArray(each.role) ? each.role[0] : null;
  const made = h("i", {
    class: `line-swatch${each.dash ? " is-dashed" : ""}${each.width === 3 ? " is-strong" : ""}`,
    "data-role": hue === null ? each.role : null,
    "data-hue": hue,
  });
  if (hue !== null) tint(made);
  return made;
}

/** @param {HTMLElement} element */
function tint(element) {
  element.style.borderTopColor = ownerColour(Number(element.dataset.hue), isDark());
}

onTheme(() => {
  for (const each of document.querySelectorAll(".line-swatch[data-hue]")) tint(each);
});
