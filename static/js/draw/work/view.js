/**
 * The strip beside a map and the canvas over both. Large cells show their tasks; smaller ones stay as the map draws
 * them, and the strip shows the waiting tasks.
 */

import { Density } from "./density.js";
import { Track } from "../../run/track.js";
import { TasksScene } from "./scene.js";
import { describeShelf, isOn, keepersIn, keepersOf, keyHeight, layShelves } from "./shelves.js";
import { describeTasks } from "./sentences.js";
import { Telling, followedWords } from "./telling.js";
import { Windows } from "../../run/windows.js";
import { onTheme, penOf, placeTip, reducedMotion } from "../../kit/dom.js";
import { whole } from "../../kit/format.js";
import { html, made, signal } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";

/** @typedef {import("../../contract/contract").Meta} Meta */

/** Cells at least this large, in CSS pixels, show their tasks. */
const LEAST_CELL = 13;
const MOST_DRAWN = 800;
/** A growing track is used again once it covers this many further seconds of playback. */
const AHEAD_S = 2;
/** Stands for a run of which only frames are known. */
const NOTHING = {};
/** The minimum duration of a visible movement, in seconds. */
const LAG_S = 0.35;

export class TasksView {
  /**
   * @param {import("../map/map.js").MapView} map
   * @param {HTMLElement} tip
   * @param {() => void} taken  called after the shown tasks changed to another track
   */
  constructor(map, tip, taken = () => {}) {
    this.map = map;
    this.taken = taken;
    this.tip = tip;
    /** The shelves with the numbers that the canvas shows beside them, for tests and screen readers. */
    this.shelves = signal(/** @type {import("./shelves.js").Shelf[]} */ ([]));
    /** The sentences below the map and above it; "" for none. */
    this.says = { now: signal(""), eyes: signal("") };
    /** @type {HTMLElement} */
    this.strip = made(
      () => html`
        <div class="tasks-strip" aria-hidden="true"
          ><ul class="visually-hidden">${this.shelves.value.map(shelfView)}</ul
        ></div>`,
    );
    /** @type {HTMLCanvasElement} */
    this.canvas = made(() => html`<canvas class="tasks-over" aria-hidden="true"></canvas>`);
    this.scene = new TasksScene(this.canvas);
    this.windows = new Windows();
    /** @type {HTMLElement} */
    this.frame = made(() => html`<div class="tasks-frame"></div>`);
    map.element.replaceWith(this.frame);
    const { eyes, now } = this.says;
    document
      .querySelector(".centre .map-head")
      ?.append(made(() => html`<p class="tasks-eyes" data-eyes ?hidden=${!eyes.value}>${eyes.value}</p>`));
    const below = () => html`<p class="tasks-now" aria-hidden="true" data-now data-says="track:now">${now.value}</p>`;
    this.frame.append(this.strip, map.element, this.canvas, made(below));
    this.telling = new Telling();
    /** The keeper that the viewer chose to follow. */
    this.chosen = 0;
    /** @type {Meta | null} */
    this.meta = null;
    /** The track or density on screen. @type {object | null} */
    this.of = null;
    this.placedFor = "";
    /** @type {object | null} */
    this.viewOf = null;
    /** @type {object | null} */
    this.visibleOf = null;
    this.drawnFor = "";
    /** @type {string[]} */
    this.names = [];
    this.lag = 0;
    onTheme(() => {
      this.scene.recolour();
      this.drawnFor = "";
    });
    this.strip.addEventListener("pointermove", (event) => this.#point(event));
    this.strip.addEventListener("click", (event) => this.#choose(event));
    this.strip.addEventListener("pointerleave", () => {
      tip.hidden = true;
    });
  }

  /** @param {Meta} meta */
  setMeta(meta) {
    this.meta = meta;
    if (!meta.work) this.#clear(); // nothing would draw over the former run's tasks
    this.of = null;
    this.frame.classList.toggle("has-tasks", Boolean(meta.work) || Boolean(meta.outline));
    // A choice between machines takes two sentences.
    this.frame.classList.toggle("has-choices", meta.work?.decision === "choose" || Boolean(meta.network));
  }

  /** True if cells show tasks now. */
  get drawn() {
    return Boolean(this.of && this.scene.plan?.drawn);
  }

  /**
   * Draw a frame; called once per animation frame.
   *
   * @param {import("../../run/player.js").Player<import("../../run/frames.js").FrameStore>} player
   * @param {import("../../run/frames.js").Picture | null} picture
   * @param {import("../../run/frames.js").Picture | null} told  the picture that the page's numbers and sentences
   *   describe
   */
  draw(player, picture, told) {
    const whole = player.store.track;
    const track = whole ? this.#known(whole, player) : this.windows.trackFor(player, this.map.visible);
    if (!this.meta?.work || (!track && !picture)) {
      if (this.of) this.#clear();
      return;
    }
    const of = track ?? player.store.density ?? NOTHING;
    if (this.of !== of) this.#take(of, track);
    this.#place();
    const unit = this.scene.track?.unit_ns ?? 1;
    // While paused, draw the frame of the page's numbers: between two frames the picture would differ from them.
    const stands = !player.playing && !this.scene.focus && told !== null;
    const now = (stands ? told.t_ns : player.shownNs) / unit;
    if ((player.playing && player.rate > 0) || !this.lag) this.lag = this.#lag(player.rate) / unit;
    // No time follows the end of a run in which a movement could be shown: each task is drawn where it stays.
    const over = !this.scene.focus && player.store.complete && player.t_ns >= player.store.endNs;
    const lag = over ? 0 : this.lag;
    const followed = this.#followed();
    const key = `${now} ${picture?.seq} ${told?.t_ns} ${this.placedFor} ${lag} ${[...(followed ?? [])]}`;
    if (key === this.drawnFor) return;
    this.scene.followed = followed;
    this.drawnFor = key;
    this.scene.draw(now, { lag, still: reducedMotion(), picture, told: told ?? picture });
    this.shelves.value = [...(this.scene.plan?.shelves ?? [])];
    this.frame.parentElement?.classList.toggle("tasks-drawn", this.drawn);
    this.says.eyes.value = followedWords(this.scene);
    this.says.now.value = this.telling.tell(this.scene, performance.now(), now, player.playing);
  }

  /**
   * Return the keepers to follow: in a moment the keeper of its task, else those that the legend leaves in full color.
   * At the level Watch one master's copy is enough, so the viewer chooses one.
   *
   * @returns {Set<number> | null}
   */
  #followed() {
    const { scene, map } = this;
    if (!scene.meta?.owners.length || !scene.track) return null;
    if (scene.focus?.sort === "report") return null;
    const row = scene.focus ? scene.track.rowOf(scene.focus.task) : -1;
    if (row >= 0) return new Set([scene.track.keeper[row]]);
    if (map.painter.filter?.size) return map.painter.filter;
    const watched = document.documentElement.dataset.level === "watch";
    return watched && scene.copies ? new Set([this.chosen]) : null;
  }

  /** Follow another master. @param {MouseEvent} event */
  #choose(event) {
    const shelf = this.#shelfAt(event);
    if (shelf) this.chosen = shelf.keeper;
    this.drawnFor = "";
  }

