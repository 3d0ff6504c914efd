/**
 * The fields and actions of the selected item: for exact numbers, for the keyboard, and for devices without a right
 * button.
 */

import { setAt } from "../../experiment/experiment.js";
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
import { drawing, Form, numeric, problemView } from "../../experiment/forms/fields.js";
import { element, html, ifDefined, nothing, repeat } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { EntryAbout } from "../../experiment/forms/fields.js"
 * @import { Problem } from "../../experiment/problems.js"
 * @import { Item } from "../../experiment/topology.js"
 * @import { Offer } from "./topology_offers.js"
 */

/**
 * @typedef {{key: string, label: string, help?: string, fallback?: number, text?: boolean,
 *   optional?: boolean}} FieldSpec
 */

/** @param {string} key @param {string} label */
const count = (key, label, help = "") => ({ key, label, help, fallback: 1 });

/**
 * Return the fields of a cluster. `masters`: true if each cluster has a Local Master.
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
 * Return the value of a field's text; undefined for an empty optional field.
 * @param {FieldSpec} spec
 * @param {string} text
 */
function asked(spec, text) {
  if (spec.optional && text === "") return undefined;
  return spec.text ? text : numeric(text);
}

/**
 * @typedef {{experiment: Experiment, item: Item | null, partitioned: boolean, offers: Offer[],
 *   readOnly: boolean}} Selected  the selected item and its actions
 */

/** The fields and actions of the selected item. */
export class ItemFields {
  /** @type {Selected | null} */
  #now = null;
  #draw;
  #form = new Form();

  /**
   * `edit(key, change)` changes the experiment; `act(offer)` runs an action on the item.
   * @param {(key: string, change: (experiment: Experiment) => Experiment) => void} edit
   * @param {(offer: Offer) => void} act
   */
  constructor(edit, act) {
    this.edit = edit;
    this.act = act;
    this.element = element("section", "design-part", () => nothing);
    this.element.setAttribute("aria-label", gettext("Selected"));
    this.#draw = drawing(this.element, () => (this.#now ? this.#view(this.#now) : nothing));
  }

