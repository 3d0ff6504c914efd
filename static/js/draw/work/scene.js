/**
 * The picture of tasks: they arrive at the side, stand on shelves, travel, stand in machine queues, and lie in cells as
 * slices that shrink while they run. Every frame draws everything.
 */

import { FLIGHT, GONE, QUEUED, RUNS, SHELF, Shown, showTask } from "./showing.js";
import { byStart, drawBands } from "./bands.js";
import { CellDrawing } from "./cells_drawn.js";
import { drawPartitions } from "./partitions.js";
import { drawFlights } from "./flights.js";
import { drawFocus, placeOfFocus, probeOfFocus, veilOthers } from "./focus.js";
import { Copies } from "./copies.js";
import { SharedCopies } from "./shared_copies.js";
import { Leaving } from "./kinds/leaving.js";
import { TOLD } from "./kinds/index.js";
import { overCells } from "./kinds/pens.js";
import { heldSince, holdUntilChosen } from "./kinds/thinking.js";
import { drawSums } from "./sums.js";
import { putProbes } from "./race.js";
import { drawGates, gateOf } from "./gates.js";
import { ProbeIndex } from "./probes.js";
import { byLeaving } from "./decisions.js";
import { BACK } from "./kinds/decided.js";
import { drawMoves } from "./moves.js";
import { drawKey, drawShelves, fetched, placeOn } from "./shelves.js";
import { hueKind, hueOf, keyOf } from "./colours.js";
import { inks } from "./inks.js";
import { hasTwoQueues, splitShelf } from "./lanes.js";
import { slotsOf } from "./slots.js";
import { tagsOf } from "./tags.js";
import { countOn, shelfNumber } from "./waits.js";

/** @typedef {import("../../contract/contract").Meta} Meta */
/** @typedef {import("../../run/track.js").Track} Track */
/** @typedef {import("./density.js").Density} Density */
/** @typedef {import("../../run/frames.js").Picture} Picture */
/** @typedef {import("./shelves.js").Shelf} Shelf */
/**
 * @typedef {{scale: number, shelves: Shelf[], strip: import("./shelves.js").Box, x: Float32Array, y: Float32Array,
 *   ids: Int32Array, count: number, wide: number, high: number, drawn: boolean, left: number,
 *   machines: import("./shelves.js").Box, rows: {middle: number, size: number}[],
 *   parts: (import("./shelves.js").Box & {owner: number})[],
 *   rowOf: Int16Array}} Plan  `x`, `y` by machine, NaN if it is not visible; `ids` are the visible machines; `drawn` is
 *   true if cells are large enough for tasks; the machines begin at `left`; `rowOf` is each machine's row of clusters
 */
/**
 * @typedef {{x: number, y: number, toX: number, toY: number, via: [number, number] | null, share: number, hue: number,
 *   row: number, probe: boolean}} Flight  `via` is a point that it passes on its way
 */

const MOST_FLIGHTS = 1500;

/** Return true if each shelf has a hue of its own. @param {Meta} meta */
function hasShelfHue(meta) {
  return meta.owners.length > 0 || (meta.queues.length > 1 && meta.work?.keeper.role === "queue");
}

