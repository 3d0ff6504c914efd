/**
 * Fields of what is selected, and what may be done to it: for exact numbers, for the keyboard, and where there is no
 * right button.
 */

import { queuesOf, setAt } from "../../experiment/experiment.js";
import { three } from "../../kit/format.js";
import {
  changeCluster,
  changeGroup,
  itemAt,
  itemWords,
  keyOf,
  mastersOf,
  pathOf,
  setMasters,
} from "../../experiment/topology.js";
import { changeQueue, serve, setQueueShare } from "./topology_edits.js";
import { choice, entry, Fields, numeric } from "../../experiment/forms/fields.js";
import { h } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { Problem } from "../../experiment/problems.js"
 * @import { Item } from "../../experiment/topology.js"
 * @import { Offer } from "./topology_offers.js"
 */

/**
 * @param {string} key
 * @param {string} label
 * @param {string} help
 */
/**
 * @param {string} key
 * @param {string} label
 * @param {string} help
 * @typedef {{key: string, label: string, help?: string, fallback?: number, text?: boolean,
 *   optional?: boolean}} FieldSpec
 */

const count = (key, label, help = "") => ({ key, label, help, fallback: 1 });

/**
 * `masters`: whether each cluster has a Local Master.
 * @param {boolean} masters
 */
const clusterFields = (masters) => [
  {
    key: "name",
    label: gettext("Name"),
    text: true,
    help: masters
      ? gettext(
          "Its Local Master has the same name. Clusters named lm-0, lm-1 and so on appear as Cluster 0, Cluster 1.",
        )
      : gettext("Clusters named lm-0, lm-1 and so on appear as Cluster 0, Cluster 1."),
  },
  count(
    "repeat",
    gettext("Number of copies"),
    masters
      ? gettext("The copies are called name-0, name-1 and so on. Each has a Local Master.")
      : gettext("The copies are called name-0, name-1 and so on."),
  ),
  count(
    "racks",
    gettext("Racks per cluster"),
    gettext("Machines are spread evenly over the racks, in order. A rack fails as a whole."),
  ),
];
const GROUP = [
  count("count", gettext("Machines")),
  { key: "cpus", label: gettext("CPUs"), fallback: 1, help: gettext("Of one machine.") },
  {
    key: "memory_gb",
    label: gettext("Memory, GB"),
    fallback: 0,
    help: gettext("Of one machine. Counts only when tasks ask for memory."),
  },
  { key: "gpus", label: gettext("GPUs"), fallback: 0 },
];

const QUEUE = [
  {
    key: "parent",
    label: gettext("Group"),
    text: true,
    optional: true,
    help: gettext("A group in a group: research/vision. Mesos, DRF and Capacity share at each level."),
  },
  {
    key: "priority",
    label: gettext("Priority"),
    optional: true,
    help: gettext("Priority of tasks without one of their own. Tasks with a larger number go first."),
  },
];

/**
 * What a field's text stands for; nothing for an optional one that is empty.
 * @param {FieldSpec} spec
 * @param {string} text
 */
function asked(spec, text) {
  if (spec.optional && text === "") return undefined;
  return spec.text ? text : numeric(text);
}

/**
 * `edit(key, change)` changes the experiment; `act(offer)` does something to the item.
 * @param {(key: string, change: (experiment: Experiment) => Experiment) => void} edit
 * @param {(offer: Offer) => void} act
 */
export function fieldsOf(edit, act) {
  return new ItemFields(edit, act);
}

/** The fields of the selected part, and what may be done to it. */
export class ItemFields {
  /**
   * @param {(key: string, change: (experiment: Experiment) => Experiment) => void} edit
   * @param {(offer: Offer) => void} act
   */
  constructor(edit, act) {
    this.edit = edit;
    this.act = act;
    this.title = h("h2", { class: "design-title" });
    this.list = h("div", { class: "design-fields" });
    this.actions = h("div", {
      class: "design-actions",
      role: "group",
      "aria-label": gettext("Actions"),
    });
    this.element = h(
      "section",
      { class: "design-part", "aria-label": gettext("Selected") },
      this.title,
      this.list,
      this.actions,
    );
    this.fields = new Fields();
    this.shownFor = "";
    /** @type {((experiment: Experiment, readOnly: boolean) => void)[]} */
    this.setters = [];
  }

