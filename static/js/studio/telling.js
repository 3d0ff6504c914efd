/**
 * The controls of Watch and Play: the five with the largest effect. The server provides recorded sweeps
 * (fixtures/controls.json): of this experiment, else of one with the same scheduler, else of the scheduler's signature.
 */

import { levelNow } from "../kit/level_now.js";
import { effect } from "../kit/view.js";

/** @import { Studio } from "./store.js" */

/** @typedef {{name: string, scheduler: string, controls: {path: string, moves: number}[]}} Swept */
/** @typedef {Pick<import("../run/figures_told.js").Signature, "controls"> & {turn: {path: string}}} Signature */

export const MOST = 5;
/** The name of the studio's default experiment in the sweeps. */
const FIRST = "studio";
const GENERAL = [
  "workload.arrivals.offered_load",
  "workload.arrivals.rate_per_s",
  "workload.tasks_per_job",
  "workload.duration_s",
  "topology.clusters[0].machines[0].count",
  "network.message_delay_s",
];

/**
 * Return paths in the order of their effect: those from a sweep of this experiment, then the load, then those of
 * another experiment with the same scheduler or of its signature, its declared parameters, and common ones. `opened`:
 * the name of the open signature; the setting that it proposes to change comes first.
 * @param {{gallery?: string, opened?: string, scheduler?: string, swept?: Swept[], signature?: Signature,
 *   declared?: string[]}} known
 * @returns {string[]}
 */
export function tellingPaths({ gallery, opened, scheduler, swept = [], signature, declared = [] }) {
  const paths = (/** @type {Swept | undefined} */ each) => each?.controls.map((control) => control.path) ?? [];
  const alike = swept.filter((each) => each.scheduler === scheduler);
  const shown = signature?.controls ?? [];
  const own =
    signature && opened === scheduler
      ? [signature.turn.path, ...shown]
      : paths(alike.find((each) => each.name === (gallery ?? FIRST)));
  const like = alike.length ? paths(alike[0]) : shown;
  return [...new Set([...own, ...GENERAL.slice(0, 2), ...like, ...declared, ...GENERAL])];
}

/** Settings that each class of jobs has itself, if there are classes. */
const OF_ONE_CLASS = ["workload.tasks_per_job", "workload.duration_s"];

/** Mark the controls that a level shows, and the panels that contain any. */
function mark(/** @type {Studio} */ studio) {
  const name = studio.experiment.value?.scheduler?.name;
  const paths = tellingPaths({
    gallery: studio.boot.gallery?.name,
    opened: studio.boot.signature?.name,
    signature: studio.chosen.value?.signature ?? studio.boot.signature,
    scheduler: name,
    swept: studio.boot.controls,
    declared: Object.keys((studio.chosen.value?.params_schema ?? studio.chosen.value?.params)?.properties ?? {}).map(
      (each) => `scheduler.params.${each}`,
    ),
  });
  /** @type {HTMLElement[]} */
  const knobs = [...document.querySelectorAll(".left-knobs .knob[data-path]")];
  const classes = studio.experiment.value?.workload?.classes?.length > 0;
  const there = paths
    .filter((path) => !(classes && OF_ONE_CLASS.includes(path)))
    .map((path) => knobs.find((knob) => knob.dataset.path === path && !knob.hidden))
    .filter((knob) => knob !== undefined)
    .slice(0, MOST);
  const first = there.find((knob) => knob.querySelector("input[type=range]")) ?? there[0];
  for (const knob of knobs) {
    knob.classList.toggle("is-telling", there.includes(knob));
    knob.classList.toggle("is-first", knob === first);
  }
  for (const panel of document.querySelectorAll(".left-knobs .panel")) {
    const shown = levelNow() === "watch" ? panel.querySelector(".is-first") : panel.querySelector(".is-telling");
    panel.classList.toggle("has-telling", Boolean(panel.querySelector(".is-telling")));
    panel.classList.toggle("has-first", Boolean(panel.querySelector(".is-first")));
    if (levelNow() === "lab") continue;
    if ((shown || panel.matches(".panel-scheduler")) && panel instanceof HTMLDetailsElement) panel.open = true;
    for (const more of /** @type {NodeListOf<HTMLDetailsElement>} */ (panel.querySelectorAll("details.more")))
      more.open = Boolean(more.querySelector(".is-telling"));
  }
}

/** Mark the controls whenever they may have been rerendered, and when the level changes. */
export function wireTellingControls(/** @type {Studio} */ studio) {
  effect(() => {
    const experiment = studio.experiment.value;
    studio.schedulers.value;
    studio.readOnly.value;
    studio.level.value;
    if (experiment) mark(studio);
  });
}
