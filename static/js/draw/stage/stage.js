/** The animated picture with its controls: map, tooltip, legend, layers, play bar. Every page with playback has one. */

import { percentiles } from "../../kit/histogram.js";
import { Player } from "../../run/player.js";
import { describeClusters, describeMachine, describePicture } from "../../run/sentences.js";
import { FrameStore } from "../../run/frames.js";
import { floatingTip, onTheme, part, placeTip } from "../../kit/dom.js";
import { drawLegend } from "./legend.js";
import { MapView } from "../map/map.js";
import { PlayBar } from "./playbar.js";
import { ZoomBar } from "../map/zoom_bar.js";
import { clock } from "../../kit/format.js";
import { gettext } from "../../kit/words.js";
import { drawLayers } from "./layer_choice.js";
import { flashing } from "../work/marks.js";
import { Speaking } from "./speaking.js";
import { TasksView } from "../work/view.js";

/**
 * @import { Meta } from "../../contract/contract"
 * @import { Picture, SeenMark } from "../../run/frames.js"
 * @import { Target } from "../../run/places.js"
 * @import { ViewState } from "../../run/view_state.js"
 */

const PANEL_MS = 120;
const LINK_NS = 1500; // an address stores the instant to the next microsecond

/**
 * Callbacks from a stage to its page.
 * @typedef {object} StageHooks
 * @property {(picture: Picture) => void} [picture]  called several times a second
 * @property {(t_ns: number) => void} [moved]  called at every change of the instant
 * @property {(machine: number) => void} [pin]
 * @property {() => void} [used]  the viewer acted
 * @property {(mark: SeenMark) => void} [stepped]  playback stepped to an event
 * @property {(map: MapView) => void} [layout]
 * @property {(target: Target, x: number, y: number) => void} [menu]
 */

export class Stage {
  /**
   * The picture at the viewer's instant, and the picture that numbers and sentences describe.
   * @type {Picture | null}
   */
  picture = null;
  /** @type {Picture | null} */
  told = null;
  tipMachine = -1;
  shownIndex = -1;
  /** @type {FrameStore | null} */
  shownStore = null;
  /** @type {string | null} */
  heldFor = null;
  /** The instant of an event that the viewer jumped to. @type {number | null} */
  happenedAt = null;
  legendOf = "";
  legendOfTasks = false;
  panelsAt = 0;
  #speaking = new Speaking();
  /** True if the words about the map name every cluster. */
  #tellsClusters = false;
  /** True if playback rested in the frame before. */
  #rested = false;

  /**
   * @param {HTMLElement} root
   * @param {{on?: StageHooks, loop?: boolean, view?: ViewState, wheel?: "always" | "ctrl"}} [options]
   */
  constructor(root, { on = {}, loop = false, view = {}, wheel = "always" } = {}) {
    this.on = on;
    this.root = root;
    /** @type {Meta | null} */
    this.meta = null;
    /** @type {string | null} */
    this.layer = view.layer ?? null;
    /** @type {import("./legend.js").OwnerFilter} */
    this.filter = {
      chosen: new Set(view.owners ?? []),
      all: false,
      toggle: (owner) => this.filterOwner(owner),
      showAll: () => {
        this.filter.all = !this.filter.all;
        this.#drawLegend();
      },
    };
    this.player = new Player(new FrameStore(), {
      rate: view.speed ?? null,
      loop,
      playing: !view.paused,
      t_ns: (view.t_s ?? 0) * 1e9,
    });
    this.legend = root.querySelector("[data-legend]");
    this.layers = root.querySelector("[data-layers]");
    this.live = root.querySelector("[data-live]");
    this.tip = floatingTip();
    this.map = this.#makeMap(view, wheel);
    this.tasks = root.querySelector("[data-tasks]")
      ? new TasksView(this.map, this.tip, () => this.#drawLegend())
      : null;
    const zoom = root.querySelector("[data-zoom]");
    this.zoomBar = zoom ? new ZoomBar(zoom, this.map) : null;
    this.describer = root.querySelector("[data-describe]");
    this.describer?.setAttribute("aria-pressed", "false");
    this.describer?.addEventListener("click", () => this.describeClusters());
    const bar = root.querySelector("[data-playbar]");
    this.playbar = bar
      ? new PlayBar(bar, {
          toggle: () => this.toggle(),
          step: (/** @type {number} */ direction) => this.step(direction),
          speed: (/** @type {number} */ rate) => this.setRate(rate),
        })
      : null;
    onTheme(() => {
      if (this.meta) this.#drawLegend();
    });
    this.#beginFrames();
  }

  #beginFrames() {
    let last = performance.now();
    const loopOnce = (/** @type {number} */ now) => {
      this.#frame(now, now - last);
      last = now;
      requestAnimationFrame(loopOnce);
    };
    requestAnimationFrame(loopOnce);
  }

