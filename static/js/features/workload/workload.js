/**
 * The editor of drawn work: a preset or one's own arrivals, sizes, durations, classes and demands, and what that means.
 */

import { problemText } from "../../experiment/problems.js";
import { DEFAULT_EXPERIMENT } from "../../experiment/default_experiment.js";
import { getAt, setAt } from "../../experiment/experiment.js";
import { presetOf, statisticWords, withPreset } from "../../experiment/workloads.js";
import { h } from "../../kit/dom.js";
import { arrivalFields } from "./arrivals.js";
import { classFields } from "./classes.js";
import { demandFields } from "./demands.js";
import { distributionFields } from "./distribution.js";
import { evidenceTag } from "../../experiment/forms/evidence.js";
import { choice, fold } from "../../experiment/forms/fields.js";
import { queueFields } from "./queue_rules.js";
import { remedies } from "./remedies.js";
import { WorkloadPicture } from "./workload_picture.js";
import { presets } from "../../experiment/lists.js";
import { gettext } from "../../kit/words.js";
import { three } from "../../kit/format.js";

/**
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { Problem } from "../../experiment/problems.js"
 * @import { Child } from "../../kit/dom.js"
 * @import { Studio } from "../../studio/store.js"
 * @import { WorkloadAnswer } from "./workload_picture.js"
 */

/**
 * @typedef {{problems: (all: Problem[], text: (each: Problem) => string) => Problem[]}} Placing
 * @typedef {(key: string, change: (experiment: Experiment) => Experiment) => void} Edit  one step back for equal keys
 * @typedef {{name: string, label: string, about: string, fit: string, evidence: string, workload: any,
 *   cutoff_s?: number, targets: Record<string, number>, found: Record<string, number>}} Preset  a ready-made workload
 */

const SIZE = { min: 1, max: 10000, unit: "" };
const SECONDS = { min: 0.001, max: 100000, unit: "s" };
/** @type {Record<string, string>} */
const OTHER = {
  trace: gettext(
    "This workload is a trace and cannot be edited here. Choose “Drawn from distributions” in the " +
      "workload section, or use distributions here instead.",
  ),
  inline: gettext("These jobs are written out in the JSON, one by one."),
  dag: gettext("These jobs are graphs of stages; their distributions are in the JSON."),
};

export default {
  id: "workload",
  title: gettext("Workload"),
  question: gettext("Which jobs arrive, how large are they, and how long do they run?"),
  preview: "workload",
  /**
   * @param {HTMLElement} form
   * @param {HTMLElement} picture
   */
  mount(form, picture, /** @type {Studio} */ studio) {
    return new WorkloadEditor(form, picture, studio);
  },
};

/**
 * @param {string} title
 * @param {string} about
 * @param {...Child} content
 */
const part = (title, about, ...content) =>
  h(
    "section",
    { class: "picture-part" },
    h("h2", {}, h("span", { class: "panel-title" }, title), " ", h("span", { class: "panel-question" }, about)),
    ...content,
  );

/** The form and the picture of a drawn workload. */
export class WorkloadEditor {
  /** @type {Preset[]} */
  presets = [];
  /** From which mean duration on a job is long, in seconds; null: as the preset has it. @type {number | null} */
  cutoff = null;

  /**
   * @param {HTMLElement} form
   * @param {HTMLElement} picture
   */
  constructor(form, picture, /** @type {Studio} */ studio) {
    this.studio = studio;
    this.picture = new WorkloadPicture(picture, (cutoff) => {
      this.cutoff = cutoff;
      this.studio.editing.sheet?.refresh();
    });
    this.pick = choice(
      {
        label: gettext("Start from"),
        help: gettext("A ready-made workload. Arrivals of flat jobs become a load of these machines."),
      },
      (value) => this.#choose(value),
    );
    this.about = h("p", { class: "editor-about" });
    this.other = h("p", { class: "editor-about" });
    this.draw = h(
      "button",
      {
        class: "button button-small",
        type: "button",
        "data-draw": true,
        onclick: () =>
          this.edit("", (experiment) => setAt(experiment, "workload", structuredClone(DEFAULT_EXPERIMENT.workload))),
      },
      gettext("Use distributions instead"),
    );
    const readOnly = () => studio.readOnly;
    /**
     * @param {string} key
     * @param {(experiment: Experiment) => Experiment} change
     */
    const edit = (key, change) => this.edit(key, change);
    this.arrivals = arrivalFields(this);
    this.classes = classFields(this);
    this.size = distributionFields({ title: gettext("Tasks per job"), range: SIZE, edit, readOnly });
    this.duration = distributionFields({ title: gettext("Task duration"), range: SECONDS, edit, readOnly });
    this.demands = demandFields(this);
    this.queues = queueFields(this);
    this.demandFold = fold(
      gettext("Demands"),
      gettext("resources that a task holds on its machine"),
      this.demands.element,
    );
    this.queueFold = fold(gettext("Queues"), gettext("which queue each job belongs to"), this.queues.element);
    this.known = h("p", { class: "editor-about", "data-known": true });
    this.ready = h("div", {}, h("div", { class: "editor-line" }, this.pick.element), this.about, this.known);
    this.drawn = this.#drawnFields();
    this.remedies = remedies(this);
    form.append(this.ready, this.remedies.element, this.other, this.draw, this.drawn);
    presets().then(
      (found) => {
        this.presets = found;
        this.experiment(studio.opened);
      },
      (error) => {
        this.about.textContent = error.message;
      },
    );
  }

