/**
 * The editor of synthetic workloads: a preset, or custom arrivals, sizes, durations, classes and demands, and their
 * effect.
 */

import { problemText } from "../../experiment/problems.js";
import { DEFAULT_EXPERIMENT } from "../../experiment/default_experiment.js";
import { getAt, setAt } from "../../experiment/experiment.js";
import { presetOf, statisticWords, withPreset } from "../../experiment/workloads.js";
import { arrivalsView } from "./arrivals.js";
import { classesView, pathIn, variationView } from "./classes.js";
import { demandsView } from "./demands.js";
import { distributionView } from "./distribution.js";
import { evidenceView } from "../../experiment/forms/evidence.js";
import { drawing, foldView, Form, partView } from "../../experiment/forms/fields.js";
import { html, nothing, signal } from "../../kit/view.js";
import { queuesView } from "./queue_rules.js";
import { remediesView } from "./remedies.js";
import { WorkloadPicture } from "./workload_picture.js";
import { presets } from "../../experiment/lists.js";
import { gettext } from "../../kit/words.js";
import { three } from "../../kit/format.js";

/**
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { Problem } from "../../experiment/problems.js"
 * @import { Studio } from "../../studio/store.js"
 * @import { WorkloadAnswer } from "./workload_picture.js"
 */

/**
 * @typedef {import("./distribution.js").Drawn} Drawn
 * @typedef {Record<string, number>} Demand  the amounts that one task takes, by resource
 * @typedef {{weight?: number, demand?: Demand}} DemandKind
 * @typedef {{name: string, weight: number, tasks_per_job?: Drawn, duration_s?: Drawn,
 *   [more: string]: unknown}} JobClass
 * @typedef {{kind: string, offered_load?: number | null, rate_per_s?: number | null, times_s?: number[],
 *   [more: string]: unknown}} Arrivals
 */

/**
 * The fields of a workload that the form knows. Which of them it has depends on its kind.
 * @typedef {object} WorkloadFields
 * @property {string} kind  synthetic, trace, inline or dag
 * @property {string} [trace]
 * @property {number | null} [jobs]
 * @property {number | null} [tasks]
 * @property {number | null} [arrive_for_s]
 * @property {Arrivals} arrivals
 * @property {Drawn} [tasks_per_job]
 * @property {Drawn} [duration_s]
 * @property {"task" | "job"} [duration_varies]
 * @property {Demand} [demand]
 * @property {DemandKind[]} [demands]
 * @property {{amounts?: Record<string, Drawn>}} [drawn_demand]
 * @property {number} [demand_follows_duration]
 * @property {JobClass[]} [classes]
 * @property {string} [sampling]
 * @typedef {WorkloadFields & Record<string, unknown>} Workload  of an experiment
 */

