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

/** @import { Studio } from "../../studio/store.js" */

export default {
  id: "topology",
  title: gettext("Datacenter"),
  question: gettext("Where do tasks run, and who serves which queue?"),
  mount(form, picture, /** @type {Studio} */ studio) {
    return new Plan(form, picture, studio);
  },
};

class Plan {
  constructor(form, picture, /** @type {Studio} */ studio) {
    this.studio = studio;
    this.selected = { kind: "cluster", cluster: 0 };
    this.also = new Set();
    this.problemsOf = new Map();
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
      now: () => studio.experiment,
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
    for (const name of ["copy", "cut", "paste"]) this.tree.addEventListener(name, (event) => onClipboard(this, event));
    onTheme(() => {
      if (this.tree.isConnected) this.experiment(this.studio.experiment);
    });
  }

  get partitioned() {
    return !this.studio.chosen || isPartitioned(this.studio.chosen);
  }

  /** Somebody else's, or held by a lesson. */
  get readOnly() {
    return this.studio.readOnly || ["datacenter", "queues"].some((name) => this.studio.lesson?.locked(name));
  }

  get alsoClusters() {
    return [...this.also]
      .map((key) => Number(key.split(":")[1]))
      .filter((cluster) => cluster !== this.selected?.cluster);
  }

  /** Nothing is asked of the server here: previews and the run answer. */
  asks() {
    return false;
  }

  /** Change the experiment as a knob does. */
  edit(key, change) {
    if (this.readOnly) return;
    const next = change(this.studio.experiment);
    if (next && JSON.stringify(next) !== JSON.stringify(this.studio.experiment)) this.studio.replace(next, false, key);
  }

  /** Make a change that says what is selected after it. */
  make(made, say = "") {
    if (!made || this.readOnly) return;
    this.trouble.hidden = true;
    this.also.clear();
    if (made.item) this.selected = made.item;
    this.wantsFocus = true;
    this.studio.replace(made.experiment);
    this.say(say || itemWords(this.studio.experiment, this.selected, this.partitioned));
  }

  do(offer) {
    this.make(offer.act(this.studio.experiment), `${offer.label}.`);
  }

  say(text) {
    this.said.textContent = text;
  }

  /** Say why nothing is done. */
  refuse(text) {
    this.trouble.textContent = text;
    this.trouble.hidden = false;
  }

  /** Where one is when the page is opened by a key. */
  focus() {
    this.elementOf(this.selected)?.focus({ preventScroll: true });
  }

  /** A group of machines goes to another cluster, if its own keeps one. */
  moveTo(item, cluster) {
    const made = moveGroup(this.studio.experiment, item, cluster);
    if (made) this.make(made);
    else
      this.refuse(
        gettext(
          "A cluster keeps at least one group of machines. Merge the clusters, or copy the " +
            "group and delete the cluster.",
        ),
      );
  }

  /** `several`: the cluster is added to those that are marked, or taken from them; `keep`: the marks stay. */
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
    this.experiment(this.studio.experiment);
  }

  offers() {
    return offersOf(this.studio.experiment, this.selected, { also: this.alsoClusters, partitioned: this.partitioned });
  }

  elementOf(item) {
    return this.tree.querySelector(`[data-key="${keyOf(item)}"]`);
  }

  mark() {
    const key = keyOf(this.selected);
    if (this.also.has(key)) this.also.delete(key);
    else this.also.add(key);
    const marked = [...this.also];
    this.experiment(this.studio.experiment);
    this.say(gettext("{count} selected.", { count: marked.length }));
  }

  experiment(experiment) {
    const { readOnly } = this;
    if (!itemAt(experiment, this.selected))
      this.selected = {
        kind: "cluster",
        cluster: Math.max(0, Math.min(clustersOf(experiment).length - 1, this.selected?.cluster ?? 0)),
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
    this.masterTool.hidden = !this.partitioned;
    this.fields.set({
      experiment,
      item: this.selected,
      partitioned: this.partitioned,
      offers: this.offers(),
      readOnly,
    });
    this.makers.disable(readOnly);
  }

  problems(all) {
    const text = (each) => problemText(each);
    const before = JSON.stringify([...this.problemsOf]);
    this.problemsOf = new Map();
    const placed = this.fields.problems(all, text);
    for (const each of all) {
      const item = itemOf(each.path);
      if (item && itemAt(this.studio.experiment, item)) {
        this.problemsOf.set(keyOf(item), text(each));
        if (!placed.includes(each)) placed.push(each);
      }
    }
    if (JSON.stringify([...this.problemsOf]) !== before) this.experiment(this.studio.experiment);
    return placed;
  }
}

/** The item that a problem's path belongs to. */
function itemOf(path) {
  const group = /^topology\.clusters\[(\d+)\]\.machines\[(\d+)\]/.exec(path);
  if (group) return { kind: "group", cluster: Number(group[1]), group: Number(group[2]) };
  const one = /^(?:topology\.clusters|(queues))\[(\d+)\]/.exec(path);
  if (one) return one[1] ? { kind: "queue", queue: Number(one[2]) } : { kind: "cluster", cluster: Number(one[2]) };
  return path.startsWith("topology.global_masters") ? { kind: "master", master: 0 } : null;
}