  /** @param {Selected} now */
  #view(now) {
    const { experiment, item, partitioned, offers, readOnly } = now;
    this.#form.begin(readOnly);
    // The key contains the item, so that typed text does not carry over to another item's fields.
    const key = item ? keyOf(item) : "";
    return html`
      <h2 class="design-title">${item ? itemWords(experiment, item, partitioned) : gettext("Nothing is selected")}</h2>
      <div class="design-fields">${repeat([key], String, () => (item ? this.#fieldViews(now, item) : nothing))}</div>
      <div class="design-actions" role="group" aria-label=${gettext("Actions")} ?hidden=${readOnly || !offers.length}
        >${repeat(
          offers,
          (offer) => `${key}/${offer.id}`,
          (offer) => this.#offerView(offer),
        )}</div>`;
  }

  /** @param {Offer} offer */
  #offerView(offer) {
    const tip = [offer.help, offer.key && gettext("Key: {key}.", { key: offer.key })].filter(Boolean).join(" ");
    return html`<button
      class="button button-small"
      type="button"
      data-offer=${offer.id}
      data-tip=${ifDefined(tip || undefined)}
      @click=${() => this.act(offer)}
    >${offer.label}</button>`;
  }

  /**
   * @param {Selected} now
   * @param {Item} item
   */
  #fieldViews({ experiment, partitioned }, item) {
    if (item.kind === "cluster")
      return this.#textViews(experiment, item, clusterFields(partitioned), (one, change) =>
        changeCluster(one, item.cluster, change),
      );
    if (item.kind === "group")
      return this.#textViews(experiment, item, GROUP, (one, change) => changeGroup(one, item, change));
    return item.kind === "queue" ? this.#queueViews(experiment, item, partitioned) : this.#mastersView(experiment);
  }

  /**
   * Return a field with its label and its problem.
   * @param {EntryAbout & {path: string, words?: string}} about  `words`: text before the field, if it is not its name
   * @param {(text: string) => void} act
   */
  #rowView({ help, words, ...about }, act) {
    return html`<label class="design-field" data-tip=${ifDefined(help || undefined)}
        ><span class="knob-label">${words ?? about.label}</span>${this.#form.entry(about, act)}</label
      >${problemView(this.#form.wrong(about.path))}`;
  }

  /**
   * @param {Experiment} experiment
   * @param {Item} item
   * @param {FieldSpec[]} specs
   * @param {(experiment: Experiment, change: Record<string, unknown>) => Experiment} change
   */
  #textViews(experiment, item, specs, change) {
    const found = itemAt(experiment, item);
    return specs.map((spec) =>
      this.#rowView(
        {
          label: spec.label,
          help: spec.help,
          path: `${pathOf(item)}.${spec.key}`,
          numeric: !spec.text,
          wide: spec.text,
          value: found?.[spec.key] ?? (spec.optional ? "" : spec.text ? "lm" : spec.fallback),
        },
        (text) => this.edit("", (one) => change(one, { [spec.key]: asked(spec, text) })),
      ),
    );
  }

  /**
   * @param {Experiment} experiment
   * @param {Extract<Item, {kind: "queue"}>} item
   * @param {boolean} partitioned
   */
  #queueViews(experiment, item, partitioned) {
    const { edit } = this;
    const found = itemAt(experiment, item);
    const masters = mastersOf(experiment);
    const named = [{ key: "name", label: gettext("Name"), text: true, help: gettext("Jobs and events name it.") }];
    const change = (/** @type {Experiment} */ one, /** @type {Record<string, unknown>} */ next) =>
      changeQueue(one, item.queue, next);
    const share = this.#rowView(
      {
        label: gettext("Share in percent"),
        words: gettext("Share, %"),
        path: `${pathOf(item)}.share`,
        numeric: true,
        help: gettext("The other shares keep their proportions; the sum stays the same."),
        value: three(100 * (found?.share ?? 0)),
      },
      (text) => {
        const value = Number(text.replace(",", "."));
        edit("", (one) => (Number.isFinite(value) ? setQueueShare(one, item.queue, value / 100) : one));
      },
    );
    const master = this.#form.choice(
      {
        label: gettext("Served by"),
        path: `${pathOf(item)}.global_master`,
        choices: Array.from({ length: masters }, (_, place) => [
          String(place),
          gettext("Master {master}", { master: place }),
        ]),
        value: String(found?.global_master ?? item.queue % masters),
        hidden: !partitioned,
      },
      (value) => edit("", (one) => serve(one, item.queue, Number(value))),
    );
    return [
      this.#textViews(experiment, item, named, change),
      share,
      this.#textViews(experiment, item, QUEUE, change),
      partitioned ? master : nothing,
    ];
  }

  /** @param {Experiment} experiment */
  #mastersView(experiment) {
    const path = "topology.global_masters";
    return this.#rowView(
      {
        label: gettext("Global Masters"),
        path,
        numeric: true,
        help: gettext("Each Global Master owns a part of every cluster."),
        value: mastersOf(experiment),
      },
      (text) =>
        this.edit("", (one) => {
          const value = numeric(text);
          return typeof value === "number" && value >= 1 ? setMasters(one, value) : setAt(one, path, value);
        }),
    );
  }

  /** Focus the first field, for Enter on the plan. */
  focus() {
    const first = /** @type {HTMLInputElement | null} */ (
      this.element.querySelector(".design-fields input, .design-fields select")
    );
    first?.focus();
    first?.select?.();
  }

  /**
   * @param {Problem[]} all
   * @param {(problem: Problem) => string} text
   */
  problems(all, text) {
    return this.#form.problems(all, text);
  }

  /** @param {Selected} now */
  set(now) {
    this.#now = now;
    this.#draw();
  }
}
