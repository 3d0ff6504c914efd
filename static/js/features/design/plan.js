/** The datacenter laid out by hand: a page of the sheet over the map. */

import { problemText } from "../../experiment/problems.js";
import { isPartitioned, queuesOf } from "../../experiment/experiment.js";
import { three, whole } from "../../kit/format.js";
import { moveGroup } from "./topology_edits.js";
import { clustersOf, itemAt, itemWords, keyOf, totals } from "../../experiment/topology.js";
import { offersOf } from "./topology_offers.js";
import { h, onTheme, targetOf } from "../../kit/dom.js";
import { keysDialog } from "../../kit/key_list.js";
import { shareBar } from "../../experiment/forms/share_bar.js";
import { fieldsOf } from "./fields_of.js";
import { makers } from "./makers.js";
import { planKey } from "./plan_keys.js";
import { itemFrom, onClipboard, openContext, wireEdge, wirePart } from "./plan_gestures.js";
import { planTools } from "./plan_tools.js";
import { planElements } from "./plan_view.js";
import { counted } from "../../kit/counts.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { Problem } from "../../experiment/problems.js"
 * @import { Item } from "../../experiment/topology.js"
 * @import { Studio } from "../../studio/store.js"
 * @import { Made } from "./topology_edits.js"
 * @import { Offer } from "./topology_offers.js"
 */

export default {
  id: "topology",
  title: gettext("Datacenter"),
  question: gettext("Where do tasks run, and who serves which queue?"),
  /**
   * @param {HTMLElement} form
   * @param {HTMLElement} picture
   */
  mount(form, picture, /** @type {Studio} */ studio) {
    return new Plan(form, picture, studio);
  },
};

/** The drawing of the datacenter, the fields of its selected part, and what makes whole datacenters. */
export class Plan {
  /**
   * @param {HTMLElement} form
   * @param {HTMLElement} picture
   */
  constructor(form, picture, /** @type {Studio} */ studio) {
    this.studio = studio;
    /** @type {Item} */
    this.selected = { kind: "cluster", cluster: 0 };
    /** @type {Set<string>} */
    this.also = new Set();
    /** @type {Map<string, string>} */
    this.problemsOf = new Map();
    this.wantsFocus = false;
    /** @type {HTMLElement | null} */
    this.masterTool = null;
    this.sum = h("p", { class: "design-sum", "data-design-sum": true });
    this.trouble = h("p", { class: "knob-problem", role: "alert", hidden: true });
    this.said = h("p", { class: "visually-hidden", "aria-live": "polite" });
    this.bar = shareBar((queues) => this.edit("shares", (one) => ({ ...one, queues })));
    this.tree = h("div", {
      class: "plan",
      role: "tree",
      "aria-label": gettext("The datacenter"),
      "aria-multiselectable": "true",
    });
    this.palette = h(
      "div",
      { class: "design-palette", role: "toolbar", "aria-label": gettext("Add by dragging or clicking") },
      h("span", { class: "plan-quiet" }, gettext("Drag in:")),
      planTools(this),
    );
    const keys = h("button", { class: "link", type: "button", onclick: () => keysDialog("studio") }, gettext("Keys"));
    form.append(
      h("div", { class: "editor-line design-top" }, this.palette, keys),
      this.sum,
      this.trouble,
      this.tree,
      h("p", { class: "plan-head design-bar-head" }, gettext("Shares of the queues")),
      this.bar.element,
      this.said,
    );
    this.fields = fieldsOf(
      (key, change) => this.edit(key, change),
      (offer) => this.do(offer),
    );
    this.makers = makers({
      now: () => studio.opened,
      replace: (next) => {
        if (this.readOnly) return;
        this.also.clear();
        this.selected = { kind: "cluster", cluster: 0 };
        studio.replace(next);
      },
      say: (text) => this.say(text),
    });
    picture.append(this.fields.element, this.makers.element);
    this.#listen();
  }

