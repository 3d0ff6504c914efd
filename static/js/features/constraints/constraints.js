/** The editor of constraints: which there are, what machines offer, what tasks ask for, and what that means. */

import { problemText } from "../../experiment/problems.js";
import { changeCustom, addCustom, renameCustom } from "../../experiment/constraint_bulk.js";
import { demand, places, rows } from "../../experiment/constraints.js";
import { setAsk, setOffer, setShare, setSoft, withCatalogue, withoutAsks } from "../../experiment/constraint_edits.js";
import { percent } from "../../kit/format.js";
import { h } from "../../kit/dom.js";
import { ConstraintPicture } from "./constraint_picture.js";
import { customExtra } from "./custom_row.js";
import { evidenceTag } from "../../experiment/forms/evidence.js";
import { addKnob, choice, Fields } from "../../experiment/forms/fields.js";
import { machinesFold } from "./machines_fold.js";
import { mostOf, OfferRows } from "./offer_rows.js";
import { tasksFold } from "./tasks_fold.js";
import { catalogues } from "../../experiment/lists.js";
import { gettext } from "../../kit/words.js";
import { bulkControls, chosenIn, pasteInto } from "./constraint_pasting.js";

/**
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { Problem } from "../../experiment/problems.js"
 * @import { Studio } from "../../studio/store.js"
 * @import { ConstraintAnswer } from "./constraint_picture.js"
 * @import { ConstraintRow } from "./offer_rows.js"
 */

