/** What machines offer besides bars: the mix of each cluster, attributes of each group, how properties go together. */

import { machinesOf, namesOf } from "../../experiment/constraints.js";
import { setMix } from "../../experiment/constraint_edits.js";
import { setAt } from "../../experiment/experiment.js";
import { whole } from "../../kit/format.js";
import { focusedIn, h } from "../../kit/dom.js";
import { scalar } from "./custom_row.js";
import { evidenceTag } from "../../experiment/forms/evidence.js";
import { addKnob, choice, entry, Fields, fold, numeric } from "../../experiment/forms/fields.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { Problem } from "../../experiment/problems.js"
 * @import { ConstraintEditor } from "./constraints.js"
 */

/** @typedef {{first: string, second: string, correlation: number | string}} Pair  of constraints that go together */

const LAYOUTS = [
  ["", gettext("as in the catalogue's source")],
  ["independent", gettext("independently")],
  ["blocks", gettext("in blocks of neighboring machines")],
];
const MOST = 24;

/**
 * "clock_ghz = 3.1, arch = arm" -> {clock_ghz: 3.1, arch: "arm"}.
 * @param {string} text
 */
export function parseAttributes(text) {
  return Object.fromEntries(
    text
      .split(",")
      .map((part) => part.split("="))
      .filter(([name, value]) => name.trim() && value !== undefined)
      .map(([name, ...value]) => [name.trim(), scalar(value.join("="))]),
  );
}

const CORRELATION = {
  path: "constraints.correlation",
  label: gettext("Correlation of all pairs"),
  kind: "number",
  min: 0,
  max: 0.99,
  default: 0,
  scale: "linear",
  help: gettext(
    "Above 0, a machine that offers one property is more likely to offer others. The shares stay the " + "same.",
  ),
};

/** @param {ConstraintEditor} editor */
export function machinesFold(editor) {
  return new MachinesFold(editor);
}

class MachinesFold {
  /** @param {ConstraintEditor} editor */
  constructor(editor) {
    this.editor = editor;
    this.fields = new Fields();
    this.own = new Fields();
    this.clusters = h("div", { class: "fold-table" });
    this.pairs = h("div", { class: "fold-table" });
    this.drawn = "";
    const knobs = h("div", { class: "fold-knobs" });
    const { element, body, sum } = fold(
      gettext("Machines"),
      gettext("mix of each cluster, attributes, correlated properties"),
    );
    this.element = element;
    this.sum = sum;
    this.layout = this.fields.add(
      choice({ label: gettext("Machines get properties"), path: "constraints.layout", choices: LAYOUTS }, (value) =>
        editor.edit("", (experiment) => setAt(experiment, "constraints.layout", value || undefined)),
      ),
    );
    knobs.append(this.layout.element);
    this.correlation = addKnob(this.fields, knobs, CORRELATION, (/** @type {number} */ value) =>
      editor.edit(CORRELATION.path, (experiment) => setAt(experiment, CORRELATION.path, value || undefined)),
    );
    body?.append(this.clusters, knobs, this.pairs);
  }

