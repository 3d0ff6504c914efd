/**
 * The effect of constraints: how many tasks have them, how many machines remain eligible, and what each cluster offers.
 */

import { percent, three, whole } from "../../kit/format.js";
import { HeatMap } from "./heat_map.js";
import { gettext } from "../../kit/words.js";
import { clusterName } from "../../kit/names.js";
import { element, html, nothing, signal } from "../../kit/view.js";

/**
 * @import { Catalogue } from "./constraints.js"
 */

/**
 * @typedef {{name: string, supply: number[]}} ClusterSupply  the fraction of its machines that offers each constraint
 * @typedef {{constrained_share: number, unholdable_share: number, relaxed_share: number, sampled_tasks: number,
 *   machines: number, constraints: {name: string, demand: number}[], clusters: ClusterSupply[],
 *   eligible: {constraints: number, tasks: number, machines: {mean: number, least: number}}[],
 *   axes: {axis: string, constraints: number, supply: number, demand: number, crv: number | null}[],
 *   machine: {machine: number, cluster: string, offers: string[]} | null,
 *   task: {task: number, asks: string[], machines: number} | null}} ConstraintAnswer  a preview from the server
 */

/** @type {Record<string, string>} */
const AXIS_WORDS = { cpu: "CPU", memory: "memory", disk: "disk", os: "OS", clock: "clock", network: "network" };

/** The picture of constraints. Parts that need the server's preview stay empty until it arrives. */
export class ConstraintPicture {
  #answer = signal(/** @type {ConstraintAnswer | null} */ (null));
  #none = signal(false);
  /** @type {(name: string) => string} */
  #label = (name) => name;
  heat = new HeatMap();

  /** @param {HTMLElement} parent */
  constructor(parent) {
    parent.append(
      element(
        "div",
        "",
        () => html`
          <div ?hidden=${this.#none.value}>${this.#content()}</div>
          <p class="editor-about picture-empty" ?hidden=${!this.#none.value}>${gettext(
            "Without constraints every machine is eligible for every task.",
          )}</p>`,
      ),
    );
  }

  empty() {
    this.#none.value = true;
  }

  /** Show the state before the preview arrives. */
  rows() {
    this.#none.value = false;
  }

