/** Dialogs about traces: what the columns of a table mean, and which part of a trace to take. */

import { cleanMapping, cutOf, mappingLacks, MEANINGS, UNITS } from "./traces.js";
import { whole } from "../../kit/format.js";
import { openDialog } from "../../kit/dialogs.js";
import { h } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Looked } from "./trace_requests.js"
 * @import { Mapping, Trace } from "./traces.js"
 */

/** @type {[key: string, label: string, empty: string, help: string][]} */
const CUT = [
  ["from_s", gettext("From second"), "0", gettext("Jobs that arrive from here on, counted from the first arrival.")],
  ["to_s", gettext("Before second"), "end", gettext("Jobs that arrive before here.")],
  ["sample", gettext("Sample of jobs"), "100 %", gettext("A random but repeatable sample of jobs.")],
  ["rate_factor", gettext("Speed up arrivals (×)"), "1", gettext("2 halves the gaps between jobs.")],
  ["tasks", gettext("Task limit"), "all", gettext("Stop once jobs total this many tasks.")],
];

/**
 * @param {string} value
 * @param {string} text
 * @param {string | undefined} chosen
 */
const option = (value, text, chosen) => h("option", { value, ...(value === chosen ? { selected: true } : {}) }, text);

/**
 * @param {string} label
 * @param {string[][]} options
 * @param {string | undefined} chosen
 * @param {(value: string) => void} changed
 */
function select(label, options, chosen, changed) {
  const element = h(
    "select",
    { class: "knob-select", "aria-label": label },
    options.map(([value, text]) => option(value, text, chosen)),
  );
  element.value = chosen ?? "";
  element.addEventListener("change", () => changed(element.value));
  return element;
}

/** The fields of a cut: {element, read()}; read throws a sentence. */
function cutFields() {
  /** @type {Map<string, HTMLInputElement>} */
  const inputs = new Map();
  const rows = CUT.map(([key, label, empty, help]) => {
    const input = h("input", { class: "field", inputmode: "decimal", placeholder: empty, "data-cut": key });
    inputs.set(key, input);
    return h("label", { class: "trace-field" }, h("span", {}, label), input, h("span", { class: "trace-help" }, help));
  });
  return {
    element: h("div", { class: "trace-fields" }, rows),
    read() {
      try {
        return cutOf(Object.fromEntries([...inputs].map(([key, input]) => [key, input.value])));
      } catch (/** @type {any} */ error) {
        throw new Error(`“${CUT.find(([key]) => key === error.message)?.[1] ?? error.message}” is no number.`);
      }
    },
  };
}

/**
 * @param {string} title
 * @param {HTMLElement[]} content
 * @param {string} label
 * @param {() => void} act
 */
function shell(title, content, label, act) {
  const trouble = h("p", { class: "dialog-trouble", role: "alert", hidden: true });
  const go = h("button", { class: "button button-heavy", type: "submit" }, label);
  const form = h("form", { class: "trace-form", method: "dialog" }, ...content, trouble);
  const dialog = openDialog(title, form);
  dialog.classList.add("dialog-wide");
  const end = dialog.querySelector(".dialog-end");
  if (end?.lastElementChild) end.lastElementChild.textContent = gettext("Cancel");
  end?.prepend(go);
  form.querySelector("select, input")?.focus();
  form.id = "trace-form";
  go.setAttribute("form", form.id);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    try {
      act();
      dialog.close("done");
    } catch (/** @type {any} */ error) {
      trouble.textContent = error.message;
      trouble.hidden = false;
    }
  });
  return dialog;
}

/**
 * Ask which part of a trace to take; resolves with the cut, or null when nothing is wanted.
 * @param {Trace} trace
 */
export function cutDialog(trace) {
  return new Promise((resolve) => {
    const cut = cutFields();
    /** @type {ReturnType<typeof cutOf>} */
    let found = null;
    const about = h(
      "p",
      { class: "dialog-note" },
      gettext("{name} has {jobs}. The part becomes a trace of its own; jobs stay whole.", {
        name: trace.name,
        jobs:
          trace.jobs === null
            ? gettext("an uncounted number of jobs")
            : gettext("{jobs} jobs over {span} s", { jobs: whole(trace.jobs), span: whole(trace.span_s) }),
      }),
    );
    const dialog = shell(gettext("Use part of the trace"), [about, cut.element], gettext("Create"), () => {
      found = cut.read();
      if (!found) throw new Error("Nothing is left out yet: give at least one of these.");
    });
    dialog.addEventListener("close", () => resolve(found));
  });
}

/**
 * Ask how a file is to be read: what its columns mean where it has no known format, which tables lie beside it, which
 * part to take. Resolves with {columns, cut, constraints, machine_attributes} (the last two are files), or null.
 * @param {string} name
 * @param {Looked} looked
 */