  /**
   * A cluster's mix as a line of fields.
   * @param {any} group
   * @param {number} index
   */
  #mix(group, index) {
    const { editor } = this;
    const mixes = editor.catalogue?.mixes ?? [];
    const mix = this.own.add(
      choice(
        {
          label: gettext("Mix"),
          path: `topology.clusters[${index}].constraint_mix`,
          choices: [["", gettext("offers everything")], ...mixes.map((each) => [each.name, each.name])],
        },
        (value) => editor.edit("", (now) => setMix(now, index, value)),
      ),
    );
    mix.set(group.constraint_mix ?? "");
    mix.disable(editor.studio.readOnly);
    const known = mixes.find((each) => each.name === group.constraint_mix);
    const many = (group.repeat ?? 1) > 1 ? ` ×${group.repeat}` : "";
    return h(
      "div",
      { class: "editor-line" },
      h(
        "span",
        { class: "fold-name" },
        gettext("{name}{many}, {machines} machines", {
          name: group.name ?? "lm",
          many,
          machines: whole(machinesOf(group)),
        }),
      ),
      mix.element,
      known ? evidenceTag(known.evidence, known.about) : null,
    );
  }

  /**
   * The attributes of one kind of machines.
   * @param {any} kind
   * @param {string} path
   */
  #attributes(kind, path) {
    const { editor } = this;
    const attributes = this.own.add(
      entry(
        {
          label: gettext("Attributes of {count} machines", { count: kind.count ?? 1 }),
          path,
          wide: true,
          help: gettext("Examples: clock_ghz = 3.1, arch = arm. Your own constraints can compare them."),
        },
        (/** @type {string} */ text) => editor.edit("", (now) => setAt(now, path, parseAttributes(text))),
      ),
    );
    attributes.set(
      Object.entries(kind.attributes ?? {})
        .map(([name, value]) => `${name} = ${value}`)
        .join(", "),
    );
    attributes.disable(editor.studio.readOnly);
    attributes.element.placeholder = gettext("attributes, such as clock_ghz = 3.1");
    return h(
      "div",
      { class: "editor-line fold-inner" },
      h(
        "span",
        { class: "fold-name" },
        gettext("{count} × {cpus} CPUs", { count: whole(kind.count ?? 1), cpus: kind.cpus ?? 1 }),
      ),
      attributes.element,
    );
  }

  /** @param {Experiment} experiment */
  #drawClusters(experiment) {
    const groups = experiment.topology?.clusters ?? [];
    const rows = groups
      .slice(0, MOST)
      .flatMap((/** @type {any} */ group, /** @type {number} */ index) => [
        this.#mix(group, index),
        ...(group.machines ?? [])
          .slice(0, MOST)
          .map((/** @type {any} */ kind, /** @type {number} */ place) =>
            this.#attributes(kind, `topology.clusters[${index}].machines[${place}].attributes`),
          ),
      ]);
    this.clusters.replaceChildren(
      ...rows,
      ...(groups.length > MOST
        ? [h("p", { class: "editor-about" }, gettext("and {more} more in the JSON", { more: groups.length - MOST }))]
        : []),
    );
  }

  /** @param {Pair[]} pairs */
  #writePairs(pairs) {
    this.editor.edit("", (now) => setAt(now, "constraints.correlated", pairs.length ? pairs : undefined));
  }

  /**
   * A pair of constraints that go together.
   * @param {Pair[]} list
   * @param {number} index
   * @param {string[][]} names
   */
  #pair(list, index, names) {
    const { own } = this;
    const path = `constraints.correlated[${index}]`;
    /**
     * @param {keyof Pair} key
     * @param {string | number} value
     */
    const change = (key, value) =>
      this.#writePairs(list.map((each, place) => (place === index ? { ...each, [key]: value } : each)));
    const first = own.add(
      choice({ label: gettext("One"), path: `${path}.first`, choices: names }, (value) => change("first", value)),
    );
    const second = own.add(
      choice({ label: gettext("Other"), path: `${path}.second`, choices: names }, (value) => change("second", value)),
    );
    first.set(list[index].first);
    second.set(list[index].second);
    const amount = own.add(
      entry({ label: gettext("Correlation"), path, numeric: true }, (/** @type {string} */ text) =>
        change("correlation", numeric(text)),
      ),
    );
    amount.set(list[index].correlation);
    const remove = () => this.#writePairs(list.filter((_, place) => place !== index));
    return h(
      "div",
      { class: "editor-line" },
      first.element,
      second.element,
      amount.element,
      h("button", { class: "link", type: "button", onclick: remove }, gettext("Remove")),
    );
  }

  /** @param {Experiment} experiment */
  #drawPairs(experiment) {
    const { editor } = this;
    const list = experiment.constraints.correlated ?? [];
    const names = namesOf(experiment, editor.catalogue).map((/** @type {string} */ each) => [each, each]);
    const add = h(
      "button",
      {
        class: "button button-small",
        type: "button",
        "data-add-pair": true,
        onclick: () => this.#writePairs([...list, { first: names[0][0], second: names[1][0], correlation: 0.5 }]),
      },
      gettext("Correlate a pair"),
    );
    this.pairs.replaceChildren(
      ...list.map((/** @type {Pair} */ _, /** @type {number} */ index) => this.#pair(list, index, names)),
      ...(names.length > 1 && !editor.studio.readOnly ? [add] : []),
    );
  }

  /** @param {Experiment} experiment */
  experiment(experiment) {
    const { editor, clusters } = this;
    const { constraints } = experiment;
    this.layout.set(constraints.layout ?? "");
    this.layout.disable(editor.studio.readOnly);
    this.correlation.set(constraints.correlation ?? 0);
    this.correlation.disable(editor.studio.readOnly);
    const mixes = (experiment.topology?.clusters ?? []).map(
      (/** @type {any} */ each) => each.constraint_mix ?? "everything",
    );
    this.sum.textContent = [...new Set(mixes)].slice(0, 3).join(", ");
    const now = JSON.stringify([
      constraints.catalogue,
      experiment.topology,
      constraints.correlated,
      namesOf(experiment, editor.catalogue),
      editor.studio.readOnly,
    ]);
    if (now === this.drawn || focusedIn(clusters)?.matches("input")) return;
    this.drawn = now;
    this.own.clear();
    this.#drawClusters(experiment);
    this.#drawPairs(experiment);
  }

  /**
   * @param {Problem[]} all
   * @param {(problem: Problem) => string} text
   */
  problems(all, text) {
    const placed = [...this.fields.problems(all, text), ...this.own.problems(all, text)];
    if (placed.length) this.element.open = true;
    return placed;
  }
}
