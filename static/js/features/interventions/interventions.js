/**
 * The context menu of a part of the datacenter (right click, menu key or long press): the possible actions now. An
 * action forks the experiment.
 */

import { act, canAct } from "../../run/acting.js";
import { whyTask } from "../../run/why/why_task.js";
import { clock, whole } from "../../kit/format.js";
import { offersFor } from "../../run/possible_events.js";
import { nameOf, rackOf } from "../../run/places.js";
import { clusterOf } from "../../run/sentences.js";
import { openMenu } from "../../kit/menu.js";
import { gettext, midSentence } from "../../kit/words.js";
import { bareName } from "../../kit/names.js";
import { targetOf } from "../../kit/dom.js";

/**
 * @import { MenuGroup, MenuItem } from "../../kit/menu.js"
 * @import { Target } from "../../run/places.js"
 * @import { Studio } from "../../studio/store.js"
 */

/** Return the last mark on a machine up to now, for the question why. */
function lastMark(/** @type {Studio} */ studio, /** @type {number} */ machine) {
  const { store, t_ns } = studio.stage.player;
  return store.marks.findLast((mark) => mark.machine === machine && mark.t_ns <= t_ns && mark.task >= 0) ?? null;
}

export function wireInterventions(/** @type {Studio} */ studio) {
  const menus = new Menus(studio);
  const open = (/** @type {Target} */ target, /** @type {number} */ x, /** @type {number} */ y) =>
    menus.open(target, x, y);
  studio.stage.on.menu = open;
  studio.stage.map.on.menu = open;
  wireMarked(
    document.body,
    (element) =>
      element.dataset.owner !== undefined
        ? { kind: "owner", owner: Number(element.dataset.owner) }
        : { kind: "queue", name: element.dataset.queue },
    open,
  );
}

/** Return a part of the menu without the actions' help lines, for targets other than the menu's own. */
const short = (/** @type {MenuGroup} */ part) => ({
  ...part,
  items: part.items.map((item) => ({ ...item, help: "" })),
});

/** The menus of the parts of a datacenter. */
class Menus {
  constructor(/** @type {Studio} */ studio) {
    this.studio = studio;
    this.last = [0, 0];
  }

