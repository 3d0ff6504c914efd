/** The dialog that makes a lesson link: each control is shown, locked or hidden. */

import { CONTROLS, PANEL_NAMES, readLesson, writeLesson } from "./lesson.js";
import { gettext } from "../../kit/words.js";
import { openDialog } from "../../kit/dialogs.js";
import { targetOf } from "../../kit/dom.js";
import { element, html, signal } from "../../kit/view.js";
import { copyRow } from "../../kit/copy_row.js";

/** @import { Lesson } from "./lesson.js" */

const STATES = [
  ["", gettext("shown")],
  ["fix", gettext("locked")],
  ["hide", gettext("hidden")],
];

/**
 * Return groups of [name, label]: parts of the page, panels, and every visible setting.
 * @returns {[title: string, entries: string[][]][]}
 */
function listed() {
  const panels = PANEL_NAMES.map((name) => [
    name,
    document.querySelector(`.panel-${name} .panel-title`)?.textContent ?? name,
  ]);
  const knobs = [...document.querySelectorAll(".left .knob[data-path]")].filter((knob) => !knob.hidden);
  return [
    [gettext("Parts of the page"), CONTROLS],
    [gettext("Sections"), panels],
    [gettext("Settings"), knobs.map((knob) => [knob.dataset.path ?? "", nameOf(knob)])],
  ];
}

/** Return a control's name, without the tag for its value's source. */
function nameOf(/** @type {HTMLElement} */ knob) {
  const parts = [...(knob.querySelector(".knob-label")?.childNodes ?? [])];
  // Views leave comment nodes between their parts.
  const named = parts.filter((part) => (part instanceof HTMLElement ? !part.matches(".tag") : part instanceof Text));
  return named.map((part) => part.textContent).join("") || (knob.dataset.path ?? "");
}

/**
 * Open the dialog. `link(search)` returns the complete link for a query.
 * @param {string} search
 * @param {(search: string) => string} link
 */
export function lessonDialog(search, link) {
  const lesson = signal(readLesson(search));
  const target = copyRow(
    gettext("Guided link"),
    gettext("the guided link"),
    () => link(writeLesson(lesson.value, search)),
    gettext(
      "Viewers see a locked control but cannot change it. Viewers who edit the link can undo hiding and locking.",
    ),
    { heavy: true, holds: "guided" },
  );
  const groups = listed();
  openDialog(
    gettext("Make a guided link"),
    html`<p class="dialog-note">${gettext("Keep what students need; hide the rest.")}</p>`,
    target.element,
    element("div", "lesson-groups", () =>
      groups.map(
        ([title, entries]) => html`
          <fieldset class="lesson-group">
            <legend>${title}</legend>
            ${entries.map(([name, label]) => choiceView(name, label, lesson))}
          </fieldset>`,
      ),
    ),
  ).classList.add("dialog-wide");
}

/**
 * Return the choice of a control's state: shown, locked or hidden.
 * @param {string} name
 * @param {string} label
 * @param {{value: Lesson}} lesson
 */
function choiceView(name, label, lesson) {
  const { fix, hide } = lesson.value;
  const state = hide.includes(name) ? "hide" : fix.includes(name) ? "fix" : "";
  const choose = (/** @type {Event} */ event) => {
    const chosen = targetOf(event).value;
    const without = (/** @type {string[]} */ names) => names.filter((each) => each !== name);
    lesson.value = {
      hide: [...without(hide), ...(chosen === "hide" ? [name] : [])],
      fix: [...without(fix), ...(chosen === "fix" ? [name] : [])],
    };
  };
  return html`
    <label class="lesson-row"
      ><span>${label}</span
      ><select class="knob-select" aria-label=${label} data-lesson-control=${name} @change=${choose}
        >${STATES.map(
          ([value, text]) => html`<option value=${value} .selected=${value === state}>${text}</option>`,
        )}</select
      ></label
    >`;
}
