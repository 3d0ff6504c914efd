/** The datacenter laid out by hand: a page of the sheet over the map. */

import { isPartitioned } from "../lib/experiment.js";
import { three, whole } from "../lib/format.js";
import { addCluster, addGroup, addMaster, addQueue, moveCluster, moveGroup, remove, serve, setQueueShare } from "../lib/topology_edits.js";
import { clustersOf, itemAt, itemWords, keyOf, mastersOf, neighbour, pathOf, racksOf, resized, SHAPES, sizeOf, stepped, totals, changeCluster, withSize } from "../lib/topology.js";
import { offersOf } from "../lib/topology_offers.js";
import { copied, pasted, TextError } from "../lib/topology_text.js";
import { queuesOf, setAt } from "../lib/experiment.js";
import { h, onTheme } from "../views/dom.js";
import { keysDialog } from "../views/key_list.js";
import { openMenu } from "../views/menu.js";
import { shareBar } from "../views/share_bar.js";
import { draggable, pullable } from "./dragging.js";
import { fieldsOf } from "./fields_of.js";
import { makers } from "./makers.js";
import { planElements } from "./plan_view.js";

const NEW_CLUSTER = { name: "lm", machines: [{ count: 100, cpus: 4, memory_gb: 16 }] };

export default {
  id: "topology", title: "Datacenter", question: "Where does it run, and who serves whom?",
  mount(form, picture, studio) { return new Plan(form, picture, studio); },
};

