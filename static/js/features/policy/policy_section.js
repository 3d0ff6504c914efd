/** A policy in the scheduler panel: examples, the editor, problems while the user types, and the words below. */

import { checkPolicy, policyLanguage } from "../../contract/api.js";
import { targetOf } from "../../kit/dom.js";
import { Latest } from "../../kit/latest.js";
import { effect, html, nothing, show, signal } from "../../kit/view.js";
import { gettext, ngettext, sentences } from "../../kit/words.js";
import { costText } from "./cost.js";
import { checkHere } from "./checking.js";
import { PolicyEditor } from "./editor.js";
import { WordValues } from "./values.js";
import { wordsView } from "./words.js";

/**
 * @import { PolicyCheck, PolicyLanguage, PolicyProblem, PolicySetting } from "../../contract/api.js"
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { Studio } from "../../studio/store.js"
 */

/** A valid text is applied soon after a key; problems wait until the hand rests, since most words are unfinished. */
const PAUSE_MS = 30;
const REST_MS = 250;
const PATH = "scheduler.params.policy";

/** All editors of a page share the language. @type {Promise<PolicyLanguage> | null} */
let language = null;

/**
 * Fill an element with the editor. `declared` receives the settings that the experiment's policy declares.
 * @param {HTMLElement} place
 * @param {Studio} studio
 * @param {(settings: PolicySetting[]) => void} declared
 */
export async function mountPolicy(place, studio, declared) {
  language ??= policyLanguage();
  const known = await language.catch((error) => {
    language = null;
    throw error;
  });
  return new PolicySection(place, studio, known, declared);
}

class PolicySection {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #pause;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #resting;

  /**
   * @param {HTMLElement} place
   * @param {Studio} studio
   * @param {PolicyLanguage} known
   * @param {(settings: PolicySetting[]) => void} declared
   */
  constructor(place, studio, known, declared) {
    this.studio = studio;
    this.known = known;
    this.declared = declared;
    this.state = {
      /** @type {import("../../../vendor/signals/signals-core.mjs").Signal<PolicyCheck | null>} */
      check: signal(null),
      sought: signal(""),
      steps: signal(0), // changes of the undo history
      open: signal(true), // the words are unfolded
    };
    /** The experiment's text, as last seen by this editor. */
    this.applied = policyOf(studio.opened.value, this.#fields());
    this.editor = new PolicyEditor(known, {
      text: this.applied,
      readOnly: studio.readOnly.value,
      describedBy: "policy-said",
      changed: (text) => this.#typed(text),
    });
    this.values = new WordValues(studio);
    this.latest = new Latest(checkPolicy, {
      done: (check, text) => this.#checked(check, text),
      failed: (error) => studio.messages.notice(error.message, "", 6000),
    });
    this.#fill(place);
    effect(() => {
      studio.figures.value; // another instant
      studio.news.value; // another run, or its state has changed
      this.values.look(this.state.open.value);
    });
    effect(() => this.#follow(studio.experiment.value, studio.readOnly.value));
    this.#check(this.applied);
  }

  #fill(/** @type {HTMLElement} */ place) {
    place.replaceChildren();
    show(
      place,
      () => html`
        <div class="policy-head">${this.#headView()}</div>
        ${this.editor.element}
        <div class="policy-said" id="policy-said" role="status" aria-live="polite">${this.#saidView()}</div>
        <div class="policy-words-place">${this.#wordsView()}</div>`,
    );
  }

  #headView() {
    const { steps } = this.state;
    steps.value;
    const off = this.studio.readOnly.value;
    return html`<select
        class="knob-select"
        aria-label=${gettext("Examples of policies")}
        ?disabled=${off}
        @change=${this.#takeTemplate}
      >
        <option value="">${gettext("Examples…")}</option>
        ${this.known.templates.map(({ name, about }) => html`<option value=${name}>${about || name}</option>`)}
      </select>
      <button
        type="button"
        class="button button-small"
        ?disabled=${off || !this.editor.canUndo}
        data-policy-undo
        @click=${() => this.editor.undo()}
      >
        ${gettext("Undo")}
      </button>
      <button
        type="button"
        class="button button-small"
        ?disabled=${off || !this.editor.canRedo}
        data-policy-redo
        @click=${() => this.editor.redo()}
      >
        ${gettext("Redo")}
      </button>`;
  }

