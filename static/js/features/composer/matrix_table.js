/** The matrix as a table: its head and foot, a row for each scheduler, and the keys that go from cell to cell. */

import { boundsOf, cellOf, countCertain, kindOf, SIGNS, tellBounds, tellCell } from "./matrix_cells.js";
import { whole } from "../../kit/format.js";
import { h, targetOf } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";

/** @import { Group, GroupFigure, Reference, Stage, System } from "./reference.js" */

/**
 * @param {HTMLTableElement} table
 * @param {HTMLElement} note
 * @param {Reference} reference
 * @param {System[]} systems
 * @param {Stage[]} stages
 * @param {(system: System) => void} load
 * @param {boolean} readOnly
 */
export function fill(table, note, reference, systems, stages, load, readOnly) {
  const groups = reference.groups.filter((group) => stages.some((stage) => stage.group === group.id));
  const { certain, all } = countCertain(systems, stages);
  note.textContent = systems.length
    ? gettext("{certain} of {all} cells are certain. Press a name to load its pipeline.", {
        certain: whole(certain),
        all: whole(all),
      })
    : gettext("No scheduler matches these filters.");
  const first = new Set(groups.map((group) => stages.find((stage) => stage.group === group.id)?.id));
  const percentages = new Map(reference.groups_table.map((row) => [`${row.system} ${row.group}`, row]));
  /** @param {Stage} stage */
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
          stages.map((stage) => cellView(system, stage, edge(stage))),
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

/**
 * @param {Group[]} groups
 * @param {Stage[]} stages
 * @param {(stage: Stage) => string | null} edge
 */
function headOf(groups, stages, edge) {
  /** @param {Group} group */
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

/**
 * For each stage, how much of it all schedulers that are shown have.
 * @param {System[]} systems
 * @param {Group[]} groups
 * @param {Stage[]} stages
 * @param {(stage: Stage) => string | null} edge
 */
function footOf(systems, groups, stages, edge) {
  /** @param {Stage} stage */
  const cell = (stage) => {
    const bounds = boundsOf(systems, stage.id);
    const tip = gettext("{stage}: {systems} schedulers have {percent} % of the possible maximum.", {
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

/**
 * @param {System} system
 * @param {(system: System) => void} load
 * @param {boolean} readOnly
 */
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

/**
 * @param {System} system
 * @param {Stage} stage
 * @param {string | null} edge
 */
function cellView(system, stage, edge) {
  const cell = cellOf(system, stage.id);
  const kind = kindOf(cell);
  const words = tellCell(system, stage, cell);
  return h(
    "td",
    { class: `matrix-cell${edge ? ` ${edge}` : ""}`, "data-kind": kind, tabindex: "-1", "data-cell-tip": words },
    h("span", { "aria-hidden": "true" }, SIGNS[kind]),
    h("span", { class: "visually-hidden" }, words),
  );
}

/** @param {GroupFigure | undefined} row */
function percentageOf(row) {
  if (!row) return h("td", { class: "matrix-percent is-first" });
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

/**
 * Arrow keys go from cell to cell.
 * @param {KeyboardEvent} event
 * @param {HTMLElement[]} cells
 * @param {number} width
 */
function roam(event, cells, width) {
  /** @type {Record<string, number>} */
  const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -width, ArrowDown: width };
  const step = steps[event.key];
  const at = cells.indexOf(targetOf(event));
  if (!step || at < 0) return;
  event.preventDefault();
  const next = cells[at + step];
  if (!next) return;
  cells[at].tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}
