/** What the operator of a cluster asks of a run, by name: queues, priorities, and the room on machines. */

import { duration, percent, three, whole } from "../kit/format.js";
import { gettext } from "../kit/words.js";

/**
 * A number of a summary, in words.
 * @typedef {{name: string, part: string, label: string, help: string, show: (value: number) => string,
 *   isCount: boolean}} ClusterMeasure
 */

const WAITS = ["mean", "p99"];
const COUNTS = ["pending", "stopped"];
const FITS = ["mean", "end"];
const GROUP = /^by_(queue|priority)\.(.+)\.(allocation_delay_s\.(?:mean|p99)|pending|stopped)$/;
const ROOM = /^room\.(held|spread)\.(.+)$/;
const FIT = /^room\.fits\.(.+)\.(\w+)\.(mean|end)$/;

const seconds = (/** @type {number} */ value) => duration(value * 1e9, true);

/** @type {Record<string, string>} */
const UNITS = { cpus: "CPUs", memory_gb: gettext("GB of memory"), gpus: "GPUs" };

/** Return the unit of a resource's amounts, such as "GB of memory". */
const unitOf = (/** @type {string} */ resource) => UNITS[resource] ?? resource.replaceAll("_", " ");

/** Return the name of a resource. */
const nounOf = (/** @type {string} */ resource) =>
  resource === "memory_gb" ? gettext("memory") : resource === "pods" ? gettext("pods") : unitOf(resource);

/** Return a type of machines in words: "4 CPUs, 16 GB of memory". */
const typeWords = (/** @type {string} */ type) =>
  type.replace(/([\d.e+-]+) (\w+)/g, (_all, count, resource) => `${three(Number(count))} ${unitOf(resource)}`);

/**
 * Return the names of the measures in a summary, in the order of a table.
 * @param {Partial<import("../contract/contract").Summary> | null | undefined} summary
 */
export function clusterNames(summary) {
  const groups = /** @type {const} */ (["by_priority", "by_queue"]).flatMap((by) =>
    Object.keys(summary?.[by] ?? {})
      .sort((one, other) => (by === "by_priority" ? Number(other) - Number(one) : 0))
      .flatMap((name) => [
        ...WAITS.map((each) => `${by}.${name}.allocation_delay_s.${each}`),
        ...COUNTS.map((each) => `${by}.${name}.${each}`),
      ]),
  );
  const room = summary?.room;
  if (!room) return groups;
  const fits = Object.entries(room.fits).flatMap(([type, resources]) =>
    Object.keys(resources).flatMap((resource) => FITS.map((each) => `room.fits.${type}.${resource}.${each}`)),
  );
  const used = /** @type {const} */ (["held", "spread"]).flatMap((part) =>
    Object.keys(room[part]).map((name) => `room.${part}.${name}`),
  );
  return [...groups, ...used, "room.machines_used", ...fits];
}

/**
 * Return the value of a measure in a summary; undefined if the summary lacks it.
 * @param {Partial<import("../contract/contract").Summary> | null | undefined} summary
 * @param {string} name
 * @returns {number | null | undefined}
 */
export function clusterValue(summary, name) {
  const [, by, key, rest] = GROUP.exec(name) ?? [];
  if (by) return valueAt(summary?.[/** @type {"by_priority" | "by_queue"} */ (`by_${by}`)]?.[key], rest);
  const [, type, resource, which] = FIT.exec(name) ?? [];
  if (type)
    return summary?.room?.fits[type]?.[resource]?.[/** @type {keyof import("../contract/contract").Fit} */ (which)];
  return valueAt(summary, name);
}

/**
 * @param {unknown} from
 * @param {string} path
 */
function valueAt(from, path) {
  const found = path
    .split(".")
    .reduce((each, step) => /** @type {Record<string, unknown> | null | undefined} */ (each)?.[step], from);
  return /** @type {number | null | undefined} */ (found);
}

/**
 * Return a measure in words by its name in a summary; null for another number.
 * @param {string} name
 * @returns {ClusterMeasure | null}
 */
export function clusterMeasure(name) {
  const [, by, key, rest] = GROUP.exec(name) ?? [];
  if (by) return { name, ...groupWords(by, key, rest) };
  const [, part, resource] = ROOM.exec(name) ?? [];
  if (part) return { name, part: ROOM_PART, ...useWords(part, resource), isCount: false };
  if (name === "room.machines_used")
    return {
      name,
      part: ROOM_PART,
      label: gettext("Machines with tasks, mean"),
      help: gettext("Mean number of machines on which at least one task runs."),
      show: three,
      isCount: false,
    };
  const [, type, of, which] = FIT.exec(name) ?? [];
  if (!type) return null;
  const values = { type: typeWords(type), resource: unitOf(of) };
  return {
    name,
    part: gettext("Largest request that still fits"),
    label:
      which === "end"
        ? gettext("Machines with {type}: {resource} at the end", values)
        : gettext("Machines with {type}: {resource}, mean", values),
    help: gettext(
      "Largest amount that is free on one machine. Much free capacity and a small value: it is fragmented.",
    ),
    show: three,
    isCount: false,
  };
}

const ROOM_PART = gettext("Use of machines");

/** @type {Record<string, [label: string, help: string]>} */
const OF_GROUP = {
  "allocation_delay_s.mean": [
    gettext("queueing delay, mean"),
    gettext("Time from a task's arrival until it first starts."),
  ],
  "allocation_delay_s.p99": [
    gettext("queueing delay, p99"),
    gettext("Time from a task's arrival until it first starts."),
  ],
  pending: [gettext("pending tasks"), gettext("Tasks that have arrived and hold no machine when the run ends.")],
  stopped: [
    gettext("stopped tasks"),
    gettext("Tasks that a preemption or a failure of their machine stopped at least once."),
  ],
};

/**
 * @param {string} by
 * @param {string} key
 * @param {string} rest
 */
function groupWords(by, key, rest) {
  const [what, help] = OF_GROUP[rest];
  const isCount = COUNTS.includes(rest);
  const isPriority = by === "priority";
  return {
    part: isPriority ? gettext("By priority") : gettext("By queue"),
    label: isPriority
      ? gettext("Priority {priority}: {what}", { priority: whole(Number(key)), what })
      : gettext("{queue}: {what}", { queue: key, what }),
    help,
    show: isCount ? three : seconds,
    isCount,
  };
}

/**
 * @param {string} part
 * @param {string} resource
 */
function useWords(part, resource) {
  const values = { resource: nounOf(resource) };
  return part === "held"
    ? {
        label: gettext("Held by tasks: {resource}", values),
        help: gettext(
          "Mean share of the resource that tasks hold during the whole run, tasks without an end included.",
        ),
        show: percent,
      }
    : {
        label: gettext("Spread of machines: {resource}", values),
        help: gettext(
          "Standard deviation of the machines' shares in use, as a mean over time. 0: all are equally full.",
        ),
        show: percent,
      };
}
