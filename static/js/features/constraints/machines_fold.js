/** What machines offer besides bars: the mix of each cluster, attributes of each group, how properties go together. */

import { machinesOf, namesOf, setMix } from "../../experiment/constraints.js";
import { setAt } from "../../experiment/experiment.js";
import { whole } from "../../kit/format.js";
import { h } from "../../kit/dom.js";
import { scalar } from "./custom_row.js";
import { evidenceTag } from "../editors/evidence.js";
import { addKnob, choice, entry, Fields, fold, numeric } from "../editors/fields.js";

const LAYOUTS = [
  ["", "as its source does"],
  ["independent", "each by itself"],
  ["blocks", "blocks of neighbours"],
];
const MOST = 24;

/** "clock_ghz = 3.1, arch = arm" -> {clock_ghz: 3.1, arch: "arm"}. */
export function parseAttributes(text) {
  return Object.fromEntries(
    text
      .split(",")
      .map((part) => part.split("="))
      .filter(([name, value]) => name.trim() && value !== undefined)
      .map(([name, ...value]) => [name.trim(), scalar(value.join("="))]),
  );
}

export function machinesFold(editor) {
  const fields = new Fields();
  const own = new Fields();
  const clusters = h("div", { class: "fold-table" });
  const pairs = h("div", { class: "fold-table" });
  const knobs = h("div", { class: "fold-knobs" });
  const { element, body, sum } = fold("Machines", "mix of each cluster, attributes, properties that go together");
  const layout = fields.add(
    choice({ label: "Machines get properties", path: "constraints.layout", choices: LAYOUTS }, (value) =>
      editor.edit("", (experiment) => setAt(experiment, "constraints.layout", value || undefined)),
    ),
  );
  knobs.append(layout.element);
  const correlation = addKnob(
    fields,
    knobs,
    {
      path: "constraints.correlation",
      label: "Correlation of all pairs",
      kind: "number",
      min: 0,
      max: 0.99,
      default: 0,
      scale: "linear",
      help: "Above 0 a machine that offers one thing more often offers another as well; shares stay.",
    },
    (value) =>
      editor.edit("constraints.correlation", (experiment) =>
        setAt(experiment, "constraints.correlation", value || undefined),
      ),
  );
  body.append(clusters, knobs, pairs);

  const drawClusters = (experiment) => {
    const catalogue = editor.catalogue;
    const groups = experiment.topology?.clusters ?? [];
    const rows = groups.slice(0, MOST).flatMap((group, index) => {
      const mix = own.add(
        choice(
          {
            label: "Mix",
            path: `topology.clusters[${index}].constraint_mix`,
            choices: [["", "offers everything"], ...(catalogue?.mixes ?? []).map((each) => [each.name, each.name])],
          },
          (value) => editor.edit("", (now) => setMix(now, index, value)),
        ),
      );
      mix.set(group.constraint_mix ?? "");
      mix.disable(editor.studio.readOnly);
      const known = catalogue?.mixes.find((each) => each.name === group.constraint_mix);
      const line = h(
        "div",
        { class: "editor-line" },
        h(
          "span",
          { class: "fold-name" },
          `${group.name ?? "lm"}${(group.repeat ?? 1) > 1 ? ` ×${group.repeat}` : ""}, ` +
            `${whole(machinesOf(group))} machines`,
        ),
        mix.element,
        known ? evidenceTag(known.evidence, known.about) : null,
      );
      const kinds = (group.machines ?? []).slice(0, MOST).map((kind, place) => {
        const path = `topology.clusters[${index}].machines[${place}].attributes`;
        const attributes = own.add(
          entry(
            {
              label: `Attributes of ${kind.count ?? 1} machines`,
              path,
              wide: true,
              help: "Such as clock_ghz = 3.1, arch = arm. Your own constraints may compare them.",
            },
            (text) => editor.edit("", (now) => setAt(now, path, parseAttributes(text))),
          ),
        );
        attributes.set(
          Object.entries(kind.attributes ?? {})
            .map(([name, value]) => `${name} = ${value}`)
            .join(", "),
        );
        attributes.disable(editor.studio.readOnly);
        attributes.element.placeholder = "attributes, such as clock_ghz = 3.1";
        return h(
          "div",
          { class: "editor-line fold-inner" },
          h("span", { class: "fold-name" }, `${whole(kind.count ?? 1)} × ${kind.cpus ?? 1} CPUs`),
          attributes.element,
        );
      });
      return [line, ...kinds];
    });
    clusters.replaceChildren(
      ...rows,
      ...(groups.length > MOST
        ? [h("p", { class: "editor-about" }, `and ${groups.length - MOST} more in the JSON`)]
        : []),
    );
  };

  const drawPairs = (experiment) => {
    const list = experiment.constraints.correlated ?? [];
    const names = namesOf(experiment, editor.catalogue).map((each) => [each, each]);
    const write = (next) =>
      editor.edit("", (now) => setAt(now, "constraints.correlated", next.length ? next : undefined));
    const rows = list.map((pair, index) => {
      const path = `constraints.correlated[${index}]`;
      const change = (key, value) =>
        write(list.map((each, place) => (place === index ? { ...each, [key]: value } : each)));
      const first = own.add(
        choice({ label: "One", path: `${path}.first`, choices: names }, (value) => change("first", value)),
      );
      const second = own.add(
        choice({ label: "Other", path: `${path}.second`, choices: names }, (value) => change("second", value)),
      );
      first.set(pair.first);
      second.set(pair.second);
      const amount = own.add(
        entry({ label: "Correlation", path, numeric: true }, (text) => change("correlation", numeric(text))),
      );
      amount.set(pair.correlation);
      return h(
        "div",
        { class: "editor-line" },
        first.element,
        second.element,
        amount.element,
        h(
          "button",
          { class: "link", type: "button", onclick: () => write(list.filter((_, place) => place !== index)) },
          "Remove",
        ),
      );
    });
    const add = h(
      "button",
      {
        class: "button button-small",
        type: "button",
        "data-add-pair": true,
        onclick: () => write([...list, { first: names[0][0], second: names[1][0], correlation: 0.5 }]),
      },
      "Correlate a pair",
    );
    pairs.replaceChildren(...rows, ...(names.length > 1 && !editor.studio.readOnly ? [add] : []));
  };

  let drawn = "";
  return {
    element,
    experiment(experiment) {
      const { constraints } = experiment;
      layout.set(constraints.layout ?? "");
      layout.disable(editor.studio.readOnly);
      correlation.set(constraints.correlation ?? 0);
      correlation.disable(editor.studio.readOnly);
      sum.textContent = [
        ...new Set((experiment.topology?.clusters ?? []).map((each) => each.constraint_mix ?? "everything")),
      ]
        .slice(0, 3)
        .join(", ");
      const now = JSON.stringify([
        constraints.catalogue,
        experiment.topology,
        constraints.correlated,
        namesOf(experiment, editor.catalogue),
        editor.studio.readOnly,
      ]);
      if (now === drawn || (clusters.contains(document.activeElement) && document.activeElement.matches("input")))
        return;
      drawn = now;
      own.clear();
      drawClusters(experiment);
      drawPairs(experiment);
    },
    problems(all, text) {
      const placed = [...fields.problems(all, text), ...own.problems(all, text)];
      if (placed.length) element.open = true;
      return placed;
    },
  };
}
