/** A section of settings: the first ones always visible, the rest behind "more". */

import { problemText } from "../problems.js";
import { getAt, optionLabel } from "../experiment.js";
import { idleWords } from "../needs.js";
import { percent, withUnit } from "../../kit/format.js";
import { knob, UNSET } from "../../kit/knob.js";
import { html, made, nothing, signal } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Experiment } from "../experiment.js"
 * @import { Problem } from "../../contract/api.js"
 * @import { KnobSpec } from "../../kit/knob.js"
 */

/**
 * @typedef {object} KnobOfSection  additional options of a control in a section
 * @property {Record<string, {label?: string, remedy?: string, [more: string]: unknown}>} [also]  further paths whose
 *   problems this control shows
 * @property {(experiment: Experiment) => unknown} [read]  returns the value
 * @property {Applies["when"]} [when]  returns true if the control applies
 * @property {string} [name]  the parameter's name
 * @property {string[]} [actsWith]  the control acts only if one of these parameters is above 0 or on
 * @property {string} [speaksOf]  the control acts only if the experiment has these: "constraints" or "queues"
 * @typedef {{when(experiment: Experiment, studio: Edits): unknown}} Applies
 * @typedef {KnobSpec & KnobOfSection} SectionKnob
 * @typedef {{readOnly: {readonly value: boolean}, edit: Edit}} Edits  the part of a studio that a section needs
 * @typedef {(path: string, value: unknown, write?: KnobSpec["write"]) => void} Edit
 */

/**
 * Fill an element with controls: the first `shown` ones visible, the others collapsed. A control that marks its default
 * shows when its value differs and offers a reset button.
 * @param {HTMLElement} body
 * @param {Edits} studio
 * @param {SectionKnob[]} specs
 */
export function knobSection(body, studio, specs, shown = 3) {
  const said = signal({ words: "", tip: "" });
  const knobs = specs.map((spec) => {
    const control = knob(spec, (value) => studio.edit(spec.path, value, spec.write));
    const canReset = signal(false);
    const idle = signal("");
    if (spec.actsWith?.length || spec.speaksOf)
      control.element.append(made(() => html`<p class="knob-said" data-idle ?hidden=${!idle.value}>${idle.value}</p>`));
    if (spec.marksDefault && spec.default !== undefined)
      control.element.querySelector(".knob-label")?.after(made(() => resetView(spec, studio, canReset.value)));
    return { spec, control, canReset, idle };
  });
  body.append(...knobs.slice(0, shown).map(({ control }) => control.element));
  const folded = knobs.slice(shown).map(({ control }) => control.element);
  /** @type {HTMLDetailsElement} */
  const more = made(
    () => html`
      <details class="more"
        ><summary
          >${gettext("more")}<span class="section-sum" data-tip=${said.value.tip || nothing}>${said.value.words}</span
        ></summary>${folded}</details
      >`,
  );
  if (folded.length) body.append(more);
  return {
    /**
     * Show a note beside the collapsed part.
     * @param {string} words
     * @param {string} [tip]
     */
    say(words, tip = "") {
      said.value = { words, tip };
    },
    experiment(/** @type {Experiment} */ experiment) {
      for (const { spec, control, canReset, idle } of knobs) {
        const applies = !spec.when || spec.when(experiment, studio);
        control.element.hidden = !applies;
        if (!applies) continue;
        const value = (spec.read ? spec.read(experiment) : getAt(experiment, spec.path)) ?? spec.default;
        control.set(value);
        control.disable(studio.readOnly.value);
        idle.value = idleWords(spec, specs, experiment);
        canReset.value = !studio.readOnly.value && value !== spec.default;
        if (spec.marksDefault && spec.default !== undefined)
          control.element.classList.toggle("is-changed", value !== spec.default);
      }
    },
    problems(/** @type {Problem[]} */ problems) {
      for (const { spec, control } of knobs) {
        const found = problems.find((problem) => concerns(problem.path, spec));
        control.problem(found ? problemText(inKnobsWords(found, spec)) : "");
        control.element.dataset.problem = found?.path ?? "";
        if (found && more.contains(control.element)) more.open = true;
      }
    },
  };
}

/**
 * Return the reset button of a control whose value differs from its default.
 * @param {SectionKnob} spec
 * @param {Edits} studio
 * @param {boolean} isShown
 */
function resetView(spec, studio, isShown) {
  const shown = defaultWords(spec);
  const reset = (/** @type {Event} */ event) => {
    const own = /** @type {Element} */ (/** @type {Element} */ (event.target).closest(".knob"));
    studio.edit(spec.path, undefined, spec.write);
    // The button disappears, so move the focus to the control.
    /** @type {HTMLElement | null} */ (own.querySelector("input[type=range], select, input"))?.focus();
  };
  return html`
    <button
      class="knob-reset"
      type="button"
      ?hidden=${!isShown}
      data-reset=${spec.path}
      aria-label=${gettext("{label}: back to the default, {shown}", { label: spec.label, shown })}
      data-tip=${gettext("Differs from the default. Back to {shown}.", { shown })}
      @click=${reset}
      >↺</button
    >`;
}

/** Return a control's default as the control shows it: a choice by its label, a number with its unit. */
function defaultWords(/** @type {SectionKnob} */ { default: value, options, unit }) {
  if (value === null) return `“${UNSET}”`;
  if (value === "") return gettext("nothing");
  if (typeof value === "boolean") return value ? gettext("on") : gettext("off");
  return typeof value === "string" ? `“${optionLabel(options, value)}”` : withUnit(value, unit);
}

/**
 * Return true if a control shows a problem: the path is its own, or one that only this control changes.
 * @param {string} path
 * @param {SectionKnob} spec
 */
function concerns(path, spec) {
  return matches(path, spec.path) || Object.hasOwn(spec.also ?? {}, path);
}

/**
 * Return a problem in the control's terms: its label and its unit.
 * @param {Problem} problem
 * @param {SectionKnob} spec
 */
function inKnobsWords(problem, spec) {
  const also = spec.also?.[problem.path];
  if (also) return { ...problem, ...also };
  const own = problem.path === spec.path || SCALE.test(problem.path.slice(spec.path.length));
  if (!own) return problem;
  const unit = spec.shown?.(1) === percent(1) ? gettext("1 is 100 %") : spec.unit;
  const allowed =
    unit && problem.allowed && !problem.allowed.endsWith(")") ? `${problem.allowed} (${unit})` : problem.allowed;
  return { ...problem, label: spec.label, allowed };
}

/** Matches the field of a distribution that a control for the typical value changes. */
const SCALE = /^\.(mean|median|value)$/;

function matches(/** @type {string} */ problemPath, /** @type {string} */ knobPath) {
  return problemPath === knobPath || problemPath.startsWith(`${knobPath}.`) || problemPath.startsWith(`${knobPath}[`);
}

/**
 * Add a small button at the end of a section's heading that opens an editor.
 * @param {HTMLElement} body
 * @param {string} name
 * @param {string} label
 * @param {string} about
 * @param {() => void} act
 */
export function headButton(body, name, label, about, act) {
  /** @type {HTMLElement} */
  const button = made(
    () => html`
      <button class="link" type="button" data-edit=${name} aria-label=${about} data-tip=${about} @click=${act}
        >${label}</button
      >`,
  );
  const place =
    body.querySelector(":scope > .head-edits") ?? body.appendChild(made(() => html`<div class="head-edits"></div>`));
  place.append(button);
  return button;
}
