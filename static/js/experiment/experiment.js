/** Read and change an experiment by the paths that problems name. No function changes its argument. */

import { whole } from "../kit/format.js";
import { choiceWords } from "../kit/names.js";
import { gettext } from "../kit/words.js";
import { writerOf } from "./sets.js";

/**
 * @typedef {import("../contract/api.js").Experiment} Experiment
 * @typedef {import("../contract/api.js").Stored} Stored
 * @typedef {import("../contract/api.js").Scheduler} Scheduler
 * @typedef {import("../contract/api.js").Schema} Schema
 * @typedef {import("../contract/api.js").Field} Field
 * @typedef {{name: string, share: number, global_master?: number | null, [more: string]: unknown}} Queue
 */

// Limits for the page: no server accepts more, and a half-typed number must not freeze the page.
const MOST_MASTERS = 256;
const MOST_CLUSTERS = 1000;
const MOST_MACHINES = 200_000;

/** Parse a path: "a.b[0].c" becomes ["a", "b", 0, "c"]. */
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
 * Return a copy of `data` with `value` at `path`; undefined removes the value. Missing parents, and parents of a wrong
 * type, become objects or lists.
 * @template Data
 * @param {Data} data
 * @param {string} path
 * @param {unknown} value
 * @returns {Data}
 */
export function setAt(data, path, value) {
  const parts = parsePath(path);
  const copy = structuredClone(data);
  let target = /** @type {Record<string | number, unknown>} */ (copy);
  parts.slice(0, -1).forEach((part, place) => {
    if (typeof target[part] !== "object" || target[part] === null)
      target[part] = typeof parts[place + 1] === "number" ? [] : {};
    target = /** @type {Record<string | number, unknown>} */ (target[part]);
  });
  const last = parts[parts.length - 1];
  if (value === undefined) delete target[last];
  else target[last] = value;
  return copy;
}

/** Return the objects of a list, or an empty list for anything else, since people may type anything into the JSON. */
export function listOf(/** @type {unknown} */ value) {
  return Array.isArray(value)
    ? value.filter((each) => typeof each === "object" && each !== null && !Array.isArray(each))
    : [];
}

/** Return a count that can be drawn: a whole number, at least 0. A missing value is 1, an invalid one 0. */
function countOf(/** @type {unknown} */ value) {
  if (value === undefined || value === null) return 1;
  const count = Number.isFinite(value) ? Number(value) : 0;
  return count > 0 ? Math.floor(count) : 0;
}

/** Return the number of machines of one cluster. */
function machinesIn(/** @type {import("./topology.js").Cluster} */ cluster) {
  return listOf(cluster.machines).reduce((sum, shape) => sum + countOf(shape.count), 0);
}

/** Return the number of machines of the datacenter. */
export function machineCount(/** @type {Experiment} */ experiment) {
  return listOf(experiment.topology?.clusters).reduce(
    (sum, cluster) => sum + machinesIn(cluster) * countOf(cluster.repeat),
    0,
  );
}

/** Return the number of Global Masters, limited to what can be drawn. */
function mastersOf(/** @type {Experiment} */ experiment) {
  return Math.min(Math.max(1, countOf(experiment.topology?.global_masters)), MOST_MASTERS);
}

/**
 * Return an experiment's default name.
 * @param {Experiment} experiment
 * @param {Scheduler[]} schedulers
 */
export function autoName(experiment, schedulers) {
  const name = experiment.scheduler?.name ?? "";
  const label = schedulers.find((each) => each.name === name)?.label ?? name;
  return gettext("{scheduler} on {machines} machines", { scheduler: label, machines: whole(machineCount(experiment)) });
}

/**
 * Return true if the scheduler splits machines among Global Masters; the map then shows owners. `scheduler` is its
 * catalogue entry.
 * @param {Scheduler | undefined} scheduler
 */
export function isPartitioned(scheduler) {
  return Boolean(scheduler?.layers?.some((layer) => layer.role === "owner"));
}

