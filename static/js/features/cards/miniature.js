/**
 * A small picture of a signature's run at an instant, from the data of `manage.py record_signatures`. Its pen has only
 * three strokes, so that tests can inspect the drawing.
 */

/**
 * @typedef {"first" | "second" | "third" | "idle" | "line" | "wrong" | "ink" | "ground"} Ink
 * @typedef {object} Pen
 * @property {(x: number, y: number, wide: number, high: number, ink: Ink, strength?: number) => void} rect
 * @property {(x: number, y: number, toX: number, toY: number, ink: Ink, strength?: number) => void} line
 * @property {(x: number, y: number, radius: number, ink: Ink, strength?: number) => void} dot
 */
/**
 * A recorded run as numbers; of the fields after `moves` it has those that its view draws.
 * @typedef {{view: string, waits: number[], other: number[], moves: number[][], loads: string[], machines: number,
 *   jobs: number[][], shares: number[][], tasks: number[][], stages: number[]}} Miniature
 */

export const WIDE = 240;
export const HIGH = 126;
const TOP = 82;
const BASE = 122;
/** How long a movement is visible, in thousandths of the run. */
const MOVING = 30;
const THROW = 2;
/** @type {Ink[]} */
const KINDS = ["first", "second"];
/** @type {[Ink, number][]} */
const LAYERS = [
  ["first", 1],
  ["second", 1],
  ["third", 1],
  ["first", 0.5],
  ["line", 0.5],
];

/**
 * Draw a run at an instant: `at` in thousandths.
 * @param {Pen} pen
 * @param {Miniature} data
 * @param {number} at
 */
export function drawMiniature(pen, data, at) {
  (VIEWS[data.view] ?? machines)(pen, data, at);
  waits(pen, data, at);
}

/**
 * Draw the number of waiting tasks: bars up to the instant, and points for the neighbor's run.
 * @param {Pen} pen
 * @param {Miniature} data
 * @param {number} at
 */
function waits(pen, data, at) {
  const step = WIDE / data.waits.length;
  const high = BASE - TOP - 6;
  data.waits.forEach((share, place) => {
    const past = (place + 0.5) * 1000 <= at * data.waits.length;
    const tall = (high * share) / 100;
    pen.rect(place * step, BASE - tall, step - 1, tall, "line", past ? 0.9 : 0.3);
    pen.rect(place * step, BASE - (high * data.other[place]) / 100, step - 1, 1, "line", 0.9);
  });
  pen.rect((WIDE * at) / 1000, TOP, 1, BASE - TOP, "ink");
}

/**
 * Draw the machines as a grid with their loads, and the movements between them.
 * @param {Pen} pen
 * @param {Miniature} data
 * @param {number} at
 */
function machines(pen, data, at) {
  const loads = data.loads[Math.min(data.loads.length - 1, Math.floor((at * data.loads.length) / 1000))];
  const place = grid(data.machines);
  for (let machine = 0; machine < data.machines; machine += 1) {
    const [x, y, wide, high] = place(machine);
    const level = Number(loads[machine]);
    const full = level > 4 ? level - 4 : level;
    pen.rect(x, y, wide, high, "idle");
    const tall = (high * full) / 4;
    // Tasks of the second kind have a seam, so that the kinds differ without color.
    if (level > 4) {
      pen.rect(x, y + high - tall, wide / 2 - 1, tall, "second");
      pen.rect(x + wide / 2 + 1, y + high - tall, wide / 2 - 1, tall, "second");
    } else if (level) pen.rect(x, y + high - tall, wide, tall, "first");
  }
  for (const move of data.moves) movement(pen, move, at, place);
}

/** Draw a movement as a dot; a refused one returns, a preempted task leaves upward. */
function movement(
  /** @type {Pen} */ pen,
  /** @type {number[]} */ [when, role, frm, to, wrong],
  /** @type {number} */ at,
  /** @type {ReturnType<typeof grid>} */ place,
) {
  const done = (at - when) / MOVING;
  if (done < 0 || done > 1) return;
  const [fromX, fromY] = middle(frm, place);
  const [toX, toY] = role === THROW && to < 0 ? [fromX, -6] : middle(to, place);
  const ink = wrong ? "wrong" : "ink";
  const part = role === 0 ? 1 - Math.abs(1 - 2 * done) : done;
  pen.line(fromX, fromY, toX, toY, ink, 0.5);
  pen.dot(fromX + (toX - fromX) * part, fromY + (toY - fromY) * part, 3, ink);
}

/**
 * @param {number} machine
 * @param {ReturnType<typeof grid>} place
 */
function middle(machine, place) {
  if (machine < 0) return [0, TOP / 2];
  const [x, y, wide, high] = place(machine);
  return [x + wide / 2, y + high / 2];
}

