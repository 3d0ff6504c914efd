/** A policy in the panel of schedulers: examples, the editor, what is wrong while one types, and the words below. */

import { checkPolicy, policyLanguage } from "../../contract/api.js";
import { targetOf } from "../../kit/dom.js";
import { Latest } from "../../kit/latest.js";
import { effect, html, nothing, show, signal } from "../../kit/view.js";
import { gettext, ngettext } from "../../kit/words.js";
import { PolicyEditor } from "./editor.js";
import { wordsView } from "./words.js";

/**
 * @import { PolicyCheck, PolicyLanguage, PolicyProblem, PolicySetting } from "../../contract/api.js"
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { Studio } from "../../studio/store.js"
 */

const PAUSE_MS = 120;
const PATH = "scheduler.params.policy";

/** The language is the same for every editor of a page. @type {Promise<PolicyLanguage> | null} */
let language = null;

/**
 * Fill a place with the editor. `declared` hears the settings of the policy that the experiment has.
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
      steps: signal(0), // of undoing: what can be undone has changed
    };
    /** The text that the experiment has, as far as this editor has seen it. */
    this.applied = policyOf(studio.opened, this.#fields());
    this.editor = new PolicyEditor(known, {
      text: this.applied,
      readOnly: studio.readOnly,
      describedBy: "policy-said",
      changed: (text) => this.#typed(text),
    });
    this.latest = new Latest(checkPolicy, {
      done: (check, text) => this.#checked(check, text),
      failed: (error) => studio.messages.notice(error.message, "", 6000),
    });
    this.#fill(place);
    effect(() => this.#follow(studio.experiment, studio.readOnly));
    this.latest.ask(this.applied);
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
    const off = this.studio.readOnly;
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
      const hooks = (check.hooks ?? []).map(({ name }) => name).join(", ");
      return html`<p class="policy-fine">${gettext("The policy decides about: {hooks}.", { hooks })}</p>`;
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
    const more = [allowed && gettext("Allowed: {allowed}.", { allowed }), remedy].filter(Boolean).join(" ");
    return html`<li>
      <strong>${gettext("Line {line}, column {column}", { line, column })}</strong>: ${message}. ${more}
      ${mend === null || this.studio.readOnly ? nothing : mendView(mend, () => this.editor.mend(problem))}
    </li>`;
  }

  #wordsView() {
    const { check, sought } = this.state;
    const used = new Set((check.value?.words ?? []).map(({ word }) => word));
    const seek = (/** @type {Event} */ event) => {
      sought.value = /** @type {HTMLInputElement} */ (targetOf(event)).value;
    };
    return html`<details class="more policy-words" open>
      <summary>${gettext("Words")}</summary>
      <input
        class="policy-seek"
        type="search"
        placeholder=${gettext("Search the words")}
        aria-label=${gettext("Search the words")}
        @input=${seek}
      />
      <div class="policy-scroll" tabindex="0" role="region" aria-label=${gettext("Words of a policy")}>
        ${wordsView({
          words: this.known.words,
          values: null,
          used,
          sought: sought.value,
          readOnly: this.studio.readOnly,
          insert: (word) => this.editor.insert(word),
        })}
      </div>
    </details>`;
  }

  #typed(/** @type {string} */ text) {
    this.state.steps.value += 1;
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => this.latest.ask(text), PAUSE_MS);
  }

  /** @param {PolicyCheck} check */
  #checked(check, /** @type {string} */ text) {
    if (text !== this.editor.text) return;
    this.state.check.value = check;
    this.editor.problems(check.problems);
    if (!check.valid) return;
    if (text !== this.applied && !this.studio.readOnly) {
      this.applied = text;
      this.studio.edit(PATH, text, (experiment) =>
        withPolicy(experiment, text, check.settings ?? [], Object.keys(this.#fields())),
      );
    }
    this.declared(check.settings ?? []);
  }

  /** The parameters that the scheduler has under every policy, by name. @returns {Record<string, any>} */
  #fields() {
    const { chosen } = this.studio;
    return (chosen?.params_schema ?? chosen?.params)?.properties ?? {};
  }

  /** Another experiment, a step back, or a text from the JSON: show it, unless it is what was typed here. */
  #follow(/** @type {Experiment | null} */ experiment, /** @type {boolean} */ readOnly) {
    this.editor.setReadOnly(readOnly);
    const text = policyOf(experiment, this.#fields());
    if (text === this.applied) return;
    this.applied = text;
    this.editor.set(text);
    this.latest.ask(text);
  }
}

/** The button that puts what a problem says to put there. */
function mendView(/** @type {string} */ mend, /** @type {() => void} */ use) {
  return html`<button type="button" class="link" data-policy-mend @click=${use}>
    ${gettext("Use {text}", { text: mend })}
  </button>`;
}

/** The policy of an experiment, or the one that its scheduler begins with. @returns {string} */
function policyOf(/** @type {Experiment | null} */ experiment, /** @type {any} */ fields) {
  return experiment?.scheduler?.params?.policy ?? fields.policy?.default ?? "";
}

/**
 * The experiment with another policy, without the settings that this one does not declare.
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
