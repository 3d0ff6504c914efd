/** Datacenters to start from: published setups, common shapes, and thousands of machines from a few numbers. */

import { gettext } from "../../kit/words.js";

/**
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { Cluster, Topology } from "./topology_edits.js"
 */

/**
 * @param {number} repeat
 * @param {number} count
 */
const alike = (repeat, count, more = {}) => ({
  name: "lm",
  repeat,
  machines: [{ count, cpus: 1, memory_gb: 4, ...more }],
});

/**
 * `masters`: for schedulers with Global Masters. Published setups name their source; the others are typical examples.
 */
export const TEMPLATES = [
  {
    id: "megha-4x25",
    label: gettext("Megha, 4 × 25"),
    about: gettext(
      "10,000 machines of one task each under 25 Local Masters and 4 Global Masters, as in Megha's public " +
        "simulator with its Google trace.",
    ),
    topology: { global_masters: 4, clusters: [alike(25, 400)] },
  },
  {
    id: "megha-10x10",
    label: gettext("Megha, 10 × 10"),
    about: gettext(
      "1,000 machines under 10 Local Masters and 10 Global Masters, as in the same simulator with its " +
        "Yahoo trace.",
    ),
    topology: { global_masters: 10, clusters: [alike(10, 100)] },
  },
  {
    id: "one-cell",
    label: gettext("One big cluster"),
    about: gettext("One cluster of 10,000 machines of three sizes, under one master."),
    topology: {
      global_masters: 1,
      clusters: [
        {
          name: "cell",
          racks: 250,
          machines: [
            { count: 8000, cpus: 16, memory_gb: 64 },
            { count: 1800, cpus: 32, memory_gb: 128 },
            { count: 200, cpus: 64, memory_gb: 512 },
          ],
        },
      ],
    },
  },
  {
    id: "federation",
    label: gettext("A federation of three"),
    about: gettext("Three sites of different sizes and ages, with two masters over all of them."),
    topology: {
      global_masters: 2,
      clusters: [
        { name: "north", racks: 10, machines: [{ count: 400, cpus: 4, memory_gb: 16 }] },
        { name: "south", racks: 6, machines: [{ count: 240, cpus: 8, memory_gb: 32 }] },
        { name: "west", racks: 2, machines: [{ count: 60, cpus: 16, memory_gb: 128, gpus: 2 }] },
      ],
    },
  },
  {
    id: "edge",
    label: gettext("Edge"),
    about: gettext("One core site and forty small ones near the users."),
    topology: {
      global_masters: 2,
      clusters: [
        { name: "core", racks: 10, machines: [{ count: 500, cpus: 8, memory_gb: 32 }] },
        { name: "site", repeat: 40, machines: [{ count: 12, cpus: 4, memory_gb: 8 }] },
      ],
    },
  },
  {
    id: "gpu",
    label: gettext("With accelerators"),
    about: gettext("Mostly plain machines, some with GPUs, a few that are large."),
    topology: {
      global_masters: 2,
      clusters: [
        {
          name: "lm",
          repeat: 4,
          racks: 5,
          machines: [
            { count: 200, cpus: 8, memory_gb: 32 },
            { count: 40, cpus: 16, memory_gb: 128, gpus: 4 },
            { count: 10, cpus: 64, memory_gb: 512 },
          ],
        },
      ],
    },
  },
];

/** Mixes of machine shapes by their shares; the shares add up to 1. */
/** @type {{id: string, label: string, shapes: [share: number, shape: object][]}[]} */
export const MIXES = [
  { id: "one", label: gettext("all alike"), shapes: [[1, { cpus: 4, memory_gb: 16 }]] },
  { id: "slots", label: gettext("one task a machine"), shapes: [[1, { cpus: 1, memory_gb: 4 }]] },
  {
    id: "two",
    label: gettext("9 in 10 small, 1 large"),
    shapes: [
      [0.9, { cpus: 4, memory_gb: 16 }],
      [0.1, { cpus: 32, memory_gb: 128 }],
    ],
  },
  {
    id: "three",
    label: gettext("small, medium, large"),
    shapes: [
      [0.6, { cpus: 4, memory_gb: 16 }],
      [0.3, { cpus: 16, memory_gb: 64 }],
      [0.1, { cpus: 64, memory_gb: 256 }],
    ],
  },
  {
    id: "gpu",
    label: gettext("1 in 10 with GPUs"),
    shapes: [
      [0.9, { cpus: 8, memory_gb: 32 }],
      [0.1, { cpus: 16, memory_gb: 128, gpus: 4 }],
    ],
  },
];