  /**
   * Return the duration of a visible movement, in ns. In a film of probes it is constant, so that they keep their
   * positions.
   */
  #lag(/** @type {number} */ rate) {
    const { focus } = this.scene;
    return Math.max(focus?.probes ? 0 : LAG_S * rate * 1e9, focus?.lag_ns ?? 0);
  }

  /**
   * Return a track while it covers the instant; past its end all machines would look idle.
   * @param {import("../../contract/contract").Track} track
   * @param {import("../../run/player.js").Player<import("../../run/frames.js").FrameStore>} player
   */
  #known(track, player) {
    const ahead = this.scene.track ? 0 : AHEAD_S * player.rate * 1e9;
    const until = Number(track.until_ns);
    return until >= player.store.endNs || until >= player.t_ns + ahead ? track : null;
  }

  /**
   * Switch to a track, else to a density, else to the frames alone.
   * @param {object} of
   * @param {import("../../contract/contract").Track | null} track
   */
  #take(of, track) {
    this.of = of;
    // Another run has another pace. With the former one's, a paused run would show its tasks on their way for long.
    this.lag = 0;
    const { scene, meta } = this;
    if (!meta?.work) return;
    if (track) scene.setTrack(new Track(track, meta.work), meta);
    else
      scene.setDensity(
        of === NOTHING ? null : new Density(/** @type {import("../../contract/contract").Density} */ (of)),
        meta,
      );
    // Frames alone contain only the total number of waiting tasks.
    this.names =
      of === NOTHING
        ? [gettext("Waiting tasks")]
        : keepersOf(meta, scene.track ? keepersIn(scene.track) : (scene.density?.keepers ?? 1));
    this.placedFor = "";
    this.taken();
  }

  #clear() {
    this.of = null;
    this.frame.parentElement?.classList.remove("tasks-drawn");
    this.scene.track = null;
    this.scene.meta = null;
    penOf(this.canvas).clearRect(0, 0, this.canvas.width, this.canvas.height);
  }

  /** Follow the map's camera and size. */
  #place() {
    const { map, canvas, frame } = this;
    const { view, visible } = map;
    if (!this.meta || !visible) return;
    const { zoom, x: atX, y: atY } = map.camera;
    const key = [frame.clientWidth, frame.clientHeight, map.scale, zoom, atX, atY, view.sx, visible.count].join(" ");
    if (key === this.placedFor && view === this.viewOf && visible === this.visibleOf) return;
    Object.assign(this, { placedFor: key, viewOf: view, visibleOf: visible, drawnFor: "" });
    const { scale } = map;
    const ratio = window.devicePixelRatio || 1;
    const box = canvas.getBoundingClientRect();
    [canvas.width, canvas.height] = [Math.round(box.width * ratio), Math.round(box.height * ratio)];
    const cells = map.element.getBoundingClientRect();
    const [left, top] = [Math.round((cells.left - box.left) * ratio), Math.round((cells.top - box.top) * ratio)];
    const strip = this.strip.getBoundingClientRect();
    const inStrip = {
      x: Math.round((strip.left - box.left) * ratio),
      y: Math.round((strip.top - box.top) * ratio),
      width: Math.round(strip.width * ratio),
      height: Math.round(strip.height * ratio),
    };
    const machines = this.meta.machines;
    const x = this.scene.plan?.x.length === machines ? this.scene.plan.x : new Float32Array(machines);
    const y = this.scene.plan?.y.length === machines ? this.scene.plan.y : new Float32Array(machines);
    x.fill(NaN);
    for (let place = 0; place < visible.count; place += 1) {
      x[visible.ids[place]] = visible.x[place] + left;
      y[visible.ids[place]] = visible.y[place] + top;
    }
    const cell = Math.min(view.sx, view.sy) / scale;
    this.scene.setPlan({
      scale,
      strip: inStrip,
      shelves: layShelves(
        this.names,
        { ...inStrip, height: inStrip.height - keyHeight(this.scene.key, inStrip, scale) },
        scale,
      ),
      x,
      y,
      ids: visible.ids,
      count: visible.count,
      wide: view.sx - view.gap,
      high: view.sy - view.gap,
      drawn: Boolean(this.scene.track) && cell >= LEAST_CELL && visible.count <= MOST_DRAWN,
      left,
      parts: partsOn(view, left, top),
      machines: { x: left, y: top, width: Math.round(cells.width * ratio), height: Math.round(cells.height * ratio) },
      ...rowsOf(view.blocks, machines, inStrip.width > inStrip.height ? { left } : { top }, canvas),
    });
    this.frame.classList.toggle("draws-tasks", this.drawn);
    map.showRacks(!this.drawn);
  }

  /** @param {MouseEvent} event */
  #shelfAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const ratio = window.devicePixelRatio || 1;
    const at = [event.clientX - box.left, event.clientY - box.top].map((each) => each * ratio);
    return this.scene.plan?.shelves.find((each) => isOn(each, at[0], at[1]));
  }

  #point(/** @type {MouseEvent} */ event) {
    const shelf = this.#shelfAt(event);
    this.tip.hidden = !shelf || !this.of;
    if (!shelf || !this.of || !this.meta) return;
    this.tip.textContent = describeShelf(shelf, this.meta);
    placeTip(this.tip, event.clientX, event.clientY);
  }

  /** Follow a task and frame machines; null for none. @param {import("./focus.js").Focus | null} focus */
  look(focus) {
    this.scene.focus = focus;
    this.drawnFor = "";
  }

  /**
   * Extend a sentence about a machine with its running and waiting tasks, if tasks are drawn.
   * @param {string} text
   * @param {number} machine
   * @param {number} t_ns
   */
  describe(text, machine, t_ns) {
    const more = this.drawn ? describeTasks(this.scene, machine, t_ns / (this.scene.track?.unit_ns ?? 1)) : "";
    return more ? `${text} ${more}` : text;
  }
}

