/** Supply and demand as columns of text: copy, paste, bulk edits. */

import { copyFrom, parseColumn, pasteColumn, scaleAll } from "../../experiment/constraint_bulk.js";
import { columnDialog } from "../../experiment/forms/column_dialog.js";
import { html, signal } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { ConstraintEditor } from "./constraints.js"
 */

/** Return the state of the bulk edits. */
export const bulkState = () => ({
  what: signal("offer"),
  factor: signal("1.2"),
  source: signal(""),
  wrong: signal(""),
});

/**
 * Return the controls that change many numbers at once.
 * @param {ConstraintEditor} editor
 * @param {string[][]} tables  sources from which numbers can be copied
 */
export function bulkView(editor, tables) {
  const { form, bulk } = editor;
  const { what, factor, source, wrong } = bulk;
  const scale = () => {
    const by = Number(factor.value.replace(",", "."));
    const right = Number.isFinite(by) && by >= 0;
    wrong.value = right ? "" : gettext("A number of at least 0, such as 1.2");
    if (right) editor.edit("", (one) => scaleAll(one, editor.catalogue, what.value, by, editor.place.value));
  };
  const chosen = tables.some(([value]) => value === source.value) ? source.value : tables[0]?.[0];
  const copy = () => {
    const [name, mix] = (chosen ?? "").split("/");
    editor.edit("", (one) => copyFrom(one, editor.catalogues, name, mix));
  };
  const columns = [
    ["offer", gettext("offers")],
    ["ask", gettext("asks")],
  ];
  return html`<div class="editor-line editor-bulk" role="group" aria-label=${gettext("Change many at once")}
    >${form.choice({ label: gettext("All"), choices: columns, value: what.value }, (value) => {
      what.value = value;
    })}<span aria-hidden="true">×</span
    >${form.entry({ label: gettext("Factor"), numeric: true, value: factor.value, wrong: wrong.value }, (text) => {
      factor.value = text;
    })}<button class="button button-small" type="button" data-scale @click=${scale}>${gettext("Scale")}</button
    ><span class="gap"></span
    >${form.choice({ label: gettext("From"), choices: tables, value: chosen }, (value) => {
      source.value = value;
    })}<button class="button button-small" type="button" data-copy @click=${copy}>${gettext("Copy")}</button
    ><span class="gap"></span
    ><button class="button button-small" type="button" data-paste @click=${() => pasteDialog(editor, what.value)}
      >${gettext("Paste…")}</button></div>`;
}

/**
 * Paste a column of numbers into the rows from `start` on; return the lines without a number.
 * @param {ConstraintEditor} editor
 * @param {string} what
 * @param {string} text
 */
export function pasteInto(editor, what, text, start = 0) {
  const { values, wrong } = parseColumn(text);
  if (wrong.length) return wrong;
  editor.edit("", (experiment) => pasteColumn(experiment, editor.catalogue, what, values, start, editor.place.value));
  return [];
}

/**
 * @param {ConstraintEditor} editor
 * @param {string} what
 */
function pasteDialog(editor, what) {
  columnDialog({
    title: what === "ask" ? gettext("Paste what tasks ask for") : gettext("Paste what machines offer"),
    label: gettext("Numbers, one a line"),
    placeholder: "37.6 %\n65.7 %\n15.6 %",
    note: gettext(
      "One number per line, starting at the first row: percentages, or shares of 1. {second}Empty lines " +
        "leave their row unchanged.",
      { second: what === "ask" ? "" : gettext("A second column sets what tasks ask for. ") },
    ),
    take: (text) =>
      pasteInto(editor, what, text)
        .map((each) => gettext("Line {line}: {text}", { line: each.line, text: each.text }))
        .join("; "),
  });
}
