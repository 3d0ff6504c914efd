/** The drawing of a datacenter that can be taken hold of: masters with their queues, clusters with their machines. */

import { percent, three, whole } from "../../kit/format.js";
import { queuesOf } from "../../experiment/experiment.js";
import { ownerColour } from "../../kit/palette.js";
import {
  clustersOf,
  groupsOf,
  itemWords,
  keyOf,
  machinesIn,
  mastersOf,
  pathOf,
  racksOf,
  repeatOf,
  servedBy,
  shapeWords,
  clusterTitle,
} from "../../experiment/topology.js";
import { h, isDark } from "../../kit/dom.js";
import { queueName } from "../../kit/names.js";
import { gettext, ngettext } from "../../kit/words.js";

/**
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { Item } from "../../experiment/topology.js"
 * @import { Child } from "../../kit/dom.js"
 */

/**
 * @typedef {{experiment: Experiment, partitioned: boolean, selected: Item | null, also: Set<string>,
 *   problems: Map<string, string>, readOnly: boolean}} PlanState
 * @typedef {{wire: (element: HTMLElement, item: Item) => void,
 *   edge: (element: HTMLElement, item: Item, what: string) => void}} PlanActs
 */

const MOST_SHOWN = 150;
const MOST_MASTERS = 64;
const MOST_PARTS = 24;
const MOST_RACKS = 20;

/**
 * Elements of the whole plan. `on`: wire(element, item), edge(element, item, what); `state`: {experiment, partitioned,
 * selected, also, problems, readOnly}.
 * @param {PlanState} state
 * @param {PlanActs} on
 */
export function planElements(state, on) {
  const draw = new Drawing(state, on);
  return [...(state.partitioned ? [draw.masters()] : [draw.queues()]), draw.clusters()];
}

class Drawing {
  /**
   * @param {PlanState} state
   * @param {PlanActs} on
   */
  constructor(state, on) {
    this.experiment = state.experiment;
    this.partitioned = state.partitioned;
    this.selected = state.selected;
    this.also = state.also;
    this.problems = state.problems;
    this.readOnly = state.readOnly;
    this.on = on;
    this.dark = isDark();
  }

  /**
   * @param {Item} item
   * @param {Record<string, any>} attributes
   * @param {...Child} children
   */
  item(item, attributes, ...children) {
    const key = keyOf(item);
    const problem = this.problems.get(key);
    const chosen = this.selected !== null && key === keyOf(this.selected);
    const element = h(
      "div",
      {
        ...attributes,
        class: `plan-item ${attributes.class}${problem ? " has-problem" : ""}`,
        role: "treeitem",
        "data-key": key,
        "data-path": pathOf(item),
        tabindex: chosen ? "0" : "-1",
        "aria-selected": String(chosen || this.also.has(key)),
        "aria-label": `${itemWords(this.experiment, item, this.partitioned)}${problem ? `. ${problem}` : ""}`,
      },
      ...children,
    );
    if (problem) element.append(h("p", { class: "plan-problem", role: "alert" }, problem));
    this.on.wire(element, item);
    return element;
  }

  /**
   * @param {Item} item
   * @param {string} what
   * @param {string} tip
   */
  edge(item, what, tip) {
    if (this.readOnly) return null;
    const element = h("span", {
      class: `plan-edge plan-edge-${what}`,
      "data-edge": what,
      "aria-hidden": "true",
      "data-tip": tip,
    });
    this.on.edge(element, item, what);
    return element;
  }

  masters() {
    const count = mastersOf(this.experiment);
    const shown = Math.min(count, MOST_MASTERS);
    const boxes = Array.from({ length: shown }, (_, master) => {
      /** @type {Item} */
      const item = { kind: "master", master };
      const own = servedBy(this.experiment, master).slice(0, 12);
      const box = this.item(
        item,
        { class: "plan-master", "data-drop": "master" },
        h(
          "span",
          { class: "plan-name" },
          h("i", { class: "plan-swatch", "aria-hidden": "true" }),
          gettext("Master {master}", { master }),
        ),
        own.length
          ? h(
              "div",
              {
                class: "plan-queues",
                role: "group",
                "aria-label": gettext("Queues of Global Master {master}", { master }),
              },
              own.map((queue) => this.queue(queue.place)),
            )
          : h("span", { class: "plan-quiet" }, gettext("no queue")),
      );
      box.style.setProperty("--hue", ownerColour(master, this.dark));
      return box;
    });
    /** @type {Item} */
    const all = { kind: "master", master: count - 1 };
    return h(
      "section",
      {
        class: "plan-row plan-masters",
        role: "group",
        "aria-label": gettext("Global Masters"),
        "data-drop": "masters",
      },
      h("p", { class: "plan-head", "aria-hidden": "true" }, gettext("Global Masters and the queues they serve")),
      h(
        "div",
        { class: "plan-boxes", role: "none" },
        ...boxes,
        count > shown
          ? h("span", { class: "plan-quiet" }, gettext("and {count} more", { count: whole(count - shown) }))
          : null,
        this.edge(all, "masters", gettext("Drag: number of Global Masters")),
      ),
    );
  }

