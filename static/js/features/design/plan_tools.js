/** Parts that can be dragged onto the datacenter, or added by a click. */

import { whole } from "../../kit/format.js";
import { html } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";
import { clustersOf, itemAt, SHAPES } from "../../experiment/topology.js";
import { takeUp } from "./dragging.js";
import { NEW_CLUSTER } from "./plan_keys.js";
import { addCluster, addGroup, addMaster, addQueue } from "./topology_edits.js";

/**
 * @import { Plan } from "./plan.js"
 * @import { Made } from "./topology_edits.js"
 */

/**
 * @typedef {{id: string, label: string, tip: string, places: string[], masters?: boolean,
 *   add: (place?: HTMLElement | null) => Made | null}} Tool
 */

/**
 * @param {Plan} plan
 * @returns {Tool[]}
 */
function toolsOf(plan) {
  const { studio } = plan;
  const here = () =>
    "cluster" in plan.selected && itemAt(studio.opened.value, { kind: "cluster", cluster: plan.selected.cluster })
      ? plan.selected.cluster
      : clustersOf(studio.opened.value).length - 1;
  /** @param {HTMLElement | null} [place] */
  const master = (place) =>
    place?.dataset.key?.startsWith("master:") ? Number(place.dataset.key.split(":")[1]) : null;
  return [
    {
      id: "cluster",
      label: gettext("Cluster"),
      tip: gettext("A cluster with 100 machines."),
      places: ["clusters", "cluster"],
      add: (place) =>
        addCluster(
          studio.opened.value,
          NEW_CLUSTER,
          place?.dataset.cluster === undefined ? Infinity : Number(place.dataset.cluster),
        ),
    },
    ...SHAPES.map((each) => ({
      id: each.id,
      label: each.label,
      tip: gettext("{count} machines in a cluster.", { count: whole(each.shape.count) }),
      places: ["cluster"],
      add: (/** @type {HTMLElement | null | undefined} */ place) =>
        addGroup(studio.opened.value, place ? Number(place.dataset.cluster) : here(), each.shape),
    })),
    {
      id: "queue",
      label: gettext("Queue"),
      tip: gettext("A queue with an equal share. The other shares shrink in proportion."),
      places: ["master", "masters"],
      add: (place) => addQueue(studio.opened.value, master(place)),
    },
    {
      id: "master",
      label: gettext("Global Master"),
      tip: gettext("One more Global Master, with a part of every cluster."),
      places: ["masters", "master"],
      masters: true,
      add: () => addMaster(studio.opened.value),
    },
  ];
}

/**
 * Return buttons that add a part by a click, or by a drag to its place.
 * @param {Plan} plan
 * @param {boolean} partitioned  true if there are masters
 */
export function toolViews(plan, partitioned) {
  return toolsOf(plan).map((tool) => {
    const press = (/** @type {PointerEvent} */ event) =>
      takeUp(event, {
        label: () => tool.label,
        accepts: (place) => !plan.readOnly && tool.places.includes(place.dataset.drop ?? ""),
        drop: (place) => plan.make(tool.add(place)),
      });
    return html`<button
      class="design-tool"
      type="button"
      data-tool=${tool.id}
      data-tip=${gettext("{tip} Drag it onto the plan, or click.", { tip: tool.tip })}
      ?hidden=${tool.masters && !partitioned}
      @pointerdown=${press}
      @click=${() => plan.make(tool.add(null))}
    >${tool.label}</button>`;
  });
}
