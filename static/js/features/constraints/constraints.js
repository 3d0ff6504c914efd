/** The editor of constraints: the catalogue, the machines' offers, the tasks' requests, and their effect. */

import { problemText } from "../../experiment/problems.js";
import { changeCustom, addCustom, renameCustom } from "../../experiment/constraint_bulk.js";
import { demand, places, rows, TASK_SHARE } from "../../experiment/constraints.js";
import { setAsk, setOffer, setShare, setSoft, withCatalogue, withoutAsks } from "../../experiment/constraint_edits.js";
import { percent } from "../../kit/format.js";
import { ConstraintPicture } from "./constraint_picture.js";
import { customViews } from "./custom_row.js";
import { evidenceView } from "../../experiment/forms/evidence.js";
import { drawing, Form } from "../../experiment/forms/fields.js";
import { html, nothing, signal } from "../../kit/view.js";
import { machinesView } from "./machines_fold.js";
import { mostOf, offerRowsView } from "./offer_rows.js";
import { tasksView } from "./tasks_fold.js";
import { catalogues } from "../../experiment/lists.js";
import { gettext } from "../../kit/words.js";
import { bulkState, bulkView, pasteInto } from "./constraint_pasting.js";

/**
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { Problem } from "../../experiment/problems.js"
 * @import { Studio } from "../../studio/store.js"
 * @import { ConstraintAnswer } from "./constraint_picture.js"
 * @import { ConstraintRow, RowActs } from "./offer_rows.js"
 */

/**
 * @typedef {import("../../experiment/constraints.js").Catalogue & {about: string,
 *   mixes: {name: string, evidence: string, about: string}[]}} Catalogue  a set of constraints in the API's format
 * @typedef {{catalogue: string, asks?: object | null, [more: string]: unknown}} Constraints  of an experiment
 */

const CHOICES = [
  ["", gettext("None")],
  ["megha-21", gettext("Megha's twenty-one")],
  ["megha-clusters", gettext("Megha's twenty-one, by cluster")],
  ["phoenix-9", gettext("Phoenix's nine")],
  ["custom", gettext("Your own")],
];
/** @type {[share: number, tip: string][]} */
const PRESETS = [
  [0.23, gettext("Google 2011: 23 % of the tasks (count of 2025)")],
  [0.5, gettext("Google: 50 % of the tasks (published in 2011)")],
];

const SHARE = {
  ...TASK_SHARE,
  help: gettext("Share of tasks with at least one constraint. Changing it scales all probabilities together."),
};

export default {
  id: "constraints",
  title: gettext("Constraints"),
  question: gettext("Which machines offer what tasks ask for?"),
  preview: "constraint",
  /**
   * @param {HTMLElement} form
   * @param {HTMLElement} picture
   */
  mount(form, picture, /** @type {Studio} */ studio) {
    return new ConstraintEditor(form, picture, studio);
  },
};

/** The form and the picture of constraints. */
export class ConstraintEditor {
  /** The experiment that the form shows. @type {Experiment | null} */
  #now = null;
  #draw;
  #catalogues = signal(/** @type {Catalogue[]} */ ([]));
  /** Why there are no catalogues. */
  #trouble = signal("");
  /** The requests of inline jobs, by constraint. */
  #named = signal(/** @type {Map<string, number>} */ (new Map()));
  /** The problem of each row, by constraint. */
  #wrong = signal(/** @type {Map<string, string>} */ (new Map()));
  /** The machines whose offers the bars show and change. */
  place = signal(/** @type {{cluster: number, machines?: number} | null} */ (null));
  bulk = bulkState();
  form = new Form();
  machines = { form: new Form(), open: signal(false) };
  tasks = { form: new Form(), open: signal(false) };

  /**
   * @param {HTMLElement} form
   * @param {HTMLElement} picture
   */
  constructor(form, picture, /** @type {Studio} */ studio) {
    this.studio = studio;
    this.picture = new ConstraintPicture(picture);
    this.#draw = drawing(form, () => (this.#now ? this.#view(this.#now) : nothing));
    catalogues().then(
      (found) => {
        this.#catalogues.value = found;
        this.experiment(studio.opened.value);
      },
      (error) => {
        this.#trouble.value = error.message;
      },
    );
  }