  /** The fields of a workload that is drawn. */
  #drawnFields() {
    return h(
      "div",
      {},
      part(gettext("Arrivals"), gettext("when jobs arrive"), this.arrivals.element),
      part(
        gettext("Jobs"),
        gettext("one kind of job, or classes such as short and long"),
        this.classes.element,
        this.size.element,
        this.duration.element,
        this.classes.more,
      ),
      h("div", { class: "editor-folds" }, this.demandFold.element, this.queueFold.element),
    );
  }

  /**
   * @param {string} key
   * @param {(experiment: Experiment) => Experiment} change
   */
  edit(key, change) {
    if (this.studio.readOnly) return;
    const next = change(this.studio.opened);
    if (JSON.stringify(next) !== JSON.stringify(this.studio.opened)) this.studio.replace(next, false, key);
  }

  /** @param {string} name */
  #choose(name) {
    const preset = this.presets.find((each) => each.name === name);
    if (preset) this.edit("", (experiment) => withPreset(experiment, preset));
  }

  /** @param {Experiment} experiment */
  asks(experiment) {
    return experiment.workload?.kind === "synthetic";
  }

  /** @param {Experiment} experiment */
  experiment(experiment) {
    const { workload } = experiment;
    const drawn = this.asks(experiment);
    this.drawn.hidden = !drawn;
    this.ready.hidden = !drawn && workload?.kind !== "dag";
    if (!this.ready.hidden) this.#describe(workload);
    this.remedies.set(experiment);
    this.other.hidden = drawn;
    this.draw.hidden = drawn || this.studio.readOnly;
    if (!drawn) {
      const trace =
        workload?.kind === "trace" && workload.trace
          ? h("a", { class: "link", href: `/traces/${encodeURIComponent(workload.trace)}` }, gettext("Contents"))
          : "";
      this.other.replaceChildren(OTHER[workload?.kind] ?? "", " ", trace);
      this.picture.empty();
      return;
    }
    this.arrivals.set(experiment, this.studio.readOnly);
    this.classes.set(workload, this.studio.readOnly);
    this.#distribution(this.size, workload, "tasks_per_job");
    this.#distribution(this.duration, workload, "duration_s");
    this.demands.set(workload, this.studio.readOnly);
    this.queues.set(experiment, this.studio.readOnly);
    this.picture.curves(workload);
  }

  /**
   * Show a class's own distribution, or the one of all jobs that it has.
   * @param {ReturnType<typeof distributionFields>} fields
   * @param {any} workload
   * @param {string} name
   */
  #distribution(fields, workload, name) {
    const { index } = this.classes;
    const own = index === null ? null : getAt(workload, `classes[${index}].${name}`);
    fields.element.classList.toggle("is-inherited", index !== null && !own);
    fields.set(
      own ?? workload[name] ?? { kind: "constant", value: 1 },
      index === null ? `workload.${name}` : `workload.classes[${index}].${name}`,
    );
  }

  /** @param {any} workload */
  #describe(workload) {
    const preset = presetOf(workload, this.presets);
    this.preset = preset;
    this.pick.set(preset?.name ?? "", [
      ["", "your own distributions"],
      ...inGroups(this.presets).map((each) => [
        each.name,
        menuLabel(each),
        each.workload.kind === "dag" ? gettext("Jobs that are graphs") : gettext("Jobs without stages"),
      ]),
    ]);
    this.pick.disable(this.studio.readOnly);
    this.about.replaceChildren(
      ...(preset
        ? [evidenceTag(preset.evidence), ` ${preset.about} ${preset.fit.replaceAll("`", "")}`]
        : [evidenceTag("yours"), gettext(" Edited here; its values are not measured.")]),
    );
    // The picture of flat work shows how a draw came out; of graphs the preset says what seed 1 drew.
    this.known.hidden = !preset || workload.kind !== "dag";
    if (!this.known.hidden)
      this.known.textContent = gettext("Published value, and value drawn with seed 1: {values}.", {
        values: Object.entries(preset.targets)
          .map(([name, wanted]) => `${statisticWords(name)} ${wanted}, ${three(preset.found[name])}`)
          .join("; "),
      });
  }

  /** @param {Problem[]} all */
  problems(all) {
    /** @param {Problem} each */
    const text = (each) => problemText(each);
    /** @type {Problem[]} */
    const placed = [];
    /** @type {[Placing, ReturnType<typeof fold>?][]} */
    const parts = [
      [this.arrivals],
      [this.size],
      [this.duration],
      [this.classes],
      [this.demands, this.demandFold],
      [this.queues, this.queueFold],
    ];
    for (const [fields, around] of parts) {
      const found = fields.problems(
        all.filter((each) => !placed.includes(each)),
        text,
      );
      if (found.length && around) around.element.open = true;
      placed.push(...found);
    }
    return placed;
  }

  /**
   * From which mean duration on a job counts as long: as given here, or as the preset's source has it.
   * @param {Experiment} experiment
   */
  more(experiment) {
    const cutoff_s = this.cutoff ?? presetOf(experiment.workload, this.presets)?.cutoff_s;
    return cutoff_s ? { cutoff_s } : {};
  }

  /**
   * @param {WorkloadAnswer} answer
   * @param {Experiment} experiment
   */
  preview(answer, experiment) {
    this.picture.show(answer, presetOf(experiment.workload, this.presets), experiment.workload);
  }
}

/**
 * A preset's name in the menu; the mark beside the choice says where its numbers come from.
 * @param {Preset} options
 */
function menuLabel({ label, evidence }) {
  return evidence === "synthetic" && !label.includes("synthetic") ? gettext("{label}, synthetic", { label }) : label;
}

/**
 * Flat work first: graphs need a scheduler of their own.
 * @param {Preset[]} presets
 */
function inGroups(presets) {
  return [
    ...presets.filter((each) => each.workload.kind !== "dag"),
    ...presets.filter((each) => each.workload.kind === "dag"),
  ];
}