  #makeMap(/** @type {ViewState} */ view, /** @type {"always" | "ctrl"} */ wheel) {
    const map = new MapView(
      part("[data-map]", this.root),
      {
        point: (machine, x, y) => this.#point(machine, x, y),
        pin: (machine) => this.on.pin?.(machine),
        moved: () => this.on.used?.(),
        focus: (machine) => {
          if (this.meta) this.#say(describeMachine(this.meta, this.#known(), machine));
        },
        describe: () => this.describeClusters(),
        layout: (map) => {
          this.legend?.classList.toggle("small-cells", !map.striped);
          this.on.layout?.(map);
        },
      },
      { wheel },
    );
    if (view.zoom && view.centre !== null && view.centre !== undefined)
      map.goTo({ zoom: view.zoom, centre: view.centre });
    return map;
  }

  setMeta(/** @type {Meta} */ meta) {
    this.meta = meta;
    this.tasks?.setMeta(meta); // first, because its strip takes space from the map
    this.map.setMeta(meta);
    this.root.classList.toggle("has-owners", meta.owners.length > 0);
    this.shownIndex = -1;
    if (this.layer && !meta.outline && !meta.layers.some((layer) => layer.name === this.layer)) this.layer = null;
    for (const owner of this.filter.chosen)
      if (!meta.outline && owner >= meta.owners.length) this.filter.chosen.delete(owner);
    this.map.setFilter(this.filter.chosen);
    this.map.setLayer(this.layer);
    drawLayers(this);
    this.#drawLegend();
  }

  /**
   * Select an owner, or undo the selection. Selected owners' machines have full color; without a selection, all have.
   */
  filterOwner(/** @type {number} */ owner) {
    const { chosen } = this.filter;
    if (chosen.has(owner)) chosen.delete(owner);
    else chosen.add(owner);
    if (chosen.size === this.meta?.owners.length) chosen.clear();
    this.map.setFilter(chosen);
    this.#drawLegend();
    const names = [...chosen].sort((a, b) => a - b).map((each) => this.meta?.owners[each]);
    const only = gettext("Only {names} keep their full color.", { names: names.join(", ") });
    this.#say(names.length ? only : gettext("All machines have their full color."));
    this.on.used?.();
  }

  /** Redraw with the selected owners. */
  refilter() {
    this.map.setFilter(this.filter.chosen);
    this.#drawLegend();
  }

  /**
   * Show another run at the same instant.
   * @param {FrameStore} store
   * @param {Parameters<Player<FrameStore>["replace"]>[1]} [options]
   */
  setStore(store, options) {
    store.quiet = new Set(this.meta?.marks.filter((mark) => mark.quiet).map((mark) => mark.kind));
    this.player.replace(store, options);
    if (!this.shownStore) this.player.open(this.player.t_ns);
    this.shownIndex = -1;
    this.told = null;
    this.panelsAt = 0; // numbers change in the frame in which the picture does
    this.flashedTo = this.player.t_ns;
    this.heldFor = null;
  }

  setLayer(/** @type {string | null} */ name) {
    this.layer = name;
    this.map.setLayer(name);
    drawLayers(this);
    this.#drawLegend();
    this.on.used?.();
  }

  nextLayer() {
    const names = [null, ...(this.meta?.layers.map((layer) => layer.name) ?? [])];
    this.setLayer(names[(names.indexOf(this.layer) + 1) % names.length]);
  }

  toggle() {
    this.player.toggle();
    this.#acted();
  }
  setRate(/** @type {number | null} */ rate) {
    Object.assign(this.player, { pace: null, chosenRate: rate });
    this.on.used?.();
  }
  scaleRate(/** @type {number} */ factor) {
    this.setRate(this.player.rate * factor);
  }
  step(/** @type {number} */ direction) {
    const mark = this.player.step(direction);
    this.#acted();
    if (!mark) return;
    this.map.flash(this.player.store.marks.filter((each) => each.t_ns === mark.t_ns));
    this.on.stepped?.(mark);
  }

  /** Go to an instant. `happened`: an event without a mark happens at it, and the picture must include that event. */
  seek(/** @type {number} */ t_ns, happened = false) {
    this.player.seek(t_ns);
    this.happenedAt = happened ? this.player.t_ns : null;
    this.#acted();
  }

  #index() {
    const { playing, store, t_ns } = this.player;
    return playing ? store.indexAt(t_ns) : store.indexSeen(t_ns, this.happenedAt === t_ns);
  }

  #acted() {
    this.flashedTo = this.player.t_ns;
    this.panelsAt = 0;
    this.on.used?.();
  }

  #frame(/** @type {number} */ now, /** @type {number} */ elapsed) {
    const { player } = this;
    const moved = player.tick(elapsed);
    const index = this.#index();
    if (index >= 0 && (index !== this.shownIndex || player.store !== this.shownStore)) {
      this.picture = player.store.pictureAt(index);
      this.map.show(this.picture);
      this.shownIndex = index;
      this.shownStore = player.store;
      this.stale = true;
      if (!this.tip.hidden && this.tipMachine >= 0) this.#describe();
    }
    if (player.rests !== this.#rested) {
      this.#rested = player.rests;
      this.stale = true; // the charts change between the whole run and the instant
    }
    if (moved && player.t_ns > (this.flashedTo ?? 0))
      this.map.flash(flashing(player.store.marksBetween(this.flashedTo ?? 0, player.t_ns), this));
    if (moved) this.flashedTo = player.t_ns;
    this.#hold();
    this.map.drawOver(now);
    this.zoomBar?.update();
    this.playbar?.update(player);
    this.on.moved?.(player.shownNs);
    if (this.picture && this.stale && now - this.panelsAt > PANEL_MS) {
      this.panelsAt = now;
      this.stale = false;
      this.told = { ...this.picture };
      // The frame of all numbers on the page.
      this.map.element.dataset.frame = String(this.told.seq);
      // After the end, the map shows an instant, and wait charts show the whole run.
      this.on.picture?.(player.rests ? { ...this.told, hists: player.store.growing.hists } : this.told);
    }
    this.tasks?.draw(player, this.picture ?? null, this.told);
    if (this.legendOf && this.tasks && this.tasks.drawn !== this.legendOfTasks) this.#keepLegend();
    if (this.picture && this.live && this.#speaking.isDue(now, this.#instant(), player.playing)) this.#speak(now);
  }

  /** While paused, show the marks of exactly this instant, so that a viewer who stepped here sees where they are. */
  #hold() {
    const { player } = this;
    const { store, t_ns } = player;
    const key = player.playing ? "" : `${t_ns} ${store.marks.length}`;
    if (key === this.heldFor || !this.meta || this.meta.outline) return;
    this.heldFor = key;
    this.map.hold(key ? flashing(store.marksBetween(t_ns - LINK_NS, t_ns), this) : []);
  }

  hideTip() {
    this.tip.hidden = true;
  }

  /** Announce the answer to a user's request immediately. */
  #say(/** @type {string} */ text) {
    if (!this.live) return;
    this.#speaking.said(performance.now(), this.#instant());
    this.live.textContent = text;
  }

  /** Announce every cluster in a sentence from now on, for screen readers, or the whole map again. */
  describeClusters() {
    this.#tellsClusters = !this.#tellsClusters;
    this.describer?.setAttribute("aria-pressed", String(this.#tellsClusters));
    if (this.meta && !this.meta.outline) this.#say(this.#words(this.#known()));
  }

  #known() {
    return this.picture && !this.meta?.outline ? this.picture : { layers: {} };
  }

  /** Return what is drawn. */
  #instant() {
    const { store, shownNs } = this.player;
    return { store, seq: this.picture?.seq ?? -1, t_ns: shownNs };
  }

  /** Return the map in words, at the instant that the clock shows. */
  #words(/** @type {Partial<Picture> & Pick<Picture, "layers">} */ picture) {
    const { meta, player } = this;
    if (!meta) return "";
    const time = clock(player.shownNs, player.store.endNs, !player.playing);
    if (this.#tellsClusters && !meta.outline) return describeClusters(meta, picture, time);
    const hist = picture.hists?.[meta.hists[0]?.name];
    return describePicture(meta, picture, hist ? percentiles(hist) : null, time);
  }

  #speak(/** @type {number} */ now) {
    const { meta, picture, live } = this;
    if (!meta || !picture || !live) return;
    this.#speaking.said(now, this.#instant());
    const text = this.#words(picture);
    this.map.cells.setAttribute("aria-label", gettext("Map of all machines. {text}", { text }));
    live.textContent = text;
  }

  /**
   * @param {number} machine
   * @param {number} x
   * @param {number} y
   */
  #point(machine, x, y) {
    this.tipMachine = machine;
    if (machine < 0 || !this.meta) {
      this.tip.hidden = true;
      return;
    }
    this.tip.hidden = false;
    this.#describe();
    placeTip(this.tip, x, y);
  }

  #describe() {
    if (!this.meta) return;
    const text = describeMachine(this.meta, this.#known(), this.tipMachine);
    this.tip.textContent = this.tasks?.describe(text, this.tipMachine, this.player.t_ns) ?? text;
  }

  #drawLegend() {
    const { legend, meta } = this;
    if (!legend || !meta) return;
    drawLegend(legend, meta, this.layer, this.filter, this.tasks?.scene.track);
    const of = `${meta.machines} ${meta.layers.length} ${meta.marks.length} ${innerWidth}`;
    if (this.legendOf !== of) legend.style.minHeight = "";
    this.legendOf = of;
    this.#keepLegend();
  }

  /**
   * Keep the legend's height for the run; otherwise the map would jump between layers. Drawn tasks have a longer
   * legend, which leaves a lower map: without this, they would come and go at every frame where the lower map draws
   * none.
   */
  #keepLegend() {
    if (!this.legend) return;
    this.legendOfTasks = Boolean(this.tasks?.drawn);
    this.legend.style.minHeight = `${this.legend.offsetHeight}px`;
  }
}
