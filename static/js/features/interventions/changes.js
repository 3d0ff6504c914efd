/** The possible changes from an instant on, as the scheduler declares them: parameters, shares, faults. */

import { optionLabel } from "../../experiment/experiment.js";
import { honoured } from "../../run/possible_events.js";
import { rackStarts } from "../../run/places.js";
import { gettext } from "../../kit/words.js";
import { bareName, clusterName } from "../../kit/names.js";

/**
 * @import { Meta } from "../../contract/contract"
 * @import { Experiment, Scheduler } from "../../experiment/experiment.js"
 */

/**
 * @typedef {string | number | boolean} Setting  a value that a change can set
 * @typedef {{kind: string, target: Record<string, Setting>, value?: Record<string, unknown>}} ChangeEvent  an event
 *   without its time
 */

/**
 * The kind of a change decides which values its event takes.
 * @typedef {{event(value: unknown): ChangeEvent}} Makes
 */

/**
 * @typedef {object} Change  a possible change from an instant on
 * @property {string} label
 * @property {string} help
 * @property {string} kind  "number", "choice" or "fault"
 * @property {string} [does]  identifies the change independently of the language
 * @property {Setting} start
 * @property {number} [now]  the value at the start of the run
 * @property {string} [unit]
 * @property {{value: Setting, label: string}[]} [choices]
 * @property {Makes["event"]} event  returns the event without its time
 * @property {Reach[]} [reaches]  the possible targets of a fault of machines
 */

/**
 * A fault's target: a machine or a rack by number, or a percentage of all machines.
 * @typedef {{value: "machine" | "rack" | "share", label: string, start: number, most: number, unit: string}} Reach
 * @typedef {{at_s: number, duration_s: number | null}} Time  when a change begins and how long it lasts; null: for good
 * @typedef {Time & {of: string, number: number}} Fault  a fault as the user typed it
 */

/**
 * Return [{label, help, kind: "number" | "choice", start, now?, unit?, choices?, event(value)}]; an event lacks its
 * time. `now` is the value at the start of the run.
 */
export function changesFor(
  /** @type {{experiment: Experiment, scheduler: Scheduler | undefined, meta: Meta}} */ { experiment, scheduler, meta },
) {
  const can = honoured(scheduler, experiment);
  return [
    ...(can.has("parameter_changes") ? parameters(experiment, scheduler) : []),
    ...(can.has("share_changes") ? shares(meta) : []),
    ...faults(meta, can),
  ];
}

/**
 * @param {Experiment} experiment
 * @param {Scheduler | undefined} scheduler
 */
function parameters(experiment, scheduler) {
  const given = experiment.scheduler?.params ?? {};
  const set = (/** @type {string} */ name) => (/** @type {unknown} */ value) => ({
    kind: "set",
    target: { scheduler: true },
    value: { [name]: value },
  });
  return Object.entries(scheduler?.params?.properties ?? {})
    .filter(([name]) => name !== "profile")
    .map(([name, field]) => {
      const now = given[name] ?? field.default;
      const common = { label: field.title ?? name, help: field.description ?? "", event: set(name) };
      if (typeof now === "boolean")
        return {
          ...common,
          kind: "choice",
          start: !now,
          choices: [
            { value: true, label: gettext("on") },
            { value: false, label: gettext("off") },
          ],
        };
      if (field.enum)
        return {
          ...common,
          kind: "choice",
          start: field.enum.find((/** @type {Setting} */ each) => each !== now) ?? now,
          choices: field.enum.map((/** @type {Setting} */ each) => ({
            value: each,
            label: optionLabel(field.options, each),
          })),
        };
      if (typeof now !== "number") return null;
      return { ...common, kind: "number", now, unit: field.unit ?? "", start: Number((now * 2).toPrecision(6)) };
    })
    .filter((each) => each !== null);
}

function shares(/** @type {Meta} */ meta) {
  return meta.queues.length < 2
    ? []
    : meta.queues.map((queue) => ({
        label: gettext("Share of queue {name}", { name: bareName(queue.name) }),
        help: gettext("The queue's share of the whole datacenter."),
        kind: "number",
        unit: "%",
        now: Number((queue.share * 100).toPrecision(4)),
        start: Number((queue.share * 50).toPrecision(4)),
        event: (/** @type {number} */ share) => ({ kind: "set", target: { queue: queue.name }, value: { share } }),
      }));
}

