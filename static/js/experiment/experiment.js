/** Reading and changing an experiment by the paths that problems name. Nothing here changes its argument. */

import { whole } from "../kit/format.js";
import { choiceWords } from "../kit/names.js";
import { gettext } from "../kit/words.js";
import { writerOf } from "./sets.js";

/**
 * @typedef {import("../contract/api.js").Experiment} Experiment
 * @typedef {import("../contract/api.js").Stored} Stored
 * @typedef {import("../contract/api.js").Scheduler} Scheduler
 * @typedef {{name: string, share: number, global_master?: number | null, [more: string]: any}} Queue
 */

// No server takes more; what is typed on the way to a number must not stop the page.
const MOST_MASTERS = 256;
const MOST_CLUSTERS = 1000;
const MOST_MACHINES = 200_000;

/** "a.b[0].c" -> ["a", "b", 0, "c"]. */
export function parsePath(/** @type {string} */ path) {
  const parts = [];
  for (const [, name, index] of String(path).matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    parts.push(index === undefined ? name : Number(index));
  }
  return parts;
}

export function getAt(/** @type {any} */ data, /** @type {string} */ path) {
  return parsePath(path).reduce(
    (value, part) => (value === null || value === undefined ? undefined : value[part]),
    data,
  );
}

/**
 * A copy of `data` with `value` at `path`; undefined removes it. Parents that are missing, or that somebody typed as
 * something else, become objects or lists.
 * @param {any} data
 * @param {string} path
 * @param {any} value
 */
export function setAt(data, path, value) {
  const parts = parsePath(path);
  const copy = structuredClone(data);
  let target = copy;
  parts.slice(0, -1).forEach((part, place) => {
    if (typeof target[part] !== "object" || target[part] === null)
      target[part] = typeof parts[place + 1] === "number" ? [] : {};
    target = target[part];
  });
  const last = parts[parts.length - 1];
  if (value === undefined) delete target[last];
  else target[last] = value;
  return copy;
}

/** What stands where a list of objects belongs: anything else may be typed into the JSON. */
export function listOf(/** @type {any} */ value) {
  return Array.isArray(value)
    ? value.filter((each) => typeof each === "object" && each !== null && !Array.isArray(each))
    : [];
}

/** A number of things that can be drawn: whole, not below 0; 1 where nothing is said, 0 where something else is. */
function countOf(/** @type {any} */ value) {
  if (value === undefined || value === null) return 1;
  return Number.isFinite(value) && value > 0 ? Math.floor(value) : 0;
}

/** Machines of one cluster. */
function machinesIn(/** @type {any} */ cluster) {
  return listOf(cluster.machines).reduce((sum, shape) => sum + countOf(shape.count), 0);
}

/** Machines of the whole datacenter. */
export function machineCount(/** @type {Experiment} */ experiment) {
  return listOf(experiment.topology?.clusters).reduce(
    (sum, cluster) => sum + machinesIn(cluster) * countOf(cluster.repeat),
    0,
  );
}

/** Global Masters, as many as can be drawn. */
function mastersOf(/** @type {Experiment} */ experiment) {
  return Math.min(Math.max(1, countOf(experiment.topology?.global_masters)), MOST_MASTERS);
}

/**
 * What an experiment is called until a person names it.
 * @param {Experiment} experiment
 * @param {Scheduler[]} schedulers
 */
export function autoName(experiment, schedulers) {
  const name = experiment.scheduler?.name ?? "";
  const label = schedulers.find((each) => each.name === name)?.label ?? name;
  return gettext("{scheduler} on {machines} machines", { scheduler: label, machines: whole(machineCount(experiment)) });
}

/**
 * Whether the scheduler splits machines among Global Masters: then the map has owners. `scheduler`: its catalogue
 * entry.
 * @param {Scheduler | undefined} scheduler
 */
export function isPartitioned(scheduler) {
  return Boolean(scheduler?.layers?.some((layer) => layer.role === "owner"));
}

/** The queues as they will be: those given, or one equal queue for each Global Master. */
export function queuesOf(/** @type {Experiment} */ experiment) {
  const given = listOf(experiment.queues).filter((queue) => Number.isFinite(queue.share));
  if (given.length) return given;
  const masters = mastersOf(experiment);
  return Array.from({ length: masters }, (_, index) => ({
    name: `q${index}`,
    share: 1 / masters,
    global_master: index,
  }));
}

/**
 * Move the border after queue `index` by `delta` of the whole, keeping every share at least `least` and the sum 1.
 * @param {Queue[]} queues
 * @param {number} index
 * @param {number} delta
 */
export function moveShare(queues, index, delta, least = 0.01) {
  const left = queues[index].share;
  const right = queues[index + 1].share;
  const moved = Math.min(Math.max(delta, least - left), right - least);
  const round = (/** @type {any} */ value) => Math.round(value * 1e4) / 1e4;
  const newLeft = round(left + moved);
  return queues.map((queue, place) => {
    if (place === index) return { ...queue, share: newLeft };
    if (place === index + 1) return { ...queue, share: round(left + right - newLeft) };
    return { ...queue };
  });
}

