/**
 * The matrix of fourteen published schedulers and 33 stages, with the tables that follow from it; a row loads its
 * pipeline.
 */

import {
  boundsOf,
  countCertain,
  filterStages,
  filterSystems,
  kindOf,
  SIGNS,
  tellBounds,
  tellCell,
} from "./matrix_cells.js";
import { whole } from "../../kit/format.js";
import { withScheduler } from "./pipeline.js";
import { openDialog } from "../../kit/dialogs.js";
import { childrenOf, h, targetOf } from "../../kit/dom.js";
import { cellTips } from "./tips.js";
import { differenceTable, groupsTable } from "./tables.js";
import { gettext } from "../../kit/words.js";

/** @import { Studio } from "../../studio/store.js" */

const CHOICES = {
  origin: ["", "academia", "industry"],
  era: ["", "before", "since"],
  clusters: ["", "single", "multi"],
};
const TITLES = { origin: gettext("Origin"), era: "2010", clusters: gettext("Clusters") };
const KEY = {
  full: gettext("specified"),
  partial: gettext("partly"),
  none: gettext("not there"),
  open: gettext("open: what it may be on hover"),
};

export function open(/** @type {Studio} */ studio, reference) {
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
  const show = (page) => {
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
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
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

function capital(word) {
  return word[0].toUpperCase() + word.slice(1);
}

function matrixPage(/** @type {Studio} */ studio, reference, close) {
  const filters = { text: "", origin: "", era: "", clusters: "" };
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
    Object.entries(KEY).map(([kind, words]) =>
      h(
        "li",
        {},
        h("span", { class: "matrix-cell", "data-kind": kind, "aria-hidden": "true" }, SIGNS[kind]),
        ` ${words}`,
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

function filterSelects(filters, changed) {
  return Object.entries(CHOICES).map(([name, choices]) => {
    const select = h(
      "select",
      { class: "picture-select", "data-filter": name },
      choices.map((choice) => h("option", { value: choice }, choice || gettext("all"))),
    );
    select.addEventListener("change", () => {
      filters[name] = select.value;
      changed();
    });
    return h("label", { class: "matrix-label" }, TITLES[name], select);
  });
}

/** Buttons that keep the set of chosen groups. */
function groupToggles(reference, chosen, changed) {
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

function fill(table, note, reference, systems, stages, load, readOnly) {
  const groups = reference.groups.filter((group) => stages.some((stage) => stage.group === group.id));
  const { certain, all } = countCertain(systems, stages);
  note.textContent = systems.length
    ? gettext("{certain} of {all} cells are certain. Press a name to load its pipeline.", {
        certain: whole(certain),
        all: whole(all),
      })
    : gettext("No scheduler is left by these filters.");
  const first = new Set(groups.map((group) => stages.find((stage) => stage.group === group.id).id));
  const percentages = new Map(reference.groups_table.map((row) => [`${row.system} ${row.group}`, row]));
  const edge = (stage) => (first.has(stage.id) ? "is-first" : null);
  table.replaceChildren(
    headOf(groups, stages, edge),
    h(
      "tbody",
      {},
      systems.map((system) =>
        h(
          "tr",
          { "data-system": system.name },
          h("th", { scope: "row" }, rowHead(system, load, readOnly)),
          stages.map((stage) => cellOf(system, stage, edge(stage))),
          groups.map((group) => percentageOf(percentages.get(`${system.name} ${group.id}`))),
        ),
      ),
    ),
    footOf(systems, groups, stages, edge),
  );
  const cells = [...table.querySelectorAll("[data-kind]")];
  if (cells.length) cells[0].tabIndex = 0;
  table.onkeydown = (event) => roam(event, cells, stages.length);
}

function headOf(groups, stages, edge) {
  const span = (group) => stages.filter((stage) => stage.group === group.id).length;
  return h(
    "thead",
    {},
    h(
      "tr",
      {},
      h("td", {}),
      groups.map((group) => h("th", { scope: "colgroup", colspan: span(group), class: "is-first" }, group.name)),
      h("th", { scope: "colgroup", colspan: groups.length, class: "is-first" }, gettext("Group, %")),
    ),
    h(
      "tr",
      {},
      h("th", { scope: "col" }, gettext("Scheduler")),
      stages.map((stage) =>
        h(
          "th",
          { scope: "col", class: edge(stage), "data-cell-tip": `${stage.id} ${stage.name}. ${stage.meaning}` },
          stage.id,
        ),
      ),
      groups.map((group) => h("th", { scope: "col", class: "is-first" }, group.id)),
    ),
  );
}

/** For each stage, how much of it all schedulers that are shown have. */
function footOf(systems, groups, stages, edge) {
  const cell = (stage) => {
    const bounds = boundsOf(systems, stage.id);
    const tip = gettext("{stage}: {percent} % of what {systems} schedulers could have of it.", {
      stage: stage.id,
      percent: tellBounds(bounds),
      systems: systems.length,
    });
    return h("td", { class: edge(stage), "data-cell-tip": tip }, barOf(bounds));
  };
  return h(
    "tfoot",
    {},
    h(
      "tr",
      {},
      h("th", { scope: "row" }, gettext("All shown")),
      stages.map(cell),
      groups.map(() => h("td", { class: "is-first" })),
    ),
  );
}

function rowHead(system, load, readOnly) {
  const about =
    `${system.name}, ${system.year}: ${system.origin}, ` +
    `${system.clusters === "multi" ? gettext("several clusters") : gettext("one cluster")}. ${system.pipeline.about}`;
  return h(
    "button",
    {
      type: "button",
      class: "link matrix-name",
      "data-load": system.name,
      disabled: readOnly,
      "data-cell-tip": gettext("{about} Press to load its pipeline.", { about }),
      onclick: () => load(system),
    },
    system.name,
    h("small", {}, ` ${system.year}`),
  );
}

function cellOf(system, stage, edge) {
  const cell = system.cells.find((each) => each.stage === stage.id);
  const kind = kindOf(cell);
  const words = tellCell(system, stage, cell);
  return h(
    "td",
    { class: `matrix-cell${edge ? ` ${edge}` : ""}`, "data-kind": kind, tabindex: "-1", "data-cell-tip": words },
    h("span", { "aria-hidden": "true" }, SIGNS[kind]),
    h("span", { class: "visually-hidden" }, words),
  );
}

function percentageOf(row) {
  const words = gettext("Published {published} %, from the symbols {recomputed} %.", {
    published: row.published,
    recomputed: Math.round(row.recomputed * 10) / 10,
  });
  return h(
    "td",
    { class: "matrix-percent is-first", "data-cell-tip": words },
    String(row.published),
    row.agrees ? null : h("span", { class: "visually-hidden" }, gettext("differs")),
  );
}

/** From the least to the most that the column may have. */
/** @param {number[]} bounds  low and high, in per cent */
function barOf([low, high]) {
  const bar = h("i", { class: "matrix-bar", "aria-hidden": "true" });
  bar.style.setProperty("--low", String(low));
  bar.style.setProperty("--high", String(high));
  return [bar, h("span", { class: "visually-hidden" }, `${tellBounds([low, high])} %`)];
}

/** Arrow keys go from cell to cell. */
function roam(event, cells, width) {
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -width, ArrowDown: width }[event.key];
  const at = cells.indexOf(event.target);
  if (!step || at < 0) return;
  event.preventDefault();
  const next = cells[at + step];
  if (!next) return;
  cells[at].tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

/** Put a system's pipeline into the studio, and show it as stages. */
function load(/** @type {Studio} */ studio, system) {
  if (studio.desk) studio.desk.wanted = "stages";
  else studio.view.picture = "stages";
  const scheduler = { name: system.pipeline.scheduler, params: system.pipeline.params };
  studio.edit("scheduler", scheduler, (experiment) => withScheduler(experiment, scheduler));
  studio.messages.notice(
    gettext("{name} as a pipeline. A click on a stage says what the paper's row has, and whose choice its policy is.", {
      name: system.name,
    }),
    "",
    8000,
  );
}
