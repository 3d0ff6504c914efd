/** Edit the list of planned events: faults, drains, bursts and changes. No function changes its argument. */

import { honoured } from "./possible_events.js";
import { knobsFromSchema, listOf, queuesOf } from "../experiment/experiment.js";
import { clustersOf, mastersOf, namesOf } from "../experiment/topology.js";
import { gettext } from "../kit/words.js";

/**
 * @typedef {{at_s: number, kind: string, target: Record<string, unknown>, value?: Record<string, unknown> | null,
 *   duration_s?: number}} PlannedEvent
 */

/**
 * @import { Experiment } from "../experiment/experiment.js"
 * @import { Scheduler } from "../contract/api.js"
 */

export const KINDS = [
  ["fail", "fails"],
  ["recover", "recovers"],
  ["drain", "drains"],
  ["stop", gettext("is stopped")],
  ["burst", gettext("gets a burst of jobs")],
  ["set", gettext("is changed")],
];
const MOST_NAMES = 300;
/**
 * The possible targets of each kind of event, each with the feature that the scheduler must support; null: every
 * scheduler supports it.
 */
/** @type {Record<string, [kind: string, needs: string | null][]>} */
const TARGETS = {
  fail: [
    ["machine", "machine_faults"],
    ["rack", "machine_faults"],
    ["cluster", "machine_faults"],
    ["local_master", "master_faults"],
    ["global_master", "master_faults"],
  ],
  drain: [
    ["machine", "machine_faults"],
    ["rack", "machine_faults"],
    ["cluster", "machine_faults"],
  ],
  stop: [["task", "machine_faults"]],
  burst: [["queue", null]],
  set: [
    ["queue", "share_changes"],
    ["scheduler", "parameter_changes"],
  ],
};
TARGETS.recover = TARGETS.fail;
/** @type {Record<string, string>} */
export const TARGET_WORDS = {
  machine: gettext("Machine"),
  rack: gettext("Rack"),
  cluster: gettext("Cluster"),
  local_master: gettext("Local Master"),
  global_master: gettext("Global Master"),
  queue: gettext("Queue"),
  scheduler: gettext("The scheduler"),
  task: gettext("Task"),
};

/** Return whether an event of a kind has no duration. */
export const isBrief = (/** @type {string} */ kind) => kind === "recover" || kind === "stop";

export const eventsOf = (/** @type {Experiment} */ experiment) => listOf(experiment.events);

/**
 * Return the target kinds that an event of a kind may have under the scheduler.
 * @param {string} kind
 * @param {Experiment} experiment
 * @param {Scheduler | undefined} scheduler
 */
export function targetsFor(kind, experiment, scheduler) {
  const can = honoured(scheduler, experiment);
  return (TARGETS[kind] ?? []).filter(([, needs]) => !needs || !scheduler || can.has(needs)).map(([name]) => name);
}

/**
 * Return the event kinds that the scheduler supports.
 * @param {Experiment} experiment
 * @param {Scheduler | undefined} scheduler
 */
export function kindsFor(experiment, scheduler) {
  return KINDS.filter(([kind]) => targetsFor(kind, experiment, scheduler).length);
}

/**
 * Return the indices of the events that the scheduler does not simulate.
 * @param {Experiment} experiment
 * @param {Scheduler | undefined} scheduler
 */
export function unhonoured(experiment, scheduler) {
  if (!scheduler) return [];
  return eventsOf(experiment).flatMap((event, place) =>
    targetsFor(event.kind, experiment, scheduler).includes(targetKind(event)) ? [] : [place],
  );
}

export function targetKind(/** @type {{target?: Record<string, unknown>}} */ event) {
  return (
    Object.entries(event.target ?? {}).find(
      ([, value]) => value !== null && value !== undefined && value !== false,
    )?.[0] ?? ""
  );
}

/**
 * Return the possible targets of a kind: names, or null if the target is a number.
 * @param {string} kind
 * @param {Experiment} experiment
 */
export function choicesFor(kind, experiment) {
  if (kind === "cluster" || kind === "local_master")
    return clustersOf(experiment).flatMap(namesOf).slice(0, MOST_NAMES);
  if (kind === "queue") return queuesOf(experiment).map((queue) => queue.name);
  if (kind === "global_master") return Array.from({ length: mastersOf(experiment) }, (_, place) => place);
  return null;
}

function firstTarget(/** @type {string} */ kind, /** @type {Experiment} */ experiment) {
  if (kind === "scheduler") return { scheduler: true };
  return { [kind]: choicesFor(kind, experiment)?.[0] ?? 0 };
}

/**
 * Return a new event of a kind at an instant, with all required fields.
 * @param {string} kind
 * @param {number} at_s
 * @param {Experiment} experiment
 * @param {Scheduler | undefined} scheduler
 */
export function newEvent(kind, at_s, experiment, scheduler, /** @type {string | null} */ wanted = null) {
  const targets = targetsFor(kind, experiment, scheduler);
  const target = firstTarget(wanted && targets.includes(wanted) ? wanted : targets[0], experiment);
  const made = completed({ at_s, kind, target }, experiment);
  if (kind === "set" && target.scheduler) made.value = firstNumber(experiment, scheduler);
  return made;
}

