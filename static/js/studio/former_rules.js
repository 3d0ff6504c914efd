/**
 * The rules of an earlier version: they are written out in what is opened from a link, a file or a draft, and a note
 * over the studio says which ones the open experiment keeps and offers today's beside.
 */

import { effect } from "../../vendor/signals/signals-core.mjs";
import { formerWords, heldValues, otherVersionWords, underTodaysRules } from "../experiment/former_rules.js";
import { writeOutRules } from "../contract/api.js";
import { h, part } from "../kit/dom.js";
import { gettext } from "../kit/words.js";

/**
 * @import { FormerValue } from "../experiment/former_rules.js"
 * @import { Experiment, Studio } from "./store.js"
 */

/**
 * Have an experiment's own `rules` written out by the server; the store learns what it keeps. An experiment that the
 * server refuses, or that it cannot be asked about now, keeps its `rules`, and whoever stores it writes them out.
 *
 * @param {Studio} studio
 * @param {Experiment} experiment
 * @returns {Promise<Experiment>}
 */
export async function withRulesWritten(studio, experiment) {
  try {
    const written = await writeOutRules(experiment);
    studio.keepRules(written.former_rules);
    return written.experiment;
  } catch {
    return experiment;
  }
}

/**
 * Whether an experiment's rules are today's, without asking; those of today need no statement.
 *
 * @param {Studio} studio
 * @param {Experiment} experiment
 */
export function hasTodaysRules(studio, experiment) {
  return experiment.rules === undefined || experiment.rules === studio.boot.version;
}

/**
 * The experiment without its statement.
 *
 * @param {Experiment} experiment
 * @returns {Experiment}
 */
export function withoutStatement({ rules: _stated, ...experiment }) {
  return experiment;
}

/** Show the note while the experiment on the page keeps former rules, or is as an earlier version stored it. */
export function wireFormerRules(/** @type {Studio} */ studio) {
  /** @type {HTMLElement} */
  const note = part("[data-former-rules]");
  effect(() => {
    const { experiment, formerRules } = studio;
    const held = heldValues(experiment, formerRules);
    const made = studio.savedFrom === experiment ? studio.saved?.core_version : undefined;
    const other = otherVersionWords(made, studio.boot.version ?? "");
    note.hidden = !held.length && !other;
    if (!formerRules || !held.length) {
      note.replaceChildren(h("p", {}, other));
      return;
    }
    const button = h(
      "button",
      { class: "button", type: "button", onclick: () => tryToday(studio, held, button) },
      gettext("Compare with today’s rules"),
    );
    note.replaceChildren(h("p", {}, formerWords(formerRules.version, held)), button);
  });
}

/**
 * Run the same experiment under today's rules, and go where both stand side by side.
 * @param {FormerValue[]} held
 * @param {HTMLButtonElement} button
 */
async function tryToday(/** @type {Studio} */ studio, held, button) {
  button.disabled = true;
  try {
    const { besideIt } = await import("../run/beside.js");
    const today = underTodaysRules(studio.opened, held);
    window.location.href = await besideIt(studio, [{ ...today, name: named(today.name) }]);
  } catch (/** @type {any} */ error) {
    studio.refused(error);
    button.disabled = false;
  }
}

function named(/** @type {string} */ name) {
  return gettext("{name}: today’s rules", { name: (name || gettext("Experiment")).slice(0, 48) });
}