/** @returns {Reach[]} */
function reachesOf(/** @type {Meta} */ meta) {
  const racks = rackStarts(meta).length;
  return [
    { value: "machine", label: gettext("Machine"), start: 0, most: meta.machines - 1, unit: "" },
    ...(racks > 1
      ? [{ value: /** @type {const} */ ("rack"), label: gettext("Rack"), start: 0, most: racks - 1, unit: "" }]
      : []),
    { value: "share", label: gettext("Share of all machines"), start: 10, most: 100, unit: "%" },
  ];
}

/** Return the beginning and the duration of a change in the format of events. */
export const eventTime = (/** @type {Time} */ { at_s, duration_s }) => ({
  at_s,
  ...(duration_s === null ? {} : { duration_s }),
});

/**
 * Return the events of a fault. A percentage takes evenly spaced machines, so that every cluster and rack loses the
 * same fraction.
 * @param {Fault} fault
 * @param {number} machines
 */
export function faultEvents({ of, number, at_s, duration_s }, machines) {
  const common = { kind: "fail", ...eventTime({ at_s, duration_s }) };
  if (of === "rack") return [{ ...common, target: { rack: number } }];
  if (of === "machine") return [{ ...common, target: { machine: number } }];
  const many = Math.max(1, Math.round((number / 100) * machines));
  return Array.from({ length: many }, (_, at) => ({
    ...common,
    target: { machine: Math.floor((at * machines) / many) },
  }));
}

/**
 * Return the problem with a change's beginning or duration in words; "" if there is none.
 * @param {Time} time
 * @param {number} from_s
 */
export function timeTrouble({ at_s, duration_s }, from_s) {
  if (!(at_s >= from_s)) return gettext("The change can begin at {from} s or later.", { from: from_s });
  if (duration_s !== null && !(duration_s > 0))
    return gettext("How long: type seconds above 0, or leave the field empty if the change lasts for good.");
  return "";
}

/**
 * Return the problem with a fault in words; "" if there is none.
 * @param {Fault} fault
 * @param {Reach} reach
 * @param {number} from_s
 */
export function faultTrouble({ number, at_s, duration_s }, { label, value, most }, from_s) {
  const whole = value === "share" || Number.isInteger(number);
  if (!(number >= 0 && number <= most && whole) || (value === "share" && number === 0))
    return gettext("{label}: type a number from {least} to {most}.", {
      label,
      least: value === "share" ? gettext("above 0") : 0,
      most,
    });
  return timeTrouble({ at_s, duration_s }, from_s);
}

/**
 * @param {Meta} meta
 * @param {Set<string>} can
 */
function faults(meta, can) {
  const found = [];
  const clusters = meta.clusters
    .slice(0, 200)
    .map((cluster) => ({ value: cluster.name, label: clusterName(cluster.name) }));
  if (can.has("machine_faults")) {
    found.push({
      label: gettext("A machine fails"),
      does: "fail-machine",
      help: gettext("Tasks on failed machines lose their work."),
      kind: "fault",
      start: "machine",
      reaches: reachesOf(meta),
      event: (/** @type {number} */ machine) => ({ kind: "fail", target: { machine } }),
    });
    found.push({
      label: gettext("A cluster fails"),
      does: "fail-cluster",
      help: gettext("All its machines fail, and their tasks lose their work."),
      kind: "choice",
      start: clusters[0].value,
      choices: clusters,
      event: (/** @type {string} */ cluster) => ({ kind: "fail", target: { cluster } }),
    });
  }
  if (can.has("master_faults")) {
    found.push({
      label: gettext("A Local Master fails"),
      does: "fail-local-master",
      help: gettext("Its cluster answers no requests until its standby takes over, or until it recovers before that."),
      kind: "choice",
      start: clusters[0].value,
      choices: clusters,
      event: (/** @type {string} */ name) => ({ kind: "fail", target: { local_master: name } }),
    });
    const owners = meta.owners.map((label, value) => ({ value, label }));
    if (owners.length)
      found.push({
        label: gettext("A Global Master fails"),
        does: "fail-global-master",
        help: gettext("Its queues wait until it recovers. Its view is lost."),
        kind: "choice",
        start: 0,
        choices: owners,
        event: (/** @type {number} */ owner) => ({ kind: "fail", target: { global_master: owner } }),
      });
  }
  return found;
}