/**
 * Return the scheduler's first numeric parameter with its current value, for a change.
 * @param {Experiment} experiment
 * @param {Scheduler | undefined} scheduler
 */
function firstNumber(experiment, scheduler) {
  const knob = knobsFromSchema(scheduler?.params_schema ?? scheduler?.params).find(
    (each) => ["number", "integer"].includes(each.kind) && typeof each.default === "number",
  );
  return knob ? { [knob.name]: experiment.scheduler?.params?.[knob.name] ?? knob.default } : {};
}

/**
 * Add the fields that an event's kind and target require, and remove those they do not accept.
 * @param {PlannedEvent} event
 * @param {Experiment} experiment
 */
function completed(event, experiment) {
  const { value, duration_s, ...rest } = event;
  const kind = targetKind(event);
  /** @type {PlannedEvent} */
  const made = { ...rest };
  if (event.kind === "burst") {
    made.duration_s = duration_s ?? 10;
    made.value = { rate_factor: value?.rate_factor ?? 3 };
    return made;
  }
  if (!isBrief(event.kind) && duration_s !== undefined) made.duration_s = duration_s;
  if (event.kind !== "set") return made;
  const share = queuesOf(experiment).find((queue) => queue.name === event.target.queue)?.share ?? 0.5;
  if (kind === "queue") made.value = { share: value?.share ?? Number((share / 2).toPrecision(3)) };
  else made.value = value && !("share" in value) && !("rate_factor" in value) ? value : {};
  return made;
}

const withEvents = (/** @type {Experiment} */ experiment, /** @type {object[]} */ events) => {
  /** @type {Experiment} */
  const next = { ...experiment, events };
  if (!events.length) delete next.events;
  return next;
};

export function addEvent(/** @type {Experiment} */ experiment, /** @type {object} */ event) {
  return withEvents(experiment, [...eventsOf(experiment), event]);
}
export function removeEvent(/** @type {Experiment} */ experiment, /** @type {number} */ index) {
  return withEvents(
    experiment,
    eventsOf(experiment).filter((_, place) => place !== index),
  );
}

/**
 * Remove the events at some indices.
 * @param {Experiment} experiment
 * @param {number[]} places
 */
export function without(experiment, places) {
  return withEvents(
    experiment,
    eventsOf(experiment).filter((_, place) => !places.includes(place)),
  );
}

/**
 * Change fields of an event. A new kind or target also sets its required fields; undefined removes a field.
 * @param {Experiment} experiment
 * @param {number} index
 * @param {Record<string, unknown>} change
 * @param {Scheduler | undefined} scheduler
 */
export function changeEvent(experiment, index, change, scheduler) {
  const events = eventsOf(experiment);
  let next = Object.fromEntries(
    Object.entries({ ...events[index], ...change }).filter(([, value]) => value !== undefined),
  );
  const targets = targetsFor(next.kind, experiment, scheduler);
  if (!targets.includes(targetKind(next)) && targets.length)
    next = { ...next, target: firstTarget(targets[0], experiment) };
  return withEvents(
    experiment,
    events.map((each, place) => (place === index ? completed(/** @type {PlannedEvent} */ (next), experiment) : each)),
  );
}

/**
 * Change the kind of target; choose the first target of that kind.
 * @param {Experiment} experiment
 * @param {number} index
 * @param {string} kind
 * @param {Scheduler | undefined} scheduler
 */
export function retarget(experiment, index, kind, scheduler) {
  return changeEvent(experiment, index, { target: firstTarget(kind, experiment) }, scheduler);
}

/** Return values as a user types them: "heartbeat_s=10, queue=bypass". */
export function valueText(/** @type {Record<string, unknown> | null | undefined} */ value) {
  return Object.entries(value ?? {})
    .map(([key, each]) => `${key}=${each}`)
    .join(", ");
}

/** Describe an event: "Rack 3 fails", "The scheduler is changed: heartbeat_s=0.5". */
export function eventWords(/** @type {PlannedEvent} */ event) {
  const kind = targetKind(event);
  const which = event.target?.[kind];
  const values = valueText(event.value);
  return (
    `${TARGET_WORDS[kind] ?? kind}${which === true ? "" : ` ${which}`} ` +
    `${KINDS.find(([name]) => name === event.kind)?.[1] ?? event.kind}${values ? `: ${values}` : ""}`
  );
}

export function typedValue(/** @type {string} */ text) {
  return Object.fromEntries(
    text
      .split(",")
      .map((part) => part.split("="))
      .filter(([key]) => key.trim())
      .map(([key, ...rest]) => {
        const word = rest.join("=").trim();
        return [
          key.trim(),
          word !== "" && Number.isFinite(Number(word))
            ? Number(word)
            : word === "true"
              ? true
              : word === "false"
                ? false
                : word,
        ];
      }),
  );
}

/**
 * Return the end of a chart of the events, in seconds: the end of the last event or the estimated end of the run,
 * whichever is later.
 * @param {Experiment} experiment
 * @param {number} end_s
 */
export function spanOf(experiment, end_s) {
  return Math.max(
    1,
    end_s || 0,
    ...eventsOf(experiment).map((event) => (Number(event.at_s) || 0) + (Number(event.duration_s) || 0)),
  );
}
