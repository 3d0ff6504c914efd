/** Arrivals of jobs: the kind, a rate or a load of these machines, the kind's parameters, and the end. */

import { getAt, setAt } from "../../experiment/experiment.js";
import { percent, whole } from "../../kit/format.js";
import { targetOf } from "../../kit/dom.js";
import { ARRIVALS, withArrivals, withEnd, withRate } from "../../experiment/workloads.js";
import { columnDialog } from "../../experiment/forms/column_dialog.js";
import { html, live, nothing } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { KnobSpec } from "../../kit/knob.js"
 * @import { Workload, WorkloadEditor } from "./workload.js"
 */

/** @type {Record<string, (Omit<KnobSpec, "path"> & {name: string})[]>} */
const OWN = {
  renewal: [
    {
      name: "cv",
      label: gettext("CV of the gaps"),
      kind: "number",
      min: 0,
      max: 50,
      default: 3,
      help: gettext("Coefficient of variation: 0 regular, 1 about Poisson, 25 as in Google's sample."),
    },
  ],
  markov_modulated: [
    {
      name: "calm_s",
      label: gettext("Calm period"),
      unit: "s",
      kind: "number",
      min: 1,
      max: 86400,
      default: 300,
      scale: "log",
      help: gettext("Mean length of a calm period."),
    },
    {
      name: "busy_s",
      label: gettext("Busy period"),
      unit: "s",
      kind: "number",
      min: 1,
      max: 86400,
      default: 30,
      scale: "log",
      help: gettext("Mean length of a busy period."),
    },
    {
      name: "busy_factor",
      label: gettext("Busy factor"),
      kind: "number",
      min: 1,
      max: 100,
      default: 5,
      scale: "log",
      help: gettext("Job rate in busy periods, as a multiple of the rate in calm periods."),
    },
  ],
  diurnal: [
    {
      name: "period_s",
      label: gettext("Length of a day"),
      unit: "s",
      kind: "number",
      min: 10,
      max: 604800,
      default: 86400,
      scale: "log",
      help: gettext("Length of a simulated day in seconds. Shorten it to see several days."),
    },
    {
      name: "swing",
      label: gettext("Swing"),
      kind: "number",
      min: 0,
      max: 1,
      default: 0.5,
      scale: "linear",
      help: gettext("How far the rate goes above and below its mean."),
      shown: (/** @type {number} */ value) => percent(value),
    },
  ],
};
const ENDS = [
  ["tasks", gettext("a number of tasks")],
  ["jobs", gettext("a number of jobs")],
  ["arrive_for_s", gettext("a time")],
];
/** @type {Record<string, number>} */
const START = { tasks: 10000, jobs: 1000, arrive_for_s: 600 };

const LOAD = {
  label: gettext("Load"),
  kind: "number",
  min: 0.05,
  max: 1.5,
  default: 0.8,
  scale: "linear",
  shown: (/** @type {number} */ value) => percent(value),
  help: gettext("Mean arriving work as a share of these machines' capacity."),
};
const RATE = {
  label: gettext("Jobs per second"),
  unit: "jobs/s",
  kind: "number",
  min: 0.001,
  max: 10000,
  default: 1,
  scale: "log",
  help: gettext("Mean over the run."),
};
/** @type {Record<string, [min: number, max: number, kind: string, label: string]>} */
const RANGES = {
  tasks: [100, 1000000, "integer", gettext("Total tasks")],
  jobs: [10, 100000, "integer", gettext("Total jobs")],
  arrive_for_s: [1, 864000, "number", gettext("Jobs arrive for")],
};

/** @param {Pick<Workload, "arrivals">} workload */
const rateOf = ({ arrivals }) =>
  arrivals.offered_load != null ? "offered_load" : arrivals.rate_per_s != null ? "rate_per_s" : "";

/** Return the field that ends a workload. @param {Workload} workload */
const endOf = (workload) => Object.keys(START).find((key) => workload[key] != null) ?? "jobs";

/**
 * Return the fields for when jobs arrive, and when arrivals end.
 * @param {WorkloadEditor} editor
 * @param {Workload} workload
 */
