/**
 * The rules of an earlier version. The studio writes them out when it opens a link, a file or a draft. A note over the
 * studio lists those that the experiment keeps, and offers today's for comparison.
 */

import { formerWords, heldValues, otherVersionWords, underTodaysRules } from "../experiment/former_rules.js";
import { writeOutRules } from "../contract/api.js";
import { part } from "../kit/dom.js";
import { computed, effect, html, nothing, show, signal } from "../kit/view.js";
import { gettext } from "../kit/words.js";

/**
 * @import { FormerValue } from "../experiment/former_rules.js"
 * @import { Experiment, Studio } from "./store.js"
 */

/**
 * Let the server write out an experiment's `rules`; the store records what it keeps. If the server rejects the
 * experiment or is unreachable, the experiment keeps its `rules`, and they are written out when it is stored.
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
 * Return true if an experiment certainly uses today's rules, without a request; today's rules need no statement.
 *
 * @param {Studio} studio
 * @param {Experiment} experiment
 */
export function hasTodaysRules(studio, experiment) {
  return experiment.rules === undefined || experiment.rules === studio.boot.version;
}

/**
 * Return the experiment without its statement of rules.
 *
 * @param {Experiment} experiment
 * @returns {Experiment}
 */
export function withoutStatement({ rules: _stated, ...experiment }) {
  return experiment;
}

/** Show the note while the experiment keeps former rules, or was stored by an earlier version. */
export function wireFormerRules(/** @type {Studio} */ studio) {
  /** @type {HTMLElement} */
  const note = part("[data-former-rules]");
  note.replaceChildren();
  const busy = signal(false);
  const kept = computed(() => heldValues(studio.experiment.value, studio.formerRules.value));
  const words = computed(() => {
    const experiment = studio.experiment.value;
    const formerRules = studio.formerRules.value;
    if (formerRules && kept.value.length) return formerWords(formerRules.version, kept.value);
    const made = studio.savedFrom.value === experiment ? studio.saved.value?.core_version : undefined;
    return otherVersionWords(made, studio.boot.version ?? "");
  });
  const compare = async () => {
    busy.value = true;
    await tryToday(studio, kept.value);
    busy.value = false;
  };
  const button = () =>
    html`<button class="button" type="button" ?disabled=${busy.value} @click=${compare}>
      ${gettext("Compare with today’s rules")}
    </button>`;
  show(note, () => html`<p>${words.value}</p>${studio.formerRules.value && kept.value.length ? button() : nothing}`);
  effect(() => {
    note.hidden = !words.value;
  });
}

/**
 * Run the same experiment under today's rules, and go to the page that shows both side by side.
 * @param {Studio} studio
 * @param {FormerValue[]} held
 */
async function tryToday(studio, held) {
  try {
    const { besideIt } = await import("../run/beside.js");
    const today = underTodaysRules(studio.opened.value, held);
    window.location.href = await besideIt(studio, [{ ...today, name: named(today.name) }]);
  } catch (caught) {
    const error = /** @type {Error} */ (caught);
    studio.refused(error);
  }
}

function named(/** @type {string} */ name) {
  return gettext("{name}: today’s rules", { name: (name || gettext("Experiment")).slice(0, 48) });
}
