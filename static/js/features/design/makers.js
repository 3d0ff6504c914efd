/** Ways to start a datacenter: templates, a generator for thousands of machines, import and export. */

import { whole } from "../../kit/format.js";
import { exported, imported, TextError } from "./topology_text.js";
import { generated, MIXES, TEMPLATES, withTopology } from "./topology_make.js";
import { choiceView, entryView, foldView, problemView } from "../../experiment/forms/fields.js";
import { targetOf } from "../../kit/dom.js";
import { save } from "../../kit/saving.js";
import { element, html, signal } from "../../kit/view.js";
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

/** The generator's initial values. @type {Size} */
const SIZE = {
  .../** @type {Record<NumberKey, number>} */ (Object.fromEntries(NUMBERS.map(([key, , value]) => [key, value]))),
  mix: "three",
  spread: "even",
};
const SPREADS = [
  ["even", gettext("all clusters alike")],
  ["uneven", gettext("few large, many small")],
];

/** Whole datacenters: templates, a generator, and files. */
export class Makers {
  #off = signal(false);
  #size = signal(SIZE);
  /** The problem with a number of the generator. */
  #wrong = signal(/** @type {Partial<Record<NumberKey, string>>} */ ({}));
  /** The problem with an imported file. */
  #trouble = signal("");
  #open = { templates: signal(false), generator: signal(false), files: signal(false) };
  #acts;

  /**
   * `replace(experiment)` shows another experiment, as one undo step; `now()` returns the current one.
   * @param {{now: () => Experiment, replace: (experiment: Experiment) => void, say: (text: string) => void}} acts
   */
  constructor(acts) {
    this.#acts = acts;
    this.element = element("div", "editor-folds", () => [
      this.#templatesView(),
      this.#generatorView(),
      this.#filesView(),
    ]);
  }

  /** @param {boolean} off */
  disable(off) {
    this.#off.value = off;
  }

  #templatesView() {
    const { now, replace } = this.#acts;
    return foldView(
      { title: gettext("Templates"), about: gettext("datacenters to start from"), open: this.#open.templates },
      TEMPLATES.map(
        (each) =>
          html`<button
            class="design-template"
            type="button"
            data-template=${each.id}
            ?disabled=${this.#off.value}
            @click=${() => replace(withTopology(now(), each.topology))}
            ><strong>${each.label}</strong><span>${each.about}</span></button>`,
      ),
    );
  }

  #generatorView() {
    const { now, replace } = this.#acts;
    const size = this.#size.value;
    /** @param {"mix" | "spread"} key */
    const take = (key) => (/** @type {string} */ value) => {
      this.#size.value = { ...size, [key]: value };
    };
    const mixes = MIXES.map((each) => [each.id, each.label]);
    const about = gettext("thousands of machines from a few numbers");
    return foldView(
      { title: gettext("Generator"), about, open: this.#open.generator },
      html`
        ${NUMBERS.map((number) => this.#numberView(number))}
        ${choiceView({ label: gettext("Shapes"), choices: mixes, value: size.mix }, take("mix"))}
        ${choiceView({ label: gettext("Sizes"), choices: SPREADS, value: size.spread }, take("spread"))}
        <p class="editor-about"
          >${gettext("Makes {machines} machines in {clusters} clusters: {label}.", {
            machines: whole(size.machines),
            clusters: whole(Math.min(size.clusters, size.machines)),
            label: MIXES.find((mix) => mix.id === size.mix)?.label,
          })}</p>
        <button
          class="button button-small"
          type="button"
          data-generate
          ?disabled=${this.#off.value}
          @click=${() => replace(withTopology(now(), generated(size)))}
        >${gettext("Generate")}</button>`,
    );
  }

  /**
   * Return a number field of the generator with its problem.
   * @param {NumberField} parts
   */
  #numberView([key, label, , most]) {
    const wrong = this.#wrong.value[key] ?? "";
    const field = entryView({ label, numeric: true, value: this.#size.value[key], wrong }, (text) => {
      const number = Math.floor(Number(text.replaceAll(",", "")));
      const right = Number.isFinite(number) && number >= 1 && number <= most;
      const trouble = right ? "" : gettext("A whole number from 1 to {most}.", { most: whole(most) });
      if (right) this.#size.value = { ...this.#size.value, [key]: number };
      this.#wrong.value = { ...this.#wrong.value, [key]: trouble };
    });
    return html`<label class="design-field"><span class="knob-label">${label}</span>${field}</label
      >${problemView(wrong)}`;
  }

  #filesView() {
    const choose = (/** @type {Event} */ event) => {
      const line = /** @type {HTMLElement} */ (event.currentTarget).parentElement;
      /** @type {HTMLElement | null | undefined} */ (line?.querySelector("[data-import-file]"))?.click();
    };
    const chosen = (/** @type {Event} */ event) => {
      const file = targetOf(event);
      this.#read(file.files?.[0]);
      file.value = "";
    };
    const over = (/** @type {DragEvent} */ event) => event.preventDefault();
    const dropped = (/** @type {DragEvent} */ event) => {
      event.preventDefault();
      event.stopPropagation();
      this.#read(event.dataTransfer?.files[0]);
    };
    const content = html`
      <p class="editor-about"
        >${gettext(
          "Import a file with a topology and its queues, or with a whole experiment. You can also paste " +
            "the text or drop the file here.",
        )}</p>
      <div class="editor-line"
        ><button
          class="button button-small"
          type="button"
          data-topology-export
          @click=${() => download(this.#acts.now())}
        >${gettext("Export")}</button
        ><button
          class="button button-small"
          type="button"
          data-topology-import
          ?disabled=${this.#off.value}
          @click=${choose}
        >${gettext("Import…")}</button
        ><input
          type="file"
          accept=".json,application/json"
          class="visually-hidden"
          tabindex="-1"
          aria-label=${gettext("A topology as JSON")}
          data-import-file
          @change=${chosen}
        /></div>
      ${problemView(this.#trouble.value)}`;
    const fold = foldView({ title: gettext("JSON"), about: gettext("in and out"), open: this.#open.files }, content);
    return html`<div @dragover=${over} @drop=${dropped}>${fold}</div>`;
  }

  /** @param {File | undefined} file */
  async #read(file) {
    if (!file) return;
    if (file.size > MOST_BYTES) {
      this.#trouble.value = gettext("The file is larger than the limit for an experiment (4 MB).");
      return;
    }
    this.#take(await file.text());
  }

  /** @param {string} text  an experiment or a topology as JSON */
  #take(text) {
    const { now, replace, say } = this.#acts;
    try {
      replace(imported(now(), text));
      this.#trouble.value = "";
      say(gettext("Imported."));
    } catch (error) {
      this.#trouble.value = error instanceof TextError ? error.message : gettext("This cannot be read.");
    }
  }
}

/** @param {Experiment} experiment */
function download(experiment) {
  save("topology.json", new Blob([exported(experiment)], { type: "application/json" }));
}
