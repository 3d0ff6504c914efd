/** The editor of constraints: which there are, what machines offer, what tasks ask for, and what that means. */

import {
  copyFrom,
  changeCustom,
  addCustom,
  parseColumn,
  pasteColumn,
  renameCustom,
  scaleAll,
} from "../../experiment/constraint_bulk.js";
import { demand, places, rows } from "../../experiment/constraints.js";
import { setAsk, setOffer, setShare, setSoft, withCatalogue, withoutAsks } from "../../experiment/constraint_edits.js";
import { percent } from "../../kit/format.js";
import { h } from "../../kit/dom.js";
import { openDialog } from "../../kit/dialogs.js";
import { ConstraintPicture } from "./constraint_picture.js";
import { customExtra } from "./custom_row.js";
import { evidenceTag } from "../editors/evidence.js";
import { addKnob, choice, entry, Fields } from "../editors/fields.js";
import { machinesFold } from "./machines_fold.js";
import { mostOf, OfferRows } from "./offer_rows.js";
import { tasksFold } from "./tasks_fold.js";
import { catalogues } from "../../experiment/lists.js";
import { problemText } from "../../run/run_messages.js";
import { gettext } from "../../kit/words.js";

/** @import { Studio } from "../../studio/store.js" */

const CHOICES = [
  ["", gettext("None")],
  ["megha-21", "Megha's twenty-one"],
  ["megha-clusters", gettext("Megha's twenty-one, by cluster")],
  ["phoenix-9", "Phoenix's nine"],
  ["custom", gettext("Your own")],
];
/** @type {[share: number, tip: string][]} */
const PRESETS = [
  [0.23, gettext("Google 2011, as counted in 2025")],
  [0.5, gettext("Google, as published in 2011")],
];

export default {
  id: "constraints",
  title: gettext("Constraints"),
  question: gettext("Which machines offer what tasks ask for?"),
  preview: "constraint",
  mount(form, picture, /** @type {Studio} */ studio) {
    return new ConstraintEditor(form, picture, studio);
  },
};

class ConstraintEditor {
  constructor(form, picture, /** @type {Studio} */ studio) {
    this.studio = studio;
    this.fields = new Fields();
    this.place = null;
    this.catalogues = [];
    this.picture = new ConstraintPicture(picture);
    this.#top(form);
    this.#bulk(form);
    this.table = new OfferRows(form, {
      offer: (name, value) => this.edit(`offer:${name}`, (experiment) => setOffer(experiment, name, value, this.place)),
      ask: (name, value) => this.edit(`ask:${name}`, (experiment) => setAsk(experiment, this.catalogue, name, value)),
      soft: (name, soft) => this.edit("", (experiment) => setSoft(experiment, name, soft)),
      paste: (what, index, text) => this.#paste(what, text, index),
      hold: () => studio.history.hold(),
      seal: () => studio.history.seal(),
      extra: (name, index) =>
        studio.experiment.constraints?.catalogue === "custom"
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
        this.experiment(studio.experiment);
      },
      (error) => {
        this.about.textContent = error.message;
      },
    );
  }

  get catalogue() {
    return this.catalogues.find((each) => each.name === this.studio.experiment.constraints?.catalogue) ?? null;
  }

