/** Unsaved changes and the undo history, kept in the browser so that a reload loses nothing. */

import { FIRST_VERSION } from "../experiment/fragment.js";

/**
 * @import { Experiment } from "../experiment/experiment.js"
 * @import { Studio } from "./store.js"
 */

const DRAFT = "playground.draft:";
const STEPS = "playground.steps";
const MOST_DRAFTS = 10;
const MOST_CHARACTERS = 1_000_000;
const MOST_STEPS = 30;

export class Drafts {
  constructor(/** @type {Studio} */ studio) {
    this.studio = studio;
    window.addEventListener("beforeunload", () => studio.running.putOff());
    window.addEventListener("pagehide", () => this.#keepSteps());
  }

  get #key() {
    return DRAFT + window.location.pathname;
  }

  /** Keep an experiment until the server has stored it. */
  keep(/** @type {Experiment} */ experiment) {
    const text = JSON.stringify({ at: Date.now(), version: this.studio.boot.version, experiment });
    if (text.length > MOST_CHARACTERS) return;
    quietly(() => {
      const old = Object.keys(localStorage).filter((key) => key.startsWith(DRAFT) && key !== this.#key);
      const when = (/** @type {string} */ key) => {
        try {
          return JSON.parse(localStorage.getItem(key) ?? "").at || 0;
        } catch {
          return 0;
        }
      };
      for (const key of old.sort((a, b) => when(b) - when(a)).slice(MOST_DRAFTS - 1)) localStorage.removeItem(key);
      localStorage.setItem(this.#key, text);
    });
  }

  /** Remove the draft, because the server has stored it. */
  stored() {
    quietly(() => localStorage.removeItem(this.#key));
  }

  /**
   * Return the experiment that had not reached the server when the page was left, or null. An experiment of an earlier
   * version names its version in `rules`.
   */
  left() {
    const found = quietly(() => JSON.parse(localStorage.getItem(this.#key) ?? "null"));
    const experiment = found?.experiment;
    if (typeof experiment !== "object" || experiment === null || Array.isArray(experiment)) return null;
    return found.version === this.studio.boot.version
      ? experiment
      : { rules: found.version ?? FIRST_VERSION, ...experiment };
  }

  #keepSteps() {
    const { history, editor } = this.studio;
    const readOnly = this.studio.readOnly.value;
    if (readOnly) return;
    const steps = {
      path: window.location.pathname,
      past: history.past.slice(-MOST_STEPS),
      future: history.future.slice(-MOST_STEPS),
      json: editor.unapplied,
    };
    while (JSON.stringify(steps).length > MOST_CHARACTERS && steps.past.length + steps.future.length) {
      steps.past.splice(0, Math.ceil(steps.past.length / 2));
      steps.future.length = 0;
    }
    quietly(() => sessionStorage.setItem(STEPS, JSON.stringify(steps)));
  }

  /** Restore the undo history of this tab's last visit, and unapplied text; return true if there was any. */
  restoreSteps() {
    const steps = quietly(() => JSON.parse(sessionStorage.getItem(STEPS) ?? "null"));
    if (steps?.path !== window.location.pathname || !Array.isArray(steps.past) || !Array.isArray(steps.future))
      return false;
    this.studio.history.past = steps.past;
    this.studio.history.future = steps.future;
    if (typeof steps.json === "string") this.studio.editor.restore(steps.json);
    return steps.past.length > 0;
  }
}

/**
 * Run a storage action. Storage may be full, or unavailable in a private window.
 * @template Found
 * @param {() => Found} act
 */
function quietly(act) {
  try {
    return act();
  } catch {
    return null;
  }
}
