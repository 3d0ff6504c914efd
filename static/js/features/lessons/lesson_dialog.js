/** Making a lesson link: each control is shown, locked or hidden, and the link says so. */

import { CONTROLS, PANEL_NAMES, readLesson, writeLesson } from "./lesson.js";
import { gettext } from "../../kit/words.js";
import { openDialog } from "../../kit/dialogs.js";
import { h, targetOf } from "../../kit/dom.js";
import { copyRow } from "../../kit/copy_row.js";

/**
 * Groups of [name, label]: parts of the page, panels, and every knob that is on it.
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

/** The name of a control, without the tag that says where its value is from. */
function nameOf(/** @type {HTMLElement} */ knob) {
  const parts = [...(knob.querySelector(".knob-label")?.childNodes ?? [])];
  const named = parts.filter((part) => !(part instanceof HTMLElement && part.matches(".tag")));
  return named.map((part) => part.textContent).join("") || (knob.dataset.path ?? "");
}

/**
 * `link(search)`: the whole link for a query.
 * @param {string} search
 * @param {(search: string) => string} link
 */
export function lessonDialog(search, link) {
  const lesson = readLesson(search);
  const target = copyRow(
    gettext("Guided link"),
    gettext("the guided link"),
    link(writeLesson(lesson, search)),
    gettext(
      "Viewers see a locked control but cannot change it. Viewers who edit the link can undo hiding and locking.",
    ),
    { heavy: true, holds: "guided" },
  );
  const choose = (/** @type {string} */ name, /** @type {string} */ value) => {
    for (const key of /** @type {const} */ (["hide", "fix"])) lesson[key] = lesson[key].filter((each) => each !== name);
    if (value === "hide" || value === "fix") lesson[value].push(name);
    target.field.value = link(writeLesson(lesson, search));
  };
  const state = (/** @type {string} */ name) =>
    lesson.hide.includes(name) ? "hide" : lesson.fix.includes(name) ? "fix" : "";
  const choice = (/** @type {string[]} */ [name, label]) => {
    const select = h(
      "select",
      {
        class: "knob-select",
        "aria-label": label,
        "data-lesson-control": name,
        onchange: (/** @type {Event} */ event) => choose(name, targetOf(event).value),
      },
      [
        ["", gettext("shown")],
        ["fix", gettext("locked")],
        ["hide", gettext("hidden")],
      ].map(([value, text]) => h("option", { value }, text)),
    );
    select.value = state(name);
    return h("label", { class: "lesson-row" }, h("span", {}, label), select);
  };
  const groups = listed().map(([title, entries]) =>
    h("fieldset", { class: "lesson-group" }, h("legend", {}, title), entries.map(choice)),
  );
  openDialog(
    gettext("Make a guided link"),
    h("p", { class: "dialog-note" }, gettext("Keep what students need; hide the rest.")),
    target.element,
    h("div", { class: "lesson-groups" }, groups),
  ).classList.add("dialog-wide");
}