  /**
   * @param {ConstraintAnswer} answer
   * @param {Catalogue | undefined} catalogue
   */
  show(answer, catalogue) {
    this.#none.value = !answer.constraints.length;
    if (!answer.constraints.length) return;
    const labels = new Map((catalogue?.constraints ?? []).map((each) => [each.name, each.label]));
    this.#label = (name) => labels.get(name) ?? name;
    this.#answer.value = answer;
    this.heat.set(
      answer.clusters,
      answer.constraints.map((each) => this.#label(each.name)),
    );
  }

  #content() {
    const answer = this.#answer.value;
    const warning = answer ? warningOf(answer) : "";
    return html`
      <p class="editor-about picture-waiting">${gettext("Drawing a sample…")}</p>
      <dl class="big-numbers" aria-live="polite">${answer ? numbersView(answer) : nothing}</dl>
      <p class="editor-warning" ?hidden=${!warning}>${warning}</p>
      ${partView(
        gettext("Eligible machines"),
        gettext("by number of constraints per task"),
        html`
          <div
            class="picture-table"
            role="table"
            data-eligible
            aria-label=${gettext("Eligible machines by number of constraints")}
            >${answer ? eligibleView(answer) : nothing}</div>`,
      )}
      ${partView(
        gettext("Kinds"),
        gettext("demand over supply, by kind of resource"),
        answer ? axesView(answer) : nothing,
      )}
      ${partView(gettext("Supply"), gettext("by cluster"), this.heat.element)}
      ${partView(
        gettext("One of each"),
        gettext("as drawn"),
        html`
          <p class="sample">${answer ? machineWords(answer, this.#label) : nothing}</p>
          <p class="sample">${answer ? taskWords(answer, this.#label) : nothing}</p>`,
      )}`;
  }
}

/**
 * @param {string} title
 * @param {string} about
 * @param {unknown} content
 */
const partView = (title, about, content) => html`
  <section class="picture-part">
    <h2><span class="panel-title">${title}</span> <span class="panel-question">${about}</span></h2>
    ${content}
  </section>`;

/**
 * @param {"ask" | "offer"} kind
 * @param {number} share
 * @param {string} tip
 */
const meterView = (kind, share, tip) => html`
  <span class="meter" data-tip=${tip}
    ><span class="meter-fill meter-${kind}" .style=${`width: ${Math.min(1, share) * 100}%`}></span></span>`;

/**
 * @param {string} label
 * @param {string} value
 * @param {string} tip
 */
const numberView = (label, value, tip, alarm = false) => html`
  <div class=${alarm ? "is-alarm" : ""} data-tip=${tip}><dd>${value}</dd><dt>${label}</dt></div>`;

/**
 * Return the three numbers at the top.
 * @param {ConstraintAnswer} answer
 */
function numbersView(answer) {
  const least = Math.min(1, ...answer.eligible.filter((each) => each.constraints).map((each) => each.machines.least));
  return [
    numberView(
      gettext("of the tasks have constraints"),
      percent(answer.constrained_share),
      gettext("Of {tasks} tasks, sampled as for a run.", { tasks: whole(answer.sampled_tasks) }),
    ),
    numberView(
      gettext("fit no machine"),
      percent(answer.unholdable_share),
      gettext("Tasks whose constraints no machine meets. They never start."),
      answer.unholdable_share > 0,
    ),
    numberView(
      gettext("machines for the most constrained task"),
      whole(Math.round(least * answer.machines)),
      gettext("Of {machines} machines, for the task with the fewest eligible machines.", {
        machines: whole(answer.machines),
      }),
    ),
  ];
}

/**
 * Return a warning about the numbers; "" for none.
 * @param {ConstraintAnswer} answer
 */
function warningOf(answer) {
  const nowhere =
    answer.unholdable_share > 0
      ? gettext("{share} of the tasks fit no machine. Offer more of what they ask for, or make the constraint soft.", {
          share: percent(answer.unholdable_share),
        })
      : "";
  const relaxed =
    answer.relaxed_share > 0
      ? gettext("{share} of the tasks can run only if a soft constraint is relaxed, and then they run longer.", {
          share: percent(answer.relaxed_share),
        })
      : "";
  return [nowhere, relaxed].filter(Boolean).join(" ");
}

/** @param {ConstraintAnswer} answer */
const eligibleView = (answer) => html`
  <div class="picture-row picture-heads" role="row"
    ><span role="columnheader"><span class="visually-hidden">${gettext("Constraints")}</span></span
    ><span role="columnheader">${gettext("tasks")}</span
    ><span role="columnheader">${gettext("machines, mean")}</span
    ><span role="columnheader">${gettext("least")}</span
  ></div>
  ${answer.eligible.map(
    ({ constraints, tasks, machines: { mean, least } }) => html`
      <div class="picture-row" role="row"
        ><span role="rowheader">${constraints}</span
        ><span class="picture-cell" role="cell">${meterView(
          "ask",
          tasks,
          gettext("{tasks} of the tasks have {constraints} constraints.", { tasks: percent(tasks), constraints }),
        )}${percent(tasks)}</span
        ><span class="picture-cell" role="cell">${meterView(
          "offer",
          mean,
          gettext("On average {mean} of the machines fit such a task; {least} fit the most constrained one.", {
            mean: percent(mean),
            least: percent(least),
          }),
        )}${percent(mean)}</span
        ><span role="cell" class=${least === 0 ? "is-tight" : ""}>${whole(Math.round(least * answer.machines))}</span
      ></div>`,
  )}`;

/**
 * Return demand over supply for each kind of resource, or a note if the catalogue does not name any.
 * @param {ConstraintAnswer} answer
 */
function axesView({ axes }) {
  const known = axes.filter((each) => each.constraints);
  if (!known.length)
    return html`<p class="editor-about">${gettext(
      "This catalogue's source does not say which resources its constraints concern.",
    )}</p>`;
  const most = Math.max(1, ...known.flatMap((each) => [each.supply, each.demand]));
  return html`
    <div class="picture-table" role="table" aria-label=${gettext("The six kinds of resources")}
      >${axes.map((each) => axisView(each, most))}</div>`;
}

/**
 * @param {ConstraintAnswer["axes"][number]} axis
 * @param {number} most  the largest supply or demand, which sets the meters' length
 */
function axisView({ axis, constraints, supply, demand, crv }, most) {
  const tight = (crv ?? 0) > 1;
  const ratio = !constraints ? "–" : crv === null ? gettext("none offer") : `${tight ? "▲ " : ""}${three(crv)}`;
  const supplied = gettext("Supply: the sum over {constraints} constraints is {supply}.", {
    constraints,
    supply: three(supply),
  });
  const asked = gettext("Demand: the sum over {constraints} constraints is {demand}.", {
    constraints,
    demand: three(demand),
  });
  return html`
    <div class="picture-row picture-axis" role="row"
      ><span role="rowheader">${AXIS_WORDS[axis]}</span
      ><span class="picture-pair" role="cell"
        >${meterView("offer", supply / most, supplied)}${meterView("ask", demand / most, asked)}</span
      ><span role="cell" class=${tight ? "is-tight" : ""}>${ratio}</span
    ></div>`;
}

/**
 * Describe the sample's machine.
 * @param {ConstraintAnswer} answer
 * @param {(name: string) => string} label
 */
function machineWords({ machine, clusters }, label) {
  if (!machine) return "";
  const offers = list(machine.offers.map(label));
  return clusters.length > 1
    ? gettext("Machine {machine} of {cluster} offers {offers}.", {
        machine: whole(machine.machine),
        cluster: clusterName(machine.cluster),
        offers,
      })
    : gettext("Machine {machine} offers {offers}.", { machine: whole(machine.machine), offers });
}

/**
 * Describe the sample's task.
 * @param {ConstraintAnswer} answer
 * @param {(name: string) => string} label
 */
function taskWords({ task }, label) {
  if (!task) return "";
  return gettext("Task {task} asks for {asks}: {machines}.", {
    task: whole(task.task),
    asks: list(task.asks.map(label)),
    machines: task.machines
      ? gettext("{machines} machines offer that", { machines: whole(task.machines) })
      : gettext("no machine offers that"),
  });
}

/** @param {string[]} names */
function list(names) {
  if (!names.length) return "nothing";
  return names.length < 2
    ? names[0]
    : gettext("{names} and {last}", { names: names.slice(0, -1).join(", "), last: names.at(-1) });
}
