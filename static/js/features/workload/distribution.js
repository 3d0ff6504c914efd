/** A distribution as fields: its kind, a control for each parameter, and a column of measured values. */

import { setAt } from "../../experiment/experiment.js";
import { whole } from "../../kit/format.js";
import { asKind, DISTRIBUTIONS } from "../../experiment/distributions.js";
import { columnDialog } from "../../experiment/forms/column_dialog.js";
import { numeric, problemView } from "../../experiment/forms/fields.js";
import { html, nothing } from "../../kit/view.js";
import { gettext, midSentence } from "../../kit/words.js";

/**
 * @import { Distribution } from "../../experiment/distributions.js"
 * @import { Form } from "../../experiment/forms/fields.js"
 * @import { KnobSpec } from "../../kit/knob.js"
 * @import { WorkloadEditor } from "./workload.js"
 */

/**
 * @typedef {{kind: string, values?: number[], shares?: number[] | null, [parameter: string]: unknown}} Drawn  an
 *   experiment's distribution
 * @typedef {{path: string, title: string, range: {min: number, max: number, unit: string},
 *   inherited?: boolean}} About  `inherited`: true if a class has it from all jobs
 */

/** @type {Record<string, Omit<KnobSpec, "path">>} */
const KNOBS = {
  value: { label: gettext("Value"), scale: "log" },
  mean: { label: gettext("Mean"), scale: "log" },
  median: { label: gettext("Median"), scale: "log" },
  mu: { label: gettext("Mean of the logarithm"), scale: "linear", min: -5, max: 15, unit: "" },
  sigma: {
    label: gettext("Spread (of the logarithm)"),
    scale: "linear",
    min: 0,
    max: 3,
    unit: "",
    default: 0.8,
    help: gettext(
      "0: all values are equal. 1: one value in six is at least 2.7 times the median. Above 2: a few values make " +
        "up nearly the whole sum.",
    ),
  },
  alpha: {
    label: gettext("Shape"),
    scale: "log",
    min: 0.1,
    max: 10,
    unit: "",
    default: 1.5,
    help: gettext("A smaller value makes the tail heavier."),
  },
};

/**
 * Parse the numbers of a pasted column, and count the lines without one.
 * @param {string} text
 */
export function readNumbers(text) {
  const cells = text
    .split(/[\s;]+/)
    .filter(Boolean)
    .map((cell) => Number(/^\d+,\d+$/.test(cell) ? cell.replace(",", ".") : cell));
  return {
    values: cells.filter((value) => Number.isFinite(value) && value > 0),
    wrong: cells.filter((value) => !(Number.isFinite(value) && value > 0)).length,
  };
}

/**
 * Return a distribution's fields: its kind, a control for each parameter, its limits, and measured values.
 * @param {Form} form
 * @param {WorkloadEditor} editor
 * @param {Drawn} given
 * @param {About} about
 */
export function distributionView(form, editor, given, about) {
  const { path, title, inherited = false } = about;
  /** @type {string[]} */
  const names = DISTRIBUTIONS[given.kind]?.fields ?? [];
  // A lognormal distribution has either a median or a mean of the logarithm.
  const unused = given.kind === "lognormal" ? (given.median != null ? "mu" : "median") : "";
  const limits = names.filter((name) => name === "min" || name === "max");
  const kind = form.choice(
    {
      label: title,
      choices: Object.entries(DISTRIBUTIONS).map(([name, each]) => [name, each.label]),
      path: `${path}.kind`,
      value: given.kind,
    },
    (value) =>
      editor.edit("", (experiment) => setAt(experiment, path, asKind(/** @type {Distribution} */ (given), value))),
  );
  return html`<div class=${inherited ? "distribution is-inherited" : "distribution"}
    ><div class="editor-line">${kind}</div
    ><div class="fold-knobs"
      >${names
        .filter((name) => KNOBS[name] && name !== unused)
        .map((name) => knobView(form, editor, given, name, about))}${
        limits.length
          ? html`<div class="editor-line">${limits.map((name) => limitView(form, editor, given, name, about))}</div>`
          : nothing
      }${given.kind === "empirical" ? columnView(editor, given, about) : nothing}</div
    >${problemView(form.wrong(path))}</div>`;
}

/**
 * @param {Form} form
 * @param {WorkloadEditor} editor
 * @param {Drawn} given
 * @param {string} name
 * @param {About} about
 */
function knobView(form, editor, given, name, { path, range }) {
  const place = `${path}.${name}`;
  const spec = { ...range, default: 1, kind: "number", beyond: true, ...KNOBS[name], path: place };
  return form.knob(spec, given[name], (value) => editor.edit(place, (experiment) => setAt(experiment, place, value)));
}

/**
 * Return the field of an optional limit.
 * @param {Form} form
 * @param {WorkloadEditor} editor
 * @param {Drawn} given
 * @param {string} name
 * @param {About} about
 */
function limitView(form, editor, given, name, { path, title, range }) {
  const label = name === "min" ? gettext("At least") : gettext("At most");
  const place = `${path}.${name}`;
  return html`<label class="field-choice"
    ><span class="knob-label">${label}</span
    >${form.entry(
      { label: `${title}: ${midSentence(label)}`, numeric: true, path: place, value: given[name] ?? "" },
      (text) => editor.edit("", (experiment) => setAt(experiment, place, text === "" ? undefined : numeric(text))),
    )}${range.unit ? html`<span class="section-sum">${range.unit}</span>` : nothing}</label>`;
}

/**
 * Return the number of measured values, and a button to paste others.
 * @param {WorkloadEditor} editor
 * @param {Drawn} given
 * @param {About} about
 */
function columnView(editor, given, about) {
  const count = whole(given.values?.length ?? 0);
  return html`<div class="editor-line"
    ><span class="section-sum"
      >${
        given.shares
          ? gettext("{count} points of a distribution function", { count })
          : gettext("{count} values", { count })
      }</span
    ><button
      class="button button-small"
      type="button"
      data-column
      ?disabled=${editor.studio.readOnly.value}
      @click=${() => valuesDialog(editor, given, about)}
    >${gettext("Paste values…")}</button></div>`;
}

/**
 * @param {WorkloadEditor} editor
 * @param {Drawn} given
 * @param {About} about
 */
function valuesDialog(editor, given, { path, title }) {
  columnDialog({
    title,
    label: gettext("Values"),
    note: gettext("Measured values, one per line, in any order. Each is equally likely. At most 10,000."),
    text: given.shares ? "" : (given.values ?? []).slice(0, 2000).join("\n"),
    take: (text) => {
      const { values, wrong } = readNumbers(text);
      if (wrong) return gettext("{wrong} of them are not numbers above 0.", { wrong });
      if (!values.length) return gettext("The text contains no number.");
      if (values.length > 10000)
        return gettext("{values} values; at most 10,000 are taken.", { values: whole(values.length) });
      editor.edit("", (experiment) => setAt(experiment, path, { kind: "empirical", values }));
      return "";
    },
  });
}