  #takeTemplate = (/** @type {Event} */ event) => {
    const select = /** @type {HTMLSelectElement} */ (event.currentTarget);
    const chosen = this.known.templates.find(({ name }) => name === select.value);
    select.value = "";
    if (!chosen) return;
    this.editor.set(chosen.policy, true);
    this.editor.view.focus();
  };

  #saidView() {
    const check = this.state.check.value;
    if (!check) return nothing;
    if (check.valid) {
      const hooks = (check.hooks ?? []).map(({ name }) => hookText(name)).join(", ");
      const cost = check.choice ? costText(check.choice, this.studio.experiment.value) : "";
      const names = (check.hooks ?? []).map(({ name }) => name).join(" ");
      return html`<p class="policy-fine" data-decides=${names}>
        ${gettext("The policy decides about: {hooks}.", { hooks })} ${cost}
      </p>`;
    }
    const many = check.problems.length;
    const said = ngettext(
      "{count} problem. The run shows the last policy without one.",
      "{count} problems. The run shows the last policy without one.",
      many,
      { count: many },
    );
    return html`<p class="policy-wrong">${said}</p>
      <ul class="policy-problems">
        ${check.problems.slice(0, 5).map((problem) => this.#problemView(problem))}
      </ul>`;
  }

  #problemView(/** @type {PolicyProblem} */ problem) {
    const { line, column, message, allowed, remedy, mend } = problem;
    const said = sentences([message, allowed && gettext("Allowed: {allowed}", { allowed }), remedy]);
    return html`<li>
      <strong>${gettext("Line {line}, column {column}", { line, column })}</strong>: ${said}
      ${mend === null || this.studio.readOnly.value ? nothing : mendView(mend, () => this.editor.mend(problem))}
    </li>`;
  }

  #wordsView() {
    const { check, sought } = this.state;
    const used = new Set((check.value?.words ?? []).map(({ word }) => word));
    const seek = (/** @type {Event} */ event) => {
      sought.value = /** @type {HTMLInputElement} */ (targetOf(event)).value;
    };
    const toggled = (/** @type {Event} */ event) => {
      this.state.open.value = /** @type {HTMLDetailsElement} */ (event.currentTarget).open;
    };
    return html`<details class="more policy-words" open @toggle=${toggled}>
      <summary>${gettext("Words")}</summary>
      <input
        class="policy-seek"
        type="search"
        placeholder=${gettext("Search the words")}
        aria-label=${gettext("Search the words")}
        @input=${seek}
      />
      ${this.values.view()}
      <p class="policy-fine">
        <a href="/docs/reference/policy/" target="_blank" rel="noopener" data-policy-grammar
          >${gettext("How a policy is written")}</a
        >
      </p>
      <div class="policy-scroll" tabindex="0" role="region" aria-label=${gettext("Words of a policy")}>
        ${wordsView({
          words: this.known.words,
          values: this.values.values,
          used,
          sought: sought.value,
          readOnly: this.studio.readOnly.value,
          insert: (word) => this.editor.insert(word),
        })}
      </div>
    </details>`;
  }

  #typed(/** @type {string} */ text) {
    this.state.steps.value += 1;
    clearTimeout(this.#resting);
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => this.#check(text), PAUSE_MS);
  }

  /** Check a text here; what is wrong with one that is no policy, the server says. */
  #check(/** @type {string} */ text) {
    const check = checkHere(text, this.known.limits);
    if (!check) this.latest.ask(text);
    // Not within the effect that follows the experiment.
    else queueMicrotask(() => this.#checked(check, text));
  }

  /** @param {PolicyCheck} check */
  #checked(check, /** @type {string} */ text) {
    if (text !== this.editor.text) return;
    clearTimeout(this.#resting);
    if (!check.valid) {
      this.#resting = setTimeout(() => this.#tell(check), REST_MS);
      return;
    }
    this.#tell(check);
    if (text !== this.applied && !this.studio.readOnly.value) {
      this.applied = text;
      this.studio.edit(PATH, text, (experiment) =>
        withPolicy(experiment, text, check.settings ?? [], Object.keys(this.#fields())),
      );
    }
    this.declared(check.settings ?? []);
  }

  #tell(/** @type {PolicyCheck} */ check) {
    this.state.check.value = check;
    this.editor.problems(check.problems);
  }

  /**
   * Return the scheduler's parameters that exist under every policy, by name.
   * @returns {Record<string, {default?: unknown}>}
   */
  #fields() {
    const chosen = this.studio.chosen.value;
    return (chosen?.params_schema ?? chosen?.params)?.properties ?? {};
  }

  /** Show the policy of another experiment, an undo step, or a JSON edit, unless it was typed here. */
  #follow(/** @type {Experiment | null} */ experiment, /** @type {boolean} */ readOnly) {
    this.editor.setReadOnly(readOnly);
    const text = policyOf(experiment, this.#fields());
    if (text === this.applied) return;
    this.applied = text;
    this.editor.set(text);
    this.#check(text);
  }
}

/** Return a hook's name with what its value does. */
function hookText(/** @type {string} */ name) {
  const means = {
    order: gettext("the smallest is next"),
    filter: gettext("0 refuses a machine"),
    score: gettext("the largest gets the task"),
    preempt: gettext("1 permits it"),
    victim: gettext("the smallest leaves first"),
  };
  const does = means[/** @type {keyof typeof means} */ (name)];
  return does ? `${name} (${does})` : name;
}

/** Return the button that applies a problem's fix. */
function mendView(/** @type {string} */ mend, /** @type {() => void} */ use) {
  return html`<button type="button" class="link" data-policy-mend @click=${use}>
    ${gettext("Use {text}", { text: mend })}
  </button>`;
}

/** Return an experiment's policy, or its scheduler's default. @returns {string} */
function policyOf(
  /** @type {Experiment | null} */ experiment,
  /** @type {Record<string, {default?: unknown}>} */ fields,
) {
  return experiment?.scheduler?.params?.policy ?? fields.policy?.default ?? "";
}

/**
 * Return the experiment with another policy, without settings that it does not declare.
 * @param {Experiment} experiment
 * @param {string} policy
 * @param {PolicySetting[]} settings
 * @param {string[]} fields
 */
export function withPolicy(experiment, policy, settings, fields) {
  const kept = new Set([...fields, ...settings.map(({ name }) => name)]);
  const bounds = new Map(settings.map((setting) => [setting.name, setting]));
  const params = Object.entries(experiment.scheduler?.params ?? {}).filter(([name, value]) => {
    const bound = bounds.get(name);
    return kept.has(name) && (!bound || (value >= bound.low && value <= bound.high));
  });
  return {
    ...experiment,
    scheduler: { ...experiment.scheduler, params: { ...Object.fromEntries(params), policy } },
  };
}
