/** The editor of the datacenter: a page of the sheet over the map. */

import { problemText } from "../../experiment/problems.js";
import { isPartitioned, queuesOf } from "../../experiment/experiment.js";
import { three, whole } from "../../kit/format.js";
import { moveGroup } from "./topology_edits.js";
import { clustersOf, itemAt, itemWords, keyOf, totals } from "../../experiment/topology.js";
import { offersOf } from "./topology_offers.js";
import { isDark, onTheme, targetOf } from "../../kit/dom.js";
import { html, nothing, signal } from "../../kit/view.js";
import { drawing, problemView } from "../../experiment/forms/fields.js";
import { keysDialog } from "../../kit/key_list.js";
import { shareBar } from "../../experiment/forms/share_bar.js";
import { ItemFields } from "./fields_of.js";
import { Makers } from "./makers.js";
import { planKey } from "./plan_keys.js";
import { itemFrom, onClipboard, openContext, pressPart, pullEdge } from "./plan_gestures.js";
import { toolViews } from "./plan_tools.js";
import { planView } from "./plan_view.js";
import { counted } from "../../kit/counts.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { Problem } from "../../experiment/problems.js"
 * @import { Item } from "../../experiment/topology.js"
 * @import { Studio } from "../../studio/store.js"
 * @import { Made } from "./topology_edits.js"
 * @import { Offer } from "./topology_offers.js"
 * @import { PlanState } from "./plan_view.js"
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

