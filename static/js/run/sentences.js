/** Sentences about the picture: for tooltips, the inspector and screen readers. */

import { countHolding } from "../kit/search.js";
import { clock, duration, percent, whole } from "../kit/format.js";
import { backlogLayer, groupOf, roleLayer } from "./roles.js";
import { gettext, midSentence } from "../kit/words.js";
import { clusterName } from "../kit/names.js";

/**
 * @typedef {import("../contract/contract").Meta} Meta
 * @typedef {import("../contract/contract").LayerMeta} LayerMeta
 * @typedef {Pick<import("./frames.js").Picture, "layers"> & Partial<import("./frames.js").Picture>} Picture
 */

const NONE = 255;

/**
 * @param {Meta} meta
 * @param {number} machine
 */
export function clusterOf(meta, machine) {
  const { clusters } = meta;
  return clusters[Math.max(0, countHolding(clusters.length, (place) => clusters[place].first <= machine) - 1)];
}

/**
 * @param {Meta} meta
 * @param {Picture} picture
 * @param {number} machine
 */
export function ownerOf(meta, picture, machine) {
  const layer = hueLayer(meta);
  if (layer && picture.layers[layer.name]) return picture.layers[layer.name][machine];
  const part = clusterOf(meta, machine).partitions.find(
    (each) => machine >= each.first && machine < each.first + each.machines,
  );
  return part ? part.owner : NONE;
}

/**
 * Return the layer of the hue in the combined picture; the next functions return those of value, hatch, and hatch hue.
 *
 * @param {Meta} meta
 */
export function hueLayer(meta) {
  return roleLayer(meta, "owner");
}
/**
 * @param {Meta} meta
 */
export function valueLayer(meta) {
  return roleLayer(meta, "load") ?? meta.layers.find((layer) => layer.kind === "level") ?? null;
}
/**
 * @param {Meta} meta
 */
export function hatchLayer(meta) {
  return roleLayer(meta, "lent");
}
/**
 * @param {Meta} meta
 */
export function hatchHueLayer(meta) {
  return roleLayer(meta, "borrower");
}

/**
 * Return the layer of outages, or null.
 *
 * @param {Meta} meta
 */
export function outageLayer(meta) {
  return roleLayer(meta, "service");
}

/** Return a value of the outage layer in words. */
export function serviceWords(/** @type {number} */ value) {
  const words = { up: gettext("in service"), draining: gettext("draining"), failed: gettext("failed") };
  return words[serviceOf(value)];
}

function serviceOf(/** @type {number} */ value) {
  return value === 0 ? "up" : value < 192 ? "draining" : "failed";
}

/** Return a machine's name, with its cluster if there are several. @param {Meta} meta */
export function machineName(meta, /** @type {number} */ machine) {
  if (meta.clusters.length === 1) return gettext("Machine {machine}", { machine: whole(machine) });
  return gettext("Machine {machine} of {cluster}", {
    machine: whole(machine),
    cluster: clusterName(clusterOf(meta, machine).name),
  });
}

/**
 * Describe a machine in one sentence: its place, owner, load, and how much of it is lent to which master.
 *
 * @param {Meta} meta
 * @param {Picture} picture
 * @param {number} machine
 */
export function describeMachine(meta, picture, machine) {
  const owner = ownerOf(meta, picture, machine);
  const load = valueLayer(meta);
  const level = load && picture.layers[load.name] ? picture.layers[load.name][machine] / 255 : null;
  let text = machineName(meta, machine);
  if (owner !== NONE && meta.owners[owner]) text += gettext(", owned by {owner},", { owner: meta.owners[owner] });
  const outage = outageLayer(meta);
  const service = serviceOf(outage && picture.layers[outage.name] ? picture.layers[outage.name][machine] : 0);
  if (service === "failed") return gettext("{text} has failed.", { text });
  if (level === null) return `${text}.`;
  text +=
    level === 0
      ? gettext(" is idle")
      : level >= 0.998
        ? gettext(" is full")
        : gettext(" is {level} full", { level: percent(level) });
  const lent = hatchLayer(meta);
  const share = lent && picture.layers[lent.name] ? picture.layers[lent.name][machine] / 255 : 0;
  if (share > 0) {
    const hue = hatchHueLayer(meta);
    const borrower = hue && picture.layers[hue.name] ? picture.layers[hue.name][machine] : NONE;
    const to =
      borrower !== NONE && meta.owners[borrower] ? gettext(" to {owner}", { owner: meta.owners[borrower] }) : "";
    text +=
      share >= 0.998
        ? gettext(" and all of it is lent{to}", { to })
        : gettext(" and {share} of it is lent{to}", { share: percent(share), to });
  }
  const more = [
    ...queueAndWork(meta, picture, machine),
    service === "draining" ? gettext("it is draining: no new task starts on it") : "",
  ].filter(Boolean);
  return `${[text, ...more].join("; ")}.`;
}

/**
 * Describe a machine's queue, its kind of work, and its reservation, if the scheduler declares such layers.
 *
 * @param {Meta} meta
 * @param {Picture} picture
 * @param {number} machine
 */