/** Return a function from a machine to its box [x, y, width, height]. */
function grid(/** @type {number} */ count) {
  const columns = Math.ceil(Math.sqrt((count * WIDE) / TOP / 1.2));
  const rows = Math.ceil(count / columns);
  const [wide, high] = [WIDE / columns, (TOP - 4) / rows];
  return (/** @type {number} */ machine) => [
    (machine % columns) * wide + 1,
    Math.floor(machine / columns) * high + 1,
    Math.max(1, wide - 2),
    Math.max(1, high - 2),
  ];
}

/**
 * Draw one row per job up to the instant: a thin line while it waits, a bar while it runs.
 * @param {Pen} pen
 * @param {Miniature} data
 * @param {number} at
 */
function jobs(pen, data, at) {
  const high = (TOP - 6) / data.jobs.length;
  data.jobs.forEach((/** @type {number[]} */ [came, began, ended, kind], /** @type {number} */ row) => {
    const y = 2 + row * high;
    const x = (/** @type {number} */ time) => (WIDE * Math.min(time, at)) / 1000;
    if (at > came) pen.rect(x(came), y + high / 2, x(began) - x(came), 1, "line", 0.9);
    if (at > began) pen.rect(x(began), y, x(ended) - x(began), Math.max(1, high - 1), KINDS[kind]);
    if (kind && at > began) pen.rect(x(began), y + high / 2, x(ended) - x(began), 1, "idle");
  });
}

/**
 * Draw the running tasks of the largest jobs and of all others as layers, up to the instant.
 * @param {Pen} pen
 * @param {Miniature} data
 * @param {number} at
 */
function shares(pen, data, at) {
  const steps = data.shares[0].length;
  const step = WIDE / steps;
  for (let place = 0; place < steps; place += 1) {
    let below = 0;
    const past = place * 1000 <= at * steps;
    data.shares.forEach((/** @type {number[]} */ layer, /** @type {number} */ number) => {
      const tall = ((TOP - 6) * layer[place]) / 100;
      const [ink, strength] = LAYERS[number];
      if (tall > 0) pen.rect(place * step, TOP - 4 - below - tall, step + 0.5, tall, ink, past ? strength : 0.15);
      below += tall;
    });
  }
}

/**
 * Draw waiting tasks on the left, machines on the right, and the path of each task that starts.
 * @param {Pen} pen
 * @param {Miniature} data
 * @param {number} at
 */
function flow(pen, data, at) {
  const y = (/** @type {number} */ part) => 4 + (TOP - 12) * part;
  pen.rect(WIDE - 14, 2, 6, TOP - 8, "idle");
  data.tasks.forEach((/** @type {number[]} */ [came, began, ended, machine, kind], /** @type {number} */ place) => {
    const left = y(place / Math.max(1, data.tasks.length - 1));
    const right = y(machine / Math.max(1, data.machines - 1));
    if (at >= came && at < began) pen.dot(10, left, 3, KINDS[kind]);
    if (at < began || at > ended) return;
    pen.line(10, left, WIDE - 14, right, KINDS[kind], at - began < MOVING ? 1 : 0.45);
    pen.dot(WIDE - 11, right, 3, KINDS[kind]);
  });
}

/**
 * Draw stages as boxes, fuller with more operations; a stage lights up while a task passes it.
 * @param {Pen} pen
 * @param {Miniature} data
 * @param {number} at
 */
function stages(pen, data, at) {
  const wide = WIDE / data.stages.length;
  const lit = new Set();
  const passing = data.tasks
    .map((/** @type {number[]} */ [came, began]) => (at - came) / Math.max(20, began - came))
    .filter((/** @type {number} */ part) => part >= 0 && part <= 1);
  for (const part of passing) lit.add(Math.min(data.stages.length - 1, Math.floor(part * data.stages.length)));
  data.stages.forEach((/** @type {number} */ tall, /** @type {number} */ place) => {
    const high = (TOP - 14) * (tall / 100);
    pen.rect(place * wide + 2, 4, wide - 4, TOP - 12, "idle");
    pen.rect(place * wide + 2, TOP - 8 - high, wide - 4, high, "first", lit.has(place) ? 1 : 0.35);
  });
  passing.forEach((/** @type {number} */ part, /** @type {number} */ place) => {
    pen.dot(4 + (WIDE - 8) * part, 12 + ((place * 17) % (TOP - 30)), 2.5, "ink");
  });
}

/** @type {Record<string, (pen: Pen, data: Miniature, at: number) => void>} */
const VIEWS = { map: machines, gantt: jobs, given: jobs, turns: shares, shares, flow, stages };
