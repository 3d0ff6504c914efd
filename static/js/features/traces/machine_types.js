/** A CSV of machine types and their counts, and the experiment that it becomes. */

import { gettext } from "../../kit/words.js";

const MOST_MACHINES = 50_000;
/**
 * The names that a column may have, as in the library.
 * @type {Record<string, string[]>}
 */
const CALLED = {
  count: ["count", "number", "machines", "nodes", "quantity", "n"],
  cpus: ["cpus", "cpu", "cores", "vcpus", "vcpu"],
  memory_gb: ["memory_gb", "memory", "mem", "mem_gb", "ram", "ram_gb", "memory_gib"],
  gpus: ["gpus", "gpu"],
  type: ["type", "name", "machine", "machine_type", "instance_type"],
  cluster: ["cluster", "zone", "rack", "site"],
};

/** @param {string} first */
const delimiterOf = (first) =>
  [",", ";", "\t"].reduce((best, one) => (first.split(one).length > first.split(best).length ? one : best), ",");

/** @param {string} line @param {string} delimiter */
const cells = (line, delimiter) => line.split(delimiter).map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"));

/**
 * @param {string} first
 * @returns {Record<string, number>}
 */
export function machineColumns(first) {
  const header = cells(first.replace(/^\ufeff/, ""), delimiterOf(first)).map((name) =>
    name.toLowerCase().replaceAll(" ", "_"),
  );
  // A header may have a cell without a name: no column is called by it.
  // Smaller than 0 where no word is in the header: a cell without a name names no column.
  const found = Object.entries(CALLED).map(([name, words]) => {
    const word = words.find((each) => header.includes(each));
    return [name, word === undefined ? -1 : header.indexOf(word)];
  });
  return Object.fromEntries(found.filter(([, at]) => /** @type {number} */ (at) >= 0));
}

/**
 * Return the rows of a CSV of machine types as objects of texts.
 * @param {string} text
 * @returns {Record<string, string>[]}
 */
export function machineRows(text) {
  const [first, ...rows] = text.split(/\r?\n/);
  const places = Object.entries(machineColumns(first));
  const delimiter = delimiterOf(first);
  return rows
    .filter((row) => row.trim())
    .map((row) => {
      const fields = cells(row, delimiter);
      return Object.fromEntries(places.map(([name, at]) => [name, fields[at] ?? ""]));
    });
}

/**
 * Return the experiment of a CSV of machine types: its machines, and a synthetic workload to change. Throws for a
 * wrong line.
 * @param {Record<string, string>[]} rows
 */
export function machinesExperiment(rows) {
  /** @type {Map<string, Record<string, number>[]>} */
  const clusters = new Map();
  let total = 0;
  rows.forEach((row, at) => {
    const number = (/** @type {string} */ name) => Number(row[name] || 0);
    const group = {
      count: number("count"),
      cpus: number("cpus"),
      memory_gb: number("memory_gb"),
      gpus: number("gpus"),
    };
    if (!Number.isInteger(group.count) || !(group.count >= 0) || !(group.cpus > 0) || !(group.memory_gb >= 0))
      throw new Error(
        gettext("Line {line} needs a whole number of machines and CPUs above 0, such as 12,64,256.", { line: at + 2 }),
      );
    if (!group.count) return;
    total += group.count;
    const name = (row.cluster || "machines").slice(0, 64);
    const { gpus, ...plain } = group;
    clusters.set(name, [...(clusters.get(name) ?? []), gpus > 0 ? group : plain]);
  });
  if (!total) throw new Error(gettext("The file has no machines: it needs a line for each type, with its count."));
  if (total > MOST_MACHINES)
    throw new Error(gettext("The file has more than {most} machines.", { most: MOST_MACHINES }));
  return {
    schema_version: 1,
    name: gettext("My machines"),
    topology: { clusters: [...clusters].map(([name, machines]) => ({ name, machines })) },
    scheduler: { name: "kubernetes" },
    workload: {
      kind: "synthetic",
      jobs: 1000,
      arrivals: { kind: "poisson", offered_load: 0.7 },
      tasks_per_job: { kind: "exponential", mean: 10 },
      duration_s: { kind: "lognormal", median: 60, sigma: 1 },
    },
  };
}
