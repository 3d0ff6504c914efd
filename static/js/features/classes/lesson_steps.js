/** The steps of a lesson being written: each with its fields, movable by dragging, buttons or keys. */

import { targetOf } from "../../kit/dom.js";
import { html, nothing } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";
import { kindOf } from "./lesson_draft.js";

/** @typedef {import("./lesson_draft.js").Step} Step */
/**
 * Actions of the list: change a step, move it, remove it, and create the form of its contents.
 *
 * @typedef {{change: (at: number, changes: Step) => void, move: (from: number, to: number) => void,
 *   remove: (at: number) => void, formOf: (at: number) => unknown, words: (step: Step) => string}} Acts
 */

const NAMES = {
  show: gettext("Run"),
  question: gettext("Question"),
  explore: gettext("Explore"),
  challenge: gettext("Challenge"),
  text: gettext("Text"),
};
/** @type {Record<string, number>} */
const WAYS = { ArrowUp: -1, ArrowDown: 1 };

/**
 * Return a step as a list item. Dragging its head, its buttons, or Alt with an arrow key moves it.
 * @param {Step} step
 * @param {number} at
 * @param {number} count
 * @param {Acts} acts
 */
export function stepView(step, at, count, acts) {
  const number = at + 1;
  const itemOf = (/** @type {Event} */ event) => /** @type {HTMLElement} */ (event.currentTarget);
  const move = (/** @type {KeyboardEvent} */ event) => {
    const way = WAYS[event.key];
    if (!way || !event.altKey) return;
    event.preventDefault();
    acts.move(at, at + way);
  };
  const drag = (/** @type {DragEvent} */ event) => {
    event.dataTransfer?.setData("text/plain", String(at));
    if (event.dataTransfer) event.dataTransfer.effectAllowed = "move";
  };
  const over = (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    itemOf(event).classList.add("is-over");
  };
  const drop = (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    itemOf(event).classList.remove("is-over");
    const from = Number(event.dataTransfer?.getData("text/plain"));
    if (Number.isInteger(from) && from !== at) acts.move(from, at);
  };
  return html`<li
    class="lesson-step"
    data-step=${at}
    data-kind=${kindOf(step)}
    @keydown=${move}
    @dragstart=${drag}
    @dragover=${over}
    @dragleave=${(/** @type {Event} */ event) => itemOf(event).classList.remove("is-over")}
    @drop=${drop}
  >
    <div class="lesson-head" draggable="true" title=${gettext("Drag to move; Alt with ↑ or ↓ moves it, too")}>
      <b>${`${number}. ${NAMES[kindOf(step)]}`}</b>
      <span class="class-note">${acts.words(step)}</span>
      ${actsView(at, count, acts)}
    </div>
    ${fieldsView(step, at, acts)} ${acts.formOf(at)}
  </li>`;
}

/**
 * Return the buttons of a step.
 * @param {number} at
 * @param {number} count
 * @param {Acts} acts
 */
function actsView(at, count, acts) {
  const number = at + 1;
  const button = (
    /** @type {string} */ name,
    /** @type {string} */ words,
    /** @type {string} */ label,
    /** @type {boolean} */ disabled,
    /** @type {() => void} */ act,
  ) => html`<button
    class="button"
    type="button"
    aria-label=${label}
    title=${label}
    ?disabled=${disabled}
    data-act=${name}
    @click=${act}
    >${words}</button
  >`;
  const isLast = number === count;
  return html`<span class="lesson-acts"
    >${button("up", "↑", gettext("Move step {number} up", { number }), at === 0, () => acts.move(at, at - 1))}
    ${button("down", "↓", gettext("Move step {number} down", { number }), isLast, () => acts.move(at, at + 1))}
    ${button("remove", "×", gettext("Remove step {number}", { number }), false, () => acts.remove(at))}</span
  >`;
}

/**
 * @param {Step} step
 * @param {number} at
 * @param {Acts} acts
 */
function fieldsView(step, at, acts) {
  const change = (/** @type {Event} */ event) => {
    const { dataset, value } = targetOf(event);
    const name = /** @type {string} */ (dataset.name);
    acts.change(at, { [name]: name === "minutes" ? Number(value) : value });
  };
  const textView = () => html`<label class="ask-row"
    ><span>${gettext("Text that students see")}</span
    ><input class="field" type="text" maxlength="300" data-name="text" .value=${step.text ?? ""} @change=${change}
  /></label>`;
  return html`<div class="lesson-fields">
    ${kindOf(step) === "question" ? nothing : textView()}
    <label class="ask-row"
      ><span>${gettext("Notes that only you see")}</span
      ><textarea
        class="field"
        rows="2"
        maxlength="2000"
        data-name="notes"
        .value=${step.notes ?? ""}
        @change=${change}
      ></textarea></label
    >
    <label class="ask-row"
      ><span>${gettext("Minutes")}</span
      ><input
        class="field"
        type="number"
        min="0"
        max="180"
        step="any"
        data-name="minutes"
        .value=${String(step.minutes ?? 1)}
        @change=${change}
    /></label>
  </div>`;
}
