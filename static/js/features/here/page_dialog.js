/** The dialog that exports a run as a page: which settings its readers may change, and to which values. */

import { runPage } from "../../contract/api.js";
import { getAt } from "../../experiment/experiment.js";
import { problemText } from "../../experiment/problems.js";
import { targetOf } from "../../kit/dom.js";
import { openDialog } from "../../kit/dialogs.js";
import { whole } from "../../kit/format.js";
import { save } from "../../kit/saving.js";
import { element, html, live, signal } from "../../kit/view.js";
import { gettext, ngettext } from "../../kit/words.js";
import { variables } from "../../run/study/study_paths.js";
import { valuesAround, valuesFrom } from "../../run/study/study.js";

/** @import { ApiError } from "../../contract/api.js" */
/** @import { Experiment } from "../../experiment/experiment.js" */
/** @import { Scheduler } from "../../contract/api.js" */

const ROWS = 3;

/**
 * A row of the dialog: a setting's path, and its values as typed.
 * @typedef {{path: string, values: string}} Row
 * @typedef {{path: string, label: string, value?: unknown, [more: string]: unknown}} Option
 * @typedef {{runId: string, experiment: Experiment, scheduler: Scheduler | undefined, name: string}} Exported
 */

/**
 * Return the settings that a page can have, by group: those that the run has.
 * @param {Experiment} experiment
 * @param {Scheduler | undefined} scheduler
 * @returns {{group: string, options: Option[]}[]}
 */
export function offered(experiment, scheduler) {
  const isThere = (/** @type {Option} */ { path }) =>
    path.startsWith("scheduler.params.") || getAt(experiment, path) !== undefined;
  return variables(experiment, scheduler ? [scheduler] : []).map(({ group, options }) => ({
    group,
    options: options.filter(isThere),
  }));
}

/** Return the chosen settings with their values, as the server takes them. */
export function chosenIn(/** @type {Row[]} */ rows) {
  /** @type {Record<string, (number | boolean | string)[]>} */
  const found = {};
  for (const { path, values } of rows) if (path && valuesFrom(values).length) found[path] = valuesFrom(values);
  return found;
}

/**
 * Return the number of runs in the file: one for each combination of values, the run's own among them.
 * @param {Record<string, unknown[]>} chosen
 * @param {(path: string) => unknown} own
 */
export const runsIn = (chosen, own) =>
  Object.entries(chosen).reduce((runs, [path, values]) => runs * new Set([...values, own(path)]).size, 1);

class PageDialog {
  rows = signal(Array.from({ length: ROWS }, () => /** @type {Row} */ ({ path: "", values: "" })));
  works = signal(false);
  trouble = signal(/** @type {string[]} */ ([]));

  constructor(/** @type {Exported} */ exported) {
    this.exported = exported;
    this.groups = offered(exported.experiment, exported.scheduler);
    this.dialog = openDialog(
      gettext("Web page with settings"),
      element("div", "compare-form", () => this.#view()),
    );
    this.dialog.classList.add("dialog-wide");
  }

  #option(/** @type {string} */ path) {
    return this.groups.flatMap(({ options }) => options).find((each) => each.path === path);
  }

  #set(/** @type {number} */ place, /** @type {Partial<Row>} */ change) {
    const option = this.#option(change.path ?? "");
    const values = change.path === undefined ? {} : { values: option ? valuesAround(option).join(", ") : "" };
    this.rows.value = this.rows.value.map((row, other) => (other === place ? { ...row, ...change, ...values } : row));
  }

  #view() {
    const runs = runsIn(chosenIn(this.rows.value), (path) => this.#option(path)?.value);
    const about = gettext(
      "In the page, readers can let machines fail. They can also change the settings that you choose here. " +
        "The page simulates each change by itself.",
    );
    const size = ngettext("The page holds {runs} run.", "The page holds {runs} runs.", runs, { runs: whole(runs) });
    return html`
      <p class="dialog-note">${about}</p>
      ${this.rows.value.map((row, place) => this.#rowView(row, place))}
      <p class="dialog-note" role="status" data-page-runs=${runs}>${size}</p>
      <p>
        <button
          class="button button-heavy"
          type="button"
          data-page-export
          ?disabled=${this.works.value}
          @click=${() => this.#export()}
          >${this.works.value ? gettext("Simulating…") : gettext("Export")}</button
        >
      </p>
      <p class="dialog-trouble" role="alert" ?hidden=${!this.trouble.value.length}>${this.trouble.value.join(" ")}</p>`;
  }

  #rowView(/** @type {Row} */ row, /** @type {number} */ place) {
    const label = gettext("Setting {number}", { number: place + 1 });
    const option = (/** @type {Option} */ { path, label: name }) =>
      html`<option value=${path} .selected=${live(path === row.path)}>${name}</option>`;
    return html`<div class="compare-row">
      <span class="compare-label">${label}</span>
      <select
        class="knob-select compare-select"
        data-page-setting=${place}
        aria-label=${label}
        @change=${(/** @type {Event} */ event) => this.#set(place, { path: targetOf(event).value })}
      >
        <option value="" .selected=${live(!row.path)}>${gettext("none")}</option>
        ${this.groups.map(({ group, options }) => html`<optgroup label=${group}>${options.map(option)}</optgroup>`)}
      </select>
      <input
        class="field compare-values"
        type="text"
        placeholder=${gettext("values: 1, 3, 10")}
        data-page-values=${place}
        aria-label=${gettext("{label}: values, separated by commas", { label })}
        spellcheck="false"
        ?disabled=${!row.path}
        .value=${live(row.values)}
        @input=${(/** @type {Event} */ event) => this.#set(place, { values: targetOf(event).value })}
      />
    </div>`;
  }

  async #export() {
    const { runId, name } = this.exported;
    this.works.value = true;
    this.trouble.value = [];
    try {
      const page = await runPage(runId, chosenIn(this.rows.value));
      save(name, new Blob([page], { type: "text/html" }));
      this.dialog.close();
    } catch (error) {
      const { problems, message } = /** @type {ApiError} */ (error);
      this.trouble.value = problems?.length ? problems.map(problemText) : [message];
    }
    this.works.value = false;
  }
}

/** Open the dialog. */
export const pageDialog = (/** @type {Exported} */ exported) => new PageDialog(exported).dialog;
