/** A second map: the run before, or a kept branch, beside the changed run, at the same instant and the same place. */

import { floatingTip, placeTip } from "../../kit/dom.js";
import { html, made, watch } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";
import { describeMachine } from "../../run/sentences.js";
import { MapView } from "../../draw/map/map.js";
import { nameOfBranch } from "./branches_view.js";

/** @import { Camera } from "../../draw/map/camera.js" */
/** @import { Stage } from "../../draw/stage/stage.js" */
/** @import { Branches, Other } from "./branches.js" */

/** Return whether two runs have the same machines, so that one camera fits both maps. */
const alike = (/** @type {Other["meta"]} */ one, /** @type {Other["meta"]} */ other) =>
  JSON.stringify(one.clusters) === JSON.stringify(other.clusters);

/** The map beside. It is there as long as a run stands beside the changed one. */
class BesideMap {
  #shown = -1;
  /** @type {string | null} */
  #layer = null;
  /** @type {Camera | null} */
  #camera = null;
  #tip = floatingTip();
  #frame = 0;

  /**
   * @param {Stage} stage
   * @param {Other} other
   */
  constructor(stage, other) {
    const name = nameOfBranch(other.number);
    this.stage = stage;
    this.other = other;
    /** @type {HTMLElement[]} */
    this.names = [name, gettext("Changed run")].map((words, at) =>
      made(() => html`<p class="beside-name" data-side=${at}>${words}</p>`),
    );
    /** @type {HTMLElement} */
    this.element = made(() => html`<div class="map map-beside" data-beside-map></div>`);
    const main = stage.map.element;
    main.before(...this.names, this.element);
    this.map = new MapView(
      this.element,
      {
        point: (machine, x, y) => this.#point(machine, x, y),
        moved: () => stage.map.moveTo(this.map.eye.target),
      },
      { wheel: "ctrl" },
    );
    this.map.setMeta(other.meta);
    this.map.cells.setAttribute("aria-label", gettext("Map of {title}", { title: name }));
    main.parentElement?.classList.add("is-beside");
    const draw = (/** @type {number} */ now) => {
      this.#draw(now);
      this.#frame = requestAnimationFrame(draw);
    };
    this.#frame = requestAnimationFrame(draw);
  }

  #draw(/** @type {number} */ now) {
    const { stage, other, map } = this;
    if (stage.layer !== this.#layer) {
      this.#layer = stage.layer;
      map.setLayer(stage.layer);
    }
    const { target } = stage.map.eye;
    if (target !== this.#camera && stage.meta && alike(stage.meta, other.meta)) {
      this.#camera = target;
      map.moveTo(target);
    }
    const index = other.store.indexAt(stage.player.shownNs);
    if (index >= 0 && index !== this.#shown) {
      this.#shown = index;
      map.show(other.store.pictureAt(index));
    }
    map.drawOver(now);
  }

  #point(/** @type {number} */ machine, /** @type {number} */ x, /** @type {number} */ y) {
    this.#tip.hidden = machine < 0;
    if (machine < 0) return;
    const { meta, store } = this.other;
    this.#tip.textContent = describeMachine(meta, store.pictureAtTime(this.stage.player.shownNs), machine);
    placeTip(this.#tip, x, y);
  }

  remove() {
    cancelAnimationFrame(this.#frame);
    this.stage.map.element.parentElement?.classList.remove("is-beside");
    for (const each of [...this.names, this.element, this.#tip]) each.remove();
  }
}

/**
 * Keep a map beside the stage's as long as a run stands beside the changed one.
 * @param {Stage} stage
 * @param {Branches} branches
 */
export function showBeside(stage, branches) {
  /** @type {BesideMap | null} */
  let open = null;
  watch(
    () => branches.other.value,
    (other) => {
      const same = open && other && open.other.store === other.store && open.other.number === other.number;
      if (same) return;
      open?.remove();
      open = other ? new BesideMap(stage, other) : null;
    },
  );
}
