/**
 * The matrix of fourteen published schedulers and 33 stages, with the tables that follow from it; a row loads its
 * pipeline.
 */

import { filterStages, filterSystems, SIGNS } from "./matrix_cells.js";
import { withScheduler } from "./pipeline.js";
import { openDialog } from "../../kit/dialogs.js";
import { childrenOf, h, targetOf } from "../../kit/dom.js";
import { cellTips } from "./tips.js";
import { differenceTable, groupsTable } from "./tables.js";
import { capital, gettext } from "../../kit/words.js";
import { fill } from "./matrix_table.js";

/**
 * @import { Studio } from "../../studio/store.js"
 * @import { Group, Reference, System } from "./reference.js"
 */

/**
 * @typedef {"origin" | "era" | "clusters"} FilterName
 * @typedef {Record<FilterName, string> & {text: string}} Filters
 * @typedef {{id: string, title: string, make: () => HTMLElement, made?: HTMLElement}} Page
 */

/** @type {FilterName[]} */
const FILTERS = ["origin", "era", "clusters"];
/** @type {(keyof typeof SIGNS)[]} */
const KINDS = ["full", "partial", "none", "open"];
/** @type {Record<FilterName, string[]>} */
const CHOICES = {
  origin: ["", "academia", "industry"],
  era: ["", "before", "since"],
  clusters: ["", "single", "multi"],
};
/** @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowRight: 1 };
/** @type {Record<FilterName, string>} */
const TITLES = { origin: gettext("Origin"), era: "2010", clusters: gettext("Clusters") };
/** @type {Record<keyof typeof SIGNS, string>} */
const KEY = {
  full: gettext("specified"),
  partial: gettext("partly"),
  none: gettext("not there"),
  open: gettext("open: hover to see what it may be"),
};

/** @param {Reference} reference */
export function open(/** @type {Studio} */ studio, reference) {
  /** @type {Page[]} */
  const pages = [
    { id: "matrix", title: gettext("Matrix"), make: () => matrixPage(studio, reference, () => dialog.close()) },
    { id: "groups", title: gettext("Groups (Table II)"), make: () => groupsTable(reference) },
    ...reference.difference_tables.map((table) => ({
      id: `table-${table.id}`,
      title: gettext("{one} and {other}{year} (Table {table})", {
        one: capital(table.halves[0]),
        other: table.halves[1],
        year: table.id === "VIII" ? " 2010" : "",
        table: table.id,
      }),
      make: () => differenceTable(reference, table),
    })),
  ];
  const place = h("div", { class: "matrix-page", role: "tabpanel", id: "matrix-page", tabindex: "-1" });
  const tabs = h(
    "div",
    { class: "tabs matrix-tabs", role: "tablist", "aria-label": gettext("The matrix and its tables") },
    pages.map((page) =>
      h(
        "button",
        {
          type: "button",
          class: "tab",
          role: "tab",
          id: `matrix-tab-${page.id}`,
          "aria-controls": "matrix-page",
          "data-matrix-tab": page.id,
          onclick: () => show(page),
        },
        page.title,
      ),
    ),
  );
  const show = (/** @type {Page} */ page) => {
    for (const tab of childrenOf(tabs)) {
      const on = tab.dataset.matrixTab === page.id;
      tab.setAttribute("aria-selected", String(on));
      tab.tabIndex = on ? 0 : -1;
    }
    place.setAttribute("aria-labelledby", `matrix-tab-${page.id}`);
    page.made ??= page.make();
    place.replaceChildren(page.made);
  };
  tabs.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const next = childrenOf(tabs)[(childrenOf(tabs).indexOf(targetOf(event)) + step + pages.length) % pages.length];
    next.click();
    next.focus();
  });
  const dialog = openDialog(gettext("Fourteen schedulers and the stages they have"), tabs, place);
  dialog.classList.add("matrix-dialog");
  cellTips(dialog);
  show(pages[0]);
  return dialog;
}

/**
 * @param {Reference} reference
 * @param {() => void} close
 */
function matrixPage(/** @type {Studio} */ studio, reference, close) {
  const filters = { text: "", origin: "", era: "", clusters: "" };
  /** @type {Set<string>} */
  const groups = new Set();
  const table = h("table", { class: "matrix" });
  const note = h("p", { class: "matrix-note", role: "status" });
  const draw = () =>
    fill(
      table,
      note,
      reference,
      filterSystems(reference.systems, filters),
      filterStages(reference.stages, [...groups]),
      (system) => {
        load(studio, system);
        close();
      },
      studio.readOnly,
    );
  const text = h("input", {
    type: "search",
    class: "field matrix-text",
    placeholder: gettext("Name"),
    "aria-label": gettext("Filter by name"),
  });
  text.addEventListener("input", () => {
    filters.text = text.value;
    draw();
  });
  const key = h(
    "ul",
    { class: "matrix-key" },
    KINDS.map((kind) =>
      h(
        "li",
        {},
        h("span", { class: "matrix-cell", "data-kind": kind, "aria-hidden": "true" }, SIGNS[kind]),
        ` ${KEY[kind]}`,
      ),
    ),
  );
  draw();
  return h(
    "div",
    { class: "matrix-body" },
    h("div", { class: "matrix-filters" }, text, filterSelects(filters, draw), groupToggles(reference, groups, draw)),
    note,
    h("div", { class: "matrix-scroll", tabindex: "0", role: "region", "aria-label": gettext("The matrix") }, table),
    key,
  );
}

/**
 * @param {Filters} filters
 * @param {() => void} changed
 */
function filterSelects(filters, changed) {
  return FILTERS.map((name) => {
    const select = h(
      "select",
      { class: "picture-select", "data-filter": name },
      CHOICES[name].map((choice) => h("option", { value: choice }, choice || gettext("all"))),
    );
    select.addEventListener("change", () => {
      filters[name] = select.value;
      changed();
    });
    return h("label", { class: "matrix-label" }, TITLES[name], select);
  });
}

/**
 * Buttons that keep the set of chosen groups.
 * @param {Reference} reference
 * @param {Set<string>} chosen
 * @param {() => void} changed
 */
function groupToggles(reference, chosen, changed) {
  /** @param {Group} group */
  const toggle = (group) => {
    const button = h(
      "button",
      { type: "button", class: "layer", "aria-pressed": "false", "data-filter-group": group.id },
      group.name,
    );
    button.addEventListener("click", () => {
      if (chosen.has(group.id)) chosen.delete(group.id);
      else chosen.add(group.id);
      button.setAttribute("aria-pressed", String(chosen.has(group.id)));
      changed();
    });
    return button;
  };
  return h(
    "div",
    { class: "layers", role: "group", "aria-label": gettext("Groups of stages") },
    reference.groups.map(toggle),
  );
}

/**
 * Put a system's pipeline into the studio, and show it as stages.
 * @param {System} system
 */
function load(/** @type {Studio} */ studio, system) {
  if (studio.desk) studio.desk.wanted = "stages";
  else studio.view.picture = "stages";
  const scheduler = { name: system.pipeline.scheduler, params: system.pipeline.params };
  studio.edit("scheduler", scheduler, (experiment) => withScheduler(experiment, scheduler));
  studio.messages.notice(
    gettext(
      "{name} as a pipeline. Click a stage to see what the paper's table has for it and who chose its " + "policy.",
      {
        name: system.name,
      },
    ),
    "",
    8000,
  );
}