  queues() {
    return h(
      "section",
      { class: "plan-row", role: "group", "aria-label": gettext("Queues"), "data-drop": "masters" },
      h("p", { class: "plan-head", "aria-hidden": "true" }, gettext("Queues")),
      h(
        "div",
        { class: "plan-queues", role: "none" },
        queuesOf(this.experiment)
          .slice(0, MOST_MASTERS)
          .map((_, place) => this.queue(place)),
      ),
    );
  }

  /** @param {number} place */
  queue(place) {
    const queue = queuesOf(this.experiment)[place];
    const chip = this.item(
      { kind: "queue", queue: place },
      { class: "plan-queue" },
      h("span", { class: "plan-name" }, queueName(queue.name)),
      " ",
      h("span", { class: "plan-share" }, percent(queue.share)),
    );
    // Its master's, where there are masters; else its own, as in the bar of the shares.
    const owner = this.partitioned ? (queue.global_master ?? place % mastersOf(this.experiment)) : place;
    chip.style.setProperty("--hue", ownerColour(owner, this.dark));
    return chip;
  }

  clusters() {
    const all = clustersOf(this.experiment);
    const boxes = all.slice(0, MOST_SHOWN).map((cluster, place) => this.cluster(cluster, place));
    return h(
      "section",
      { class: "plan-row plan-clusters", role: "group", "aria-label": gettext("Clusters"), "data-drop": "clusters" },
      h("p", { class: "plan-head", "aria-hidden": "true" }, gettext("Clusters and their machines")),
      h("div", { class: "plan-boxes", role: "none" }, ...boxes),
      all.length > MOST_SHOWN
        ? h(
            "p",
            { class: "plan-quiet" },
            gettext("and {more} more, in the JSON", { more: whole(all.length - MOST_SHOWN) }),
          )
        : null,
    );
  }

  /**
   * @param {any} cluster
   * @param {number} place
   */
  cluster(cluster, place) {
    /** @type {Item} */
    const item = { kind: "cluster", cluster: place };
    const [machines, repeat, racks] = [machinesIn(cluster), repeatOf(cluster), racksOf(cluster)];
    const groups = h(
      "div",
      {
        class: "plan-groups",
        role: "group",
        "aria-label": gettext("Machines of {name}", { name: clusterTitle(cluster) }),
      },
      groupsOf(cluster).map((group, at) => this.group(group, { kind: "group", cluster: place, group: at }, machines)),
    );
    const box = this.item(
      item,
      { class: `plan-cluster${repeat > 1 ? " is-many" : ""}`, "data-drop": "cluster", "data-cluster": place },
      h(
        "span",
        { class: "plan-cluster-head" },
        h("span", { class: "plan-name" }, clusterTitle(cluster)),
        repeat > 1 ? h("span", { class: "plan-times" }, `× ${whole(repeat)}`) : null,
        h(
          "span",
          { class: "plan-quiet" },
          repeat > 1 ? gettext("{machines} each", { machines: whole(machines) }) : whole(machines),
        ),
      ),
      groups,
      h(
        "span",
        { class: "plan-racks" },
        h(
          "span",
          { class: "plan-rack-row", "aria-hidden": "true" },
          Array.from({ length: Math.min(MOST_RACKS, racks) }, () => h("i", {})),
        ),
        ngettext("{racks} rack", "{racks} racks", racks, { racks: whole(racks) }),
      ),
      this.parts(),
      this.edge(item, "repeat", gettext("Drag sideways: number of clusters like this")),
      this.edge(item, "racks", gettext("Drag down: number of racks per cluster")),
    );
    box.style.setProperty("--wide", `${Math.round(150 + 46 * Math.max(0, Math.log10(Math.max(1, machines)) - 1))}px`);
    return box;
  }

  /**
   * @param {any} group
   * @param {Item} item
   * @param {number} machines
   */
  group(group, item, machines) {
    const count = group.count ?? 1;
    const element = this.item(
      item,
      { class: `plan-group${group.gpus ? " has-gpus" : ""}` },
      h("span", { class: "plan-count" }, whole(count)),
      h("span", { class: "plan-shape" }, shapeWords(group)),
      this.edge(item, "count", gettext("Drag: number of machines")),
    );
    element.style.flexGrow = String(Math.max(0.15, count / Math.max(1, machines)));
    element.style.setProperty("--tall", `${Math.round(36 + 4 * Math.log2(Math.max(1, Number(group.cpus ?? 1))))}px`);
    return element;
  }

  /** How each cluster is parted among the masters. */
  parts() {
    if (!this.partitioned) return null;
    const masters = mastersOf(this.experiment);
    return h(
      "span",
      {
        class: "plan-parts",
        "aria-hidden": "true",
        "data-tip": gettext("Each Global Master owns a partition of 1 in {masters} of each cluster.", {
          masters: three(masters),
        }),
      },
      Array.from({ length: Math.min(MOST_PARTS, masters) }, (_, master) => {
        const part = h("i", {});
        part.style.background = ownerColour(master, this.dark);
        return part;
      }),
    );
  }
}
