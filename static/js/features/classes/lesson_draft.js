/** The lesson that is being written in this browser: kept in its storage, so that the studio can add steps to it. */

const KEY = "playground.class-lesson";

/**
 * @typedef {{show?: any, question?: any, explore?: any, challenge?: string, text?: string, notes?: string, minutes?:
 *   number}} Step
 */
/**
 * `checked` names claims that back a lesson's or a step's sentences; the editor keeps them as they are.
 *
 * @typedef {{title: string, aims: string[], guesses: string[], point: string, checked?: string[], steps: Step[]}} Draft
 */

/** What a step may hold; one that holds none of them tells a text. */
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

/** Keep the draft; return whether this browser could. */
export function keepDraft(/** @type {Draft} */ draft) {
  try {
    localStorage.setItem(KEY, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

/** Tell when another tab of this browser, such as the studio, has changed the draft. */
export function onDraft(/** @type {(draft: Draft) => void} */ act) {
  window.addEventListener("storage", (event) => {
    if (event.key === KEY) act(readDraft());
  });
}

/** Put a step at the end; return how many there are, or 0 where this browser keeps none. */
export function addStep(/** @type {Step} */ step) {
  const draft = readDraft();
  draft.steps.push(step);
  return keepDraft(draft) ? draft.steps.length : 0;
}

/** The step that shows what a studio shows: its experiment, at an instant, with a layer. */
export function shownStep(
  /** @type {any} */ experiment,
  /** @type {number} */ t_ns,
  /** @type {string | null} */ layer,
) {
  const at = t_ns > 0 ? { at_s: Math.round(t_ns / 1e6) / 1e3 } : {};
  return { show: { experiment, ...at, ...(layer ? { layer } : {}) }, minutes: 3 };
}

export function kindOf(/** @type {Step} */ step) {
  return KINDS.find((kind) => step[kind]) ?? "text";
}

/** The steps with one of them moved to another place. */
export function moved(/** @type {Step[]} */ steps, /** @type {number} */ from, /** @type {number} */ to) {
  const left = steps.filter((_, at) => at !== from);
  const place = Math.min(Math.max(to, 0), left.length);
  return [...left.slice(0, place), steps[from], ...left.slice(place)];
}

/** What a step asks about: what the last step before it shows; null where nothing is shown before. */
export function shownBefore(/** @type {Step[]} */ steps, /** @type {number} */ at) {
  return steps.slice(0, at).findLast((step) => step.show)?.show ?? null;
}

/** The lesson as the server takes it: empty fields are left out. */
export function lessonOf(/** @type {Draft} */ { aims, guesses, steps, ...told }) {
  const filled = (/** @type {Record<string, any>} */ part) =>
    Object.fromEntries(
      Object.entries(part).filter(([, value]) => value !== "" && value !== undefined && value !== null),
    );
  const lines = (/** @type {string[]} */ typed) => typed.map((line) => line.trim()).filter(Boolean);
  return { ...filled(told), title: told.title, aims: lines(aims), guesses: lines(guesses), steps: steps.map(filled) };
}

export function minutesOf(/** @type {Step[]} */ steps) {
  return steps.reduce((sum, step) => sum + (step.minutes ?? 1), 0);
}
