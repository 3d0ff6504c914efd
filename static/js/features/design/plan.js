/** The datacenter laid out by hand: a page of the sheet over the map. */

import { isPartitioned, queuesOf } from "../../experiment/experiment.js";
import { three, whole } from "../../kit/format.js";
import { addCluster, addGroup, addMaster, addQueue, moveGroup, remove, serve } from "./topology_edits.js";
import {
  clustersOf,
  itemAt,
  itemWords,
  keyOf,
  racksOf,
  resized,
  SHAPES,
  sizeOf,
  totals,
  changeCluster,
  withSize,
} from "../../experiment/topology.js";
import { offersOf } from "./topology_offers.js";
import { copied, pasted, TextError } from "./topology_text.js";
import { h, onTheme, targetOf } from "../../kit/dom.js";
import { keysDialog } from "../../kit/key_list.js";
import { openMenu } from "../../kit/menu.js";
import { shareBar } from "../../studio/panels/share_bar.js";
import { draggable, pullable } from "./dragging.js";
import { fieldsOf } from "./fields_of.js";
import { makers } from "./makers.js";
import { NEW_CLUSTER, planKey } from "./plan_keys.js";
import { planElements } from "./plan_view.js";
import { problemText } from "../../run/run_messages.js";
import { counted } from "../../kit/counts.js";
import { gettext } from "../../kit/words.js";

/** @import { Studio } from "../../studio/store.js" */

/**
 * @typedef {{id: string, label: string, tip: string, places: string[], masters?: boolean,
 *   add: (place?: any) => {experiment: any, item?: any} | null}} Tool
 */

