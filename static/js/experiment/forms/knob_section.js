/** A section of knobs from specs: the first ones always shown, the rest behind "more". */

import { problemText } from "../problems.js";
import { getAt, optionLabel } from "../experiment.js";
import { percent, withUnit } from "../../kit/format.js";
import { h } from "../../kit/dom.js";
import { knob, UNSET } from "../../kit/knob.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Experiment } from "../experiment.js"
 * @import { Problem } from "../../contract/api.js"
 * @import { KnobSpec } from "../../kit/knob.js"
 */

/**
 * @typedef {object} KnobOfSection  what a section asks of its knobs in addition
 * @property {Record<string, {label?: string, remedy?: string, [more: string]: any}>} [also]  further paths whose
 *   problems the knob shows
 * @property {(experiment: Experiment) => any} [read]  the value
 * @property {(experiment: Experiment, studio: any) => any} [when]  whether the knob applies
 * @typedef {KnobSpec & KnobOfSection} SectionKnob
 * @typedef {{readOnly: boolean, edit: (path: string, value: any, write?: KnobSpec["write"]) => void}} Edits  a studio
 */

/**
 * Fill a body with knobs: `shown` of them, and the others folded. A knob that marks its default says when it has
 * another value, and a button leads back.
 * @param {HTMLElement} body
 * @param {Edits} studio
 * @param {SectionKnob[]} specs
 */
export function knobSection(body, studio, specs, shown = 3) {
  const sum = h("span", { class: "section-sum" });
  const more = h("details", { class: "more" }, h("summary", {}, gettext("more"), sum));
  const knobs = specs.map((spec, place) => {
    const control = knob(spec, (value) => studio.edit(spec.path, value, spec.write));
    (place < shown ? body : more).append(control.element);
    const reset = spec.marksDefault && spec.default !== undefined ? resetButton(spec, studio) : null;
    if (reset) control.element.querySelector(".knob-label")?.after(reset);
    return { spec, control, reset };
  });
  if (specs.length > shown) body.append(more);
  return {
    sum,
    experiment(/** @type {Experiment} */ experiment) {
      for (const { spec, control, reset } of knobs) {
        const applies = !spec.when || spec.when(experiment, studio);
        control.element.hidden = !applies;
        if (!applies) continue;
        const value = (spec.read ? spec.read(experiment) : getAt(experiment, spec.path)) ?? spec.default;
        control.set(value);
        control.disable(studio.readOnly);
        if (reset) {
          reset.hidden = studio.readOnly || value === spec.default;
          control.element.classList.toggle("is-changed", value !== spec.default);
        }
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
 * The mark of a knob that stands off its default is the way back.
 * @param {SectionKnob} spec
 * @param {Edits} studio
 */
function resetButton(spec, studio) {
  const shown = defaultWords(spec);
  return h(
    "button",
    {
      class: "knob-reset",
      type: "button",
      hidden: true,
      "data-reset": spec.path,
      "aria-label": gettext("{label}: back to the default, {shown}", { label: spec.label, shown }),
      "data-tip": gettext("Differs from the default. Back to {shown}.", { shown }),
      onclick: (/** @type {any} */ event) => {
        const own = event.target.closest(".knob");
        studio.edit(spec.path, undefined, spec.write);
        // The mark has gone, and the focus would with it.
        own.querySelector("input[type=range], select, input")?.focus();
      },
    },
    "↺",
  );
}

/** The default of a knob as its control shows it: a choice by its label, a number with its unit. */
function defaultWords(/** @type {SectionKnob} */ { default: value, options, unit }) {
  if (value === null) return `“${UNSET}”`;
  if (value === "") return gettext("nothing");
  if (typeof value === "boolean") return value ? gettext("on") : gettext("off");
  return typeof value === "string" ? `“${optionLabel(options, value)}”` : withUnit(value, unit);
}

/**
 * Whether a problem is said at a knob: it is the knob's own, or one of a field that only this knob moves.
 * @param {string} path
 * @param {SectionKnob} spec
 */
function concerns(path, spec) {
  return matches(path, spec.path) || Object.hasOwn(spec.also ?? {}, path);
}

/**
 * A problem as this knob counts: under its label, and with the unit that it shows.
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

/** The number of a distribution that a knob of its typical value moves. */
const SCALE = /^\.(mean|median|value)$/;

function matches(/** @type {string} */ problemPath, /** @type {string} */ knobPath) {
  return problemPath === knobPath || problemPath.startsWith(`${knobPath}.`) || problemPath.startsWith(`${knobPath}[`);
}

/**
 * A small button at the end of a section's head that opens an editor.
 * @param {HTMLElement} body
 * @param {string} name
 * @param {string} label
 * @param {string} about
 * @param {() => void} act
 */
export function headButton(body, name, label, about, act) {
  const place = body.querySelector(":scope > .head-edits") ?? body.appendChild(h("div", { class: "head-edits" }));
  const button = h(
    "button",
    { class: "link", type: "button", "data-edit": name, "aria-label": about, "data-tip": about, onclick: act },
    label,
  );
  place.append(button);
  return button;
}