/**
 * @typedef {import("../../experiment/constraints.js").Catalogue & {about: string,
 *   mixes: {name: string, evidence: string, about: string}[]}} Catalogue  a set of constraints as the API describes it
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
  /** @type {{cluster: number, machines?: number} | null} */
  place = null;
  /** @type {Catalogue[]} */
  catalogues = [];
  /** What written-out jobs ask for, by constraint. @type {Map<string, number>} */
  named = new Map();

  /**
   * @param {HTMLElement} form
   * @param {HTMLElement} picture
   */
  constructor(form, picture, /** @type {Studio} */ studio) {
    this.studio = studio;
    this.fields = new Fields();
    this.picture = new ConstraintPicture(picture);
    this.top = this.#top(form);
    this.bulk = bulkControls(this);
    form.append(this.bulk.element);
    this.table = new OfferRows(form, {
      offer: (name, value) => this.edit(`offer:${name}`, (experiment) => setOffer(experiment, name, value, this.place)),
      ask: (name, value) => this.edit(`ask:${name}`, (experiment) => setAsk(experiment, this.catalogue, name, value)),
      soft: (name, soft) => this.edit("", (experiment) => setSoft(experiment, name, soft)),
      paste: (what, index, text) => pasteInto(this, what, text, index),
      hold: () => studio.history.hold(),
      seal: () => studio.history.seal(),
      extra: (name, index) =>
        studio.opened.constraints?.catalogue === "custom"
          ? customExtra(name, {
              change: (change) =>
                this.edit("", (experiment) => changeCustom(experiment, this.#place(name, index), change)),
              rename: (next) => this.edit("", (experiment) => renameCustom(experiment, name, next)),
              slowdown: (value) =>
                this.edit("", (experiment) => changeCustom(experiment, this.#place(name, index), { slowdown: value })),
            })
          : null,
    });
    this.add = h(
      "button",
      {
        class: "button button-small",
        type: "button",
        "data-add-constraint": true,
        onclick: () => this.edit("", addCustom),
      },
      gettext("Add a constraint"),
    );
    form.append(this.add);
    this.folds = [machinesFold(this), tasksFold(this)];
    this.rest = h(
      "div",
      { class: "editor-folds" },
      this.folds.map((each) => each.element),
    );
    form.append(this.rest);
    catalogues().then(
      (found) => {
        this.catalogues = found;
        this.experiment(studio.opened);
      },
      (error) => {
        this.top.about.textContent = error.message;
      },
    );
  }

  get catalogue() {
    return this.catalogues.find((each) => each.name === this.studio.opened.constraints?.catalogue);
  }

  /**
   * @param {string} name
   * @param {number} index
   */
  #place(name, index) {
    const at = this.studio.opened.constraints.custom.findIndex((/** @type {any} */ each) => each.name === name);
    return at < 0 ? index : at;
  }

  /**
   * Change the experiment as a knob does.
   * @param {string} key
   * @param {(experiment: Experiment) => Experiment} change
   */
  edit(key, change) {
    if (this.studio.readOnly) return;
    const next = change(this.studio.opened);
    if (JSON.stringify(next) !== JSON.stringify(this.studio.opened)) this.studio.replace(next, false, key);
  }

  /** @param {HTMLElement} form */
  #top(form) {
    const pick = this.fields.add(
      choice({ label: gettext("Catalogue"), path: "constraints.catalogue", choices: CHOICES }, (value) =>
        this.edit("", (experiment) => withCatalogue(experiment, value, this.catalogues)),
      ),
    );
    const where = choice(
      { label: gettext("Offers of"), help: gettext("The machines whose offers the bars show and change.") },
      (value) => {
        this.place = places(this.studio.opened)[Number(value)]?.place ?? null;
        this.experiment(this.studio.opened);
      },
    );
    const about = h("p", { class: "editor-about" });
    const share = h("div", { class: "editor-share" });
    form.append(h("div", { class: "editor-line" }, pick.element, where.element, share), about);
    const shareKnob = addKnob(
      this.fields,
      share,
      {
        path: "constraints.task_share",
        label: gettext("Tasks with constraints"),
        kind: "number",
        min: 0,
        max: 1,
        default: 0.5,
        scale: "linear",
        shown: (/** @type {number} */ value) => percent(value),
        help: gettext("Share of tasks with at least one constraint. Changing it scales all probabilities together."),
      },
      (/** @type {number} */ value) => this.edit("constraints.task_share", (experiment) => setShare(experiment, value)),
    );
    const presets = h(
      "p",
      { class: "editor-presets" },
      PRESETS.map(([value, tip]) =>
        h(
          "button",
          {
            class: "link",
            type: "button",
            "data-share": value,
            "data-tip": tip,
            onclick: () => this.edit("", (experiment) => setShare(experiment, value)),
          },
          percent(value),
        ),
      ),
    );
    share.append(presets);
    return { pick, where, about, share, shareKnob, presets };
  }

  /** @param {Experiment} experiment */
  experiment(experiment) {
    const { constraints } = experiment;
    const { readOnly } = this.studio;
    this.top.pick.set(constraints?.catalogue ?? "");
    this.top.pick.disable(readOnly);
    for (const each of [this.top.share, this.bulk.element, this.table.body, this.rest, this.top.where.element])
      each.hidden = !constraints;
    this.add.hidden = constraints?.catalogue !== "custom" || readOnly;
    if (!constraints) {
      this.top.about.replaceChildren(gettext("No constraints. Choose a set to restrict where tasks may run."));
      this.picture.empty();
      return;
    }
    if (!this.catalogues.length) return;
    const all = this.#rows(experiment);
    this.#describe(all);
    const found = places(experiment);
    if (!found.some((each) => JSON.stringify(each.place) === JSON.stringify(this.place))) this.place = null;
    this.top.where.set(
      String(found.findIndex((each) => JSON.stringify(each.place) === JSON.stringify(this.place))),
      found.map((each, index) => [String(index), each.label]),
    );
    this.top.where.element.hidden = found.length < 2;
    this.top.shareKnob.set(demand(experiment, this.catalogue).share);
    this.top.shareKnob.disable(readOnly);
    this.top.presets.hidden = readOnly;
    this.bulk.element.hidden = readOnly;
    const inline = experiment.workload?.kind === "inline";
    this.top.share.hidden = inline;
    this.bulk.source.set(chosenIn(this.bulk.source) || this.#tables()[0][0], this.#tables());
    this.table.set(all, { readOnly, asks: !inline });
    for (const each of this.folds) each.experiment(experiment);
    this.picture.rows();
  }

  /**
   * Written-out jobs name what they ask for: what they come to is in the server's answer.
   * @param {Experiment} experiment
   */
  #rows(experiment) {
    const all = rows(experiment, this.catalogue, this.place);
    if (experiment.workload?.kind !== "inline") return all;
    return all.map((/** @type {ConstraintRow} */ row) => {
      const ask = this.named.get(row.name) ?? 0;
      return { ...row, ask, askEvidence: "yours", ratio: row.offer > 0 ? ask / row.offer : ask > 0 ? Infinity : 0 };
    });
  }

  #tables() {
    const own = this.studio.opened.constraints?.catalogue;
    return this.catalogues
      .filter((each) => each.constraints.length && (own === "custom" || each.name === own))
      .flatMap((each) => each.mixes.map((mix) => [`${each.name}/${mix.name}`, `${mix.name}, ${mix.evidence}`]));
  }

  /** @param {ConstraintRow[]} found */
  #describe(found) {
    const { catalogue } = this;
    const edited = this.studio.opened.constraints.asks;
    const about = Object.fromEntries((catalogue?.mixes ?? []).map((mix) => [mix.evidence, mix.about]));
    /** @param {"offerEvidence" | "askEvidence"} key */
    const tag = (key) => {
      const most = mostOf(found.map((row) => row[key]));
      return evidenceTag(most, key === "offerEvidence" ? about[most] : "");
    };
    this.top.about.replaceChildren(
      catalogue?.about ?? "",
      gettext(" Shares of machines: "),
      tag("offerEvidence"),
      gettext(" Shares of tasks: "),
      tag("askEvidence"),
      ...(edited && catalogue?.asks && !this.studio.readOnly
        ? [
            " ",
            h(
              "button",
              { class: "link", type: "button", "data-reset-asks": true, onclick: () => this.edit("", withoutAsks) },
              gettext("Reset to the catalogue's requests"),
            ),
          ]
        : []),
    );
  }

  /** @param {Problem[]} all */
  problems(all) {
    /** @param {Problem} each */
    const text = (each) => problemText(each);
    const placed = this.fields.problems(all, text);
    const left = all.filter((each) => !placed.includes(each));
    const found = rows(this.studio.opened, this.catalogue);
    found.forEach((/** @type {ConstraintRow} */ row, /** @type {number} */ index) => {
      const own = left.find(
        (each) =>
          !placed.includes(each) &&
          (each.path.startsWith(`constraints.custom[${index}]`) || each.path.endsWith(`.${row.name}`)),
      );
      this.table.problem(index, own ? text(own) : "");
      if (own) placed.push(own);
    });
    for (const each of this.folds)
      placed.push(
        ...each.problems(
          left.filter((one) => !placed.includes(one)),
          text,
        ),
      );
    return placed;
  }

  /**
   * @param {ConstraintAnswer} answer
   * @param {Experiment} experiment
   */
  preview(answer, experiment) {
    this.picture.show(answer, this.catalogue);
    this.named = new Map(answer.constraints.map((each) => [each.name, each.demand]));
    if (experiment.workload?.kind === "inline") this.experiment(this.studio.opened);
  }
}
