/** The keyboard shortcuts of the datacenter editor; kit/keys.js lists them. */

import { addCluster, addGroup, addQueue, moveCluster, serve, setQueueShare } from "./topology_edits.js";
import {
  changeCluster,
  clustersOf,
  itemAt,
  itemWords,
  keyOf,
  mastersOf,
  neighbour,
  racksOf,
  SHAPES,
  sizeOf,
  stepped,
  withSize,
} from "../../experiment/topology.js";
import { keysDialog } from "../../kit/key_list.js";
import { targetOf } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";

/** @import { Plan } from "./plan.js" */

/** @type {Record<string, number>} */
const SIZES = { "+": 1, "=": 1, "-": -1, PageUp: 1, PageDown: -1 };
/** @type {Record<string, string>} */
const OFFERS = { s: "split", m: "merge", Delete: "delete", Backspace: "delete" };
/** Why an action with a key is refused. */
/** @type {Record<string, string>} */
const REFUSED = {
  split: gettext("This has only one part and cannot be split."),
  merge: gettext("There is nothing to merge it with."),
  delete: gettext("The last one of a kind cannot be removed."),
  duplicate: gettext("A Global Master is added, not copied: split it, or drag one in."),
};

export const NEW_CLUSTER = { name: "lm", machines: [{ count: 100, cpus: 4, memory_gb: 16 }] };

/**
 * Run the action of a key on the plan.
 * @param {Plan} plan
 * @param {KeyboardEvent} event
 */
export function planKey(plan, event) {
  if (targetOf(event).closest("input, select, textarea")) return;
  const done = () => {
    event.preventDefault();
    event.stopPropagation();
  };
  const arrow = event.key.startsWith("Arrow");
  if (event.ctrlKey || event.metaKey) {
    if (event.key.toLowerCase() === "d") {
      done();
      offered(plan, "duplicate");
    }
    return;
  }
  if (event.altKey) {
    if (arrow) {
      done();
      shift(plan, event.key === "ArrowRight" || event.key === "ArrowDown" ? 1 : -1);
    }
    return;
  }
  if (arrow) {
    done();
    const next = neighbour(plan.studio.opened.value, plan.selected, event.key, plan.partitioned);
    if (next) plan.select(next, { keep: true });
    return;
  }
  if (SIZES[event.key]) {
    done();
    resize(plan, SIZES[event.key], event.key.startsWith("Page"));
    return;
  }
  const id = OFFERS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (id) {
    done();
    offered(plan, id);
    return;
  }
  /** @type {Record<string, () => unknown>} */
  const acts = {
    ...(plan.also.size ? { Escape: () => plan.select(plan.selected) } : {}),
    Enter: () => plan.fields.focus(),
    " ": () => {
      if (plan.selected?.kind === "cluster") plan.mark();
    },
    "?": () => keysDialog("studio"),
    Insert: () => insert(plan),
    r: () => racks(plan, 1),
    R: () => racks(plan, -1),
  };
  if (acts[event.key]) {
    done();
    acts[event.key]();
  }
}

/**
 * @param {Plan} plan
 * @param {string} id
 */
function offered(plan, id) {
  const found = plan.offers().find((each) => each.id === id);
  if (found) plan.do(found);
  else if (!plan.readOnly) plan.refuse(REFUSED[id]);
}

/**
 * Add one more of the selected kind, with a default size.
 * @param {Plan} plan
 */
function insert(plan) {
  const {
    selected,
    studio: {
      opened: { value: experiment },
    },
  } = plan;
  if (selected?.kind === "group") plan.make(addGroup(experiment, selected.cluster, SHAPES[0].shape, selected.group));
  else if (selected?.kind === "cluster") plan.make(addCluster(experiment, NEW_CLUSTER, selected.cluster));
  else plan.make(addQueue(experiment, selected.kind === "master" ? selected.master : null));
}

/**
 * @param {Plan} plan
 * @param {number} way
 * @param {boolean} large
 */
function resize(plan, way, large) {
  const { selected, studio } = plan;
  if (selected?.kind === "queue")
    plan.edit("keys", (one) => setQueueShare(one, selected.queue, sizeOf(one, selected) + way * (large ? 0.1 : 0.01)));
  else
    plan.edit(`keys:${keyOf(selected)}`, (one) => withSize(one, selected, stepped(sizeOf(one, selected), way, large)));
  plan.say(itemWords(studio.opened.value, plan.selected, plan.partitioned));
}

/**
 * @param {Plan} plan
 * @param {number} way
 */
function racks(plan, way) {
  const { selected, studio } = plan;
  if (selected?.kind !== "cluster") return;
  plan.edit(`racks:${selected.cluster}`, (one) =>
    changeCluster(one, selected.cluster, { racks: Math.max(1, racksOf(itemAt(one, selected)) + way) }),
  );
  plan.say(itemWords(studio.opened.value, selected, plan.partitioned));
}

/**
 * Move a cluster in the order, machines to the neighboring cluster, or a queue to another master.
 * @param {Plan} plan
 * @param {number} way
 */
function shift(plan, way) {
  const {
    selected,
    studio: {
      opened: { value: experiment },
    },
  } = plan;
  if (selected?.kind === "cluster") plan.make(moveCluster(experiment, selected.cluster, way));
  if (selected?.kind === "group") {
    const to = selected.cluster + way;
    if (to >= 0 && to < clustersOf(experiment).length) plan.moveTo(selected, to);
  }
  if (selected?.kind !== "queue" || !plan.partitioned) return;
  const masters = mastersOf(experiment);
  const now = itemAt(experiment, selected).global_master ?? selected.queue % masters;
  plan.make({ experiment: serve(experiment, selected.queue, (now + way + masters) % masters), item: selected });
}
