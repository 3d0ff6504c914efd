/** Dialogs about traces: the meaning of a table's columns, and the part of a trace to use. */

import { cleanMapping, cutOf, mappingLacks, MEANINGS, UNITS } from "./traces.js";
import { whole } from "../../kit/format.js";
import { openForm } from "../../kit/dialogs.js";
import { targetOf } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";
import { element, html, nothing, signal } from "../../kit/view.js";

/**
 * @import { Looked } from "./trace_requests.js"
 * @import { Mapping, Trace } from "./traces.js"
 */

/** @typedef {Record<string, string>} CutTexts  the contents of a cut's fields, by field name */

/** @type {[key: string, label: string, empty: string, help: string][]} */
const CUT = [
  ["from_s", gettext("From second"), "0", gettext("Jobs that arrive from here on, counted from the first arrival.")],
  ["to_s", gettext("Before second"), "end", gettext("Jobs that arrive before here.")],
  ["sample", gettext("Sample of jobs"), "100 %", gettext("A random but repeatable sample of jobs.")],
  ["rate_factor", gettext("Speed up arrivals (×)"), "1", gettext("2 halves the gaps between jobs.")],
  ["tasks", gettext("Task limit"), "all", gettext("Stop once jobs total this many tasks.")],
];
/** Tables of Google's 2011 trace that contain its constraints. @type {[key: string, table: string][]} */
const BESIDE = [
  ["constraints", "task_constraints"],
  ["machine_attributes", "machine_attributes"],
];

/**
 * Return the fields of a cut; `texts` stores the typed text.
 * @param {CutTexts} texts
 */
const cutView = (texts) => html`
  <div class="trace-fields">
    ${CUT.map(
      ([key, label, empty, help]) => html`
        <label class="trace-field"
          ><span>${label}</span
          ><input
            class="field"
            inputmode="decimal"
            placeholder=${empty}
            data-cut=${key}
            @input=${(/** @type {Event} */ event) => {
              texts[key] = targetOf(event).value;
            }}
          ><span class="trace-help">${help}</span></label>`,
    )}
  </div>`;

/**
 * Return the cut that the fields describe, or null for the whole trace. Throw a sentence about a field without a
 * number.
 * @param {CutTexts} texts
 */
function readCut(texts) {
  try {
    return cutOf(texts);
  } catch (caught) {
    const error = /** @type {Error} */ (caught);
    throw new Error(`“${CUT.find(([key]) => key === error.message)?.[1] ?? error.message}” is no number.`);
  }
}

/**
 * Open a form in a dialog; the dialog closes with "done" once `act` does not throw.
 * @param {string} title
 * @param {string} label  the submit button's label
 * @param {() => unknown} view
 * @param {() => void} act
 */
function formDialog(title, label, view, act) {
  const trouble = signal("");
  const form = element(
    "form",
    "trace-form",
    () => html`${view()}<p class="dialog-trouble" role="alert" ?hidden=${!trouble.value}>${trouble.value}</p>`,
  );
  form.id = "trace-form";
  form.method = "dialog";
  const dialog = openForm({
    title,
    content: form,
    close: gettext("Cancel"),
    before: () => html`<button class="button button-heavy" type="submit" form=${form.id}>${label}</button>`,
  });
  dialog.classList.add("dialog-wide");
  form.querySelector("select, input")?.focus();
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    try {
      act();
      dialog.close("done");
    } catch (caught) {
      const error = /** @type {Error} */ (caught);
      trouble.value = error.message;
    }
  });
  return dialog;
}

/**
 * Ask which part of a trace to use; resolve with the cut, or null if canceled.
 * @param {Trace} trace
 */
export function cutDialog(trace) {
  const about = gettext("{name} has {jobs}. The part becomes a trace of its own; jobs stay whole.", {
    name: trace.name,
    jobs:
      trace.jobs === null
        ? gettext("an uncounted number of jobs")
        : gettext("{jobs} jobs over {span} s", { jobs: whole(trace.jobs), span: whole(trace.span_s) }),
  });
  return new Promise((resolve) => {
    /** @type {CutTexts} */
    const texts = {};
    /** @type {ReturnType<typeof cutOf>} */
    let found = null;
    const dialog = formDialog(
      gettext("Use part of the trace"),
      gettext("Create"),
      () => html`<p class="dialog-note">${about}</p>${cutView(texts)}`,
      () => {
        found = readCut(texts);
        if (!found) throw new Error("Nothing is left out yet: give at least one of these.");
      },
    );
    dialog.addEventListener("close", () => resolve(found));
  });
}

/**
 * Ask how to read a file: the meaning of columns if the format is unknown, accompanying tables, and the part to use.
 * Resolve with {columns, cut, constraints, machine_attributes} (the last two are files), or null.
 * @param {string} name
 * @param {Looked} looked
 */