export class TasksScene {
  /**
   * The moment's waiting probes and their positions.
   * @type {{one: import("../../contract/contract").MomentProbe, at: [number, number]}[]}
   */
  race = [];
  /** The choice between machines on screen: its words, and its index among the recorded choices; -1 for none. */
  choice = { said: "", place: -1 };
  /**
   * How many tasks wait, and at which instant.
   * @type {({of: string} & ReturnType<typeof import("./waits.js").countWaiting>) | null}
   */
  counted = null;
  /** The task that took the place before the moment's task requested it; -1 for none. */
  rivalRow = -1;

  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.shown = new Shown();
    this.inks = inks();
    /** @type {Track | null} */
    this.track = null;
    /** @type {Density | null} */
    this.density = null;
    /** @type {Meta | null} */
    this.meta = null;
    /** The average number of starts per second. */
    this.usual = 0;
    /** @type {Plan | null} */
    this.plan = null;
    /** @type {Flight[]} */
    this.flights = [];
    /** @type {import("./moves.js").Moved[]} */
    this.moved = [];
    this.cells = new CellDrawing();
    this.left = new Leaving();
    /** @type {Copies | null} */
    this.copies = null;
    /** @type {SharedCopies | null} */
    this.shared = null;
    /** The meanings of hues that no shelf shows. @type {string[]} */
    this.key = [];
    /**
     * The task of the decision on screen, and the machines' loads.
     * @type {{row: number, taken: ReturnType<typeof import("./decisions.js").takenAt>} | null}
     */
    this.considered = null;
    /** Words that distinguish machines. @type {ReturnType<typeof tagsOf> | null} */
    this.tags = null;
    /** The costs of machines for some tasks, if requested. @type {import("./prices.js").Prices[]} */
    this.prices = [];
    /** The followed task and its row. @type {import("./focus.js").Focus | null} */
    this.focus = null;
    this.focusRow = -1;
    /** @type {[number, number] | null} */
    this.focusAt = null;
    /** @type {[number, number] | null} */
    this.focusProbeAt = null;
    /** The second task, and where it waits. */
    this.besideRow = -1;
    /** @type {[number, number] | null} */
    this.besideAt = null;
    /** The followed task's place (showing.js), and the machine that it is at or on its way to. */
    this.focusWhere = GONE;
    this.focusMachine = -1;
    /** The cluster that reports now; -1 for none. */
    this.swept = -1;
    /** True if the followed task is still on its way. */
    this.focusWaits = false;
    /** The movement that a moment concerns, while it is drawn and after. @type {import("./moves.js").Moved | null} */
    this.focusMoved = null;
    /** The followed keepers; null follows all. @type {Set<number> | null} */
    this.followed = null;
    /** The marks of this frame (marks.js). @type {Set<string>} */
    this.drew = new Set();
  }

  /** @param {Track} track @param {Meta} meta */
  setTrack(track, meta) {
    this.track = track;
    this.meta = meta;
    this.hue = hueOf(meta, track);
    this.key = keyOf(this.hue.by, meta);
    this.slots = slotsOf(track);
    this.counted = null;
    this.leaving = track.work.decision ? byLeaving(track) : null;
    this.considered = null;
    this.prices = [];
    this.tags = tagsOf(meta);
    const { refresh } = track.work;
    this.copies = refresh && meta.owners.length ? new Copies(track, refresh, meta.clusters, meta.owners.length) : null;
    const delay = ((meta.experiment?.network?.message_delay_s ?? 0) * 1e9) / track.unit_ns;
    this.shared = track.made ? new SharedCopies(track.made, track, meta.machines, delay) : null;
    this.started = byStart(track);
    this.usual = (this.started.rows.length * 1e9) / Math.max(1, track.until * track.unit_ns);
    /** True if each shelf has a hue of its own. */
    this.shelfHue = hasShelfHue(meta);
    this.probing = fetched(meta);
    const stands = track.served.some((served, row) => served > track.reaches[row]);
    this.atWorkers = this.probing || stands;
    this.probes = this.probing ? new ProbeIndex(track) : null;
  }

  /** Show what is known without a track. @param {Density | null} density @param {Meta} meta */
  setDensity(density, meta) {
    Object.assign(this, { track: null, meta, density, copies: null, shared: null, started: null });
    this.key = keyOf(hueKind(meta, density?.classes ?? false), meta);
    this.shelfHue = Boolean(density) && hasShelfHue(meta);
    this.usual = density?.usual ?? 0;
  }

  recolour() {
    this.inks = inks();
  }

  /** @param {Plan} plan */
  setPlan(plan) {
    this.plan = plan;
    if (this.track && this.meta && hasTwoQueues(this.meta, this.track)) plan.shelves.forEach(splitShelf);
  }

  /**
   * Draw the instant `now`, in units of the track. Movements last at least `lag` units.
   *
   * @param {number} now
   * @param {{lag: number, still: boolean, picture: Picture | null, told: Picture | null}} how  `told`: the picture of
   *   the page's numbers
   */
  draw(now, { lag, still, picture, told }) {
    const pen = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    const { track, plan } = this;
    if (!plan || !this.meta) return;
    if (!track) {
      drawSums(pen, this, lag, told);
      return;
    }
    // With small cells nothing flies: tasks in transit stand on their shelves, as in the counts.
    const seen = still || !plan.drawn ? 0 : lag;
    const of = told && !plan.drawn ? told.t_ns / track.unit_ns : now;
    this.cells.begin(this, picture);
    this.flights.length = 0;
    this.drew.clear();
    this.choice = { said: "", place: -1 };
    [this.focusAt, this.focusProbeAt, this.focusWhere, this.swept] = [null, null, GONE, -1];
    this.focusRow = this.focus ? track.rowOf(this.focus.task) : -1;
    [this.besideAt, this.besideRow] = [null, track.rowOf(this.focus?.beside ?? -1)];
    for (const shelf of plan.shelves) Object.assign(shelf, { stands: 0, at: [], entering: [], passing: [] });
    const held = plan.drawn ? heldSince(this, now, seen) : null;
    track.present(of, Math.min(of - 3 * seen, held ?? of), (row) => {
      if (held === null || row === this.focusRow) this.#sort(row, of, seen);
      else if (track.arrival[row] <= held) this.#sort(row, held, 0);
    });
    countOn(this, of, told);
    if (plan.drawn) overCells(pen, plan, () => this.cells.draw(pen, this, now));
    else drawBands(pen, this, now * track.unit_ns, lag * track.unit_ns);
    if (plan.drawn) drawPartitions(pen, this);
    if (plan.drawn) drawGates(pen, this);
    veilOthers(pen, this, now);
    drawShelves(pen, this);
    drawKey(pen, this);
    for (const kind of TOLD) if (plan.drawn && kind.shown(this)) kind.draw(pen, this, now, { lag, still });
    this.left.take(this, picture);
    this.left.draw(pen, this, now, lag);
    drawFlights(pen, this);
    drawMoves(pen, this, now, { lag, still });
    drawFocus(pen, this, now);
  }

  /** Put a task where it is drawn: on a shelf, in transit, or in a cell. @param {number} row */
  #sort(row, /** @type {number} */ now, /** @type {number} */ lag) {
    const { shown, plan, track } = this;
    if (!plan || !track) return;
    showTask(track, row, now, { lag, probing: Boolean(this.probing), film: Boolean(this.focus), back: BACK }, shown);
    if (row === this.focusRow && plan.drawn) holdUntilChosen(this, row, now, lag);
    if (this.focus?.probes && plan.drawn) putProbes(this, row, now);
    if (shown.where === GONE) return;
    if (shown.where === SHELF || (shown.where === FLIGHT && !plan.drawn)) {
      const shelf = this.shelfOf(row);
      if (shelf.stands < shelf.room) {
        shelf.at.push(row);
        shelf.entering.push(shown.entering);
        shelf.passing.push(shown.passing);
      }
      shelf.stands += 1;
      if (row === this.besideRow) this.besideAt = placeOfFocus(this, row);
    }
    if (row === this.focusRow) {
      this.focusAt = placeOfFocus(this, row);
      [this.focusWhere, this.focusMachine] = [shown.where, shown.machine];
      this.focusProbeAt = plan.drawn ? probeOfFocus(this) : null;
      this.focusWaits = shown.where === SHELF || shown.where === FLIGHT;
    }
    if (!plan.drawn) return;
    const x = plan.x[shown.machine];
    if (shown.machine < 0 || Number.isNaN(x)) return;
    if (shown.probe === QUEUED) this.cells.queue(shown.machine, row, true);
    else if (shown.probe === FLIGHT) this.flyTo(row, shown.machine, shown.probeShare);
    if (shown.where === FLIGHT) this.flyTo(row, shown.machine, shown.share, false);
    else if (shown.where === QUEUED) this.cells.queue(shown.machine, row, false);
    else if (shown.where === RUNS) this.cells.run(row, shown);
  }

  /**
   * Add something that flies from a task's shelf to a machine; tasks pass the gate of the machine's cluster.
   *
   * @param {number} row
   * @param {number} machine
   * @param {number} share
   */
  flyTo(row, machine, share, probe = true) {
    const { plan } = this;
    if (!plan || this.flights.length >= MOST_FLIGHTS) return;
    const [x, y] = placeOn(this.shelfOf(row), 0, plan.scale);
    const [toX, toY] = this.middleOf(machine);
    const via = probe ? null : gateOf(this, machine);
    this.flights.push({ x, y, toX, toY, via, share, hue: this.hue?.index(row) ?? 0, row, probe });
  }

  /** Return true if a keeper is followed; its tasks then have full color. @param {number} keeper */
  follows(keeper) {
    return !this.followed || this.followed.has(keeper);
  }

  /** Return the shelf of a task. @param {number} row @returns {Shelf} */
  shelfOf(row) {
    const { shelves } = /** @type {Plan} */ (this.plan);
    return shelves[shelfNumber(this.track?.keeper[row] ?? 0, shelves.length)];
  }

  /**
   * Return the center of a machine's cell; NaN if it is not visible.
   *
   * @param {number} machine
   * @returns {[number, number]}
   */
  middleOf(machine) {
    const { x, y, wide, high } = /** @type {Plan} */ (this.plan);
    return machine < 0 ? [NaN, NaN] : [x[machine] + wide / 2, y[machine] + high / 2];
  }
}