  open(/** @type {Target} */ target, x = this.last[0], y = this.last[1]) {
    const { stage, lesson } = this.studio;
    if (!stage.meta || lesson?.locked("menu")) return;
    this.last = [x, y];
    stage.hideTip();
    const title = nameOf(stage.meta, target);
    openMenu({ title, groups: this.#groupsOf(target), x, y, owner: document.activeElement });
  }

  #groupsOf(/** @type {Target} */ target) {
    const { stage } = this.studio;
    if (target.kind === "machine") return this.#machineGroups(target.machine);
    if (target.kind === "cluster") return this.#clusterGroups(target);
    /** @type {MenuItem[]} */
    const looks = [this.#follow(target)];
    if (target.kind === "owner")
      looks.push({ label: gettext("Show only its machines"), act: () => stage.filterOwner(target.owner) });
    return [{ title: "", items: looks }, this.#group(target, "")];
  }

  /**
   * Return a target's group: the possible actions, or a note why there are none.
   * @param {Target} target
   * @param {string} title
   */
  #group(target, title) {
    const { studio } = this;
    const { stage } = studio;
    if (!canAct(studio))
      return {
        title,
        items: [],
        note: gettext("Available when the run on screen matches the current settings."),
      };
    const { meta } = stage;
    if (!meta) return { title, items: [] };
    const offers = offersFor({
      experiment: studio.opened.value,
      scheduler: studio.chosen.value,
      meta,
      picture: studio.stage.picture ?? null,
      target,
      t_s: Math.round(stage.player.t_ns / 1e6) / 1e3,
      end_s: stage.player.store.endNs / 1e9,
    });
    const name = nameOf(meta, target.kind === "local_master" ? { kind: "cluster", name: target.name } : target);
    const items = offers.map((offer) => ({
      label: offer.label,
      help: offer.help,
      does: offer.id,
      act: () => act(studio, offer.events, `${title || name}: ${midSentence(offer.label)}.`),
    }));
    const plain = studio.opened.value.scheduler?.params?.profile === "public-simulator";
    const why = gettext("{label} does not simulate faults here{profile}.", {
      label: studio.chosen.value?.label ?? gettext("This scheduler"),
      profile: plain ? gettext(" under the profile public-simulator") : "",
    });
    return { title, items, note: items.length ? "" : why };
  }

  #follow(/** @type {Target} */ target) {
    return {
      label: target.kind === "machine" ? gettext("Follow in the inspector") : gettext("Show in the inspector"),
      act: () => this.studio.follow(target),
    };
  }

  #machineGroups(/** @type {number} */ machine) {
    const { studio } = this;
    const { stage } = studio;
    const { meta } = stage;
    if (!meta) return [];
    const cluster = clusterOf(meta, machine);
    const rack = rackOf(stage.map.starts, machine);
    const mark = lastMark(studio, machine);
    /** @type {MenuItem[]} */
    const looks = [this.#follow({ kind: "machine", machine })];
    if (mark && studio.session.value?.run.state === "done") {
      const label = meta.marks.find((each) => each.kind === mark.kind)?.label ?? mark.kind;
      looks.push({
        label: gettext("Why?"),
        does: "why",
        help: gettext("{label} at {time}, task {task}: its reasons.", {
          label,
          time: clock(mark.t_ns, stage.player.store.endNs),
          task: whole(mark.task),
        }),
        act: () => whyTask(studio, mark.task),
      });
    }
    const own = this.#group({ kind: "machine", machine }, "");
    /** @type {MenuGroup[]} */
    const rest = [{ title: "", items: looks }, own];
    if (own.items.length && cluster.racks?.length > 1)
      rest.push(short(this.#group({ kind: "rack", rack }, gettext("Rack {rack}", { rack: whole(rack) }))));
    const more = () => this.open({ kind: "cluster", name: cluster.name });
    rest.push({
      title: "",
      items: [{ label: gettext("Cluster {name} …", { name: bareName(cluster.name) }), does: "cluster", act: more }],
    });
    return rest;
  }

  #clusterGroups(/** @type {Target} */ target) {
    const zoom = { label: gettext("Zoom to it"), act: () => this.studio.stage.map.lookAt(target) };
    /** @type {MenuGroup[]} */
    const groups = [{ title: "", items: [this.#follow(target), zoom] }, this.#group(target, gettext("Its machines"))];
    const master = this.#group({ kind: "local_master", name: target.name }, gettext("Its Local Master"));
    if (master.items.length) groups.push(short(master));
    return groups;
  }
}

/**
 * Wire the elements of owners and queues, which have data-owner or data-queue.
 * @param {HTMLElement} root
 * @param {(element: HTMLElement) => Target} meant
 * @param {(target: Target, x: number, y: number) => void} menu
 */
function wireMarked(root, meant, menu) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  root.addEventListener("keydown", (event) => {
    if (![" ", "Enter"].includes(event.key) || targetOf(event).dataset?.queue === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const box = targetOf(event).getBoundingClientRect();
    menu(meant(targetOf(event)), box.left, box.bottom);
  });
  const marked = (/** @type {Event} */ event) => targetOf(event).closest?.("[data-owner], [data-queue]");
  root.addEventListener("contextmenu", (event) => {
    const element = marked(event);
    if (!element) return;
    event.preventDefault();
    const box = element.getBoundingClientRect();
    const keyed = event.clientX === 0 && event.clientY === 0;
    menu(meant(element), keyed ? box.left : event.clientX, keyed ? box.bottom : event.clientY);
  });
  root.addEventListener("pointerdown", (event) => {
    const element = event.pointerType === "touch" ? marked(event) : null;
    if (!element) return;
    timer = setTimeout(() => menu(meant(element), event.clientX, event.clientY), 550);
  });
  for (const name of ["pointerup", "pointercancel", "pointermove"])
    root.addEventListener(name, () => clearTimeout(timer));
}