export function importDialog(name, looked) {
  const intro = looked.format
    ? gettext("This is a table of Google's 2011 trace. Two other tables hold its constraints; both are optional.")
    : gettext(
        "Choose the meaning of each column. Guesses from the names are filled in already. Times may be in " +
          "any unit.",
      );
  return new Promise((resolve) => {
    /** @type {CutTexts} */
    const texts = {};
    const mapping = signal(/** @type {Mapping} */ ({ ...looked.guess }));
    /** @type {Record<string, File | undefined>} */
    const files = {};
    /** @type {Record<string, unknown> | null} */
    let found = null;
    const dialog = formDialog(
      gettext("Read {name}", { name }),
      gettext("Read it"),
      () => html`
        <p class="dialog-note">${intro}</p>
        ${looked.format ? nothing : mappingView(looked, mapping)}
        ${looked.format === "google-2011" ? besideView(files) : nothing}
        <details class="trace-part">
          <summary>${gettext("Use only a part of it")}</summary>
          ${cutView(texts)}
        </details>`,
      () => {
        const columns = looked.format ? null : readMapping(mapping.value);
        const cut = readCut(texts);
        found = { ...(columns ? { columns } : {}), ...given(files), ...(cut ? { cut } : {}) };
      },
    );
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "done" ? found : null));
  });
}

const given = (/** @type {Record<string, File | undefined>} */ files) =>
  Object.fromEntries(Object.entries(files).filter(([, file]) => file));

/**
 * Return the fields for accompanying files; `files` stores the chosen ones.
 * @param {Record<string, File | undefined>} files
 */
const besideView = (files) => html`
  <div class="trace-fields">
    ${BESIDE.map(
      ([key, table]) => html`
        <label class="trace-field"
          ><span>${table}</span
          ><input
            type="file"
            data-beside=${key}
            aria-label=${gettext("Table {table}", { table })}
            @change=${(/** @type {Event} */ event) => {
              files[key] = targetOf(event).files?.[0];
            }}
          ></label>`,
    )}
  </div>`;

/**
 * Return the meaning of the columns. Throw a sentence if one is missing.
 * @param {Mapping} mapping
 */
function readMapping(mapping) {
  const lacking = mappingLacks(mapping);
  if (lacking) throw new Error(lacking);
  return cleanMapping(mapping);
}

/**
 * Return the first rows of a table, and the meaning of each column.
 * @param {Looked} looked
 * @param {{value: Mapping}} mapping
 */
function mappingView({ columns, rows }, mapping) {
  const now = mapping.value;
  const set = (/** @type {string} */ name, /** @type {string} */ value) => {
    mapping.value = { ...mapping.value, [name]: value };
  };
  const choices = [["", "none"], ...columns.map((column) => [column, column])];
  return html`
    <div>
      ${previewView(columns, rows, now)}
      <div class="trace-fields">
        ${MEANINGS.map(
          ([key, label, help, needed]) => html`
            <label class="trace-field" title=${help}
              ><span>${label}${needed ? html`<span class="needed">${gettext(" needed")}</span>` : nothing}</span
              >${selectView(key, label, choices, now[key] ?? "", set)}</label>`,
        )}
      </div>
      <div class="trace-units" ?hidden=${!now.arrival}>${unitsView(now, set)}</div>
      <p class="dialog-note" aria-live="polite">${mappingLacks(now)}</p>
    </div>`;
}

/**
 * Return a select for one part of a mapping.
 * @param {string} name
 * @param {string} label
 * @param {string[][]} choices
 * @param {string} chosen
 * @param {(name: string, value: string) => void} set
 */
const selectView = (name, label, choices, chosen, set) => html`
  <select
    class="knob-select"
    name=${name}
    aria-label=${label}
    @change=${(/** @type {Event} */ event) => set(name, targetOf(event).value)}
  >${choices.map(
    ([value, text]) => html`<option value=${value} .selected=${value === chosen}>${text}</option>`,
  )}</select>`;

/**
 * @param {Mapping} mapping
 * @param {(name: string, value: string) => void} set
 */
function unitsView(mapping, set) {
  const dates = ["datetime", gettext("dates such as 2024-05-01 12:30:00")];
  /** @type {[name: string, label: string, choices: string[][], chosen: string][]} */
  const fields = [
    ["time_unit", gettext("Times are in"), [...UNITS, dates], mapping.time_unit ?? "s"],
    ["duration_unit", gettext("Durations are in"), [["", gettext("the same")], ...UNITS], mapping.duration_unit ?? ""],
  ];
  return fields.map(
    ([name, label, choices, chosen]) => html`
      <label class="trace-field"><span>${label}</span>${selectView(name, label, choices, chosen, set)}</label>`,
  );
}

/**
 * Return the first rows of a file, below the meaning of each column.
 * @param {string[]} columns
 * @param {string[][]} rows
 * @param {Mapping} mapping
 */
function previewView(columns, rows, mapping) {
  const head = (/** @type {string} */ column) => {
    const roles = MEANINGS.filter(([key]) => mapping[key] === column).map(([, label]) => label);
    return html`
      <th scope="col" class=${roles.length ? "is-chosen" : nothing}
        ><span class="preview-role" data-role-of=${column}>${roles.join(", ")}</span><span>${column}</span></th>`;
  };
  return html`
    <div class="preview-place" tabindex="0" role="region" aria-label=${gettext("First rows of the file")}>
      <table class="preview">
        <caption class="visually-hidden">${gettext("First rows")}</caption>
        <thead><tr>${columns.map(head)}</tr></thead>
        <tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
      </table>
    </div>`;
}