class Plan {
  constructor(form, picture, studio) {
    this.studio = studio;
    this.selected = { kind: "cluster", cluster: 0 };
    this.also = new Set();
    this.problemsOf = new Map();
    this.sum = h("p", { class: "design-sum", "data-design-sum": true });
    this.trouble = h("p", { class: "knob-problem", role: "alert", hidden: true });
    this.said = h("p", { class: "visually-hidden", "aria-live": "polite" });
    this.bar = shareBar((queues) => this.edit("shares", (one) => ({ ...one, queues })));
    this.bar.element.addEventListener("pointerdown", () => { studio.history.hold(); window.addEventListener("pointerup", () => studio.history.seal(), { once: true }); });
    this.tree = h("div", { class: "plan", role: "tree", "aria-label": "The datacenter", "aria-multiselectable": "true" });
    this.palette = h("div", { class: "design-palette", role: "toolbar", "aria-label": "Add by dragging or clicking" }, h("span", { class: "plan-quiet" }, "Drag in:"), this.#tools());
    const keys = h("button", { class: "link", type: "button", onclick: () => keysDialog("studio") }, "Keys");
    form.append(h("div", { class: "editor-line design-top" }, this.palette, keys), this.sum, this.trouble, this.tree, h("p", { class: "plan-head design-bar-head" }, "Shares of the queues"), this.bar.element, this.said);
    this.fields = fieldsOf((key, change) => this.edit(key, change), (offer) => this.#do(offer));
    this.makers = makers({ now: () => studio.experiment, replace: (next) => { if (this.readOnly) return; this.also.clear(); this.selected = { kind: "cluster", cluster: 0 }; studio.replace(next); }, say: (text) => this.#say(text) });
    picture.append(this.fields.element, this.makers.element);
    this.tree.addEventListener("keydown", (event) => this.#key(event));
    this.tree.addEventListener("focusin", (event) => {
      const key = event.target.dataset?.key;
      if (key && key !== keyOf(this.selected)) this.#select(itemFrom(key));
    });
    this.tree.addEventListener("contextmenu", (event) => this.#context(event));
    for (const name of ["copy", "cut", "paste"]) this.tree.addEventListener(name, (event) => this.#clip(event));
    onTheme(() => { if (this.tree.isConnected) this.experiment(studio.experiment); });
  }

  get partitioned() { return !this.studio.chosen || isPartitioned(this.studio.chosen); }

  /** Somebody else's, or held by a lesson. */
  get readOnly() { return this.studio.readOnly || ["datacenter", "queues"].some((name) => this.studio.lesson?.locked(name)); }

  get alsoClusters() { return [...this.also].map((key) => Number(key.split(":")[1])).filter((cluster) => cluster !== this.selected?.cluster); }

  /** Nothing is asked of the server here: previews and the run answer. */
  asks() { return false; }

  /** Change the experiment as a knob does. */
  edit(key, change) {
    if (this.readOnly) return;
    const next = change(this.studio.experiment);
    if (next && JSON.stringify(next) !== JSON.stringify(this.studio.experiment)) this.studio.replace(next, false, key);
  }

  /** Make a change that says what is selected after it. */
  #make(made, say = "") {
    if (!made || this.readOnly) return;
    this.also.clear();
    if (made.item) this.selected = made.item;
    this.wantsFocus = true;
    this.studio.replace(made.experiment);
    this.#say(say || itemWords(this.studio.experiment, this.selected));
  }

  #do(offer) { this.#make(offer.act(this.studio.experiment), `${offer.label}.`); }

  #say(text) { this.said.textContent = text; }

  #tools() {
    const { studio } = this;
    const here = () => (this.selected?.cluster !== undefined && itemAt(studio.experiment, { kind: "cluster", cluster: this.selected.cluster }) ? this.selected.cluster : clustersOf(studio.experiment).length - 1);
    const master = (place) => (place?.dataset.key?.startsWith("master:") ? Number(place.dataset.key.split(":")[1]) : null);
    const tools = [
      { id: "cluster", label: "Cluster", tip: "A cluster with a Local Master and 100 machines.", places: ["clusters", "cluster"], add: (place) => addCluster(studio.experiment, NEW_CLUSTER, place?.dataset.cluster === undefined ? Infinity : Number(place.dataset.cluster)) },
      ...SHAPES.map((each) => ({ id: each.id, label: each.label, tip: `${whole(each.shape.count)} machines in a cluster.`, places: ["cluster"], add: (place) => addGroup(studio.experiment, place ? Number(place.dataset.cluster) : here(), each.shape) })),
      { id: "queue", label: "Queue", tip: "A queue with an equal share; the others give in proportion.", places: ["master", "masters"], add: (place) => addQueue(studio.experiment, master(place)) },
      { id: "master", label: "Global Master", tip: "One more that shares every cluster.", places: ["masters", "master"], masters: true, add: () => addMaster(studio.experiment) },
    ];
    return tools.map((tool) => {
      const button = h("button", { class: "design-tool", type: "button", "data-tool": tool.id, "data-tip": `${tool.tip} Drag it in, or click.` }, tool.label);
      if (tool.masters) this.masterTool = button;
      let dropped = false;
      draggable(button, { label: () => tool.label, accepts: (place) => !this.readOnly && tool.places.includes(place.dataset.drop), drop: (place) => { dropped = true; this.#make(tool.add(place)); } });
      button.addEventListener("click", () => { if (!dropped) this.#make(tool.add(null)); dropped = false; });
      return button;
    });
  }

  #wire(element, item) {
    element.addEventListener("pointerdown", (event) => {
      event.stopPropagation();
      const several = (event.ctrlKey || event.metaKey || event.shiftKey) && item.kind === "cluster";
      this.#select(item, several);
    });
    if (this.readOnly || !["queue", "group"].includes(item.kind)) return;
    const queue = item.kind === "queue";
    draggable(element, {
      label: () => itemWords(this.studio.experiment, item),
      accepts: (place) => (queue ? this.partitioned && place.dataset.drop === "master" : place.dataset.drop === "cluster" && Number(place.dataset.cluster) !== item.cluster),
      drop: (place) => this.#make(queue ? { experiment: serve(this.studio.experiment, item.queue, Number(place.dataset.key.split(":")[1])), item } : moveGroup(this.studio.experiment, item, Number(place.dataset.cluster))),
    });
  }

  #edge(element, item, what) {
    let start = 1;
    let before = null;
    pullable(element, {
      began: () => { this.#select(item); this.studio.history.hold(); before = this.studio.experiment; start = what === "racks" ? racksOf(itemAt(before, item)) : sizeOf(before, item); },
      moved: (x, y) => this.edit(`edge:${keyOf(item)}:${what}`, () => {
        const size = resized(start, what === "racks" ? y : x);
        return what === "racks" ? changeCluster(before, item.cluster, { racks: size }) : withSize(before, item, size);
      }),
      ended: () => this.studio.history.seal(),
    });
  }

  #select(item, several = false) {
    if (several && this.selected?.kind === "cluster") {
      const key = keyOf(item);
      if (this.also.has(key)) this.also.delete(key); else { this.also.add(keyOf(this.selected)); this.also.add(key); }
    } else this.also.clear();
    this.selected = item;
    this.wantsFocus = true;
    this.experiment(this.studio.experiment);
  }

  #offers() { return offersOf(this.studio.experiment, this.selected, { also: this.alsoClusters, partitioned: this.partitioned }); }

  #context(event) {
    const element = event.target.closest("[data-key]");
    if (!element) return;
    event.preventDefault();
    event.stopPropagation();
    const item = itemFrom(element.dataset.key);
    if (!this.also.has(keyOf(item))) this.#select(item);
    const box = this.#elementOf(this.selected).getBoundingClientRect();
    const keyed = event.clientX === 0 && event.clientY === 0;
    this.#menu(keyed ? box.left + 8 : event.clientX, keyed ? box.top + 24 : event.clientY);
  }

  #menu(x, y) {
    const offers = this.readOnly ? [] : this.#offers();
    openMenu({ title: itemWords(this.studio.experiment, this.selected), x, y, owner: this.#elementOf(this.selected),
      groups: [{ title: "", items: offers.map((offer) => ({ label: offer.key ? `${offer.label}  (${offer.key})` : offer.label, help: offer.help, act: () => this.#do(offer) })), note: offers.length ? "" : "This cannot be changed here." }] });
  }

  #elementOf(item) { return this.tree.querySelector(`[data-key="${keyOf(item)}"]`); }

  #key(event) {
    if (event.target.closest("input, select, textarea")) return;
    const { studio } = this;
    const one = studio.experiment;
    const offer = (id) => this.#offers().find((each) => each.id === id);
    const arrow = event.key.startsWith("Arrow");
    const done = () => { event.preventDefault(); event.stopPropagation(); };
    if (event.ctrlKey || event.metaKey) {
      if (event.key.toLowerCase() === "d") { done(); const found = offer("duplicate"); if (found) this.#do(found); }
      return;
    }
    if (event.altKey && arrow) { done(); this.#shift(event.key === "ArrowRight" || event.key === "ArrowDown" ? 1 : -1); return; }
    if (arrow) { done(); this.#select(neighbour(one, this.selected, event.key, this.partitioned)); return; }
    const sizes = { "+": 1, "=": 1, "-": -1, PageUp: 1, PageDown: -1 };
    if (sizes[event.key]) { done(); this.#resize(sizes[event.key], event.key.startsWith("Page")); return; }
    const letters = { s: "split", m: "merge", Delete: "delete", Backspace: "delete" };
    const id = letters[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (id) { done(); const found = offer(id); if (found) this.#do(found); return; }
    const acts = {
      Enter: () => this.fields.focus(), " ": () => { if (this.selected?.kind === "cluster") this.#mark(); }, "?": () => keysDialog("studio"),
      Insert: () => this.#make(this.selected?.kind === "group" ? addGroup(one, this.selected.cluster, SHAPES[0].shape, this.selected.group) : this.selected?.kind === "queue" || this.selected?.kind === "master" ? addQueue(one, this.selected.master ?? null) : addCluster(one, NEW_CLUSTER, this.selected?.cluster)),
      r: () => this.#racks(1), R: () => this.#racks(-1),
    };
    if (acts[event.key]) { done(); acts[event.key](); }
  }

  #resize(way, large) {
    if (this.selected?.kind === "queue") { this.edit("keys", (one) => setQueueShare(one, this.selected.queue, sizeOf(one, this.selected) + way * (large ? 0.1 : 0.01))); return; }
    const size = stepped(sizeOf(this.studio.experiment, this.selected), way, large);
    this.edit(`keys:${keyOf(this.selected)}`, (one) => withSize(one, this.selected, size));
    this.#say(itemWords(this.studio.experiment, this.selected));
  }

  #racks(way) {
    if (this.selected?.kind !== "cluster") return;
    this.edit(`racks:${this.selected.cluster}`, (one) => changeCluster(one, this.selected.cluster, { racks: Math.max(1, racksOf(itemAt(one, this.selected)) + way) }));
    this.#say(itemWords(this.studio.experiment, this.selected));
  }

  #shift(way) {
    const one = this.studio.experiment;
    if (this.selected?.kind === "cluster") this.#make(moveCluster(one, this.selected.cluster, way));
    if (this.selected?.kind !== "queue" || !this.partitioned) return;
    const masters = mastersOf(one);
    const now = itemAt(one, this.selected).global_master ?? this.selected.queue % masters;
    this.#make({ experiment: serve(one, this.selected.queue, (now + way + masters) % masters), item: this.selected });
  }

  #mark() {
    const key = keyOf(this.selected);
    if (this.also.has(key)) this.also.delete(key); else this.also.add(key);
    const marked = [...this.also];
    this.experiment(this.studio.experiment);
    this.#say(`${marked.length} selected.`);
  }

  #clip(event) {
    const text = event.type === "paste" ? event.clipboardData.getData("text/plain") : copied(this.studio.experiment, this.selected);
    if (!text) return;
    event.preventDefault();
    if (event.type === "paste") {
      try { this.#make(pasted(this.studio.experiment, text, this.selected)); this.trouble.hidden = true; } catch (error) {
        this.trouble.textContent = error instanceof TextError ? error.message : "This cannot be pasted here.";
        this.trouble.hidden = false;
      }
      return;
    }
    event.clipboardData.setData("text/plain", text);
    if (event.type === "cut") this.#make(remove(this.studio.experiment, this.selected));
    else this.#say("Copied.");
  }

  experiment(experiment) {
    const { readOnly } = this;
    if (!itemAt(experiment, this.selected)) this.selected = { kind: "cluster", cluster: Math.max(0, Math.min(clustersOf(experiment).length - 1, this.selected?.cluster ?? 0)) };
    const focused = this.tree.contains(document.activeElement) || this.wantsFocus;
    this.wantsFocus = false;
    const state = { experiment, partitioned: this.partitioned, selected: this.selected, also: this.also, problems: this.problemsOf, readOnly };
    this.tree.replaceChildren(...planElements(state, { wire: (element, item) => this.#wire(element, item), edge: (element, item, what) => this.#edge(element, item, what) }));
    if (focused) this.#elementOf(this.selected)?.focus({ preventScroll: true });
    const sum = totals(experiment);
    this.sum.textContent = `${whole(sum.machines)} machines in ${whole(sum.clusters)} cluster${sum.clusters === 1 ? "" : "s"} and ${whole(sum.racks)} rack${sum.racks === 1 ? "" : "s"}; ${three(sum.cpus)} CPUs, ${three(sum.memory_gb)} GB${sum.gpus ? `, ${three(sum.gpus)} GPUs` : ""}`;
    this.bar.set(queuesOf(experiment));
    this.bar.disable(readOnly);
    this.palette.hidden = readOnly;
    this.masterTool.hidden = !this.partitioned;
    this.fields.set({ experiment, item: this.selected, partitioned: this.partitioned, offers: this.#offers(), readOnly });
    this.makers.disable(readOnly);
  }

  problems(all) {
    const text = (each) => this.studio.problemText(each);
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
  return kind === "group" ? { kind, cluster: Number(places[0]), group: Number(places[1]) } : { kind, [kind]: Number(places[0]) };
}

/** The item that a problem's path belongs to. */
function itemOf(path) {
  const group = /^topology\.clusters\[(\d+)\]\.machines\[(\d+)\]/.exec(path);
  if (group) return { kind: "group", cluster: Number(group[1]), group: Number(group[2]) };
  const one = /^(?:topology\.clusters|(queues))\[(\d+)\]/.exec(path);
  if (one) return one[1] ? { kind: "queue", queue: Number(one[2]) } : { kind: "cluster", cluster: Number(one[2]) };
  return path.startsWith("topology.global_masters") ? { kind: "master", master: 0 } : null;
}
