/** The drawing of a datacenter that can be edited: masters with their queues, clusters with their machines. */

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
import { html, ifDefined, nothing } from "../../kit/view.js";
import { queueName } from "../../kit/names.js";
import { gettext, ngettext } from "../../kit/words.js";

/**
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { Item } from "../../experiment/topology.js"
 */

/**
 * @typedef {{experiment: Experiment, partitioned: boolean, selected: Item | null, also: Set<string>,
 *   problems: Map<string, string>, readOnly: boolean, dark: boolean}} PlanState
 * @typedef {{press: (event: PointerEvent, item: Item) => void,
 *   edge: (event: PointerEvent, item: Item, what: string) => void}} PlanActs
 */

const MOST_SHOWN = 150;
const MOST_MASTERS = 64;
const MOST_PARTS = 24;
const MOST_RACKS = 20;

/**
 * Return the whole plan.
 * @param {PlanState} state
 * @param {PlanActs} on
 */
export function planView(state, on) {
  const drawing = new Drawing(state, on);
  return [state.partitioned ? drawing.masters() : drawing.queues(), drawing.clusters()];
}

class Drawing {
  /**
   * @param {PlanState} state
   * @param {PlanActs} on
   */
  constructor(state, on) {
    this.state = state;
    this.experiment = state.experiment;
    this.partitioned = state.partitioned;
    this.on = on;
  }

  /**
   * @param {Item} item
   * @param {{kind: string, style?: string, drop?: string, cluster?: number}} about  `kind`: class names
   * @param {unknown} content
   */
  item(item, { kind, style = "", drop, cluster }, content) {
    const { selected, also, problems } = this.state;
    const key = keyOf(item);
    const problem = problems.get(key);
    const chosen = selected !== null && key === keyOf(selected);
    const words = itemWords(this.experiment, item, this.partitioned);
    return html`<div
      class=${`plan-item ${kind}${problem ? " has-problem" : ""}`}
      role="treeitem"
      data-key=${key}
      data-path=${pathOf(item)}
      data-drop=${ifDefined(drop)}
      data-cluster=${ifDefined(cluster)}
      tabindex=${chosen ? "0" : "-1"}
      aria-selected=${String(chosen || also.has(key))}
      aria-label=${`${words}${problem ? `. ${problem}` : ""}`}
      .style=${style}
      @pointerdown=${(/** @type {PointerEvent} */ event) => this.on.press(event, item)}
      >${content}${problem ? html`<p class="plan-problem" role="alert">${problem}</p>` : nothing}</div>`;
  }

  /**
   * @param {Item} item
   * @param {string} what
   * @param {string} tip
   */
  edge(item, what, tip) {
    if (this.state.readOnly) return nothing;
    return html`<span
      class="plan-edge plan-edge-${what}"
      data-edge=${what}
      aria-hidden="true"
      data-tip=${tip}
      @pointerdown=${(/** @type {PointerEvent} */ event) => this.on.edge(event, item, what)}
    ></span>`;
  }

  masters() {
    const count = mastersOf(this.experiment);
    const shown = Math.min(count, MOST_MASTERS);
    return html`<section
      class="plan-row plan-masters"
      role="group"
      aria-label=${gettext("Global Masters")}
      data-drop="masters"
      ><p class="plan-head" aria-hidden="true">${gettext("Global Masters and the queues they serve")}</p
      ><div class="plan-boxes" role="none"
        >${Array.from({ length: shown }, (_, master) => this.master(master))}${
          count > shown
            ? html`<span class="plan-quiet">${gettext("and {count} more", { count: whole(count - shown) })}</span>`
            : nothing
        }${this.edge(
          { kind: "master", master: count - 1 },
          "masters",
          gettext("Drag: number of Global Masters"),
        )}</div></section>`;
  }

  /** @param {number} master */
  master(master) {
    const own = servedBy(this.experiment, master).slice(0, 12);
    const queues = html`<div
      class="plan-queues"
      role="group"
      aria-label=${gettext("Queues of Global Master {master}", { master })}
      >${own.map((queue) => this.queue(queue.place))}</div>`;
    return this.item(
      { kind: "master", master },
      { kind: "plan-master", drop: "master", style: `--hue: ${ownerColour(master, this.state.dark)}` },
      html`<span class="plan-name"
          ><i class="plan-swatch" aria-hidden="true"></i>${gettext("Master {master}", { master })}</span
        >${own.length ? queues : html`<span class="plan-quiet">${gettext("no queue")}</span>`}`,
    );
  }

  queues() {
    return html`<section class="plan-row" role="group" aria-label=${gettext("Queues")} data-drop="masters"
      ><p class="plan-head" aria-hidden="true">${gettext("Queues")}</p
      ><div class="plan-queues" role="none"
        >${queuesOf(this.experiment)
          .slice(0, MOST_MASTERS)
          .map((_, place) => this.queue(place))}</div></section>`;
  }

