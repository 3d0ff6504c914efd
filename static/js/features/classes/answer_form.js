/** What a student answers with: an option, a slider, a curve or a machine. All work by keyboard and by touch. */

import { h } from "../../kit/dom.js";
import { fetchPart } from "../../run/why/whys.js";
import { gettext } from "../../kit/words.js";
import { CurveField } from "./curve_field.js";
import { placeOf, scaleWords, valueAt } from "./scale.js";

/** @typedef {import("../../contract/contract").AskedQuestion} AskedQuestion */
/**
 * @typedef {{element: HTMLElement, value: () => any, take: (value: any) => void, point?: (machine: number) => void}}
 *   Form
 */

const STEPS = 500;
const MOST_OFFERED = 6;
const TAP_MACHINE = gettext("Tap a machine on the map, or type its number.");
const TAP_TASK = gettext("Tap a machine on the map to see its newest tasks, or type the number of a task.");

/**
 * The form for a question. `value()` is null while nothing, or not all, is answered.
 * @param {AskedQuestion} question
 * @param {() => void} changed
 * @returns {Form}
 */
export function answerForm(question, changed) {
  return { choice: choiceForm, number: numberForm, curve: curveForm, point: pointForm }[question.kind](
    question,
    changed,
  );
}

/**
 * @returns {Form}
 * @param {AskedQuestion} question
 * @param {() => void} changed
 */
function choiceForm(question, changed) {
  const boxes = question.options.map((option, value) => {
    const box = h("input", { type: "radio", name: `question-${question.number}`, value: String(value) });
    box.addEventListener("change", changed);
    return h("label", { class: "option", "data-option": value }, box, h("span", {}, option));
  });
  const inputs = boxes.map((label) => /** @type {HTMLInputElement} */ (label.querySelector("input")));
  return {
    element: h("div", { class: "options", role: "radiogroup", "aria-label": question.text }, boxes),
    value: () => {
      const at = inputs.findIndex((input) => input.checked);
      return at < 0 ? null : at;
    },
    take: (value) => {
      if (inputs[value]) inputs[value].checked = true;
    },
  };
}

/**
 * @returns {Form}
 * @param {AskedQuestion} question
 * @param {() => void} changed
 */
function numberForm(question, changed) {
  /** @type {number | null} */
  let chosen = null;
  const { unit, low, high } = question;
  const slider = h("input", {
    class: "number-slider",
    type: "range",
    min: 0,
    max: STEPS,
    value: String(STEPS / 2),
    "aria-label": question.measure,
    "data-slider": true,
  });
  const field = h("input", {
    class: "field",
    type: "number",
    step: "any",
    min: low,
    max: high,
    "aria-label": question.measure,
    "data-number": true,
  });
  const told = h("output", { class: "number-told" }, gettext("Move the slider"));
  const show = () => {
    told.textContent = chosen === null ? "–" : scaleWords(question, chosen);
    slider.setAttribute("aria-valuetext", told.textContent);
  };
  const take = (/** @type {number} */ value) => {
    chosen = value;
    slider.value = String(Math.round(placeOf(question, value) * STEPS));
    if (field !== document.activeElement) field.value = String(value);
    show();
  };
  slider.addEventListener("input", () => {
    take(valueAt(question, Number(slider.value) / STEPS));
    changed();
  });
  field.addEventListener("input", () => {
    const value = Number(field.value);
    if (field.value === "" || !(value >= low && value <= high)) return;
    take(value);
    changed();
  });
  const ends = h(
    "div",
    { class: "number-ends" },
    h("span", {}, scaleWords(question, low)),
    h("span", {}, scaleWords(question, high)),
  );
  const typed = h("label", { class: "number-typed" }, gettext("or type it"), field, unit === "s" ? "s" : "");
  return { element: h("div", { class: "number" }, told, slider, ends, typed), value: () => chosen, take };
}

/**
 * @returns {Form}
 * @param {AskedQuestion} question
 * @param {() => void} changed
 */
function curveForm(question, changed) {
  const field = new CurveField(question, changed);
  return {
    element: field.element,
    value: () => (field.values.includes(null) ? null : field.values),
    take: (values) => field.take(values),
  };
}

/**
 * @returns {Form}
 * @param {AskedQuestion} question
 * @param {() => void} changed
 */
function pointForm(question, changed) {
  const isTask = question.target === "task";
  const field = h("input", { class: "field", type: "number", min: 0, step: 1, [`data-${question.target}`]: true });
  const offered = h("div", { class: "options", "data-offered": true });
  field.addEventListener("input", changed);
  const take = (/** @type {number} */ value) => {
    field.value = String(value);
    changed();
  };
  return {
    element: h(
      "div",
      { class: "point" },
      h("p", { class: "class-note" }, isTask ? TAP_TASK : TAP_MACHINE),
      offered,
      h("label", { class: "number-typed" }, isTask ? gettext("Task") : gettext("Machine"), field),
    ),
    value: () => (/^\d{1,7}$/.test(field.value) ? Number(field.value) : null),
    take,
    point: isTask ? (machine) => offerTasks(question, machine, offered, take) : take,
  };
}

/** The newest tasks in some events, each with what happened to it last. */
export function newestTasks(/** @type {{task: number, text: string}[]} */ events, most = MOST_OFFERED) {
  const last = new Map();
  for (const { task, text } of [...events].reverse()) if (!last.has(task)) last.set(task, text);
  return [...last].slice(0, most).map(([task, text]) => ({ task, text }));
}

/**
 * Offer the tasks of a machine that somebody tapped.
 * @param {AskedQuestion} question
 * @param {number} machine
 * @param {HTMLElement} place
 * @param {(value: number) => void} take
 */
async function offerTasks(question, machine, place, take) {
  try {
    const { events } = await fetchPart(question.shown?.run ?? "", { kind: "machine", number: machine }, question.at_s);
    const found = newestTasks(events);
    place.replaceChildren(
      ...(found.length
        ? []
        : [h("p", { class: "class-note" }, gettext("Machine {machine} had no task.", { machine }))]),
      ...found.map(({ task, text }) =>
        h("button", { class: "button option", type: "button", "data-offer": task, onclick: () => take(task) }, text),
      ),
    );
  } catch (/** @type {any} */ error) {
    place.replaceChildren(h("p", { class: "class-note" }, error.message));
  }
}