  /**
   * @param {string} label
   * @param {any} control
   * @param {string} [help]
   */
  #row(label, control, help) {
    const problem = h("p", { class: "knob-problem", role: "alert", hidden: true });
    this.list.append(
      h(
        "label",
        { class: "design-field", "data-tip": help || null },
        h("span", { class: "knob-label" }, label),
        control.element,
      ),
      problem,
    );
    this.fields.add({
      path: control.path,
      problem(text) {
        control.problem(text);
        problem.hidden = !text;
        problem.textContent = text;
      },
    });
  }

  /**
   * `show(experiment)` gives what the control says.
   * @param {any} control
   * @param {(experiment: Experiment) => any} show
   */
  #setter(control, show) {
    this.setters.push((experiment, readOnly) => {
      control.set(show(experiment));
      control.disable(readOnly);
    });
  }

  /**
   * @param {Item} item
   * @param {FieldSpec[]} specs
   * @param {(experiment: Experiment, change: Record<string, any>) => Experiment} change
   */
  #texts(item, specs, change) {
    for (const spec of specs) {
      const control = entry(
        { label: spec.label, path: `${pathOf(item)}.${spec.key}`, numeric: !spec.text, wide: spec.text },
        (text) => this.edit("", (one) => change(one, { [spec.key]: asked(spec, text) })),
      );
      this.#row(spec.label, control, spec.help);
      this.#setter(control, (experiment) => {
        const absent = spec.text ? "lm" : spec.fallback;
        const value = itemAt(experiment, item)?.[spec.key] ?? (spec.optional ? "" : absent);
        return typeof value === "number" ? String(value) : value;
      });
    }
  }

  /**
   * @param {Extract<Item, {kind: "queue"}>} item
   * @param {boolean} partitioned
   */
  #queue(item, partitioned) {
    const { edit } = this;
    const named = [{ key: "name", label: gettext("Name"), text: true, help: gettext("Jobs and events name it.") }];
    this.#texts(item, named, (one, change) => changeQueue(one, item.queue, change));
    const share = entry(
      { label: gettext("Share in percent"), path: `${pathOf(item)}.share`, numeric: true },
      (text) => {
        const value = Number(text.replace(",", "."));
        edit("", (one) => (Number.isFinite(value) ? setQueueShare(one, item.queue, value / 100) : one));
      },
    );
    this.#row("Share, %", share, gettext("The other shares keep their proportions; the sum stays the same."));
    this.#setter(share, (experiment) => three(100 * (itemAt(experiment, item)?.share ?? 0)));
    this.#texts(item, QUEUE, (one, change) => changeQueue(one, item.queue, change));
    if (!partitioned) return;
    const master = choice({ label: gettext("Served by"), path: `${pathOf(item)}.global_master` }, (value) =>
      edit("", (one) => serve(one, item.queue, Number(value))),
    );
    this.list.append(master.element);
    this.fields.add(master);
    this.setters.push((experiment, readOnly) => {
      const masters = mastersOf(experiment);
      master.set(
        String(itemAt(experiment, item)?.global_master ?? item.queue % masters),
        Array.from({ length: masters }, (_, place) => [String(place), gettext("Master {master}", { master: place })]),
      );
      master.disable(readOnly);
    });
  }

  #masters() {
    const path = "topology.global_masters";
    const control = entry({ label: gettext("Global Masters"), path, numeric: true }, (text) =>
      this.edit("", (one) => {
        const value = numeric(text);
        return typeof value === "number" && value >= 1 ? setMasters(one, value) : setAt(one, path, value);
      }),
    );
    this.#row(gettext("Global Masters"), control, gettext("Each Global Master owns a part of every cluster."));
    this.#setter(control, (experiment) => String(mastersOf(experiment)));
  }

  /**
   * @param {Item | null} item
   * @param {boolean} partitioned
   */
  #build(item, partitioned) {
    this.list.replaceChildren();
    this.fields.clear();
    this.setters = [];
    if (item?.kind === "cluster")
      this.#texts(item, clusterFields(partitioned), (one, change) => changeCluster(one, item.cluster, change));
    if (item?.kind === "group") this.#texts(item, GROUP, (one, change) => changeGroup(one, item, change));
    if (item?.kind === "queue") this.#queue(item, partitioned);
    if (item?.kind === "master") this.#masters();
  }

  /** The first field, for Enter on the plan. */
  focus() {
    const first = this.list.querySelector("input, select");
    first?.focus();
    first?.select?.();
  }

  /**
   * @param {Problem[]} all
   * @param {(problem: Problem) => string} text
   */
  problems(all, text) {
    return this.fields.problems(all, text);
  }

  /**
   * @param {{experiment: Experiment, item: Item | null, partitioned: boolean, offers: Offer[], readOnly:
   *   boolean}} options
   */
  set({ experiment, item, partitioned, offers, readOnly }) {
    const queues = item?.kind === "queue" ? queuesOf(experiment).length : "";
    const key = `${item ? keyOf(item) : ""}/${partitioned}/${queues}`;
    if (key !== this.shownFor) {
      this.shownFor = key;
      this.#build(item, partitioned);
    }
    this.title.textContent = item ? itemWords(experiment, item, partitioned) : gettext("Nothing is selected");
    for (const each of this.setters) each(experiment, readOnly);
    this.#offer(offers, key, readOnly);
  }

  /**
   * @param {Offer[]} offers
   * @param {string} key
   * @param {boolean} readOnly
   */
  #offer(offers, key, readOnly) {
    const { actions } = this;
    actions.hidden = readOnly || !offers.length;
    const names = offers.map((offer) => offer.label).join("/");
    if (actions.dataset.names === names && actions.dataset.of === key) return;
    actions.dataset.names = names;
    actions.dataset.of = key;
    actions.replaceChildren(
      ...offers.map((offer) =>
        h(
          "button",
          {
            class: "button button-small",
            type: "button",
            "data-offer": offer.id,
            "data-tip":
              [offer.help, offer.key && gettext("Key: {key}.", { key: offer.key })].filter(Boolean).join(" ") || null,
            onclick: () => this.act(offer),
          },
          offer.label,
        ),
      ),
    );
  }
}