/** Return the queues of the run: the given ones, or one equal queue per Global Master. */
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
 * Move the border after queue `index` by `delta` of the total, keeping every share at least `least` and the sum 1.
 * @param {Queue[]} queues
 * @param {number} index
 * @param {number} delta
 */
export function moveShare(queues, index, delta, least = 0.01) {
  const left = queues[index].share;
  const right = queues[index + 1].share;
  const moved = Math.min(Math.max(delta, least - left), right - least);
  const round = (/** @type {number} */ value) => Math.round(value * 1e4) / 1e4;
  const newLeft = round(left + moved);
  return queues.map((queue, place) => {
    if (place === index) return { ...queue, share: newLeft };
    if (place === index + 1) return { ...queue, share: round(left + right - newLeft) };
    return { ...queue };
  });
}

/**
 * Change the number of Global Masters. Queues stay only if they name masters that exist and every master serves one.
 * @param {Experiment} experiment
 * @param {number} masters
 */
export function withMasters(experiment, masters) {
  const next = setAt(experiment, "topology.global_masters", masters);
  const queues = next.queues || [];
  const allServed = new Set(queues.map((/** @type {Queue} */ queue) => queue.global_master)).size === masters;
  if (queues.some((/** @type {Queue} */ queue) => (queue.global_master ?? 0) >= masters) || !allServed)
    delete next.queues;
  return next;
}

/**
 * Return the metadata that the map can show before the run starts: clusters from the topology, split among Global
 * Masters if `partitioned`, all machines idle.
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
  // Code that draws an outline reads no other fields of the metadata.
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
 * Return the label of a parameter's value, or the value if the schema declares no label.
 * @param {Record<string, {label: string, help?: string}> | undefined} options
 * @param {unknown} value
 */
export function optionLabel(options, value) {
  return options?.[String(value)]?.label ?? choiceWords(value);
}

/** Return a parameter's help with one line per option. */
function helpOf(/** @type {{description?: string, options?: Record<string, {label: string, help?: string}>}} */ field) {
  const lines = Object.values(field.options ?? {}).filter((each) => each.help);
  return [field.description || "", ...lines.map((each) => `${each.label}: ${each.help}`)].join("\n");
}

/**
 * Return a scheduler's controls from its parameters' JSON Schema: [{name, path, label, unit, help, kind, ...bounds}].
 *
 * List parameters have no control; users edit them in the experiment's JSON.
 * @param {Schema | null | undefined} schema
 */
export function knobsFromSchema(schema) {
  const given = schema ?? {};
  const properties = given.properties || {};
  return Object.entries(properties)
    .filter(([, raw]) => raw.type !== "array")
    .map(([name, raw]) => {
      const field = resolve(raw, given);
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
        actsWith: /** @type {string[]} */ (field.acts_with || []),
        speaksOf: field.speaks_of || "",
        min: least,
        max: most,
        open: field.exclusiveMinimum !== undefined,
        write: writerOf(properties, name) || undefined,
      };
    })
    .filter((knob) => !(knob.choices && knob.choices.length < 2));
}

/** @returns {Field} */
function resolve(/** @type {Field} */ field, /** @type {Schema} */ schema) {
  const named = field.$ref ? getAt(schema, field.$ref.replace(/^#\//, "").replaceAll("/", ".")) : null;
  const inner = named || (field.allOf?.length === 1 ? resolve(field.allOf[0], schema) : null);
  const options = field.anyOf?.filter((option) => option.type !== "null");
  const chosen = options?.length === 1 ? options[0] : null;
  return { ...(inner || {}), ...(chosen || {}), ...field };
}

/** Return true if the scheduler runs a policy text written by the user. */
export function hasPolicy(/** @type {Scheduler | undefined} */ scheduler) {
  return (scheduler?.params_schema ?? scheduler?.params)?.properties?.policy?.role === "policy";
}
