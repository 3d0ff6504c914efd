/** What constraints mean: how many tasks have them, how many machines are left for those, and who offers what. */

import { percent, three, whole } from "../../kit/format.js";
import { h } from "../../kit/dom.js";
import { HeatMap } from "./heat_map.js";
import { gettext } from "../../kit/words.js";
import { clusterName } from "../../kit/names.js";

/**
 * @import { Child } from "../../kit/dom.js"
 * @import { Catalogue } from "./constraints.js"
 */

/**
 * @typedef {{name: string, supply: number[]}} ClusterSupply  the fraction of its machines that offers each constraint
 * @typedef {{constrained_share: number, unholdable_share: number, relaxed_share: number, sampled_tasks: number,
 *   machines: number, constraints: {name: string, demand: number}[], clusters: ClusterSupply[],
 *   eligible: {constraints: number, tasks: number, machines: {mean: number, least: number}}[],
 *   axes: {axis: string, constraints: number, supply: number, demand: number, crv: number | null}[],
 *   machine: {machine: number, cluster: string, offers: string[]} | null,
 *   task: {task: number, asks: string[], machines: number} | null}} ConstraintAnswer  a preview of the server
 */

/** @type {Record<string, string>} */
const AXIS_WORDS = { cpu: "CPU", memory: "memory", disk: "disk", os: "OS", clock: "clock", network: "network" };

/**
 * @param {"ask" | "offer"} kind
 * @param {number} share
 * @param {string} tip
 */
function meter(kind, share, tip) {
  const fill = h("span", { class: `meter-fill meter-${kind}` });
  fill.style.width = `${Math.min(1, share) * 100}%`;
  return h("span", { class: "meter", "data-tip": tip }, fill);
}

