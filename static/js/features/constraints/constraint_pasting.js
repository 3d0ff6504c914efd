/** Supply and demand as columns of text: copied, pasted, edited in bulk. */

import { copyFrom, parseColumn, pasteColumn, scaleAll } from "../../experiment/constraint_bulk.js";
import { h } from "../../kit/dom.js";
import { openDialog } from "../../kit/dialogs.js";
import { choice, entry } from "../../experiment/forms/fields.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { ConstraintEditor } from "./constraints.js"
 */

/**
 * @typedef {ReturnType<typeof choice>} ChoiceField
 * @typedef {ReturnType<typeof entry>} EntryField
 */

/**
 * The value that a choice shows.
 * @param {ChoiceField} choice
 */
export function chosenIn({ element }) {
  return element.querySelector("select")?.value ?? "";
}

/**
 * The line of controls that change many numbers at once: {element, source}.
 * @param {ConstraintEditor} editor
 */
export function bulkControls(editor) {
  const what = choice(
    {
      label: gettext("All"),
      choices: [
        ["offer", gettext("offers")],
        ["ask", gettext("asks")],
      ],
    },
    () => {},
  );
  const factor = entry({ label: gettext("Factor"), numeric: true }, () => {});
  factor.element.value = "1.2";
  const scale = h(
    "button",
    {
      class: "button button-small",
      type: "button",
      "data-scale": true,
      onclick: () => scaleMany(editor, what, factor),
    },
    gettext("Scale"),
  );
  const source = choice({ label: gettext("From") }, () => {});
  const copy = h(
    "button",
    { class: "button button-small", type: "button", "data-copy": true, onclick: () => copyMany(editor, source) },
    gettext("Copy"),
  );
  const paste = h(
    "button",
    { class: "button button-small", type: "button", "data-paste": true, onclick: () => pasteDialog(editor, what) },
    gettext("Paste…"),
  );
  const element = h(
    "div",
    { class: "editor-line editor-bulk", role: "group", "aria-label": gettext("Change many at once") },
    what.element,
    h("span", { "aria-hidden": "true" }, "×"),
    factor.element,
    scale,
    h("span", { class: "gap" }),
    source.element,
    copy,
    h("span", { class: "gap" }),
    paste,
  );
  return { element, source };
}

/**
 * @param {ConstraintEditor} editor
 * @param {ChoiceField} what
 * @param {EntryField} typed
 */
function scaleMany(editor, what, typed) {
  const factor = Number(typed.element.value.replace(",", "."));
  typed.problem(Number.isFinite(factor) && factor >= 0 ? "" : gettext("A number of at least 0, such as 1.2"));
  if (!Number.isFinite(factor) || factor < 0) return;
  editor.edit("", (experiment) => scaleAll(experiment, editor.catalogue, chosenIn(what), factor, editor.place));
}

/**
 * @param {ConstraintEditor} editor
 * @param {ChoiceField} source
 */
function copyMany(editor, source) {
  const [name, mix] = chosenIn(source).split("/");
  editor.edit("", (experiment) => copyFrom(experiment, editor.catalogues, name, mix));
}

/**
 * Put a column of numbers into rows from `start` on; return the lines that hold none.
 * @param {ConstraintEditor} editor
 * @param {string} what
 * @param {string} text
 */
export function pasteInto(editor, what, text, start = 0) {
  const { values, wrong } = parseColumn(text);
  if (wrong.length) return wrong;
  editor.edit("", (experiment) => pasteColumn(experiment, editor.catalogue, what, values, start, editor.place));
  return [];
}

/**
 * @param {ConstraintEditor} editor
 * @param {ChoiceField} chosen
 */
function pasteDialog(editor, chosen) {
  const text = h("textarea", {
    class: "json-text paste-text",
    rows: 10,
    spellcheck: "false",
    "aria-label": gettext("Numbers, one a line"),
    placeholder: "37.6 %\n65.7 %\n15.6 %",
  });
  const wrong = h("p", { class: "knob-problem", role: "alert", hidden: true });
  const what = chosenIn(chosen);
  const take = h("button", { class: "button button-heavy", type: "button" }, gettext("Apply"));
  const dialog = openDialog(
    what === "ask" ? gettext("Paste what tasks ask for") : gettext("Paste what machines offer"),
    h(
      "p",
      { class: "dialog-note" },
      gettext(
        "One number per line, starting at the first row: percentages, or shares of 1. {second}Empty lines " +
          "leave their row unchanged.",
        { second: what === "ask" ? "" : gettext("A second column sets what tasks ask for. ") },
      ),
    ),
    text,
    wrong,
    h("div", { class: "dialog-row" }, take),
  );
  take.addEventListener("click", () => {
    const found = pasteInto(editor, what, text.value) ?? [];
    wrong.hidden = !found.length;
    wrong.textContent = found
      .map((each) => gettext("Line {line}: {text}", { line: each.line, text: each.text }))
      .join("; ");
    if (!found.length) dialog.close();
  });
  text.focus();
}