  #listen() {
    // Enter leads from a part to its fields, and Escape back.
    this.fields.element.addEventListener(
      "keydown",
      (event) => {
        if (event.key !== "Escape" || !targetOf(event).matches("input, select")) return;
        targetOf(event).addEventListener("keydown", (own) => own.stopPropagation(), { once: true });
        setTimeout(() => this.elementOf(this.selected)?.focus()); // once the field has put back what was in it
      },
      true,
    );
    this.tree.addEventListener("keydown", (event) => planKey(this, event));
    this.tree.addEventListener("focusin", (event) => {
      const key = targetOf(event).dataset?.key;
      if (key && key !== keyOf(this.selected)) this.select(itemFrom(key));
    });
    this.tree.addEventListener("contextmenu", (event) => openContext(this, event));
    for (const name of ["copy", "cut", "paste"])
      this.tree.addEventListener(name, (event) => onClipboard(this, /** @type {ClipboardEvent} */ (event)));
    onTheme(() => {
      if (this.tree.isConnected) this.experiment(this.studio.opened);
    });
  }

  get partitioned() {
    return !this.studio.chosen || isPartitioned(this.studio.chosen);
  }

  /** Somebody else's, or held by a lesson. */
  get readOnly() {
    return this.studio.readOnly || ["datacenter", "queues"].some((name) => this.studio.lesson?.locked(name));
  }

  /** The cluster of the selected part, or of the cluster that it is. */
  get #cluster() {
    return "cluster" in this.selected ? this.selected.cluster : undefined;
  }

  get alsoClusters() {
    return [...this.also].map((key) => Number(key.split(":")[1])).filter((cluster) => cluster !== this.#cluster);
  }

  /** Nothing is asked of the server here: previews and the run answer. */
  asks() {
    return false;
  }

  /**
   * Change the experiment as a knob does.
   * @param {string} key
   * @param {(experiment: Experiment) => Experiment | null} change
   */
  edit(key, change) {
    if (this.readOnly) return;
    const next = change(this.studio.opened);
    if (next && JSON.stringify(next) !== JSON.stringify(this.studio.opened)) this.studio.replace(next, false, key);
  }

  /**
   * Make a change that says what is selected after it.
   * @param {Made | null} made
   */
  make(made, say = "") {
    if (!made || this.readOnly) return;
    this.trouble.hidden = true;
    this.also.clear();
    if (made.item) this.selected = made.item;
    this.wantsFocus = true;
    this.studio.replace(made.experiment);
    this.say(say || itemWords(this.studio.opened, this.selected, this.partitioned));
  }

  /** @param {Offer} offer */
  do(offer) {
    this.make(offer.act(this.studio.opened), `${offer.label}.`);
  }

  /** @param {string} text */
  say(text) {
    this.said.textContent = text;
  }

  /**
   * Say why nothing is done.
   * @param {string} text
   */
  refuse(text) {
    this.trouble.textContent = text;
    this.trouble.hidden = false;
  }

  /** Where one is when the page is opened by a key. */
  focus() {
    this.elementOf(this.selected)?.focus({ preventScroll: true });
  }

  /**
   * A group of machines goes to another cluster, if its own keeps one.
   * @param {Extract<Item, {kind: "group"}>} item
   * @param {number} cluster
   */
  moveTo(item, cluster) {
    const made = moveGroup(this.studio.opened, item, cluster);
    if (made) this.make(made);
    else
      this.refuse(
        gettext(
          "A cluster keeps at least one group of machines. Merge the clusters, or copy the " +
            "group and delete the cluster.",
        ),
      );
  }

  /**
   * `several`: the cluster is added to those that are marked, or taken from them; `keep`: the marks stay.
   * @param {Item} item
   */
  select(item, { several = false, keep = false } = {}) {
    if (several && this.selected?.kind === "cluster") {
      const key = keyOf(item);
      if (this.also.has(key)) this.also.delete(key);
      else {
        this.also.add(keyOf(this.selected));
        this.also.add(key);
      }
    } else if (!keep) this.also.clear();
    if (keyOf(item) !== keyOf(this.selected)) this.trouble.hidden = true;
    this.selected = item;
    this.wantsFocus = true;
    this.experiment(this.studio.opened);
  }

  offers() {
    return offersOf(this.studio.opened, this.selected, { also: this.alsoClusters, partitioned: this.partitioned });
  }

  /** @param {Item} item */
  elementOf(item) {
    return this.tree.querySelector(`[data-key="${keyOf(item)}"]`);
  }

  mark() {
    const key = keyOf(this.selected);
    if (this.also.has(key)) this.also.delete(key);
    else this.also.add(key);
    const marked = [...this.also];
    this.experiment(this.studio.opened);
    this.say(gettext("{count} selected.", { count: marked.length }));
  }

  /** @param {Experiment} experiment */
  experiment(experiment) {
    const { readOnly } = this;
    if (!itemAt(experiment, this.selected))
      this.selected = {
        kind: "cluster",
        cluster: Math.max(0, Math.min(clustersOf(experiment).length - 1, this.#cluster ?? 0)),
      };
    const focused = this.tree.contains(document.activeElement) || this.wantsFocus;
    this.wantsFocus = false;
    const state = {
      experiment,
      partitioned: this.partitioned,
      selected: this.selected,
      also: this.also,
      problems: this.problemsOf,
      readOnly,
    };
    this.tree.replaceChildren(
      ...planElements(state, {
        wire: (element, item) => wirePart(this, element, item),
        edge: (element, item, what) => wireEdge(this, element, item, what),
      }),
    );
    if (focused) this.elementOf(this.selected)?.focus({ preventScroll: true });
    const sum = totals(experiment);
    this.sum.textContent = gettext("{machines} machines in {clusters} and {racks}; {cpus} CPUs{memory}{gpus}", {
      machines: whole(sum.machines),
      clusters: counted.cluster(sum.clusters),
      racks: counted.rack(sum.racks),
      cpus: three(sum.cpus),
      memory: sum.memory_gb ? gettext(", {memory} GB", { memory: three(sum.memory_gb) }) : "",
      gpus: sum.gpus ? gettext(", {gpus} GPUs", { gpus: three(sum.gpus) }) : "",
    });
    this.bar.set(queuesOf(experiment), this.partitioned);
    this.bar.disable(readOnly);
    this.palette.hidden = readOnly;
    if (this.masterTool) this.masterTool.hidden = !this.partitioned;
    this.fields.set({
      experiment,
      item: this.selected,
      partitioned: this.partitioned,
      offers: this.offers(),
      readOnly,
    });
    this.makers.disable(readOnly);
  }

  /** @param {Problem[]} all */
  problems(all) {
    /** @param {Problem} each */
    const text = (each) => problemText(each);
    const before = JSON.stringify([...this.problemsOf]);
    this.problemsOf = new Map();
    const placed = this.fields.problems(all, text);
    for (const each of all) {
      const item = itemOf(each.path);
      if (item && itemAt(this.studio.opened, item)) {
        this.problemsOf.set(keyOf(item), text(each));
        if (!placed.includes(each)) placed.push(each);
      }
    }
    if (JSON.stringify([...this.problemsOf]) !== before) this.experiment(this.studio.opened);
    return placed;
  }
}

/**
 * The item that a problem's path belongs to.
 * @param {string} path
 * @returns {Item | null}
 */
function itemOf(path) {
  const group = /^topology\.clusters\[(\d+)\]\.machines\[(\d+)\]/.exec(path);
  if (group) return { kind: "group", cluster: Number(group[1]), group: Number(group[2]) };
  const one = /^(?:topology\.clusters|(queues))\[(\d+)\]/.exec(path);
  if (one) return one[1] ? { kind: "queue", queue: Number(one[2]) } : { kind: "cluster", cluster: Number(one[2]) };
  return path.startsWith("topology.global_masters") ? { kind: "master", master: 0 } : null;
}