/**
 * A changed number of Global Masters, with queues kept only if they still name masters that exist.
 * @param {Experiment} experiment
 * @param {number} masters
 */
export function withMasters(experiment, masters) {
  const next = setAt(experiment, "topology.global_masters", masters);
  const queues = next.queues || [];
  const allServed = new Set(queues.map((/** @type {any} */ queue) => queue.global_master)).size === masters;
  if (queues.some((/** @type {any} */ queue) => (queue.global_master ?? 0) >= masters) || !allServed)
    delete next.queues;
  return next;
}

/**
 * What the map can show before the run tells: clusters from the topology, split among the Global Masters
 * where the scheduler has partitions (`partitioned`), everything idle.
 * @param {Experiment} experiment
 * @param {boolean} partitioned
 */
export function outline(experiment, partitioned) {
  const clusters = [];
  const masters = partitioned ? mastersOf(experiment) : 1;
  let first = 0;
  for (const cluster of listOf(experiment.topology?.clusters)) {
    const [machines, repeat] = [machinesIn(cluster), countOf(cluster.repeat)];
    for (
      let copy = 0;
      copy < repeat && machines > 0 && clusters.length < MOST_CLUSTERS && first + machines <= MOST_MACHINES;
      copy += 1
    ) {
      clusters.push({
        name: repeat > 1 ? `${cluster.name}-${copy}` : String(cluster.name ?? ""),
        first,
        machines,
        partitions: split(first, machines, masters, partitioned),
      });
      first += machines;
    }
  }
  const made = {
    machines: first,
    clusters,
    owners: partitioned ? Array.from({ length: masters }, (_, i) => gettext("Master {master}", { master: i })) : [],
    layers: [],
    marks: [],
    counters: [],
    series: [],
    hists: [],
    queues: queuesOf(experiment),
    outline: true,
  };
  // Nothing that draws an outline reads the other fields of meta.
  return /** @type {import("../contract/contract").Meta} */ (/** @type {unknown} */ (made));
}

/**
 * @param {number} first
 * @param {number} machines
 * @param {number} masters
 * @param {boolean} partitioned
 */
function split(first, machines, masters, partitioned) {
  const parts = [];
  for (let owner = 0; owner < masters; owner += 1) {
    const from = Math.floor((machines * owner) / masters);
    const to = Math.floor((machines * (owner + 1)) / masters);
    if (to > from) parts.push({ owner: partitioned ? owner : 255, first: first + from, machines: to - from });
  }
  return parts;
}

/**
 * What people call a value of a parameter: its label in the schema, or the value where none is declared.
 * @param {Record<string, {label: string, help?: string}> | undefined} options
 * @param {unknown} value
 */
export function optionLabel(options, value) {
  return options?.[String(value)]?.label ?? choiceWords(value);
}

/** A parameter's help, with a line for each of its values. */
function helpOf(/** @type {any} */ field) {
  const lines = Object.values(field.options ?? {}).filter((each) => each.help);
  return [field.description || "", ...lines.map((each) => `${each.label}: ${each.help}`)].join("\n");
}

/** Knobs of a scheduler from its parameters' JSON Schema: [{name, path, label, unit, help, kind, ...bounds}].
 *
 * Parameters that are lists have none: they are written in the experiment's JSON.
 * @param {any} schema
 */
export function knobsFromSchema(schema) {
  return Object.entries(schema?.properties || {})
    .filter(([, raw]) => raw.type !== "array")
    .map(([name, raw]) => {
      const field = resolve(raw, schema);
      const least = field.minimum ?? field.exclusiveMinimum;
      const most = field.maximum ?? field.exclusiveMaximum;
      const choices = field.enum ?? (field.const === undefined ? null : [field.const]);
      const kind = choices
        ? "choice"
        : field.type === "boolean"
          ? "switch"
          : field.type === "integer"
            ? "integer"
            : field.type === "number"
              ? "number"
              : "text";
      return {
        name,
        path: `scheduler.params.${name}`,
        label: field.title || name,
        unit: field.unit || "",
        help: helpOf(field),
        evidence: field.evidence || "",
        default: field.default,
        kind,
        choices,
        options: field.options || {},
        examples: field.examples || [],
        min: least,
        max: most,
        open: field.exclusiveMinimum !== undefined,
        write: writerOf(schema.properties, name) || undefined,
      };
    })
    .filter((knob) => !(knob.choices && knob.choices.length < 2));
}

/** @returns {any} */
function resolve(/** @type {any} */ field, /** @type {any} */ schema) {
  const named = field.$ref ? getAt(schema, field.$ref.replace(/^#\//, "").replaceAll("/", ".")) : null;
  const inner = named || (field.allOf?.length === 1 ? resolve(field.allOf[0], schema) : null);
  const options = field.anyOf?.filter((/** @type {any} */ option) => option.type !== "null");
  const chosen = options?.length === 1 ? options[0] : null;
  return { ...(inner || {}), ...(chosen || {}), ...field };
}

/** Whether a text of the user's own is the scheduler's policy. */
export function hasPolicy(/** @type {Scheduler | undefined} */ scheduler) {
  return (scheduler?.params_schema ?? scheduler?.params)?.properties?.policy?.role === "policy";
}