export function importDialog(name, looked) {
  return new Promise((resolve) => {
    const cut = cutFields();
    const mapping = looked.format ? null : mappingForm(looked);
    const beside = looked.format === "google-2011" ? besideFields() : null;
    /** @type {Record<string, any> | null} */
    let found = null;
    const intro = looked.format
      ? gettext("This is a table of Google's 2011 trace. Two other tables hold its constraints; both are optional.")
      : gettext(
          "Choose the meaning of each column. Guesses from the names are filled in already. Times may be in " +
            "any unit.",
        );
    const dialog = shell(
      gettext("Read {name}", { name }),
      [
        h("p", { class: "dialog-note" }, intro),
        ...(mapping ? [mapping.element] : []),
        ...(beside ? [beside.element] : []),
        h("details", { class: "trace-part" }, h("summary", {}, gettext("Use only a part of it")), cut.element),
      ],
      gettext("Read it"),
      () => {
        const part = cut.read();
        found = {
          ...(mapping ? { columns: mapping.read() } : {}),
          ...(beside ? beside.read() : {}),
          ...(part ? { cut: part } : {}),
        };
      },
    );
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "done" ? found : null));
  });
}

function besideFields() {
  const kinds = [
    ["constraints", "task_constraints"],
    ["machine_attributes", "machine_attributes"],
  ];
  const inputs = kinds.map(([key, table]) =>
    h("input", { type: "file", "data-beside": key, "aria-label": gettext("Table {table}", { table }) }),
  );
  return {
    element: h(
      "div",
      { class: "trace-fields" },
      kinds.map(([, table], index) => h("label", { class: "trace-field" }, h("span", {}, table), inputs[index])),
    ),
    read: () =>
      Object.fromEntries(kinds.map(([key], index) => [key, inputs[index].files?.[0]]).filter(([, file]) => file)),
  };
}

/** @param {Looked} options */
function mappingForm({ columns, rows, guess }) {
  /** @type {Mapping} */
  const mapping = { ...guess };
  const heads = columns.map((column) =>
    h("th", { scope: "col" }, h("span", { class: "preview-role", "data-role-of": column }), h("span", {}, column)),
  );
  const units = h("div", { class: "trace-units" });
  const lacks = h("p", { class: "dialog-note", "aria-live": "polite" });
  const draw = () => {
    for (const head of heads) {
      const role = /** @type {HTMLElement} */ (head.firstElementChild);
      const found = MEANINGS.filter(([key]) => mapping[key] === role.dataset.roleOf).map(([, label]) => label);
      role.textContent = found.join(", ");
      head.classList.toggle("is-chosen", found.length > 0);
    }
    lacks.textContent = mappingLacks(mapping);
    units.hidden = !mapping.arrival;
  };
  /**
   * @param {string} key
   * @param {string} value
   */
  const set = (key, value) => {
    mapping[key] = value;
    draw();
  };
  const choices = [["", "none"], ...columns.map((column) => [column, column])];
  const fields = MEANINGS.map(([key, label, help, needed]) =>
    h(
      "label",
      { class: "trace-field", title: help },
      h("span", {}, label, needed ? h("span", { class: "needed" }, gettext(" needed")) : null),
      named(key, label, choices, mapping[key] ?? "", set),
    ),
  );
  units.append(...unitFields(mapping, set));
  draw();
  return {
    element: h("div", {}, firstRows(heads, rows), h("div", { class: "trace-fields" }, fields), units, lacks),
    read() {
      const lacking = mappingLacks(mapping);
      if (lacking) throw new Error(lacking);
      return cleanMapping(mapping);
    },
  };
}

/**
 * A select for one part of a mapping; `set(name, value)`.
 * @param {string} name
 * @param {string} label
 * @param {string[][]} choices
 * @param {string} chosen
 * @param {(name: string, value: string) => void} set
 */
function named(name, label, choices, chosen, set) {
  return Object.assign(
    select(label, choices, chosen, (value) => set(name, value)),
    { name },
  );
}

/**
 * @param {Mapping} mapping
 * @param {(name: string, value: string) => void} set
 */
function unitFields(mapping, set) {
  const dates = ["datetime", gettext("dates such as 2024-05-01 12:30:00")];
  /**
   * @param {string} name
   * @param {string} label
   * @param {string[][]} choices
   * @param {string} chosen
   */
  const field = (name, label, choices, chosen) =>
    h("label", { class: "trace-field" }, h("span", {}, label), named(name, label, choices, chosen, set));
  return [
    field("time_unit", gettext("Times are in"), [...UNITS, dates], mapping.time_unit ?? "s"),
    field(
      "duration_unit",
      gettext("Durations are in"),
      [["", gettext("the same")], ...UNITS],
      mapping.duration_unit ?? "",
    ),
  ];
}

/**
 * @param {HTMLElement[]} heads
 * @param {string[][]} rows
 */
function firstRows(heads, rows) {
  /** @param {string[]} row */
  const cells = (row) => row.map((cell) => h("td", {}, cell));
  return h(
    "div",
    { class: "preview-place", tabindex: "0", role: "region", "aria-label": gettext("First rows of the file") },
    h(
      "table",
      { class: "preview" },
      h("caption", { class: "visually-hidden" }, gettext("First rows")),
      h("thead", {}, h("tr", {}, heads)),
      h(
        "tbody",
        {},
        rows.map((row) => h("tr", {}, cells(row))),
      ),
    ),
  );
}