/**
 * Return counts in proportion to shares that add up to `all`, by largest remainder.
 * @param {number} all
 * @param {number[]} shares
 */
export function apportioned(all, shares) {
  const sum = shares.reduce((total, share) => total + share, 0) || 1;
  const exact = shares.map((share) => (all * share) / sum);
  const counts = exact.map(Math.floor);
  const left = all - counts.reduce((total, count) => total + count, 0);
  const order = exact.map((value, place) => [value - counts[place], place]).sort((a, b) => b[0] - a[0] || a[1] - b[1]);
  for (const [, place] of order.slice(0, left)) counts[place] += 1;
  return counts;
}

/**
 * @typedef {{machines: number, clusters: number, racks: number, masters: number, mix: string, spread: string}} Size
 *   Racks are per cluster, `mix` is the id of one of MIXES, `spread` is "even" or "uneven".
 */

/**
 * Generate a topology from a few numbers. Even clusters are one entry; uneven ones have sizes 1, 1/2, 1/3 and so on,
 * each with its own name.
 * @param {Size} size
 */
export function generated({ machines, clusters, racks, masters, mix, spread }) {
  const shapes = (MIXES.find((each) => each.id === mix) ?? MIXES[0]).shapes;
  const count = Math.max(1, Math.min(clusters, machines));
  /** @param {number} size */
  const groups = (size) => {
    const counts = apportioned(
      size,
      shapes.map(([share]) => share),
    );
    return shapes.map(([, shape], place) => ({ count: counts[place], ...shape })).filter((group) => group.count > 0);
  };
  /**
   * @param {string} name
   * @param {number} size
   * @param {number} repeat
   */
  const entry = (name, size, repeat) => ({
    name,
    ...(repeat > 1 ? { repeat } : {}),
    ...(racks > 1 ? { racks: Math.min(racks, size) } : {}),
    machines: groups(size),
  });
  if (spread === "uneven" && count > 1) {
    const sizes = apportioned(
      machines - count,
      Array.from({ length: count }, (_, place) => 1 / (place + 1)),
    ).map((size) => size + 1);
    return { global_masters: masters, clusters: sizes.map((size, place) => entry(`lm-${place}`, size, 1)) };
  }
  const [size, more] = [Math.floor(machines / count), machines % count];
  const entries = more ? [entry("a", size + 1, more), entry("b", size, count - more)] : [entry("lm", size, count)];
  return { global_masters: masters, clusters: entries.filter((each) => each.machines.length) };
}

/**
 * Return the experiment with another topology; remaining masters serve the queues of removed ones.
 * @param {Experiment} experiment
 * @param {Topology} topology
 */
export function withTopology(experiment, topology) {
  const masters = topology.global_masters ?? 1;
  /** @type {Experiment} */
  const next = { ...experiment, topology: structuredClone(topology) };
  // With constraints, machines without a mix would offer everything.
  const mix = experiment.topology?.clusters?.[0]?.constraint_mix;
  if (experiment.constraints && mix)
    next.topology.clusters = next.topology.clusters.map((/** @type {Cluster} */ each) => ({
      constraint_mix: mix,
      ...each,
    }));
  if (Array.isArray(next.queues))
    next.queues = next.queues.map((/** @type {{global_master?: number}} */ queue) =>
      Number.isInteger(queue.global_master)
        ? { ...queue, global_master: Number(queue.global_master) % masters }
        : queue,
    );
  return next;
}