  /** @param {number} place */
  queue(place) {
    const queue = queuesOf(this.experiment)[place];
    // The hue of its master, or its own as in the bar of shares if there are no masters.
    const owner = this.partitioned ? (queue.global_master ?? place % mastersOf(this.experiment)) : place;
    return this.item(
      { kind: "queue", queue: place },
      { kind: "plan-queue", style: `--hue: ${ownerColour(owner, this.state.dark)}` },
      html`<span class="plan-name">${queueName(queue.name)}</span> <span class="plan-share"
          >${percent(queue.share)}</span>`,
    );
  }

  clusters() {
    const all = clustersOf(this.experiment);
    const more = all.length - MOST_SHOWN;
    return html`<section
      class="plan-row plan-clusters"
      role="group"
      aria-label=${gettext("Clusters")}
      data-drop="clusters"
      ><p class="plan-head" aria-hidden="true">${gettext("Clusters and their machines")}</p
      ><div class="plan-boxes" role="none"
        >${all.slice(0, MOST_SHOWN).map((cluster, place) => this.cluster(cluster, place))}</div
      >${
        more > 0
          ? html`<p class="plan-quiet">${gettext("and {more} more, in the JSON", { more: whole(more) })}</p>`
          : nothing
      }</section>`;
  }

  /**
   * @param {import("./topology_edits.js").Cluster} cluster
   * @param {number} place
   */
  cluster(cluster, place) {
    /** @type {Item} */
    const item = { kind: "cluster", cluster: place };
    const [machines, repeat] = [machinesIn(cluster), repeatOf(cluster)];
    const wide = Math.round(150 + 46 * Math.max(0, Math.log10(Math.max(1, machines)) - 1));
    return this.item(
      item,
      {
        kind: `plan-cluster${repeat > 1 ? " is-many" : ""}`,
        drop: "cluster",
        cluster: place,
        style: `--wide: ${wide}px`,
      },
      html`<span class="plan-cluster-head"
          ><span class="plan-name">${clusterTitle(cluster)}</span
          >${repeat > 1 ? html`<span class="plan-times">× ${whole(repeat)}</span>` : nothing}<span class="plan-quiet"
            >${repeat > 1 ? gettext("{machines} each", { machines: whole(machines) }) : whole(machines)}</span
          ></span
        ><div
          class="plan-groups"
          role="group"
          aria-label=${gettext("Machines of {name}", { name: clusterTitle(cluster) })}
          >${groupsOf(cluster).map((group, at) =>
            this.group(group, { kind: "group", cluster: place, group: at }, machines),
          )}</div
        >${this.racks(racksOf(cluster))}${this.parts()}${this.edge(
          item,
          "repeat",
          gettext("Drag sideways: number of clusters like this"),
        )}${this.edge(item, "racks", gettext("Drag down: number of racks per cluster"))}`,
    );
  }

  /** @param {number} racks */
  racks(racks) {
    return html`<span class="plan-racks"
      ><span class="plan-rack-row" aria-hidden="true"
        >${Array.from({ length: Math.min(MOST_RACKS, racks) }, () => html`<i></i>`)}</span
      >${ngettext("{racks} rack", "{racks} racks", racks, { racks: whole(racks) })}</span>`;
  }

  /**
   * @param {import("./topology_edits.js").MachineGroup} group
   * @param {Item} item
   * @param {number} machines
   */
  group(group, item, machines) {
    const count = group.count ?? 1;
    const tall = Math.round(36 + 4 * Math.log2(Math.max(1, Number(group.cpus ?? 1))));
    const grow = Math.max(0.15, count / Math.max(1, machines));
    const style = [`flex-grow:${grow}`, `--tall:${tall}px`].join(";");
    return this.item(
      item,
      { kind: `plan-group${group.gpus ? " has-gpus" : ""}`, style },
      html`<span class="plan-count">${whole(count)}</span><span class="plan-shape">${shapeWords(group)}</span
        >${this.edge(item, "count", gettext("Drag: number of machines"))}`,
    );
  }

  /** Return how each cluster is split among the masters. */
  parts() {
    if (!this.partitioned) return nothing;
    const masters = mastersOf(this.experiment);
    const tip = gettext("Each Global Master owns a partition of 1 in {masters} of each cluster.", {
      masters: three(masters),
    });
    return html`<span class="plan-parts" aria-hidden="true" data-tip=${tip}
      >${Array.from(
        { length: Math.min(MOST_PARTS, masters) },
        (_, master) => html`<i .style=${`background: ${ownerColour(master, this.state.dark)}`}></i>`,
      )}</span>`;
  }
}