export default {
  id: "topology",
  title: gettext("Datacenter"),
  question: gettext("Where does it run, and who serves whom?"),
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
      this.#tools(),
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
    this.tree.addEventListener("contextmenu", (event) => this.#context(event));
    for (const name of ["copy", "cut", "paste"]) this.tree.addEventListener(name, (event) => this.#clip(event));
    onTheme(() => {
      if (this.tree.isConnected) this.experiment(studio.experiment);
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
    this.say(say || itemWords(this.studio.experiment, this.selected));
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

  #tools() {
    const { studio } = this;
    const here = () =>
      this.selected?.cluster !== undefined &&
      itemAt(studio.experiment, { kind: "cluster", cluster: this.selected.cluster })
        ? this.selected.cluster
        : clustersOf(studio.experiment).length - 1;
    const master = (place) =>
      place?.dataset.key?.startsWith("master:") ? Number(place.dataset.key.split(":")[1]) : null;
    const tools = [
      {
        id: "cluster",
        label: gettext("Cluster"),
        tip: gettext("A cluster with a Local Master and 100 machines."),
        places: ["clusters", "cluster"],
        add: (place) =>
          addCluster(
            studio.experiment,
            NEW_CLUSTER,
            place?.dataset.cluster === undefined ? Infinity : Number(place.dataset.cluster),
          ),
      },
      ...SHAPES.map((each) => ({
        id: each.id,
        label: each.label,
        tip: gettext("{count} machines in a cluster.", { count: whole(each.shape.count) }),
        places: ["cluster"],
        add: (place) => addGroup(studio.experiment, place ? Number(place.dataset.cluster) : here(), each.shape),
      })),
      {
        id: "queue",
        label: gettext("Queue"),
        tip: gettext("A queue with an equal share; the others give in proportion."),
        places: ["master", "masters"],
        add: (place) => addQueue(studio.experiment, master(place)),
      },
      {
        id: "master",
        label: gettext("Global Master"),
        tip: gettext("One more that shares every cluster."),
        places: ["masters", "master"],
        masters: true,
        add: () => addMaster(studio.experiment),
      },
    ];
    return tools.map((/** @type {Tool} */ tool) => {
      const button = h(
        "button",
        {
          class: "design-tool",
          type: "button",
          "data-tool": tool.id,
          "data-tip": gettext("{tip} Drag it in, or click.", { tip: tool.tip }),
        },
        tool.label,
      );
      if (tool.masters) this.masterTool = button;
      draggable(button, {
        label: () => tool.label,
        accepts: (place) => !this.readOnly && tool.places.includes(place.dataset.drop),
        drop: (place) => this.make(tool.add(place)),
      });
      button.addEventListener("click", () => this.make(tool.add(null)));
      return button;
    });
  }

  #wire(element, item) {
    element.addEventListener("pointerdown", (event) => {
      event.stopPropagation();
      const several = (event.ctrlKey || event.metaKey || event.shiftKey) && item.kind === "cluster";
      this.select(item, { several });
      // It has the focus now. The drawing is a new one, and the browser would give the focus to what is around it.
      if (event.pointerType !== "touch")
        window.addEventListener("mousedown", (after) => after.preventDefault(), { once: true, capture: true });
    });
    if (this.readOnly || !["queue", "group"].includes(item.kind)) return;
    const queue = item.kind === "queue";
    draggable(element, {
      label: () => itemWords(this.studio.experiment, item),
      accepts: (place) =>
        queue
          ? this.partitioned && place.dataset.drop === "master"
          : place.dataset.drop === "cluster" && Number(place.dataset.cluster) !== item.cluster,
      drop: (place) =>
        queue
          ? this.make({
              experiment: serve(this.studio.experiment, item.queue, Number(place.dataset.key.split(":")[1])),
              item,
            })
          : this.moveTo(item, Number(place.dataset.cluster)),
    });
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

  #edge(element, item, what) {
    let start = 1;
    let before = null;
    pullable(element, {
      began: () => {
        this.select(item);
        this.studio.history.hold();
        before = this.studio.experiment;
        start = what === "racks" ? racksOf(itemAt(before, item)) : sizeOf(before, item);
      },
      moved: (x, y) =>
        this.edit(`edge:${keyOf(item)}:${what}`, () => {
          const size = resized(start, what === "racks" ? y : x);
          return what === "racks" ? changeCluster(before, item.cluster, { racks: size }) : withSize(before, item, size);
        }),
      ended: () => this.studio.history.seal(),
    });
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

  #context(event) {
    const element = targetOf(event).closest("[data-key]");
    if (!element) return;
    event.preventDefault();
    event.stopPropagation();
    const item = itemFrom(element.dataset.key);
    if (!this.also.has(keyOf(item))) this.select(item);
    const box = this.elementOf(this.selected).getBoundingClientRect();
    const keyed = event.clientX === 0 && event.clientY === 0;
    this.#menu(keyed ? box.left + 8 : event.clientX, keyed ? box.top + 24 : event.clientY);
  }

  #menu(x, y) {
    const offers = this.readOnly ? [] : this.offers();
    openMenu({
      title: itemWords(this.studio.experiment, this.selected),
      x,
      y,
      owner: this.elementOf(this.selected),
      groups: [
        {
          title: "",
          items: offers.map((offer) => ({
            label: offer.key ? `${offer.label}  (${offer.key})` : offer.label,
            help: offer.help,
            act: () => this.do(offer),
          })),
          note: offers.length
            ? ""
            : this.studio.readOnly
              ? gettext("Press Fork above: your own copy can be changed.")
              : gettext("This lesson keeps it as it is."),
        },
      ],
    });
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

  #clip(event) {
    const text =
      event.type === "paste"
        ? event.clipboardData.getData("text/plain")
        : copied(this.studio.experiment, this.selected);
    if (!text) return;
    event.preventDefault();
    if (event.type === "paste") {
      try {
        this.make(pasted(this.studio.experiment, text, this.selected));
        this.trouble.hidden = true;
      } catch (error) {
        this.trouble.textContent = error instanceof TextError ? error.message : gettext("This cannot be pasted here.");
        this.trouble.hidden = false;
      }
      return;
    }
    event.clipboardData.setData("text/plain", text);
    if (event.type === "cut") this.make(remove(this.studio.experiment, this.selected));
    else this.say(gettext("Copied."));
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
        wire: (element, item) => this.#wire(element, item),
        edge: (element, item, what) => this.#edge(element, item, what),
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
    this.bar.set(queuesOf(experiment));
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

/** The item of a name that keyOf gave. */
function itemFrom(key) {
  const [kind, ...places] = key.split(":");
  return kind === "group"
    ? { kind, cluster: Number(places[0]), group: Number(places[1]) }
    : { kind, [kind]: Number(places[0]) };
}

/** The item that a problem's path belongs to. */
function itemOf(path) {
  const group = /^topology\.clusters\[(\d+)\]\.machines\[(\d+)\]/.exec(path);
  if (group) return { kind: "group", cluster: Number(group[1]), group: Number(group[2]) };
  const one = /^(?:topology\.clusters|(queues))\[(\d+)\]/.exec(path);
  if (one) return one[1] ? { kind: "queue", queue: Number(one[2]) } : { kind: "cluster", cluster: Number(one[2]) };
  return path.startsWith("topology.global_masters") ? { kind: "master", master: 0 } : null;
}
