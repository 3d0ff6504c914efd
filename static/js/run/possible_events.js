/**
 * The events that a user can trigger on a part of the datacenter at the current instant; each makes a fork. Only events
 * that the scheduler supports and that make sense now: a running machine cannot recover, a failed one cannot fail
 * again.
 */

import { duration, percent } from "../kit/format.js";
import { groupState, serviceOf } from "./places.js";
import { gettext } from "../kit/words.js";

/**
 * @import { Experiment } from "../experiment/experiment.js"
 * @import { Meta } from "../contract/contract"
 * @import { Picture } from "./frames.js"
 * @import { Scheduler } from "../contract/api.js"
 * @import { Target } from "./places.js"
 */

const PERIODS_S = [1, 5, 10, 30, 60, 300, 600, 1800, 3600, 21_600];

/** Return a round duration of about a tenth of the run, in seconds. */
export function periodFor(/** @type {number} */ end_s) {
  return PERIODS_S.findLast((period) => period <= Math.max(1, end_s / 8)) ?? 1;
}

/**
 * Return the features that the scheduler supports under the experiment's profile.
 * @param {Scheduler | undefined} scheduler
 * @param {Experiment} experiment
 */
export function honoured(scheduler, experiment) {
  const profile = experiment.scheduler?.params?.profile;
  return new Set(scheduler?.supports_under?.[profile] ?? scheduler?.supports ?? []);
}

/** Return the target in the format of events. */
export function eventTarget(/** @type {Target} */ target) {
  if (target.kind === "machine") return { machine: target.machine };
  if (target.kind === "rack") return { rack: target.rack };
  if (target.kind === "cluster") return { cluster: target.name };
  if (target.kind === "local_master") return { local_master: target.name };
  if (target.kind === "owner") return { global_master: target.owner };
  return { queue: target.name };
}

/**
 * Return true if a master is down at an instant. Masters are in no layer, so this follows the experiment's events.
 * @param {Experiment} experiment
 * @param {Target} target
 * @param {number} t_s
 */
function masterDown(experiment, target, t_s) {
  const named = JSON.stringify(eventTarget(target));
  let down = false;
  for (const event of [...(experiment.events ?? [])].sort((a, b) => a.at_s - b.at_s)) {
    if (event.at_s > t_s || JSON.stringify(bare(event.target)) !== named) continue;
    if (event.kind === "fail") down = event.duration_s == null || event.at_s + event.duration_s > t_s;
    if (event.kind === "recover") down = false;
  }
  return down;
}

function bare(/** @type {Target} */ target) {
  return Object.fromEntries(
    Object.entries(target ?? {}).filter(([, value]) => value !== null && value !== undefined && value !== false),
  );
}

/**
 * @param {Target} target
 * @param {number} t_s
 * @param {number} end_s
 * @param {{up: boolean, down: boolean, drains: boolean, machines?: number}} options
 */
function faults(target, t_s, end_s, { up, down, drains, machines = 0 }) {
  const at = (/** @type {string} */ kind, more = {}) => [{ at_s: t_s, kind, target: eventTarget(target), ...more }];
  const period = periodFor(end_s);
  const time = duration(period * 1e9);
  const offers = [];
  if (up) {
    offers.push({
      id: "fail-time",
      label: gettext("Fail for {time}", { time }),
      help: gettext("Its tasks lose their work. It recovers by itself."),
      events: at("fail", { duration_s: period }),
    });
    if (drains && machines) {
      const left = Math.max(end_s - t_s, period);
      const every_s = Number((left * Math.max(5, machines / 100)).toPrecision(2)); // at most about a hundred failures
      offers.push({
        id: "fail-random",
        label: gettext("Fail at random"),
        help: gettext(
          "Machines fail at random from now on and recover later. One failure in five takes down the " + "whole rack.",
        ),
        events: at("fail", {
          duration_s: Number(left.toPrecision(3)),
          value: { every_s, repair_s: period, rack_share: 0.2 },
        }),
      });
    }
    offers.push({
      id: "fail",
      label: gettext("Fail permanently"),
      help: gettext("Its tasks lose their work."),
      events: at("fail"),
    });
    if (drains)
      offers.push({
        id: "drain",
        label: gettext("Drain"),
        help: gettext("Running tasks end; nothing new starts."),
        events: at("drain"),
      });
  }
  if (down)
    offers.push({
      id: "recover",
      label: gettext("Recover"),
      help: gettext("Accepts tasks again from now on."),
      events: at("recover"),
    });
  return offers;
}

/**
 * @param {Meta} meta
 * @param {Target} target
 * @param {number} t_s
 * @param {number} end_s
 * @param {Set<string>} can
 */
function queueOffers(meta, target, t_s, end_s, can) {
  const period = periodFor(end_s);
  const event = (/** @type {string} */ kind, /** @type {Record<string, number>} */ value, more = {}) => [
    { at_s: t_s, kind, target: { queue: target.name }, value, ...more },
  ];
  const offers = [
    {
      id: "burst",
      label: gettext("Burst: 3 × the jobs for {time}", { time: duration(period * 1e9) }),
      help: gettext("Jobs of this queue arrive three times as fast."),
      events: event("burst", { rate_factor: 3 }, { duration_s: period }),
    },
  ];
  const share = meta.queues?.find((queue) => queue.name === target.name)?.share;
  if (can.has("share_changes") && share) {
    const half = Number((share / 2).toPrecision(3));
    const more = Number(Math.min(1, share * 2).toPrecision(3));
    if (more > share)
      offers.push({
        id: "share-up",
        label: gettext("Raise its share to {share}", { share: percent(more) }),
        help: gettext("Increase its share from now on."),
        events: event("set", { share: more }),
      });
    offers.push({
      id: "share-down",
      label: gettext("Cut its share to {share}", { share: percent(half) }),
      help: gettext("Decrease its share from now on."),
      events: event("set", { share: half }),
    });
  }
  return offers;
}

/**
 * Return the offers [{id, label, help, events}] for a target {kind: machine|rack|cluster|local_master|owner|queue, ...}
 * at t_s.
 * @param {{experiment: Experiment, scheduler: Scheduler | undefined, meta: Meta, picture: Picture | null, target:
 *   Target, t_s: number, end_s: number}} options
 */
export function offersFor({ experiment, scheduler, meta, picture, target, t_s, end_s }) {
  const can = honoured(scheduler, experiment);
  if (target.kind === "queue") return queueOffers(meta, target, t_s, end_s, can);
  if (target.kind === "owner" || target.kind === "local_master") {
    if (!can.has("master_faults")) return [];
    const down = masterDown(experiment, target, t_s);
    return faults(target, t_s, end_s, { up: !down, down, drains: false });
  }
  if (!can.has("machine_faults")) return [];
  if (target.kind === "machine") {
    const state = serviceOf(meta, picture, target.machine);
    return faults(target, t_s, end_s, {
      up: state !== "failed",
      down: state !== "in service",
      drains: state === "in service",
    });
  }
  const state = groupState(meta, picture, target);
  return faults(target, t_s, end_s, {
    up: state.failed < state.machines,
    down: state.failed + state.draining > 0,
    drains: state.failed + state.draining < state.machines,
    machines: state.machines,
  });
}