export function arrivalsView(editor, workload) {
  const { form } = editor;
  const arrivals = workload.arrivals ?? {};
  /** @param {string} value */
  const give = (value) =>
    editor.edit("", (one) => withRate(one, value === "none" ? "" : value, value === "offered_load" ? 0.8 : 1));
  const rates = [
    ["offered_load", gettext("a load of these machines")],
    ["rate_per_s", gettext("jobs per second")],
    ...(arrivals.kind === "replayed" ? [["none", gettext("the times as they are")]] : []),
  ];
  return html`<div>
    <div class="editor-line"
      >${form.choice(
        {
          label: gettext("Jobs arrive"),
          path: "workload.arrivals.kind",
          choices: Object.entries(ARRIVALS).map(([name, each]) => [name, each.label]),
          value: arrivals.kind,
        },
        (value) => editor.edit("", (one) => withArrivals(one, value)),
      )}${form.choice(
        {
          label: gettext("given as"),
          choices: rates,
          value: rateOf({ arrivals }) || "none",
          hidden: arrivals.kind === "at_once",
        },
        give,
      )}</div>
    <p class="editor-about">${ARRIVALS[arrivals.kind]?.about ?? ""}</p>
    <div class="fold-knobs">${rateViews(editor, { ...workload, arrivals })}</div>
    ${endView(editor, workload)}
  </div>`;
}

/**
 * Return a control of the workload; its path is below `workload`.
 * @param {WorkloadEditor} editor
 * @param {Workload} workload
 * @param {string} name
 * @param {Omit<KnobSpec, "path">} spec
 */
function knobView(editor, workload, name, spec) {
  const path = `workload.${name}`;
  return editor.form.knob({ beyond: true, ...spec, path }, getAt({ workload }, path), (value) =>
    editor.edit(path, (one) => setAt(one, path, value)),
  );
}

/**
 * Return the rate or load, the parameters of the kind, and the replayed times.
 * @param {WorkloadEditor} editor
 * @param {Workload} workload
 */
function rateViews(editor, workload) {
  const { arrivals } = workload;
  const rate = rateOf(workload);
  const [pasted, off] = [arrivals.times_s?.length ?? 0, editor.studio.readOnly.value];
  return [
    rate === "offered_load" ? knobView(editor, workload, "arrivals.offered_load", LOAD) : nothing,
    rate === "rate_per_s" ? knobView(editor, workload, "arrivals.rate_per_s", RATE) : nothing,
    (OWN[arrivals.kind] ?? []).map((each) => knobView(editor, workload, `arrivals.${each.name}`, each)),
    arrivals.kind === "replayed"
      ? html`<div class="editor-line"
          ><span class="section-sum">${gettext("{times} times", { times: whole(pasted) })}</span
          ><button
            class="button button-small"
            type="button"
            ?disabled=${off}
            @click=${() => timesDialog(editor)}
          >${gettext("Paste times…")}</button></div>`
      : nothing,
  ];
}

/**
 * Return the fields for the end of arrivals, and the sampling.
 * @param {WorkloadEditor} editor
 * @param {Workload} workload
 */
function endView(editor, workload) {
  const ends = endOf(workload);
  const [min, max, kind, label] = RANGES[ends];
  const unit = ends === "arrive_for_s" ? "s" : "";
  const tip = gettext(
    "Draw evenly from every part of the distributions, so that a few jobs also match the " +
      "statistics. Needs a number of jobs.",
  );
  /** @param {Event} event */
  const spread = (event) => {
    const even = targetOf(event).checked;
    editor.edit("", (one) => setAt(one, "workload.sampling", even ? "even" : undefined));
  };
  return html`
    <div class="editor-line"
      >${editor.form.choice({ label: gettext("Ends after"), choices: ENDS, value: ends }, (value) =>
        editor.edit("", (one) => withEnd(one, value, START[value])),
      )}<label class="field-choice" data-tip=${tip}
        ><input
          type="checkbox"
          class="knob-switch"
          data-path="workload.sampling"
          .checked=${live(workload.sampling === "even")}
          ?disabled=${editor.studio.readOnly.value || workload.jobs == null}
          @change=${spread}
        /><span class="knob-label">${gettext("Spread the draws evenly")}</span></label
    ></div>
    <div class="fold-knobs">${knobView(editor, workload, ends, {
      label,
      kind,
      unit,
      min,
      max,
      default: START[ends],
      scale: "log",
    })}</div>`;
}

/** @param {WorkloadEditor} editor */
function timesDialog(editor) {
  columnDialog({
    title: gettext("When jobs arrive"),
    label: gettext("Times in seconds"),
    note: gettext("Seconds from the start, one per line, in ascending order. With more jobs, the times repeat."),
    text: (editor.studio.opened.value.workload.arrivals.times_s ?? []).slice(0, 5000).join("\n"),
    take: (text) => {
      const times = text
        .split(/[\s;]+/)
        .filter(Boolean)
        .map(Number);
      if (!times.length) return gettext("The text contains no number.");
      if (!times.every((each) => Number.isFinite(each) && each >= 0))
        return gettext("All values must be numbers of at least 0.");
      editor.edit("", (experiment) => setAt(experiment, "workload.arrivals.times_s", times));
      return "";
    },
  });
}