function queueAndWork(meta, picture, machine) {
  const byte = (/** @type {LayerMeta | null} */ layer) =>
    layer && picture.layers[layer.name] ? picture.layers[layer.name][machine] : 0;
  const [backlog, pattern, reserved] = [backlogLayer(meta), roleLayer(meta, "pattern"), roleLayer(meta, "reserved")];
  const lower = (/** @type {LayerMeta | null} */ layer) => midSentence(layer?.label ?? "");
  const waits =
    backlog && byte(backlog) && backlog.role === "group_backlog"
      ? gettext("{queue} in its {group}", {
          queue: levelWords(backlog, byte(backlog)),
          group: meta.groups ? midSentence(meta.groups.label) : gettext("cluster"),
        })
      : backlog && byte(backlog)
        ? gettext("{queue} there", { queue: levelWords(backlog, byte(backlog)) })
        : "";
  return [waits, byte(pattern) ? lower(pattern) : "", byte(reserved) ? lower(reserved) : ""];
}

/**
 * Return the inspector's rows: every layer with its value in words.
 *
 * @param {Meta} meta
 * @param {Picture} picture
 * @param {number} machine
 */
export function machineRows(meta, picture, machine) {
  const group = groupOf(meta, machine);
  const rows =
    group < 0 || !meta.groups ? [] : [{ label: meta.groups.label, value: whole(group), help: meta.groups.help }];
  return rows.concat(
    meta.layers
      .filter((layer) => picture.layers[layer.name])
      .map((layer) => {
        const value = picture.layers[layer.name][machine];
        if (layer === outageLayer(meta))
          return {
            label: gettext("State"),
            value: serviceWords(value),
            help: gettext("The machine's state: in service, draining or failed."),
          };
        if (layer.role === "reserved")
          return { label: layer.label, value: value ? gettext("yes") : gettext("no"), help: layer.help };
        if (layer.kind === "level")
          return { label: layer.label, value: levelWords(layer, value, layer.label), help: layer.help };
        return {
          label: layer.label,
          value: value === NONE ? gettext("none") : (meta.owners[value] ?? String(value)),
          help: layer.help,
        };
      }),
  );
}

/**
 * Return a level in words: a percentage, or a count of the layer's unit. The unit is omitted if `beside` already names
 * it; the count ends at `full`.
 * @param {LayerMeta} layer
 * @param {number} value
 */
export function levelWords(layer, value, beside = "") {
  if (!layer.unit) return percent(value / 255);
  const unit = beside.toLowerCase() === layer.unit ? "" : ` ${layer.unit}`;
  return `${whole(Math.round((value / 255) * layer.full))}${value === 255 ? gettext(" or more") : ""}${unit}`;
}

/**
 * Report the instant briefly, for a polite live region.
 * @param {Meta} meta
 * @param {Picture} picture
 * @param {{[k: string]: number | null} | null} waits
 * @param {string} [time]  the instant in words, if it is not the picture's
 */
export function describePicture(meta, picture, waits, time = clock(picture.t_ns ?? 0)) {
  const load = valueLayer(meta);
  const levels = load ? picture.layers[load.name] : null;
  const parts = [gettext("At {time}", { time })];
  if (levels) {
    let busy = 0;
    for (const level of levels) if (level > 0) busy += 1;
    parts.push(
      gettext("{busy} of {machines} machines ({share}) run at least one task", {
        busy: whole(busy),
        machines: whole(meta.machines),
        share: percent(busy / meta.machines),
      }),
    );
  }
  const { counters } = picture;
  if (counters?.tasks_waiting !== undefined)
    parts.push(gettext("{tasks} tasks wait", { tasks: whole(counters.tasks_waiting) }));
  if (waits && waits.p50 !== null)
    parts.push(
      gettext("half of the tasks waited less than {p50}, one in a hundred more than {p99}", {
        p50: duration(waits.p50),
        p99: duration(waits.p99),
      }),
    );
  return `${parts.join("; ")}.`;
}

const MOST_SPOKEN = 12;

/**
 * Report how busy each cluster is; if there are too many, only the busiest.
 *
 * @param {Meta} meta
 * @param {Picture} picture
 * @param {string} [time]  the instant in words, if it is not the picture's
 */
export function describeClusters(meta, picture, time = clock(picture.t_ns ?? 0)) {
  const load = valueLayer(meta);
  const levels = load ? picture.layers[load.name] : null;
  if (!levels) return gettext("{clusters} clusters.", { clusters: whole(meta.clusters.length) });
  const busy = meta.clusters.map((cluster) => {
    let used = 0;
    for (let machine = cluster.first; machine < cluster.first + cluster.machines; machine += 1)
      if (levels[machine] > 0) used += 1;
    return { cluster, used };
  });
  const many = busy.length > MOST_SPOKEN;
  if (many) busy.sort((a, b) => b.used / b.cluster.machines - a.used / a.cluster.machines);
  const said = busy.slice(0, MOST_SPOKEN).map(({ cluster, used }) =>
    gettext("{cluster}: {used} of {machines} machines in use", {
      cluster: clusterName(cluster.name),
      used: whole(used),
      machines: whole(cluster.machines),
    }),
  );
  return gettext("At {time}. {busiest}{clusters}.", {
    time,
    busiest: many
      ? gettext("The {some} busiest of {clusters} clusters. ", {
          some: MOST_SPOKEN,
          clusters: whole(busy.length),
        })
      : "",
    clusters: said.join("; "),
  });
}