export class ConstraintPicture {
  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.parent = parent;
    this.numbers = h("dl", { class: "big-numbers", "aria-live": "polite" });
    this.warning = h("p", { class: "editor-warning", hidden: true });
    this.eligible = h("div", {
      class: "picture-table",
      role: "table",
      "aria-label": gettext("Eligible machines by number of constraints"),
    });
    this.axes = h("div", {
      class: "picture-table",
      role: "table",
      "aria-label": gettext("The six kinds of resources"),
    });
    this.axesNote = h("p", { class: "editor-about" });
    this.heat = new HeatMap();
    this.machine = h("p", { class: "sample" });
    this.task = h("p", { class: "sample" });
    /**
     * @param {string} title
     * @param {string} about
     * @param {...Child} content
     */
    const part = (title, about, ...content) =>
      h(
        "section",
        { class: "picture-part" },
        h("h2", {}, h("span", { class: "panel-title" }, title), " ", h("span", { class: "panel-question" }, about)),
        ...content,
      );
    this.content = h(
      "div",
      {},
      h("p", { class: "editor-about picture-waiting" }, gettext("Drawing a sample…")),
      this.numbers,
      this.warning,
      part(gettext("Eligible machines"), gettext("by number of constraints per task"), this.eligible),
      part(gettext("Kinds"), gettext("demand over supply, by kind of resource"), this.axes, this.axesNote),
      part(gettext("Supply"), gettext("by cluster"), this.heat.element),
      part(gettext("One of each"), gettext("as drawn"), this.machine, this.task),
    );
    this.nothing = h(
      "p",
      { class: "editor-about picture-empty" },
      gettext("Without constraints every machine is eligible for every task."),
    );
    parent.append(this.content, this.nothing);
    this.nothing.hidden = true;
  }

  empty() {
    this.content.hidden = true;
    this.nothing.hidden = false;
  }

  /** Before the server has answered: what the tables alone say. */
  rows() {
    this.nothing.hidden = true;
    this.content.hidden = false;
  }

  /**
   * @param {ConstraintAnswer} answer
   * @param {Catalogue | undefined} catalogue
   */
  show(answer, catalogue) {
    if (!answer.constraints.length) {
      this.empty();
      return;
    }
    this.rows();
    const labels = new Map((catalogue?.constraints ?? []).map((each) => [each.name, each.label]));
    /** @param {string} each */
    const name = (each) => labels.get(each) ?? each;
    this.#numbers(answer);
    this.#eligible(answer);
    this.#axes(answer);
    this.heat.set(
      answer.clusters,
      answer.constraints.map((each) => name(each.name)),
    );
    const { machine, task } = answer;
    this.machine.textContent = machine
      ? answer.clusters.length > 1
        ? gettext("Machine {machine} of {cluster} offers {offers}.", {
            machine: whole(machine.machine),
            cluster: clusterName(machine.cluster),
            offers: list(machine.offers.map(name)),
          })
        : gettext("Machine {machine} offers {offers}.", {
            machine: whole(machine.machine),
            offers: list(machine.offers.map(name)),
          })
      : "";
    this.task.textContent = task
      ? gettext("Task {task} asks for {asks}: {machines}.", {
          task: whole(task.task),
          asks: list(task.asks.map(name)),
          machines: task.machines
            ? gettext("{machines} machines offer that", { machines: whole(task.machines) })
            : gettext("no machine offers that"),
        })
      : "";
  }

  /**
   * The three figures above, and what is wrong with them.
   * @param {ConstraintAnswer} answer
   */
  #numbers(answer) {
    /**
     * @param {string} label
     * @param {string} value
     * @param {string} tip
     */
    const number = (label, value, tip, alarm = false) =>
      h("div", { class: alarm ? "is-alarm" : "", "data-tip": tip }, h("dd", {}, value), h("dt", {}, label));
    const least = Math.min(1, ...answer.eligible.filter((each) => each.constraints).map((each) => each.machines.least));
    this.numbers.replaceChildren(
      number(
        gettext("of the tasks have constraints"),
        percent(answer.constrained_share),
        gettext("Of {tasks} tasks, sampled as for a run.", { tasks: whole(answer.sampled_tasks) }),
      ),
      number(
        gettext("fit no machine"),
        percent(answer.unholdable_share),
        gettext("Tasks whose constraints no machine meets. They never start."),
        answer.unholdable_share > 0,
      ),
      number(
        gettext("machines for the most constrained task"),
        whole(Math.round(least * answer.machines)),
        gettext("Of {machines} machines, for the task with the fewest eligible machines.", {
          machines: whole(answer.machines),
        }),
      ),
    );
    const nowhere =
      answer.unholdable_share > 0
        ? gettext(
            "{share} of the tasks fit no machine. Offer more of what they ask for, or make the constraint soft.",
            { share: percent(answer.unholdable_share) },
          )
        : "";
    const relaxed =
      answer.relaxed_share > 0
        ? gettext("{share} of the tasks can run only if a soft constraint is relaxed, and then they run longer.", {
            share: percent(answer.relaxed_share),
          })
        : "";
    this.warning.hidden = !nowhere && !relaxed;
    this.warning.textContent = [nowhere, relaxed].filter(Boolean).join(" ");
  }

  /** @param {ConstraintAnswer} answer */
  #eligible(answer) {
    const head = h(
      "div",
      { class: "picture-row picture-heads", role: "row" },
      [gettext("Constraints"), gettext("tasks"), gettext("machines, mean"), gettext("least")].map((text, index) =>
        h("span", { role: "columnheader" }, index ? text : h("span", { class: "visually-hidden" }, text)),
      ),
    );
    /** @param {number} share */
    const machines = (share) => whole(Math.round(share * answer.machines));
    this.eligible.replaceChildren(
      head,
      ...answer.eligible.map((each) =>
        h(
          "div",
          { class: "picture-row", role: "row" },
          h("span", { role: "rowheader" }, `${each.constraints}`),
          h(
            "span",
            { class: "picture-cell", role: "cell" },
            meter(
              "ask",
              each.tasks,
              gettext("{tasks} of the tasks have {constraints} constraints.", {
                tasks: percent(each.tasks),
                constraints: each.constraints,
              }),
            ),
            percent(each.tasks),
          ),
          h(
            "span",
            { class: "picture-cell", role: "cell" },
            meter(
              "offer",
              each.machines.mean,
              gettext("On average {mean} of the machines fit such a task; {least} fit the most constrained one.", {
                mean: percent(each.machines.mean),
                least: percent(each.machines.least),
              }),
            ),
            percent(each.machines.mean),
          ),
          h(
            "span",
            { role: "cell", class: each.machines.least === 0 ? "is-tight" : "" },
            machines(each.machines.least),
          ),
        ),
      ),
    );
  }

  /** @param {ConstraintAnswer} answer */
  #axes(answer) {
    const known = answer.axes.filter((each) => each.constraints);
    this.axesNote.hidden = known.length > 0;
    this.axesNote.textContent = gettext(
      "This catalogue's source does not say which resources its constraints concern.",
    );
    this.axes.hidden = !known.length;
    const most = Math.max(1, ...known.flatMap((each) => [each.supply, each.demand]));
    this.axes.replaceChildren(
      ...(known.length ? answer.axes : []).map((each) =>
        h(
          "div",
          { class: "picture-row picture-axis", role: "row" },
          h("span", { role: "rowheader" }, AXIS_WORDS[each.axis]),
          h(
            "span",
            { class: "picture-pair", role: "cell" },
            meter(
              "offer",
              each.supply / most,
              gettext("Supply: the sum over {constraints} constraints is {supply}.", {
                constraints: each.constraints,
                supply: three(each.supply),
              }),
            ),
            meter(
              "ask",
              each.demand / most,
              gettext("Demand: the sum over {constraints} constraints is {demand}.", {
                constraints: each.constraints,
                demand: three(each.demand),
              }),
            ),
          ),
          h(
            "span",
            { role: "cell", class: (each.crv ?? 0) > 1 ? "is-tight" : "" },
            each.constraints
              ? each.crv === null
                ? gettext("none offer")
                : `${(each.crv ?? 0) > 1 ? "▲ " : ""}${three(each.crv)}`
              : "–",
          ),
        ),
      ),
    );
  }
}

/** @param {string[]} names */
function list(names) {
  if (!names.length) return "nothing";
  return names.length < 2
    ? names[0]
    : gettext("{names} and {last}", { names: names.slice(0, -1).join(", "), last: names.at(-1) });
}
