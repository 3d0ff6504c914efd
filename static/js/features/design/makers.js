/** Datacenters to begin with: templates, a generator of thousands of machines, files in and out. */

import { whole } from "../../kit/format.js";
import { exported, imported, TextError } from "./topology_text.js";
import { generated, MIXES, TEMPLATES, withTopology } from "./topology_make.js";
import { choice, entry, fold } from "../../experiment/forms/fields.js";
import { h } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { Size } from "./topology_make.js"
 */

/**
 * @typedef {"machines" | "clusters" | "racks" | "masters"} NumberKey
 * @typedef {[key: NumberKey, label: string, value: number, most: number]} NumberField
 */

/** @type {NumberField[]} */
const NUMBERS = [
  ["machines", gettext("Machines in all"), 2000, 100_000],
  ["clusters", gettext("Clusters"), 8, 1000],
  ["racks", gettext("Racks per cluster"), 5, 1000],
  ["masters", gettext("Global Masters"), 4, 256],
];
const MOST_BYTES = 4_000_000;

/**
 * `replace(experiment)` shows another one, as one step; `now()` is the experiment.
 * @param {{now: () => Experiment, replace: (experiment: Experiment) => void, say: (text: string) => void}} options
 */
export function makers({ now, replace, say }) {
  const buttons = TEMPLATES.map((each) =>
    h(
      "button",
      {
        class: "design-template",
        type: "button",
        "data-template": each.id,
        onclick: () => replace(withTopology(now(), each.topology)),
      },
      h("strong", {}, each.label),
      h("span", {}, each.about),
    ),
  );
  const templates = fold(gettext("Templates"), gettext("datacenters to start from"), ...buttons);
  const { element: generator, disable } = generatorFold(now, replace);
  const problem = h("p", { class: "knob-problem", role: "alert", hidden: true });
  /** @param {string} text */
  const take = (text) => {
    try {
      replace(imported(now(), text));
      problem.hidden = true;
      say(gettext("Imported."));
    } catch (error) {
      problem.textContent = error instanceof TextError ? error.message : gettext("This cannot be read.");
      problem.hidden = false;
    }
  };
  const file = h("input", {
    type: "file",
    accept: ".json,application/json",
    class: "visually-hidden",
    tabindex: "-1",
    "aria-label": gettext("A topology as JSON"),
    "data-import-file": true,
  });
  file.addEventListener("change", () => {
    read(file.files?.[0], take, problem);
    file.value = "";
  });
  const files = filesFold(now, file, problem);
  files.element.addEventListener("dragover", (event) => event.preventDefault());
  files.element.addEventListener("drop", (event) => {
    event.preventDefault();
    event.stopPropagation();
    read(event.dataTransfer?.files[0], take, problem);
  });
  const element = h("div", { class: "editor-folds" }, templates.element, generator, files.element);
  return {
    element,
    take,
    files,
    /** @param {boolean} off */
    disable(off) {
      for (const button of buttons) button.disabled = off;
      disable(off);
      /** @type {HTMLButtonElement} */ (element.querySelector("[data-topology-import]")).disabled = off;
    },
  };
}

/**
 * @param {() => Experiment} now
 * @param {HTMLInputElement} file
 * @param {HTMLElement} problem
 */
function filesFold(now, file, problem) {
  /**
   * @param {string} name
   * @param {() => void} onclick
   * @param {string} words
   */
  const button = (name, onclick, words) =>
    h("button", { class: "button button-small", type: "button", [name]: true, onclick }, words);
  return fold(
    gettext("JSON"),
    gettext("in and out"),
    h(
      "p",
      { class: "editor-about" },
      gettext(
        "Import a file with a topology and its queues, or with a whole experiment. You can also paste " +
          "the text or drop the file here.",
      ),
    ),
    h(
      "div",
      { class: "editor-line" },
      button("data-topology-export", () => download(now()), gettext("Export")),
      button("data-topology-import", () => file.click(), gettext("Import…")),
      file,
    ),
    problem,
  );
}

/**
 * A field for a number of the generator: [label and field, what is wrong with it].
 * @param {NumberField} parts
 * @param {(key: NumberKey, value: number) => void} take
 */
function numberRow([key, label, value, most], take) {
  const control = entry({ label, numeric: true }, (text) => {
    const number = Math.floor(Number(text.replaceAll(",", "")));
    const right = Number.isFinite(number) && number >= 1 && number <= Number(most);
    const trouble = right ? "" : gettext("A whole number from 1 to {most}.", { most: whole(Number(most)) });
    control.problem(trouble);
    problem.textContent = trouble;
    problem.hidden = right;
    if (right) take(key, number);
  });
  control.set(String(value));
  const problem = h("p", { class: "knob-problem", role: "alert", hidden: true });
  return [h("label", { class: "design-field" }, h("span", { class: "knob-label" }, label), control.element), problem];
}

/**
 * @param {() => Experiment} now
 * @param {(experiment: Experiment) => void} replace
 */
function generatorFold(now, replace) {
  const numbers = Object.fromEntries(NUMBERS.map(([key, , value]) => [key, Number(value)]));
  const values = /** @type {import("./topology_make.js").Size} */ ({ ...numbers, mix: "three", spread: "even" });
  const sum = h("p", { class: "editor-about" });
  const tell = () => {
    sum.textContent = gettext("Makes {machines} machines in {clusters} clusters: {label}.", {
      machines: whole(values.machines),
      clusters: whole(Math.min(values.clusters, values.machines)),
      label: MIXES.find((mix) => mix.id === values.mix)?.label,
    });
  };
  /**
   * @param {keyof Size} key
   * @param {any} value
   */
  const take = (key, value) => {
    Object.assign(values, { [key]: value });
    tell();
  };
  const rows = NUMBERS.map((number) => numberRow(number, take));
  const mix = choice({ label: gettext("Shapes"), choices: MIXES.map((each) => [each.id, each.label]) }, (value) =>
    take("mix", value),
  );
  const spread = choice(
    {
      label: gettext("Sizes"),
      choices: [
        ["even", gettext("all clusters alike")],
        ["uneven", gettext("few large, many small")],
      ],
    },
    (value) => take("spread", value),
  );
  mix.set(values.mix);
  const make = h(
    "button",
    {
      class: "button button-small",
      type: "button",
      "data-generate": true,
      onclick: () => replace(withTopology(now(), generated(values))),
    },
    gettext("Generate"),
  );
  tell();
  const { element } = fold(
    gettext("Generator"),
    gettext("thousands of machines from a few numbers"),
    ...rows.flat(),
    mix.element,
    spread.element,
    sum,
    make,
  );
  const disable = (/** @type {boolean} */ off) => {
    make.disabled = off;
  };
  return { element, disable };
}

/**
 * @param {File | undefined} file
 * @param {(text: string) => void} take
 * @param {HTMLElement} problem
 */
async function read(file, take, problem) {
  if (!file) return;
  if (file.size > MOST_BYTES) {
    problem.textContent = gettext("The file is larger than the limit for an experiment (4 MB).");
    problem.hidden = false;
    return;
  }
  take(await file.text());
}

/** @param {Experiment} experiment */
function download(experiment) {
  const url = URL.createObjectURL(new Blob([exported(experiment)], { type: "application/json" }));
  const link = h("a", { href: url, download: "topology.json" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
