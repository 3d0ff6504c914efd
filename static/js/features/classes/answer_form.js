/** Forms for a student's answer: an option, a slider, a curve or a machine. All work by keyboard and by touch. */

import { targetOf } from "../../kit/dom.js";
import { html, live, made, nothing, signal } from "../../kit/view.js";
import { fetchPart } from "../../run/why/whys.js";
import { gettext, measureName } from "../../kit/words.js";
import { CurveField } from "./curve_field.js";
import { placeOf, scaleWords, valueAt } from "./scale.js";

/**
 * @import { AskedQuestion } from "../../contract/contract"
 * @import { ApiError } from "../../contract/api.js"
 * @import { AnswerValue } from "./class_api.js"
 */

/**
 * @typedef {{element: HTMLElement, value: () => AnswerValue | null, take(value: AnswerValue): void,
 *   point?: (machine: number) => void}} Form
 * @typedef {{words: string, tasks: {task: number, text: string}[]}} Offer  tasks to choose from, or why there are none
 */

const STEPS = 500;
const MOST_OFFERED = 6;
const TAP_MACHINE = gettext("Tap a machine on the map, or type its number.");
const TAP_TASK = gettext("Tap a machine on the map to see its newest tasks, or type the number of a task.");

/**
 * Return the form of a question. `value()` is null until the answer is complete.
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
  const chosen = signal(/** @type {number | null} */ (null));
  const choose = (/** @type {number} */ value) => {
    chosen.value = value;
    changed();
  };
  const view = (/** @type {string} */ option, /** @type {number} */ value) => html`
    <label class="option" data-option=${value}
      ><input
        type="radio"
        name=${`question-${question.number}`}
        value=${value}
        .checked=${live(value === chosen.value)}
        @change=${() => choose(value)}
      /><span data-says=${`option:${value}`}>${option}</span></label
    >`;
  return {
    element: made(
      () => html`
        <div class="options" role="radiogroup" aria-label=${question.text}>${question.options.map(view)}</div>`,
    ),
    value: () => chosen.value,
    take: (/** @type {number} */ value) => {
      if (question.options[value] !== undefined) chosen.value = value;
    },
  };
}

/**
 * @returns {Form}
 * @param {AskedQuestion} question
 * @param {() => void} changed
 */
function numberForm(question, changed) {
  const { unit, low, high } = question;
  const chosen = signal(/** @type {number | null} */ (null));
  const text = signal("");
  const take = (/** @type {number} */ value) => {
    chosen.value = value;
    // Do not overwrite a number that is being typed.
    if (!document.activeElement?.matches("[data-number]")) text.value = String(value);
  };
  const slide = (/** @type {Event} */ event) => {
    take(valueAt(question, Number(targetOf(event).value) / STEPS));
    changed();
  };
  const type = (/** @type {Event} */ event) => {
    text.value = targetOf(event).value;
    const value = Number(text.value);
    if (text.value === "" || !(value >= low && value <= high)) return;
    take(value);
    changed();
  };
  const view = () => {
    const now = chosen.value;
    const words = now === null ? "" : scaleWords(question, now);
    return html`
      <div class="number">
        <output class="number-told" data-says="own:answer">${words || gettext("Move the slider")}</output>
        <input
          class="number-slider"
          type="range"
          min="0"
          max=${STEPS}
          aria-label=${measureName(question.measure)}
          aria-valuetext=${words || nothing}
          data-slider
          .value=${live(String(now === null ? STEPS / 2 : Math.round(placeOf(question, now) * STEPS)))}
          @input=${slide}
        />
        <div class="number-ends"
          ><span data-says="scale:low">${scaleWords(question, low)}</span
          ><span data-says="scale:high">${scaleWords(question, high)}</span></div
        >
        <label class="number-typed"
          >${gettext("or type it")}<input
            class="field"
            type="number"
            step="any"
            min=${low}
            max=${high}
            aria-label=${measureName(question.measure)}
            data-number
            .value=${live(text.value)}
            @input=${type}
          />${unit === "s" ? "s" : ""}</label
        >
      </div>`;
  };
  return { element: made(view), value: () => chosen.value, take };
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
    value: () => (field.values.includes(null) ? null : /** @type {number[]} */ (field.values)),
    take: (/** @type {number[]} */ values) => field.take(values),
  };
}

/**
 * @returns {Form}
 * @param {AskedQuestion} question
 * @param {() => void} changed
 */
function pointForm(question, changed) {
  const isTask = question.target === "task";
  const text = signal("");
  const offered = signal(/** @type {Offer} */ ({ words: "", tasks: [] }));
  const take = (/** @type {AnswerValue | string} */ value) => {
    text.value = String(value);
    changed();
  };
  const offerView = () => html`
    ${offered.value.words ? html`<p class="class-note">${offered.value.words}</p>` : nothing}
    ${offered.value.tasks.map(
      ({ task, text: words }) => html`
        <button class="button option" type="button" data-offer=${task} @click=${() => take(task)}>${words}</button>`,
    )}`;
  const view = () => html`
    <div class="point">
      <p class="class-note">${isTask ? TAP_TASK : TAP_MACHINE}</p>
      <div class="options" data-offered>${offerView()}</div>
      <label class="number-typed"
        >${isTask ? gettext("Task") : gettext("Machine")}<input
          class="field"
          type="number"
          min="0"
          step="1"
          ?data-task=${isTask}
          ?data-machine=${!isTask}
          .value=${live(text.value)}
          @input=${(/** @type {Event} */ event) => take(targetOf(event).value)}
      /></label>
    </div>`;
  const offer = async (/** @type {number} */ machine) => {
    offered.value = await offerOf(question, machine);
  };
  return {
    element: made(view),
    value: () => (/^\d{1,7}$/.test(text.value) ? Number(text.value) : null),
    take,
    point: isTask ? offer : take,
  };
}

/** Return the newest tasks in some events, each with its last event. */
export function newestTasks(/** @type {{task: number, text: string}[]} */ events, most = MOST_OFFERED) {
  const last = new Map();
  for (const { task, text } of [...events].reverse()) if (!last.has(task)) last.set(task, text);
  return [...last].slice(0, most).map(([task, text]) => ({ task, text }));
}

/**
 * Return the newest tasks of a tapped machine, or why there are none.
 * @param {AskedQuestion} question
 * @param {number} machine
 * @returns {Promise<Offer>}
 */
async function offerOf(question, machine) {
  try {
    const { events } = await fetchPart(question.shown?.run ?? "", { kind: "machine", number: machine }, question.at_s);
    const tasks = newestTasks(events);
    return { words: tasks.length ? "" : gettext("Machine {machine} had no task.", { machine }), tasks };
  } catch (error) {
    return { words: /** @type {ApiError} */ (error).message, tasks: [] };
  }
}
