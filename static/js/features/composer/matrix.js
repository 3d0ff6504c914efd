/**
 * The matrix of fourteen published schedulers and 33 stages, with the tables derived from it. A row loads its pipeline.
 */

import { countCertain, filterStages, filterSystems, SIGNS } from "./matrix_cells.js";
import { withScheduler } from "./pipeline.js";
import { openForm } from "../../kit/dialogs.js";
import { childrenOf, targetOf } from "../../kit/dom.js";
import { whole } from "../../kit/format.js";
import { cellTips } from "./tips.js";
import { differenceTable, groupsTable } from "./tables.js";
import { capital, gettext } from "../../kit/words.js";
import { batch, html, live, signal } from "../../kit/view.js";
import { matrixView, roam } from "./matrix_table.js";

/**
 * @import { Studio } from "../../studio/store.js"
 * @import { TableKey } from "./matrix_table.js"
 * @import { Reference, System } from "./reference.js"
 */

/**
 * @typedef {"origin" | "era" | "clusters"} FilterName
 * @typedef {Record<FilterName, string> & {text: string}} Filters
 * @typedef {{id: string, title: string, view: () => unknown}} Page
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
  none: gettext("not mentioned"),
  open: gettext("open: hover to see what it may be"),
};

/**
 * Open the matrix over the studio.
 * @param {Studio} studio
 * @param {Reference} reference
 */
export function open(studio, reference) {
  /** @type {Page[]} */
  const pages = [
    { id: "matrix", title: gettext("Matrix"), view: matrixPage(studio, reference, () => dialog.close()) },
    { id: "groups", title: gettext("Groups (Table II)"), view: () => groupsTable(reference) },
    ...reference.difference_tables.map((table) => ({
      id: `table-${table.id}`,
      title: gettext("{one} and {other}{year} (Table {table})", {
        one: capital(table.halves[0]),
        other: table.halves[1],
        year: table.id === "VIII" ? " 2010" : "",
        table: table.id,
      }),
      view: () => differenceTable(reference, table),
    })),
  ];
  const shown = signal(pages[0]);
  const content = () => html`
    <div class="tabs matrix-tabs" role="tablist" aria-label=${gettext("The matrix and its tables")} @keydown=${tabKey}
      >${pages.map((page) => tabView(page, page === shown.value, () => (shown.value = page)))}</div>
    <div
      class="matrix-page"
      role="tabpanel"
      id="matrix-page"
      tabindex="-1"
      aria-labelledby="matrix-tab-${shown.value.id}"
      >${shown.value.view()}</div>`;
  const dialog = openForm({ title: gettext("Fourteen schedulers and the stages that their papers specify"), content });
  dialog.classList.add("matrix-dialog");
  cellTips(dialog);
  return dialog;
}

/**
 * @param {Page} page
 * @param {boolean} chosen
 * @param {() => void} choose
 */
const tabView = ({ id, title }, chosen, choose) => html`
  <button
    type="button"
    class="tab"
    role="tab"
    id="matrix-tab-${id}"
    aria-controls="matrix-page"
    data-matrix-tab=${id}
    aria-selected=${String(chosen)}
    tabindex=${chosen ? 0 : -1}
    @click=${choose}
  >${title}</button>`;

/**
 * Go to the tab beside the focused one.
 * @param {KeyboardEvent & {currentTarget: HTMLElement}} event
 */
function tabKey(event) {
  const step = STEPS[event.key];
  if (!step) return;
  event.preventDefault();
  const tabs = childrenOf(event.currentTarget);
  const next = tabs[(tabs.indexOf(targetOf(event)) + step + tabs.length) % tabs.length];
  next.click();
  next.focus();
}

/**
 * Return the view of the matrix with its filters. They stay while another page is on screen.
 * @param {Studio} studio
 * @param {Reference} reference
 * @param {() => void} close
 */
function matrixPage(studio, reference, close) {
  const filters = signal({ text: "", origin: "", era: "", clusters: "" });
  const groups = signal(/** @type {string[]} */ ([]));
  /** The cell that Tab reaches, counted along the rows. */
  const reached = signal(0);
  const load = (/** @type {System} */ system) => {
    loadPipeline(studio, system);
    close();
  };
  const filter = (/** @type {() => void} */ act) =>
    batch(() => {
      act();
      reached.value = 0;
    });
  return () => {
    const systems = filterSystems(reference.systems, filters.value);
    const stages = filterStages(reference.stages, groups.value);
    const { certain, all } = countCertain(systems, stages);
    const note = systems.length
      ? gettext("{certain} of {all} cells are certain. Press a name to load its pipeline.", {
          certain: whole(certain),
          all: whole(all),
        })
      : gettext("No scheduler matches these filters.");
    const shown = { reference, systems, stages, reached: reached.value, readOnly: studio.readOnly.value, load };
    const reach = (/** @type {number} */ cell) => (reached.value = cell);
    return html`
      <div class="matrix-body">
        ${filtersView(reference, filters, groups, filter)}
        <p class="matrix-note" role="status">${note}</p>
        <div class="matrix-scroll" tabindex="0" role="region" aria-label=${gettext("The matrix")}>
          <table
            class="matrix"
            @keydown=${(/** @type {TableKey} */ event) => roam(event, stages.length, reach)}
          >${matrixView(shown)}</table>
        </div>
        ${keyView()}
      </div>`;
  };
}

/**
 * @param {Reference} reference
 * @param {{value: Filters}} filters
 * @param {{value: string[]}} groups  the chosen groups; empty for all
 * @param {(act: () => void) => void} filter  changes the filters
 */
function filtersView(reference, filters, groups, filter) {
  const set = (/** @type {Partial<Filters>} */ changed) =>
    filter(() => {
      filters.value = { ...filters.value, ...changed };
    });
  const toggle = (/** @type {string} */ id) =>
    filter(() => {
      groups.value = groups.value.includes(id) ? groups.value.filter((each) => each !== id) : [...groups.value, id];
    });
  return html`
    <div class="matrix-filters">
      <input
        type="search"
        class="field matrix-text"
        data-filter-name
        placeholder=${gettext("Name")}
        aria-label=${gettext("Filter by name")}
        .value=${live(filters.value.text)}
        @input=${(/** @type {Event} */ event) => set({ text: targetOf(event).value })}
      >
      ${FILTERS.map(
        (name) => html`
          <label class="matrix-label">${TITLES[name]}<select
              class="picture-select"
              data-filter=${name}
              @change=${(/** @type {Event} */ event) => set({ [name]: targetOf(event).value })}
            >${CHOICES[name].map(
              (choice) => html`<option value=${choice} ?selected=${choice === filters.value[name]}
                >${choice || gettext("all")}</option
              >`,
            )}</select
          ></label>`,
      )}
      <div class="layers" role="group" aria-label=${gettext("Groups of stages")}>
        ${reference.groups.map(
          ({ id, name }) => html`
            <button
              type="button"
              class="layer"
              aria-pressed=${String(groups.value.includes(id))}
              data-filter-group=${id}
              @click=${() => toggle(id)}
            >${name}</button>`,
        )}
      </div>
    </div>`;
}

const keyView = () => html`
  <ul class="matrix-key">
    ${KINDS.map(
      (kind) => html`
        <li><span class="matrix-cell" data-kind=${kind} aria-hidden="true">${SIGNS[kind]}</span> ${KEY[kind]}</li>`,
    )}
  </ul>`;

/**
 * Load a system's pipeline into the studio, and show its stages.
 * @param {Studio} studio
 * @param {System} system
 */
function loadPipeline(studio, system) {
  if (studio.desk.value) studio.desk.value.wanted = "stages";
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