/** Return a box's count, and the number of squares drawn in it. @param {import("./shelves.js").Shelf} shelf */
const shelfView = ({ name, count, stands, room }) =>
  html`<li data-says="queue:${name}" data-squares=${Math.min(stands, room)} data-room=${room}>${whole(count)}</li>`;

/**
 * Return each owner's part of a cluster on the canvas.
 * @param {import("../map/layout.js").Plan} view
 * @param {number} left
 * @param {number} top
 */
function partsOn(view, left, top) {
  return view.blocks.flatMap((block) =>
    block.parts.map(({ owner, x, y, width, height }) => ({
      owner,
      x: left + x,
      y: top + y,
      width: width - view.gap,
      height: height - view.gap,
    })),
  );
}

/**
 * Return the visible rows of clusters (columns if the strip lies above the map) with the center and size of each, and
 * each machine's row; -1 for none.
 *
 * @param {{x: number, y: number, width: number, height: number, parts: {first: number, machines: number}[]}[]} blocks
 * @param {number} machines
 * @param {{left?: number, top?: number}} from  where the machines begin, along rows or columns
 * @param {{width: number, height: number}} canvas
 */
function rowsOf(blocks, machines, { left, top = 0 }, { width, height }) {
  const rowOf = new Int16Array(machines).fill(-1);
  /** @type {Map<number, {middle: number, size: number}>} */
  const rows = new Map();
  for (const block of blocks) {
    const [at, middle] =
      left === undefined ? [block.y, top + block.y + block.height / 2] : [block.x, left + block.x + block.width / 2];
    if (middle < 0 || middle > (left === undefined ? height : width)) continue;
    if (!rows.has(at)) rows.set(at, { middle, size: left === undefined ? block.height : block.width });
    const row = [...rows.keys()].indexOf(at);
    for (const part of block.parts) rowOf.fill(row, part.first, part.first + part.machines);
  }
  return { rows: [...rows.values()], rowOf };
}
