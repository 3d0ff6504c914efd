/** The lesson being written in this browser. It is kept in local storage, so that the studio can add steps to it. */

const KEY = "playground.class-lesson";

/**
 * @import { Experiment } from "../../contract/api.js"
 * @import { Exploration, Question } from "./class_api.js"
 */

/**
 * @typedef {{gallery?: string, experiment?: Experiment | null, at_s?: number | null, layer?: string,
 *   near?: number | null, marks?: string[]}} Show  a run of the gallery, or an experiment as data
 * @typedef {{show?: Show, question?: Question, explore?: Exploration, challenge?: string, text?: string,
 *   marks?: string[], notes?: string, minutes?: number}} Step
 */
/**
 * `checked` names claims that back a lesson's or a step's sentences; the editor keeps them unchanged.
 *
 * @typedef {{title: string, aims: string[], guesses: string[], point: string, checked?: string[], steps: Step[]}} Draft
 */

/** The possible contents of a step; a step with none of them is a text. */
export const KINDS = /** @type {const} */ (["show", "question", "explore", "challenge"]);

/** @returns {Draft} */
export const emptyDraft = () => ({ title: "", aims: [], guesses: [], point: "", steps: [] });

/** @returns {Draft} */
export function readDraft() {
  try {
    return { ...emptyDraft(), ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return emptyDraft();
  }
}

/** Store the draft; return false if this browser cannot store it. */
export function keepDraft(/** @type {Draft} */ draft) {
  try {
    localStorage.setItem(KEY, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

/** Call `act` when another tab of this browser, such as the studio, changes the draft. */
export function onDraft(/** @type {(draft: Draft) => void} */ act) {
  window.addEventListener("storage", (event) => {
    if (event.key === KEY) act(readDraft());
  });
}

/** Append a step; return the number of steps, or 0 if this browser cannot store them. */
export function addStep(/** @type {Step} */ step) {
  const draft = readDraft();
  draft.steps.push(step);
  return keepDraft(draft) ? draft.steps.length : 0;
}

/**
 * Return a step that shows what a studio shows: its experiment, at an instant, with a layer, and around the machine in
 * the middle of a zoomed map.
 * @param {Experiment} experiment
 * @param {number} t_ns
 * @param {string | null} layer
 * @param {number | undefined} near
 */
export function shownStep(experiment, t_ns, layer, near) {
  const at = t_ns > 0 ? { at_s: Math.round(t_ns / 1e6) / 1e3 } : {};
  const place = near === undefined ? {} : { near };
  return { show: { experiment, ...at, ...(layer ? { layer } : {}), ...place }, minutes: 3 };
}

export function kindOf(/** @type {Step} */ step) {
  return KINDS.find((kind) => step[kind]) ?? "text";
}

/** Return the steps with one of them moved. */
export function moved(/** @type {Step[]} */ steps, /** @type {number} */ from, /** @type {number} */ to) {
  const left = steps.filter((_, at) => at !== from);
  const place = Math.min(Math.max(to, 0), left.length);
  return [...left.slice(0, place), steps[from], ...left.slice(place)];
}

/** Return what a step's question is about: the contents of the last showing step before it; null without one. */
export function shownBefore(/** @type {Step[]} */ steps, /** @type {number} */ at) {
  return steps.slice(0, at).findLast((step) => step.show)?.show ?? null;
}

/** Return the lesson in the server's format, without empty fields. */
export function lessonOf(/** @type {Draft} */ { aims, guesses, steps, ...told }) {
  const filled = (/** @type {Record<string, unknown>} */ part) =>
    Object.fromEntries(
      Object.entries(part).filter(([, value]) => value !== "" && value !== undefined && value !== null),
    );
  const lines = (/** @type {string[]} */ typed) => typed.map((line) => line.trim()).filter(Boolean);
  return { ...filled(told), title: told.title, aims: lines(aims), guesses: lines(guesses), steps: steps.map(filled) };
}

export function minutesOf(/** @type {Step[]} */ steps) {
  return steps.reduce((sum, step) => sum + (step.minutes ?? 1), 0);
}