  #place(name, index) {
    const at = this.studio.experiment.constraints.custom.findIndex((each) => each.name === name);
    return at < 0 ? index : at;
  }

  /** Change the experiment as a knob does. */
  edit(key, change) {
    if (this.studio.readOnly) return;
    const next = change(this.studio.experiment);
    if (JSON.stringify(next) !== JSON.stringify(this.studio.experiment)) this.studio.replace(next, false, key);
  }

  #top(form) {
    this.pick = this.fields.add(
      choice({ label: gettext("Catalogue"), path: "constraints.catalogue", choices: CHOICES }, (value) =>
        this.edit("", (experiment) => withCatalogue(experiment, value, this.catalogues)),
      ),
    );
    this.where = choice(
      { label: gettext("Offers of"), help: gettext("Whose offers the bars show and change.") },
      (value) => {
        this.place = places(this.studio.experiment)[Number(value)]?.place ?? null;
        this.experiment(this.studio.experiment);
      },
    );
    this.about = h("p", { class: "editor-about" });
    this.share = h("div", { class: "editor-share" });
    form.append(h("div", { class: "editor-line" }, this.pick.element, this.where.element, this.share), this.about);
    this.shareKnob = addKnob(
      this.fields,
      this.share,
      {
        path: "constraints.task_share",
        label: gettext("Tasks with constraints"),
        kind: "number",
        min: 0,
        max: 1,
        default: 0.5,
        scale: "linear",
        shown: (value) => percent(value),
        help: gettext("Moves all probabilities together, so that so many tasks ask for something."),
      },
      (value) => this.edit("constraints.task_share", (experiment) => setShare(experiment, value)),
    );
    this.presets = h(
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
    this.share.append(this.presets);
  }

  #bulk(form) {
    this.what = choice(
      {
        label: gettext("All"),
        choices: [
          ["offer", "offers"],
          ["ask", "asks"],
        ],
      },
      () => {},
    );
    this.factor = entry({ label: gettext("Factor"), numeric: true }, () => {});
    this.factor.element.value = "1.2";
    const scale = h(
      "button",
      { class: "button button-small", type: "button", "data-scale": true, onclick: () => this.#scale() },
      gettext("Scale"),
    );
    this.source = choice({ label: gettext("From") }, () => {});
    const copy = h(
      "button",
      { class: "button button-small", type: "button", "data-copy": true, onclick: () => this.#copy() },
      gettext("Copy"),
    );
    const paste = h(
      "button",
      { class: "button button-small", type: "button", "data-paste": true, onclick: () => this.#pasteDialog() },
      gettext("Paste…"),
    );
    this.bulk = h(
      "div",
      { class: "editor-line editor-bulk", role: "group", "aria-label": gettext("Change many at once") },
      this.what.element,
      h("span", { "aria-hidden": "true" }, "×"),
      this.factor.element,
      scale,
      h("span", { class: "gap" }),
      this.source.element,
      copy,
      h("span", { class: "gap" }),
      paste,
    );
    form.append(this.bulk);
  }

  #scale() {
    const factor = Number(this.factor.element.value.replace(",", "."));
    this.factor.problem(Number.isFinite(factor) && factor >= 0 ? "" : gettext("A number from 0 on, such as 1.2"));
    if (!Number.isFinite(factor) || factor < 0) return;
    this.edit("", (experiment) =>
      scaleAll(experiment, this.catalogue, this.what.element.querySelector("select").value, factor, this.place),
    );
  }

  #copy() {
    const [name, mix] = this.source.element.querySelector("select").value.split("/");
    this.edit("", (experiment) => copyFrom(experiment, this.catalogues, name, mix));
  }

  #paste(what, text, start = 0) {
    const { values, wrong } = parseColumn(text);
    if (wrong.length) return wrong;
    this.edit("", (experiment) => pasteColumn(experiment, this.catalogue, what, values, start, this.place));
    return [];
  }

  #pasteDialog() {
    const text = h("textarea", {
      class: "json-text paste-text",
      rows: 10,
      spellcheck: "false",
      "aria-label": gettext("Numbers, one a line"),
      placeholder: "37.6 %\n65.7 %\n15.6 %",
    });
    const wrong = h("p", { class: "knob-problem", role: "alert", hidden: true });
    const what = this.what.element.querySelector("select").value;
    const take = h("button", { class: "button button-heavy", type: "button" }, gettext("Take them"));
    const dialog = openDialog(
      what === "ask" ? gettext("Paste what tasks ask for") : gettext("Paste what machines offer"),
      h(
        "p",
        { class: "dialog-note" },
        gettext(
          "One number per line, starting at the first row: percentages, or shares of 1. {second}Empty lines " +
            "leave their row unchanged.",
          { second: what === "ask" ? "" : gettext("A second column sets what tasks ask for. ") },
        ),
      ),
      text,
      wrong,
      h("div", { class: "dialog-row" }, take),
    );
    take.addEventListener("click", () => {
      const found = this.#paste(what, text.value) ?? [];
      wrong.hidden = !found.length;
      wrong.textContent = found
        .map((each) => gettext("Line {line}: {text}", { line: each.line, text: each.text }))
        .join("; ");
      if (!found.length) dialog.close();
    });
    text.focus();
  }

  experiment(experiment) {
    const { constraints } = experiment;
    const { readOnly } = this.studio;
    this.pick.set(constraints?.catalogue ?? "");
    this.pick.disable(readOnly);
    for (const each of [this.share, this.bulk, this.table.body, this.rest, this.where.element])
      each.hidden = !constraints;
    this.add.hidden = constraints?.catalogue !== "custom" || readOnly;
    if (!constraints) {
      this.about.replaceChildren(gettext("No constraints. Choose a set to restrict where tasks may run."));
      this.picture.empty();
      return;
    }
    if (!this.catalogues.length) return;
    const all = this.#rows(experiment);
    this.#describe(all);
    const found = places(experiment);
    if (!found.some((each) => JSON.stringify(each.place) === JSON.stringify(this.place))) this.place = null;
    this.where.set(
      String(found.findIndex((each) => JSON.stringify(each.place) === JSON.stringify(this.place))),
      found.map((each, index) => [String(index), each.label]),
    );
    this.where.element.hidden = found.length < 2;
    this.shareKnob.set(demand(experiment, this.catalogue).share);
    this.shareKnob.disable(readOnly);
    this.presets.hidden = readOnly;
    this.bulk.hidden = readOnly;
    const inline = experiment.workload?.kind === "inline";
    this.share.hidden = inline;
    this.source.set(this.source.element.querySelector("select").value || this.#tables()[0][0], this.#tables());
    this.table.set(all, { readOnly, asks: !inline });
    for (const each of this.folds) each.experiment(experiment);
    this.picture.rows();
  }

  /** Written-out jobs name what they ask for: what they come to is in the server's answer. */
  #rows(experiment) {
    const all = rows(experiment, this.catalogue, this.place);
    if (experiment.workload?.kind !== "inline") return all;
    return all.map((row) => {
      const ask = this.named?.get(row.name) ?? 0;
      return { ...row, ask, askEvidence: "yours", ratio: row.offer > 0 ? ask / row.offer : ask > 0 ? Infinity : 0 };
    });
  }

  #tables() {
    const own = this.studio.experiment.constraints?.catalogue;
    return this.catalogues
      .filter((each) => each.constraints.length && (own === "custom" || each.name === own))
      .flatMap((each) => each.mixes.map((mix) => [`${each.name}/${mix.name}`, `${mix.name}, ${mix.evidence}`]));
  }

  #describe(found) {
    const { catalogue } = this;
    const edited = this.studio.experiment.constraints.asks;
    const about = Object.fromEntries((catalogue?.mixes ?? []).map((mix) => [mix.evidence, mix.about]));
    const tag = (key) => {
      const most = mostOf(found.map((row) => row[key]));
      return evidenceTag(most, key === "offerEvidence" ? about[most] : "");
    };
    this.about.replaceChildren(
      catalogue?.about ?? "",
      " Machines: ",
      tag("offerEvidence"),
      " tasks: ",
      tag("askEvidence"),
      ...(edited && catalogue?.asks && !this.studio.readOnly
        ? [
            " ",
            h(
              "button",
              { class: "link", type: "button", "data-reset-asks": true, onclick: () => this.edit("", withoutAsks) },
              gettext("Back to the catalogue's asks"),
            ),
          ]
        : []),
    );
  }

  problems(all) {
    const text = (each) => problemText(each);
    const placed = this.fields.problems(all, text);
    const left = all.filter((each) => !placed.includes(each));
    const found = rows(this.studio.experiment, this.catalogue);
    found.forEach((row, index) => {
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

  preview(answer, experiment) {
    this.picture.show(answer, this.catalogue);
    this.named = new Map(answer.constraints.map((each) => [each.name, each.demand]));
    if (experiment.workload?.kind === "inline") this.experiment(this.studio.experiment);
  }
}
