/** The matrix as a table: its head and foot, a row for each scheduler, and the keys that move between cells. */

import { boundsOf, cellOf, kindOf, SIGNS, tellBounds, tellCell } from "./matrix_cells.js";
import { targetOf } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";
import { html, nothing, ref } from "../../kit/view.js";

/** @import { Group, GroupFigure, Reference, Stage, System } from "./reference.js" */

/**
 * @typedef {object} Shown  the table's contents
 * @property {Reference} reference
 * @property {System[]} systems
 * @property {Stage[]} stages
 * @property {number} reached  the cell that Tab reaches, counted along the rows
 * @property {boolean} readOnly
 * @property {(system: System) => void} load  loads a system's pipeline into the studio
 */

/** @typedef {KeyboardEvent & {currentTarget: HTMLElement}} TableKey */

/**
 * Return the head, the rows and the foot of the table.
 * @param {Shown} shown
 */
export function matrixView({ reference, systems, stages, reached, readOnly, load }) {
  const groups = reference.groups.filter((group) => stages.some((stage) => stage.group === group.id));
  const first = new Set(groups.map((group) => stages.find((stage) => stage.group === group.id)?.id));
  const figures = new Map(reference.groups_table.map((row) => [`${row.system} ${row.group}`, row]));
  const edge = (/** @type {Stage} */ stage) => (first.has(stage.id) ? "is-first" : "");
  return html`
    ${headView(groups, stages, edge)}
    <tbody>
      ${systems.map(
        (system, row) => html`
          <tr data-system=${system.name}>
            <th scope="row">${nameView(system, load, readOnly)}</th>
            ${stages.map((stage, column) =>
              cellView(system, stage, edge(stage), row * stages.length + column === reached),
            )}
            ${groups.map((group) => figureView(figures.get(`${system.name} ${group.id}`)))}
          </tr>`,
      )}
    </tbody>
    ${footView(systems, groups, stages, edge)}`;
}

/**
 * @param {Group[]} groups
 * @param {Stage[]} stages
 * @param {(stage: Stage) => string} edge
 */
const headView = (groups, stages, edge) => html`
  <thead>
    <tr>
      <td></td>
      ${groups.map(
        ({ id, name }) => html`
          <th scope="colgroup" class="is-first" colspan=${stages.filter(({ group }) => group === id).length}
            >${name}</th>`,
      )}
      <th scope="colgroup" class="is-first" colspan=${groups.length}>${gettext("Group, %")}</th>
    </tr>
    <tr>
      <th scope="col">${gettext("Scheduler")}</th>
      ${stages.map(
        (stage) => html`
          <th scope="col" class=${edge(stage) || nothing} data-cell-tip="${stage.id} ${stage.name}. ${stage.meaning}"
            >${stage.id}</th>`,
      )}
      ${groups.map(({ id }) => html`<th scope="col" class="is-first">${id}</th>`)}
    </tr>
  </thead>`;

/**
 * Set the bounds of a bar's fill; the content security policy blocks `style` attributes.
 * @param {Element | undefined} bar
 * @param {number} low
 * @param {number} high
 */
function setBounds(bar, low, high) {
  if (!(bar instanceof HTMLElement)) return;
  bar.style.setProperty("--low", String(low));
  bar.style.setProperty("--high", String(high));
}

/**
 * Return how much of each stage the papers on the visible schedulers specify.
 * @param {System[]} systems
 * @param {Group[]} groups
 * @param {Stage[]} stages
 * @param {(stage: Stage) => string} edge
 */
function footView(systems, groups, stages, edge) {
  const cell = (/** @type {Stage} */ stage) => {
    const [low, high] = boundsOf(systems, stage.id);
    const percent = tellBounds([low, high]);
    const tip = gettext("{stage}: the papers on {systems} schedulers specify {percent} % of what they could.", {
      stage: stage.id,
      percent,
      systems: systems.length,
    });
    return html`
      <td class=${edge(stage) || nothing} data-cell-tip=${tip}
        ><i
          class="matrix-bar"
          aria-hidden="true"
          ${ref((bar) => setBounds(bar, low, high))}
        ></i
        ><span class="visually-hidden">${percent} %</span></td>`;
  };
  return html`
    <tfoot>
      <tr>
        <th scope="row">${gettext("All shown")}</th>
        ${stages.map(cell)}
        ${groups.map(() => html`<td class="is-first"></td>`)}
      </tr>
    </tfoot>`;
}

/**
 * @param {System} system
 * @param {(system: System) => void} load
 * @param {boolean} readOnly
 */
function nameView(system, load, readOnly) {
  const about =
    `${system.name}, ${system.year}: ${system.origin}, ` +
    `${system.clusters === "multi" ? gettext("several clusters") : gettext("one cluster")}. ${system.pipeline.about}`;
  return html`
    <button
      type="button"
      class="link matrix-name"
      data-load=${system.name}
      data-cell-tip=${gettext("{about} Press to load its pipeline.", { about })}
      ?disabled=${readOnly}
      @click=${() => load(system)}
    >${system.name}<small> ${system.year}</small></button>`;
}

/**
 * @param {System} system
 * @param {Stage} stage
 * @param {string} edge
 * @param {boolean} isReached  by Tab
 */
function cellView(system, stage, edge, isReached) {
  const cell = cellOf(system, stage.id);
  const kind = kindOf(cell);
  const words = tellCell(system, stage, cell);
  return html`
    <td class="matrix-cell ${edge}" data-kind=${kind} tabindex=${isReached ? 0 : -1} data-cell-tip=${words}
      ><span aria-hidden="true">${SIGNS[kind]}</span><span class="visually-hidden">${words}</span></td>`;
}

/** @param {GroupFigure | undefined} row */
function figureView(row) {
  if (!row) return html`<td class="matrix-percent is-first"></td>`;
  const words = gettext("Published {published} %, from the symbols {recomputed} %.", {
    published: row.published,
    recomputed: Math.round(row.recomputed * 10) / 10,
  });
  return html`
    <td class="matrix-percent is-first" data-cell-tip=${words}
      >${row.published}${row.agrees ? nothing : html`<span class="visually-hidden">${gettext("differs")}</span>`}</td>`;
}

/**
 * Move between cells with the arrow keys.
 * @param {TableKey} event
 * @param {number} width  cells in a row
 * @param {(cell: number) => void} reach  lets Tab reach a cell
 */
export function roam(event, width, reach) {
  /** @type {Record<string, number>} */
  const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -width, ArrowDown: width };
  const step = steps[event.key];
  /** @type {HTMLElement[]} */
  const cells = [...event.currentTarget.querySelectorAll("td[data-kind]")];
  const at = cells.indexOf(targetOf(event));
  if (!step || at < 0) return;
  event.preventDefault();
  const next = cells[at + step];
  if (!next) return;
  reach(at + step);
  next.focus();
}