  get catalogues() {
    return this.#catalogues.value;
  }

  /** The catalogue of the form's experiment. */
  get catalogue() {
    return this.catalogues.find((each) => each.name === this.#now?.constraints?.catalogue);
  }

  /**
   * @param {string} name
   * @param {number} index
   */
  #place(name, index) {
    const at = this.studio.opened.value.constraints.custom.findIndex(
      (/** @type {{name: string}} */ each) => each.name === name,
    );
    return at < 0 ? index : at;
  }

  /**
   * Change the experiment as a setting's control does.
   * @param {string} key
   * @param {(experiment: Experiment) => Experiment} change
   */
  edit(key, change) {
    if (this.studio.readOnly.value) return;
    const next = change(this.studio.opened.value);
    if (JSON.stringify(next) !== JSON.stringify(this.studio.opened.value)) this.studio.replace(next, false, key);
  }

  /** @param {Experiment} experiment */
  #view(experiment) {
    const { constraints } = experiment;
    const readOnly = this.studio.readOnly.value;
    for (const form of [this.form, this.machines.form, this.tasks.form]) form.begin(readOnly);
    const pick = this.form.choice(
      {
        label: gettext("Catalogue"),
        path: "constraints.catalogue",
        choices: CHOICES,
        value: constraints?.catalogue ?? "",
      },
      (value) => this.edit("", (now) => withCatalogue(now, value, this.catalogues)),
    );
    if (!constraints || !this.catalogues.length)
      return html`
        <div class="editor-line">${pick}</div>
        <p class="editor-about"
          >${
            constraints ? this.#trouble.value : gettext("No constraints. Choose a set to restrict where tasks may run.")
          }</p>`;
    const all = this.#rows(experiment);
    const asks = experiment.workload?.kind !== "inline";
    return html`
      <div class="editor-line"
        >${pick}${this.#placeView(experiment)}${asks ? this.#shareView(experiment) : nothing}</div>
      <p class="editor-about">${this.#aboutView(all, constraints)}</p>
      ${readOnly ? nothing : bulkView(this, this.#tables(constraints.catalogue))}
      ${offerRowsView(all, { on: this.#acts(constraints), readOnly, asks, wrong: this.#wrong.value })}
      ${
        constraints.catalogue === "custom" && !readOnly
          ? html`<button
              class="button button-small"
              type="button"
              data-add-constraint
              @click=${() => this.edit("", addCustom)}
            >${gettext("Add a constraint")}</button>`
          : nothing
      }
      <div class="editor-folds">${machinesView(this, experiment)}${tasksView(this, experiment)}</div>`;
  }

  /**
   * Return the actions of the table's rows.
   * @param {Constraints} constraints
   * @returns {RowActs}
   */
  #acts(constraints) {
    const { history } = this.studio;
    return {
      offer: (name, value) => this.edit(`offer:${name}`, (one) => setOffer(one, name, value, this.place.value)),
      ask: (name, value) => this.edit(`ask:${name}`, (one) => setAsk(one, this.catalogue, name, value)),
      soft: (name, soft) => this.edit("", (one) => setSoft(one, name, soft)),
      paste: (what, index, text) => pasteInto(this, what, text, index),
      hold: () => history.hold(),
      seal: () => history.seal(),
      custom: (row, index) =>
        constraints.catalogue === "custom"
          ? customViews(row, this.form, this.studio.readOnly.value, {
              change: (change) => this.edit("", (one) => changeCustom(one, this.#place(row.name, index), change)),
              rename: (next) => this.edit("", (one) => renameCustom(one, row.name, next)),
            })
          : null,
    };
  }

  /**
   * Return the choice of machines whose offers the bars show.
   * @param {Experiment} experiment
   */
  #placeView(experiment) {
    const found = places(experiment);
    const at = found.findIndex((each) => JSON.stringify(each.place) === JSON.stringify(this.place.value));
    if (at < 0) this.place.value = null;
    return this.form.choice(
      {
        label: gettext("Offers of"),
        help: gettext("The machines whose offers the bars show and change."),
        choices: found.map((each, index) => [String(index), each.label]),
        value: String(at),
        off: false,
        hidden: found.length < 2,
      },
      (value) => {
        this.place.value = found[Number(value)]?.place ?? null;
      },
    );
  }

  /**
   * Return the fraction of tasks with constraints, and published values to choose.
   * @param {Experiment} experiment
   */
  #shareView(experiment) {
    const write = (/** @type {string} */ key) => (/** @type {number} */ value) =>
      this.edit(key, (now) => setShare(now, value));
    return html`<div class="editor-share"
      >${this.form.knob(SHARE, demand(experiment, this.catalogue).share, write(SHARE.path))}<p
        class="editor-presets"
        ?hidden=${this.studio.readOnly.value}
        >${PRESETS.map(
          ([value, tip]) =>
            html`<button class="link" type="button" data-share=${value} data-tip=${tip} @click=${() => write("")(value)}
              >${percent(value)}</button>`,
        )}</p></div>`;
  }

  /**
   * Return the rows of constraints. Inline jobs name their requests, so their fractions come from the server's preview.
   * @param {Experiment} experiment
   */
  #rows(experiment) {
    const all = rows(experiment, this.catalogue, this.place.value);
    if (experiment.workload?.kind !== "inline") return all;
    return all.map((/** @type {ConstraintRow} */ row) => {
      const ask = this.#named.value.get(row.name) ?? 0;
      return { ...row, ask, askEvidence: "yours", ratio: row.offer > 0 ? ask / row.offer : ask > 0 ? Infinity : 0 };
    });
  }

  /**
   * Return the tables from which numbers can be copied.
   * @param {string} own  the experiment's catalogue
   */
  #tables(own) {
    return this.catalogues
      .filter((each) => each.constraints.length && (own === "custom" || each.name === own))
      .flatMap((each) => each.mixes.map((mix) => [`${each.name}/${mix.name}`, `${mix.name}, ${mix.evidence}`]));
  }

  /**
   * Describe the catalogue and the source of its numbers.
   * @param {ConstraintRow[]} found
   * @param {Constraints} constraints
   */
  #aboutView(found, constraints) {
    const { catalogue } = this;
    const about = Object.fromEntries((catalogue?.mixes ?? []).map((mix) => [mix.evidence, mix.about]));
    /** @param {"offerEvidence" | "askEvidence"} key */
    const tag = (key) => {
      const most = mostOf(found.map((row) => row[key]));
      return evidenceView(most, key === "offerEvidence" ? about[most] : "");
    };
    const reset = html` <button class="link" type="button" data-reset-asks @click=${() => this.edit("", withoutAsks)}
      >${gettext("Reset to the catalogue's requests")}</button>`;
    return html`${catalogue?.about ?? ""}${gettext(" Shares of machines: ")}${tag("offerEvidence")}${gettext(
      " Shares of tasks: ",
    )}${tag("askEvidence")}${constraints.asks && catalogue?.asks && !this.studio.readOnly.value ? reset : nothing}`;
  }

  /** @param {Experiment} experiment */
  experiment(experiment) {
    this.#now = experiment;
    this.#draw();
    if (!experiment.constraints) this.picture.empty();
    else if (this.catalogues.length) this.picture.rows();
  }

  /** @param {Problem[]} all */
  problems(all) {
    /** @param {Problem} each */
    const text = (each) => problemText(each);
    const placed = this.form.problems(all, text);
    const left = () => all.filter((each) => !placed.includes(each));
    /** @type {Map<string, string>} */
    const wrong = new Map();
    for (const [index, row] of rows(this.studio.opened.value, this.catalogue).entries()) {
      const own = left().find(
        (each) => each.path.startsWith(`constraints.custom[${index}]`) || each.path.endsWith(`.${row.name}`),
      );
      if (!own) continue;
      wrong.set(row.name, text(own));
      placed.push(own);
    }
    if (wrong.size || this.#wrong.peek().size) this.#wrong.value = wrong;
    for (const { form, open } of [this.machines, this.tasks]) {
      const found = form.problems(left(), text);
      if (found.length) open.value = true;
      placed.push(...found);
    }
    return placed;
  }

  /** @param {unknown} told  a ConstraintAnswer */
  preview(told) {
    const answer = /** @type {ConstraintAnswer} */ (told);
    this.picture.show(answer, this.catalogue);
    this.#named.value = new Map(answer.constraints.map((each) => [each.name, each.demand]));
  }
}
