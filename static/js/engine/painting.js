/** Draw a run that this page simulates: frames as the library's recording has them, read from the arrays. */

/** @import { Frame } from "../contract/contract" */
/** @import { Machine } from "./machine.js" */
/** @import { DrawnLayer } from "./touch.js" */

const [FAILED, DRAINED] = [1, 2];
const NO_CATEGORY = 255;
const COUNTERS = ["events", "messages", "tasks_arrived", "tasks_started", "tasks_done", "jobs_done", "tasks_running"];

/** A table of numbers in the machine's memory, by row and column. */
export class Table {
  constructor(/** @type {Machine} */ machine, /** @type {string} */ name, column = "") {
    const { place, array } = machine.array(name);
    const [, at, size] = array.columns.find(([each]) => each === column) ?? [];
    if (at === undefined || size === undefined) throw new Error(`${name} has no column ${column}`);
    this.view = machine.view;
    this.size = size;
    this.place = place + at;
    this.row = array.row;
    this.width = array.shape[1] ?? 1;
    this.rows = array.shape[0];
  }

  /** Return a number: two, four or eight bytes with a sign. */
  at(/** @type {number} */ row, column = 0) {
    const place = this.place + (row * this.width + column) * this.row;
    // Halves are read several times as fast as a whole, and make the same number.
    if (this.size === 8) return this.view.getInt32(place + 4, true) * 2 ** 32 + this.view.getUint32(place, true);
    return this.size === 4 ? this.view.getInt32(place, true) : this.view.getInt16(place, true);
  }
}

/** @typedef {(machine: number) => number} Paint  the byte of a machine */

/**
 * Return how a layer is drawn (scheduler_core/world/protocol.py, engine/tasks.py, engine/incidents.py).
 * @param {Machine} machine
 * @param {DrawnLayer} layer
 * @returns {Paint}
 */
function paintOf(machine, layer) {
  const outage = new Table(machine, "World.machine", "outage");
  if (layer.by === "service") {
    return (at) => (outage.at(at) & FAILED ? 255 : outage.at(at) & DRAINED ? 128 : 0);
  }
  const capacity = new Table(machine, "World.capacity");
  const share = (/** @type {number} */ part, /** @type {number} */ whole) => Math.floor((part * 255) / whole);
  if (layer.by === "load" || layer.by === "resource") {
    const free = new Table(machine, "World.free");
    const used = (/** @type {number} */ at, /** @type {number} */ resource) => {
      const whole = capacity.at(at, resource);
      if (whole <= 0) return 0;
      const held = whole - free.at(at, resource);
      return share(outage.at(at) ? held - whole - 1 : held, whole); // withheld, not used
    };
    if (layer.by === "resource") return (at) => used(at, layer.resource);
    return (at) => most(free.width, at, used);
  }
  const table = new Table(machine, layer.array, layer.column);
  if (layer.by === "amount") return (at) => Math.min(255, table.at(at) * layer.level);
  if (layer.by === "category")
    return (at) => (table.at(at) < 0 ? NO_CATEGORY : Math.min(table.at(at), NO_CATEGORY - 1));
  const of = (/** @type {number} */ at, /** @type {number} */ resource) => {
    const whole = capacity.at(at, resource);
    return whole > 0 ? share(table.at(at, resource), whole) : 0;
  };
  return (at) => most(table.width, at, of);
}

/**
 * Return the largest of a machine's resources, at least 0. It runs for each machine of each frame, so it makes no list.
 * @param {number} width
 * @param {number} at
 * @param {(at: number, resource: number) => number} of
 */
function most(width, at, of) {
  let found = 0;
  for (let resource = 0; resource < width; resource++) found = Math.max(found, of(at, resource));
  return found;
}

/** Make frames that go on from an earlier one. The first frame has whole layers, the others what has changed. */
export class FrameMaker {
  /** @type {Map<string, Uint8Array>} */
  #shown = new Map();

  /**
   * @param {Machine} machine
   * @param {DrawnLayer[]} layers
   * @param {number} seq  the number of the first frame
   * @param {number[]} [edges]  the bins of the waits; the first frame then needs no earlier one
   */
  constructor(machine, layers, seq, edges) {
    this.edges = edges;
    this.machine = machine;
    this.seq = seq;
    this.layers = layers.map((layer) => ({ name: layer.name, paint: paintOf(machine, layer) }));
    const capacity = new Table(machine, "World.capacity");
    this.machines = capacity.rows;
    /** How much of each resource all machines have together. */
    this.whole = Array.from({ length: capacity.width }, (_, resource) => {
      let sum = 0;
      for (let at = 0; at < capacity.rows; at++) sum += capacity.at(at, resource);
      return sum;
    });
  }

  /**
   * Return the frame at an instant that the machine has reached.
   * @param {number} t_ns
   * @returns {Frame}
   */
  frame(t_ns) {
    const { machine, seq, edges } = this;
    this.seq += 1;
    this.edges = undefined;
    /** @type {Record<string, number>} */
    const counters = Object.fromEntries(COUNTERS.map((name) => [name, machine.counted(name)]));
    counters.tasks_waiting = machine.counted("tasks_waiting") + machine.counted("tasks_unschedulable");
    const series = {
      utilisation: this.#utilization(),
      waiting: counters.tasks_waiting,
      running: counters.tasks_running,
    };
    return {
      v: 1,
      seq,
      from_seq: seq,
      t_ns,
      key: Boolean(edges),
      state: "running",
      counters,
      layers: Object.fromEntries(this.layers.map(({ name, paint }) => [name, this.#layer(name, paint)])),
      hist: { allocation_delay: { ...this.#histogram(), ...(edges ? { edges } : {}) } },
      series: Object.fromEntries(Object.entries(series).map(([name, value]) => [name, [[t_ns, value]]])),
      marks: [],
    };
  }

  #layer(/** @type {string} */ name, /** @type {Paint} */ paint) {
    const shown = this.#shown.get(name);
    const painted = new Uint8Array(this.machines);
    for (let at = 0; at < painted.length; at++) painted[at] = paint(at);
    this.#shown.set(name, painted);
    if (!shown) return { full: painted };
    const changed = [];
    for (let at = 0; at < painted.length; at++) if (painted[at] !== shown[at]) changed.push(at);
    return {
      idx: new Uint8Array(Uint32Array.from(changed).buffer),
      val: Uint8Array.from(changed, (at) => painted[at]),
    };
  }

  #histogram() {
    const bins = new Table(this.machine, "World.histogram");
    const val = Array.from({ length: bins.rows }, (_, bin) => bins.at(bin));
    return { idx: val.map((_, bin) => bin), val };
  }

  #utilization() {
    const used = new Table(this.machine, "World.used");
    return Math.max(0, ...this.whole.map((whole, resource) => (whole > 0 ? used.at(resource) / whole : 0)));
  }
}
