/** Pointer and clipboard actions on the drawing of the datacenter. */

import { targetOf } from "../../kit/dom.js";
import { openMenu } from "../../kit/menu.js";
import { gettext } from "../../kit/words.js";
import {
  changeCluster,
  itemAt,
  itemWords,
  keyOf,
  racksOf,
  resized,
  sizeOf,
  withSize,
} from "../../experiment/topology.js";
import { pull, takeUp } from "./dragging.js";
import { serve } from "./topology_edits.js";
import { remove } from "./topology_splits.js";
import { copied, pasted, TextError } from "./topology_text.js";

/**
 * @import { Item } from "../../experiment/topology.js"
 * @import { Plan } from "./plan.js"
 */

/**
 * Return the item of a key returned by keyOf.
 * @param {string} key
 * @returns {Item}
 */
export function itemFrom(key) {
  const [kind, ...places] = key.split(":");
  const [first, second] = places.map(Number);
  if (kind === "group") return { kind, cluster: first, group: second };
  if (kind === "master") return { kind, master: first };
  return kind === "queue" ? { kind, queue: first } : { kind: "cluster", cluster: first };
}

/**
 * Select the pressed item and, if it can move, start a drag.
 * @param {Plan} plan
 * @param {PointerEvent} event
 * @param {Item} item
 */
export function pressPart(plan, event, item) {
  event.stopPropagation();
  const several = (event.ctrlKey || event.metaKey || event.shiftKey) && item.kind === "cluster";
  plan.select(item, { several });
  // The item has the focus now; the browser would move it to the innermost element, or select text.
  if (event.pointerType !== "touch")
    window.addEventListener("mousedown", (after) => after.preventDefault(), { once: true, capture: true });
  if (plan.readOnly || (item.kind !== "queue" && item.kind !== "group")) return;
  takeUp(event, {
    label: () => itemWords(plan.studio.opened.value, item, plan.partitioned),
    accepts: (place) =>
      item.kind === "queue"
        ? plan.partitioned && place.dataset.drop === "master"
        : place.dataset.drop === "cluster" && Number(place.dataset.cluster) !== item.cluster,
    drop: (place) =>
      item.kind === "queue"
        ? plan.make({
            experiment: serve(plan.studio.opened.value, item.queue, Number(place.dataset.key?.split(":")[1])),
            item,
          })
        : plan.moveTo(item, Number(place.dataset.cluster)),
  });
}

/**
 * Change the size of an item while its edge is dragged.
 * @param {Plan} plan
 * @param {PointerEvent} event
 * @param {Item} item
 * @param {string} what
 */
export function pullEdge(plan, event, item, what) {
  let start = 1;
  let before = plan.studio.opened.value;
  pull(event, {
    began: () => {
      plan.select(item);
      plan.studio.history.hold();
      before = plan.studio.opened.value;
      start = what === "racks" ? racksOf(itemAt(before, item)) : sizeOf(before, item);
    },
    moved: (x, y) =>
      plan.edit(`edge:${keyOf(item)}:${what}`, () => {
        const size = resized(start, what === "racks" ? y : x);
        return what === "racks" && item.kind === "cluster"
          ? changeCluster(before, item.cluster, { racks: size })
          : withSize(before, item, size);
      }),
    ended: () => plan.studio.history.seal(),
  });
}

/**
 * Open the menu of the item under the pointer, or of the selected one after a key press.
 * @param {Plan} plan
 * @param {MouseEvent} event
 */
export function openContext(plan, event) {
  const element = targetOf(event).closest("[data-key]");
  if (!element) return;
  event.preventDefault();
  event.stopPropagation();
  const item = itemFrom(element.dataset.key ?? "");
  if (!plan.also.has(keyOf(item))) plan.select(item);
  const box = (plan.elementOf(plan.selected) ?? element).getBoundingClientRect();
  const keyed = event.clientX === 0 && event.clientY === 0;
  openOffers(plan, keyed ? box.left + 8 : event.clientX, keyed ? box.top + 24 : event.clientY);
}

/**
 * @param {Plan} plan
 * @param {number} x
 * @param {number} y
 */
function openOffers(plan, x, y) {
  const offers = plan.readOnly ? [] : plan.offers();
  openMenu({
    title: itemWords(plan.studio.opened.value, plan.selected, plan.partitioned),
    x,
    y,
    owner: plan.elementOf(plan.selected),
    groups: [
      {
        title: "",
        items: offers.map((offer) => ({
          label: offer.key ? `${offer.label}  (${offer.key})` : offer.label,
          help: offer.help,
          does: offer.id,
          act: () => plan.do(offer),
        })),
        note: offers.length
          ? ""
          : plan.studio.readOnly.value
            ? gettext("Press Fork above: your own copy can be changed.")
            : gettext("This lesson does not let you change it."),
      },
    ],
  });
}

/**
 * Copy, cut or paste the selected item as text.
 * @param {Plan} plan
 * @param {ClipboardEvent} event
 */
export function onClipboard(plan, event) {
  const text =
    event.type === "paste"
      ? (event.clipboardData?.getData("text/plain") ?? "")
      : copied(plan.studio.opened.value, plan.selected);
  if (!text) return;
  event.preventDefault();
  if (event.type === "paste") {
    try {
      plan.make(pasted(plan.studio.opened.value, text, plan.selected));
      plan.refuse("");
    } catch (error) {
      plan.refuse(error instanceof TextError ? error.message : gettext("This cannot be pasted here."));
    }
    return;
  }
  event.clipboardData?.setData("text/plain", text);
  if (event.type === "cut") plan.make(remove(plan.studio.opened.value, plan.selected));
  else plan.say(gettext("Copied."));
}
