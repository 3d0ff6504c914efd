/** The steps of a lesson that is being written: each with its fields, moved by dragging, by buttons or by keys. */

import { h } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";
import { kindOf } from "./lesson_draft.js";

/** @typedef {import("./lesson_draft.js").Step} Step */
/**
 * What the list does: change a step, move it, remove it, and make the form of what it holds.
 *
 * @typedef {{change: (at: number, changes: Step) => void, move: (from: number, to: number) => void,
 *   remove: (at: number) => void, formOf: (at: number) => HTMLElement | null, words: (step: Step) => string}} Acts
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

/** The list's items. @param {Step[]} steps @param {Acts} acts */
export function stepItems(steps, acts) {
  return steps.map((step, at) => item(step, at, steps.length, acts));
}

/**
 * @param {Step} step
 * @param {number} at
 * @param {number} count
 * @param {Acts} acts
 */
function item(step, at, count, acts) {
  const button = (
    /** @type {string} */ words,
    /** @type {string} */ label,
    /** @type {boolean} */ disabled,
    /** @type {() => void} */ act,
    /** @type {string} */ name,
  ) =>
    h(
      "button",
      { class: "button", type: "button", "aria-label": label, title: label, disabled, "data-act": name, onclick: act },
      words,
    );
  const number = at + 1;
  const isLast = number === count;
  const acting = h(
    "span",
    { class: "lesson-acts" },
    button("↑", gettext("Move step {number} up", { number }), at === 0, () => acts.move(at, at - 1), "up"),
    button("↓", gettext("Move step {number} down", { number }), isLast, () => acts.move(at, at + 1), "down"),
    button("×", gettext("Remove step {number}", { number }), false, () => acts.remove(at), "remove"),
  );
  const element = h(
    "li",
    { class: "lesson-step", "data-step": at, "data-kind": kindOf(step) },
    h(
      "div",
      { class: "lesson-head", draggable: "true", title: gettext("Drag to move; Alt with ↑ or ↓ moves it, too") },
      h("b", {}, `${number}. ${NAMES[kindOf(step)]}`),
      h("span", { class: "class-note" }, acts.words(step)),
      acting,
    ),
    fields(step, at, acts),
    acts.formOf(at),
  );
  wireMoving(element, at, acts);
  return element;
}

/**
 * @param {Step} step
 * @param {number} at
 * @param {Acts} acts
 */
function fields(step, at, acts) {
  const field = (
    /** @type {string} */ name,
    /** @type {string} */ label,
    /** @type {HTMLInputElement | HTMLTextAreaElement} */ control,
  ) => {
    control.addEventListener("change", () => {
      const value = name === "minutes" ? Number(control.value) : control.value;
      acts.change(at, { [name]: value });
    });
    return h("label", { class: "ask-row" }, h("span", {}, label), control);
  };
  const input = (/** @type {Record<string, any>} */ attributes) => h("input", { class: "field", ...attributes });
  const hasText = kindOf(step) !== "question";
  return h(
    "div",
    { class: "lesson-fields" },
    hasText
      ? field(
          "text",
          gettext("Text that students see"),
          input({ type: "text", maxlength: 300, value: step.text ?? "", "data-name": "text" }),
        )
      : null,
    field(
      "notes",
      gettext("Notes that only you see"),
      h("textarea", { class: "field", rows: 2, maxlength: 2000, value: step.notes ?? "", "data-name": "notes" }),
    ),
    field(
      "minutes",
      gettext("Minutes"),
      input({
        type: "number",
        min: 0,
        max: 180,
        step: "any",
        value: String(step.minutes ?? 1),
        "data-name": "minutes",
      }),
    ),
  );
}

/**
 * Move a step by dragging its head, and with Alt and an arrow key from wherever the focus is in it.
 * @param {HTMLElement} element
 * @param {number} at
 * @param {Acts} acts
 */
function wireMoving(element, at, acts) {
  element.addEventListener("keydown", (event) => {
    const way = WAYS[event.key];
    if (!way || !event.altKey) return;
    event.preventDefault();
    acts.move(at, at + way);
  });
  element.addEventListener("dragstart", (event) => {
    event.dataTransfer?.setData("text/plain", String(at));
    if (event.dataTransfer) event.dataTransfer.effectAllowed = "move";
  });
  element.addEventListener("dragover", (event) => {
    event.preventDefault();
    element.classList.add("is-over");
  });
  element.addEventListener("dragleave", () => element.classList.remove("is-over"));
  element.addEventListener("drop", (event) => {
    event.preventDefault();
    element.classList.remove("is-over");
    const from = Number(event.dataTransfer?.getData("text/plain"));
    if (Number.isInteger(from) && from !== at) acts.move(from, at);
  });
}
