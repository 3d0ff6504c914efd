/** Further settings of machines: each cluster's mix, each group's attributes, and correlated properties. */

import { machinesOf, namesOf } from "../../experiment/constraints.js";
import { setMix } from "../../experiment/constraint_edits.js";
import { setAt } from "../../experiment/experiment.js";
import { whole } from "../../kit/format.js";
import { scalar } from "./custom_row.js";
import { evidenceView } from "../../experiment/forms/evidence.js";
import { foldView, numeric } from "../../experiment/forms/fields.js";
import { html, nothing } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { Cluster, MachineGroup } from "../design/topology_edits.js"
 * @import { ConstraintEditor } from "./constraints.js"
 */

/** @typedef {{first: string, second: string, correlation: number | string}} Pair  correlated constraints */

const LAYOUTS = [
  ["", gettext("as in the catalogue's source")],
  ["independent", gettext("independently")],
  ["blocks", gettext("in blocks of neighboring machines")],
];
const MOST = 24;

/**
 * Parse attributes: "clock_ghz = 3.1, arch = arm" becomes {clock_ghz: 3.1, arch: "arm"}.
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

/**
 * Return the further settings of machines.
 * @param {ConstraintEditor} editor
 * @param {Experiment} experiment
 */
export function machinesView(editor, experiment) {
  const { form, open } = editor.machines;
  const { constraints, topology } = experiment;
  const clusters = topology?.clusters ?? [];
  const mixes = clusters.map((/** @type {Cluster} */ each) => each.constraint_mix ?? "everything");
  /** @param {string} path */
  const write = (path) => (/** @type {unknown} */ value) =>
    editor.edit(path === CORRELATION.path ? path : "", (one) => setAt(one, path, value || undefined));
  const layout = form.choice(
    {
      label: gettext("Machines get properties"),
      path: "constraints.layout",
      choices: LAYOUTS,
      value: constraints.layout ?? "",
    },
    write("constraints.layout"),
  );
  const title = gettext("Machines");
  const about = gettext("mix of each cluster, attributes, correlated properties");
  return foldView(
    { title, about, sum: [...new Set(mixes)].slice(0, 3).join(", "), open },
    html`
      <div class="fold-table"
        >${clusters
          .slice(0, MOST)
          .map((/** @type {Cluster} */ cluster, /** @type {number} */ index) => clusterView(editor, cluster, index))}${
          clusters.length > MOST
            ? html`<p class="editor-about"
                >${gettext("and {more} more in the JSON", { more: clusters.length - MOST })}</p>`
            : nothing
        }</div>
      <div class="fold-knobs"
        >${layout}${form.knob(CORRELATION, constraints.correlation ?? 0, write(CORRELATION.path))}</div>
      <div class="fold-table">${pairsView(editor, experiment)}</div>`,
  );
}

/**
 * Return a cluster's mix as a row of fields, and its machines' attributes.
 * @param {ConstraintEditor} editor
 * @param {Cluster} cluster
 * @param {number} index
 */
function clusterView(editor, cluster, index) {
  const mixes = editor.catalogue?.mixes ?? [];
  const known = mixes.find((each) => each.name === cluster.constraint_mix);
  const name = gettext("{name}{many}, {machines} machines", {
    name: cluster.name ?? "lm",
    many: (cluster.repeat ?? 1) > 1 ? ` ×${cluster.repeat}` : "",
    machines: whole(machinesOf(cluster)),
  });
  const mix = editor.machines.form.choice(
    {
      label: gettext("Mix"),
      path: `topology.clusters[${index}].constraint_mix`,
      choices: [["", gettext("offers everything")], ...mixes.map((each) => [each.name, each.name])],
      value: cluster.constraint_mix ?? "",
    },
    (value) => editor.edit("", (now) => setMix(now, index, value)),
  );
  return html`<div class="editor-line"
      ><span class="fold-name">${name}</span>${mix}${known ? evidenceView(known.evidence, known.about) : nothing}</div
    >${(cluster.machines ?? [])
      .slice(0, MOST)
      .map((/** @type {MachineGroup} */ kind, /** @type {number} */ place) =>
        attributesView(editor, kind, `topology.clusters[${index}].machines[${place}].attributes`),
      )}`;
}

/**
 * Return the attributes of one kind of machine.
 * @param {ConstraintEditor} editor
 * @param {MachineGroup} kind
 * @param {string} path
 */
function attributesView(editor, kind, path) {
  const attributes = editor.machines.form.entry(
    {
      label: gettext("Attributes of {count} machines", { count: kind.count ?? 1 }),
      path,
      wide: true,
      help: gettext("Examples: clock_ghz = 3.1, arch = arm. Your own constraints can compare them."),
      placeholder: gettext("attributes, such as clock_ghz = 3.1"),
      value: Object.entries(kind.attributes ?? {})
        .map(([name, value]) => `${name} = ${value}`)
        .join(", "),
    },
    (text) => editor.edit("", (now) => setAt(now, path, parseAttributes(text))),
  );
  return html`<div class="editor-line fold-inner"
    ><span class="fold-name"
      >${gettext("{count} × {cpus} CPUs", { count: whole(kind.count ?? 1), cpus: kind.cpus ?? 1 })}</span
    >${attributes}</div>`;
}

/**
 * Return the pairs of correlated constraints.
 * @param {ConstraintEditor} editor
 * @param {Experiment} experiment
 */
function pairsView(editor, experiment) {
  /** @type {Pair[]} */
  const list = experiment.constraints.correlated ?? [];
  const names = namesOf(experiment, editor.catalogue).map((/** @type {string} */ each) => [each, each]);
  const write = (/** @type {Pair[]} */ pairs) =>
    editor.edit("", (now) => setAt(now, "constraints.correlated", pairs.length ? pairs : undefined));
  const add = () => write([...list, { first: names[0][0], second: names[1][0], correlation: 0.5 }]);
  return [
    list.map((_, index) => pairView(editor, list, index, names, write)),
    names.length > 1 && !editor.studio.readOnly.value
      ? html`<button class="button button-small" type="button" data-add-pair @click=${add}
          >${gettext("Correlate a pair")}</button>`
      : nothing,
  ];
}

/**
 * @param {ConstraintEditor} editor
 * @param {Pair[]} list
 * @param {number} index
 * @param {string[][]} names
 * @param {(pairs: Pair[]) => void} write
 */
function pairView(editor, list, index, names, write) {
  const { form } = editor.machines;
  const path = `constraints.correlated[${index}]`;
  /** @param {keyof Pair} key */
  const change = (key) => (/** @type {string | number} */ value) =>
    write(list.map((each, place) => (place === index ? { ...each, [key]: value } : each)));
  const remove = () => write(list.filter((_, place) => place !== index));
  return html`<div class="editor-line"
    >${form.choice(
      { label: gettext("One"), path: `${path}.first`, choices: names, value: list[index].first },
      change("first"),
    )}${form.choice(
      { label: gettext("Other"), path: `${path}.second`, choices: names, value: list[index].second },
      change("second"),
    )}${form.entry({ label: gettext("Correlation"), path, numeric: true, value: list[index].correlation }, (text) =>
      change("correlation")(numeric(text)),
    )}<button class="link" type="button" @click=${remove}>${gettext("Remove")}</button></div>`;
}