/** The drawing of the datacenter, the selected item's fields, and the tools for whole datacenters. */
export class Plan {
  /** The state that the drawing shows. @type {PlanState | null} */
  #state = null;
  #draw;
  /** Why an action was refused. */
  #trouble = signal("");
  /** The text for screen readers. */
  #said = signal("");

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
    this.bar = shareBar((queues) => this.edit("shares", (one) => ({ ...one, queues })));
    this.#draw = drawing(form, () => (this.#state ? this.#view(this.#state) : nothing));
    this.fields = new ItemFields(
      (key, change) => this.edit(key, change),
      (offer) => this.do(offer),
    );
    this.makers = new Makers({
      now: () => studio.opened.value,
      replace: (next) => {
        if (this.readOnly) return;
        this.also.clear();
        this.selected = { kind: "cluster", cluster: 0 };
        studio.replace(next);
      },
      say: (text) => this.say(text),
    });
    picture.append(this.fields.element, this.makers.element);
    this.form = form;
    this.#listen();
  }

  /** @param {PlanState} state */
  #view(state) {
    return html`
      <div class="editor-line design-top"
        ><div
          class="design-palette"
          role="toolbar"
          aria-label=${gettext("Add by dragging or clicking")}
          ?hidden=${state.readOnly}
          ><span class="plan-quiet">${gettext("Drag in:")}</span>${toolViews(this, state.partitioned)}</div
        ><button class="link" type="button" @click=${() => keysDialog("studio")}>${gettext("Keys")}</button></div>
      <p class="design-sum" data-design-sum>${sumWords(state.experiment)}</p>
      ${problemView(this.#trouble.value)}
      <div
        class="plan"
        role="tree"
        aria-label=${gettext("The datacenter")}
        aria-multiselectable="true"
        @keydown=${(/** @type {KeyboardEvent} */ event) => planKey(this, event)}
        @focusin=${(/** @type {Event} */ event) => this.#focused(event)}
        @contextmenu=${(/** @type {MouseEvent} */ event) => openContext(this, event)}
        @copy=${(/** @type {ClipboardEvent} */ event) => onClipboard(this, event)}
        @cut=${(/** @type {ClipboardEvent} */ event) => onClipboard(this, event)}
        @paste=${(/** @type {ClipboardEvent} */ event) => onClipboard(this, event)}
        >${planView(state, {
          press: (event, item) => pressPart(this, event, item),
          edge: (event, item, what) => pullEdge(this, event, item, what),
        })}</div>
      <p class="plan-head design-bar-head">${gettext("Shares of the queues")}</p>
      ${this.bar.element}
      <p class="visually-hidden" aria-live="polite">${this.#said.value}</p>`;
  }

  /** Select the item that received the focus. */
  #focused(/** @type {Event} */ event) {
    const key = targetOf(event).dataset?.key;
    if (key && key !== keyOf(this.selected)) this.select(itemFrom(key));
  }

  get tree() {
    return /** @type {HTMLElement} */ (this.form.querySelector(".plan"));
  }

  #listen() {
    // Enter moves from an item to its fields, Escape back.
    this.fields.element.addEventListener(
      "keydown",
      (event) => {
        if (event.key !== "Escape" || !targetOf(event).matches("input, select")) return;
        targetOf(event).addEventListener("keydown", (own) => own.stopPropagation(), { once: true });
        setTimeout(() => this.elementOf(this.selected)?.focus()); // after the field has restored its value
      },
      true,
    );
    onTheme(() => {
      if (this.form.isConnected) this.experiment(this.studio.opened.value);
    });
  }

  get partitioned() {
    return !this.studio.chosen.value || isPartitioned(this.studio.chosen.value);
  }

  /** True if another user owns the experiment, or a lesson locks it. */
  get readOnly() {
    return this.studio.readOnly.value || ["datacenter", "queues"].some((name) => this.studio.lesson?.locked(name));
  }

  /** The selected cluster, or the cluster of the selected item. */
  get #cluster() {
    return "cluster" in this.selected ? this.selected.cluster : undefined;
  }

  get alsoClusters() {
    return [...this.also].map((key) => Number(key.split(":")[1])).filter((cluster) => cluster !== this.#cluster);
  }

  /** Return false: this editor requests nothing from the server; previews and the run do. */
  asks() {
    return false;
  }

  /**
   * Change the experiment as a setting's control does.
   * @param {string} key
   * @param {(experiment: Experiment) => Experiment | null} change
   */
  edit(key, change) {
    if (this.readOnly) return;
    const next = change(this.studio.opened.value);
    if (next && JSON.stringify(next) !== JSON.stringify(this.studio.opened.value))
      this.studio.replace(next, false, key);
  }

  /**
   * Apply a change and select the item that it names.
   * @param {Made | null} made
   */
  make(made, say = "") {
    if (!made || this.readOnly) return;
    this.refuse("");
    this.also.clear();
    if (made.item) this.selected = made.item;
    this.wantsFocus = true;
    this.studio.replace(made.experiment);
    this.say(say || itemWords(this.studio.opened.value, this.selected, this.partitioned));
  }

  /** @param {Offer} offer */
  do(offer) {
    this.make(offer.act(this.studio.opened.value), `${offer.label}.`);
  }

  /** @param {string} text */
  say(text) {
    this.#said.value = text;
  }

  /**
   * Show why an action was refused; "" clears the message.
   * @param {string} text
   */
  refuse(text) {
    this.#trouble.value = text;
  }

  /** Focus the selected item, when a key opened the page. */
  focus() {
    this.elementOf(this.selected)?.focus({ preventScroll: true });
  }

  /**
   * Move a group of machines to another cluster, if its own cluster keeps one.
   * @param {Extract<Item, {kind: "group"}>} item
   * @param {number} cluster
   */
  moveTo(item, cluster) {
    const made = moveGroup(this.studio.opened.value, item, cluster);
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
   * Select an item. `several` toggles the cluster's mark; `keep` leaves the marks unchanged.
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
    if (keyOf(item) !== keyOf(this.selected)) this.refuse("");
    this.selected = item;
    this.wantsFocus = true;
    this.experiment(this.studio.opened.value);
  }

  offers() {
    return offersOf(this.studio.opened.value, this.selected, {
      also: this.alsoClusters,
      partitioned: this.partitioned,
    });
  }

  /** @param {Item} item */
  elementOf(item) {
    return /** @type {HTMLElement | null} */ (this.form.querySelector(`.plan [data-key="${keyOf(item)}"]`));
  }

  mark() {
    const key = keyOf(this.selected);
    if (this.also.has(key)) this.also.delete(key);
    else this.also.add(key);
    const marked = [...this.also];
    this.experiment(this.studio.opened.value);
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
    const focused = Boolean(document.activeElement?.closest(".plan")) || this.wantsFocus;
    this.wantsFocus = false;
    this.#state = {
      experiment,
      partitioned: this.partitioned,
      selected: this.selected,
      also: this.also,
      problems: this.problemsOf,
      readOnly,
      dark: isDark(),
    };
    this.#draw();
    if (focused) this.focus();
    this.bar.set(queuesOf(experiment), this.partitioned);
    this.bar.disable(readOnly);
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
      if (item && itemAt(this.studio.opened.value, item)) {
        this.problemsOf.set(keyOf(item), text(each));
        if (!placed.includes(each)) placed.push(each);
      }
    }
    if (JSON.stringify([...this.problemsOf]) !== before) this.experiment(this.studio.opened.value);
    return placed;
  }
}

/**
 * Describe the datacenter's totals.
 * @param {Experiment} experiment
 */
function sumWords(experiment) {
  const sum = totals(experiment);
  return gettext("{machines} machines in {clusters} and {racks}; {cpus} CPUs{memory}{gpus}", {
    machines: whole(sum.machines),
    clusters: counted.cluster(sum.clusters),
    racks: counted.rack(sum.racks),
    cpus: three(sum.cpus),
    memory: sum.memory_gb ? gettext(", {memory} GB", { memory: three(sum.memory_gb) }) : "",
    gpus: sum.gpus ? gettext(", {gpus} GPUs", { gpus: three(sum.gpus) }) : "",
  });
}

/**
 * Return the item that a problem's path belongs to.
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