/**
 * @typedef {{name: string, label: string, about: string, fit: string, evidence: string, workload: Workload,
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

/** The form and the picture of a synthetic workload. */
export class WorkloadEditor {
  /** The experiment that the form shows. @type {Experiment | null} */
  #now = null;
  #draw;
  #presets = signal(/** @type {Preset[]} */ ([]));
  /** Why there are no presets. */
  #trouble = signal("");
  /** The class on screen; null: all jobs. */
  shape = signal(/** @type {number | null} */ (null));
  form = new Form();
  demands = { form: new Form(), open: signal(false) };
  queues = { form: new Form(), open: signal(false) };
  /** A job is long from this mean duration on, in seconds; null: the preset's value. @type {number | null} */
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
    this.#draw = drawing(form, () => (this.#now ? this.#view(this.#now) : nothing));
    presets().then(
      (found) => {
        this.#presets.value = found;
      },
      (error) => {
        this.#trouble.value = error.message;
      },
    );
  }

  /** @param {Experiment} experiment */
  #view(experiment) {
    const { workload } = experiment;
    for (const form of [this.form, this.demands.form, this.queues.form]) form.begin(this.studio.readOnly.value);
    const drawn = this.asks(experiment);
    return html`
      <div ?hidden=${!drawn && workload?.kind !== "dag"}
        >${drawn || workload?.kind === "dag" ? this.#startView(workload) : nothing}</div>
      <div class="remedies" data-remedies>${remediesView(this, experiment)}</div>
      ${drawn ? this.#drawnView(experiment) : this.#otherView(workload)}`;
  }

  /**
   * Explain why the workload cannot be edited here.
   * @param {Workload} workload
   */
  #otherView(workload) {
    const draw = () =>
      this.edit("", (experiment) => setAt(experiment, "workload", structuredClone(DEFAULT_EXPERIMENT.workload)));
    const trace =
      workload?.kind === "trace" && workload.trace
        ? html` <a class="link" href=${`/traces/${encodeURIComponent(workload.trace)}`}>${gettext("Contents")}</a>`
        : nothing;
    return html`
      <p class="editor-about">${OTHER[workload?.kind] ?? ""}${trace}</p>
      <button class="button button-small" type="button" data-draw ?hidden=${this.studio.readOnly.value} @click=${draw}
        >${gettext("Use distributions instead")}</button>`;
  }

  /**
   * Return the fields of a synthetic workload.
   * @param {Experiment} experiment
   */
  #drawnView(experiment) {
    const { workload } = experiment;
    const { demands, queues } = this;
    if (this.shape.value !== null && !workload.classes?.[this.shape.value]) this.shape.value = null;
    return html`<div>
      ${partView(gettext("Arrivals"), gettext("when jobs arrive"), arrivalsView(this, workload))}
      ${partView(
        gettext("Jobs"),
        gettext("one kind of job, or classes such as short and long"),
        html`${classesView(this, workload)}
        ${this.#distributionView(workload, "tasks_per_job", gettext("Tasks per job"), SIZE)}
        ${this.#distributionView(workload, "duration_s", gettext("Task duration"), SECONDS)}
        ${variationView(this, workload)}`,
      )}
      <div class="editor-folds"
        >${foldView(
          {
            title: gettext("Demands"),
            about: gettext("resources that a task holds on its machine"),
            open: demands.open,
          },
          html`<div>${demandsView(demands.form, this, workload)}</div>`,
        )}${foldView(
          { title: gettext("Queues"), about: gettext("which queue each job belongs to"), open: queues.open },
          queuesView(queues.form, this, experiment),
        )}</div>
    </div>`;
  }

  /**
   * Return a class's own distribution, or that of all jobs.
   * @param {Workload} workload
   * @param {string} name
   * @param {string} title
   * @param {{min: number, max: number, unit: string}} range
   */
  #distributionView(workload, name, title, range) {
    const index = this.shape.value;
    const own = index === null ? null : getAt(workload, `classes[${index}].${name}`);
    return distributionView(this.form, this, own ?? workload[name] ?? { kind: "constant", value: 1 }, {
      path: pathIn(this, name),
      title,
      range,
      inherited: index !== null && !own,
    });
  }

  /**
   * Return the choice of a preset, and the source of its numbers.
   * @param {Workload} workload
   */
  #startView(workload) {
    const all = this.#presets.value;
    const preset = presetOf(workload, all);
    const choices = [
      ["", gettext("your own distributions")],
      ...inGroups(all).map((each) => [
        each.name,
        menuLabel(each),
        each.workload.kind === "dag" ? gettext("Jobs that are graphs") : gettext("Jobs without stages"),
      ]),
    ];
    const about = preset
      ? html`${evidenceView(preset.evidence)} ${preset.about} ${preset.fit.replaceAll("`", "")}`
      : html`${evidenceView("yours")}${gettext(" Edited here; its values are not measured.")}`;
    // The picture of flat workloads shows the sampled values; a preset of graphs reports what seed 1 drew.
    const known = preset && workload.kind === "dag" ? knownWords(preset) : "";
    return html`
      <div class="editor-line" data-presets
        >${this.form.choice(
          {
            label: gettext("Start from"),
            help: gettext("A ready-made workload. Arrivals of flat jobs become a load of these machines."),
            choices,
            value: preset?.name ?? "",
          },
          (name) => this.#choose(name),
        )}</div>
      <p class="editor-about">${this.#trouble.value || about}</p>
      <p class="editor-about" data-known ?hidden=${!known}>${known}</p>`;
  }

  /**
   * @param {string} key
   * @param {(experiment: Experiment) => Experiment} change
   */
  edit(key, change) {
    if (this.studio.readOnly.value) return;
    const next = change(this.studio.opened.value);
    if (JSON.stringify(next) !== JSON.stringify(this.studio.opened.value)) this.studio.replace(next, false, key);
  }

  /** @param {string} name */
  #choose(name) {
    const preset = this.#presets.value.find((each) => each.name === name);
    if (preset) this.edit("", (experiment) => withPreset(experiment, preset));
  }

  /** @param {Experiment} experiment */
  asks(experiment) {
    return experiment.workload?.kind === "synthetic";
  }

  /** @param {Experiment} experiment */
  experiment(experiment) {
    this.#now = experiment;
    this.#draw();
    if (this.asks(experiment)) this.picture.curves(experiment.workload);
    else this.picture.empty();
  }

  /** @param {Problem[]} all */
  problems(all) {
    /** @param {Problem} each */
    const text = (each) => problemText(each);
    const placed = this.form.problems(all, text);
    for (const { form, open } of [this.demands, this.queues]) {
      const found = form.problems(
        all.filter((each) => !placed.includes(each)),
        text,
      );
      if (found.length) open.value = true;
      placed.push(...found);
    }
    return placed;
  }

  /**
   * Return the mean duration from which on a job is long: the user's value, or the preset's.
   * @param {Experiment} experiment
   */
  more(experiment) {
    const cutoff_s = this.cutoff ?? presetOf(experiment.workload, this.#presets.peek())?.cutoff_s;
    return cutoff_s ? { cutoff_s } : {};
  }

  /**
   * @param {unknown} told  a WorkloadAnswer
   * @param {Experiment} experiment
   */
  preview(told, experiment) {
    const answer = /** @type {WorkloadAnswer} */ (told);
    this.picture.show(answer, presetOf(experiment.workload, this.#presets.peek()), experiment.workload);
  }
}

/** Describe the published values of a preset of graphs, and the drawn ones. @param {Preset} preset */
const knownWords = ({ targets, found }) =>
  gettext("Published value, and value drawn with seed 1: {values}.", {
    values: Object.entries(targets)
      .map(([name, wanted]) => `${statisticWords(name)} ${wanted}, ${three(found[name])}`)
      .join("; "),
  });

/**
 * Return a preset's name in the menu; a tag beside the choice shows the source of its numbers.
 * @param {Preset} options
 */
function menuLabel({ label, evidence }) {
  return evidence === "synthetic" && !label.includes("synthetic") ? gettext("{label}, synthetic", { label }) : label;
}

/**
 * Sort flat workloads first, because graphs need certain schedulers.
 * @param {Preset[]} presets
 */
function inGroups(presets) {
  return [
    ...presets.filter((each) => each.workload.kind !== "dag"),
    ...presets.filter((each) => each.workload.kind === "dag"),
  ];
}
