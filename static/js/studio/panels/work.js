/** The controls of the workload. A synthetic workload has parameters; a trace has none. */

import { getAt, setAt } from "../../experiment/experiment.js";
import { percent, whole } from "../../kit/format.js";
import { shapeThumbnail } from "../../experiment/thumbnails.js";
import { knobSection } from "../../experiment/forms/knob_section.js";
import { tracePicker } from "../../features/traces/trace_choice.js";
import { gettext, ngettext } from "../../kit/words.js";
import { effect, element, html, nothing, watch } from "../../kit/view.js";

/**
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { Studio } from "../store.js"
 */

/** Return the field that scales a distribution of any kind. */
function scaleKey(/** @type {Record<string, unknown> | null | undefined} */ distribution) {
  if (!distribution) return null;
  return ["mean", "median", "value"].find((key) => typeof distribution[key] === "number") || null;
}

function scaled(/** @type {string} */ path) {
  return {
    read: (/** @type {Experiment} */ experiment) => {
      const found = getAt(experiment, path);
      const key = scaleKey(found);
      return key ? found[key] : undefined;
    },
    write: (/** @type {Experiment} */ experiment, /** @type {number} */ value) => {
      const key = scaleKey(getAt(experiment, path));
      return key ? setAt(experiment, `${path}.${key}`, value) : setAt(experiment, path, { kind: "constant", value });
    },
    when: (/** @type {Experiment} */ experiment) =>
      isDrawn(experiment) && (getAt(experiment, path) === undefined || scaleKey(getAt(experiment, path)) !== null),
  };
}

const isDrawn = (/** @type {Experiment} */ experiment) => ["synthetic", "dag"].includes(experiment.workload?.kind);
const isTrace = (/** @type {Experiment} */ experiment) => experiment.workload?.kind === "trace";
const has = (/** @type {string} */ path) => (/** @type {Experiment} */ experiment) =>
  typeof getAt(experiment, path) === "number";

const specs = [
  {
    path: "workload.arrivals.offered_load",
    label: gettext("Load"),
    kind: "number",
    min: 0.05,
    max: 1.5,
    default: 0.8,
    scale: "linear",
    shown: (/** @type {number} */ value) => percent(value),
    when: has("workload.arrivals.offered_load"),
    help: gettext("Arriving work as a share of the machines' capacity. At 100 % and above, waits keep growing."),
  },
  {
    path: "workload.arrivals.rate_per_s",
    label: gettext("Jobs per second"),
    unit: "jobs/s",
    kind: "number",
    min: 0.001,
    max: 10000,
    default: 1,
    scale: "log",
    when: has("workload.arrivals.rate_per_s"),
    help: gettext("How often a job arrives."),
  },
  {
    path: "workload.offered_load",
    label: gettext("Load"),
    kind: "number",
    min: 0.05,
    max: 1.5,
    default: null,
    scale: "linear",
    marksDefault: true,
    shown: (/** @type {number} */ value) => percent(value),
    when: isTrace,
    write: (/** @type {Experiment} */ experiment, /** @type {number | null} */ value) =>
      setAt(experiment, "workload.offered_load", value ?? undefined),
    help: gettext(
      "Stretches the trace's arrivals until its work fills this share of the machines while jobs arrive. Not set: " +
        "arrivals as recorded.",
    ),
  },
  {
    path: "workload.resampling",
    label: gettext("Resample jobs by seed"),
    kind: "switch",
    default: false,
    when: isTrace,
    read: (/** @type {Experiment} */ experiment) => Boolean(getAt(experiment, "workload.resampling")),
    write: (/** @type {Experiment} */ experiment, /** @type {boolean} */ on) =>
      setAt(experiment, "workload.resampling", on ? { method: "circular_blocks" } : undefined),
    help: gettext(
      "Each seed draws other blocks of consecutive jobs from the trace, with the gaps before them (circular block " +
        "bootstrap). Off: all seeds have the same jobs.",
    ),
  },
  {
    path: "workload.resampling.block_jobs",
    label: gettext("Jobs of a block"),
    kind: "integer",
    min: 1,
    max: 10000,
    default: null,
    scale: "log",
    marksDefault: true,
    when: (/** @type {Experiment} */ experiment) =>
      isTrace(experiment) && Boolean(getAt(experiment, "workload.resampling")),
    write: (/** @type {Experiment} */ experiment, /** @type {number | null} */ value) =>
      setAt(experiment, "workload.resampling.block_jobs", value ?? undefined),
    help: gettext(
      "Longer blocks keep longer bursts and draw less varied traces. Not set: as long as the longest burst.",
    ),
  },
  {
    path: "workload.duration_s",
    label: gettext("Task duration"),
    unit: "s",
    kind: "number",
    min: 0.01,
    max: 3600,
    default: 1,
    scale: "log",
    ...scaled("workload.duration_s"),
    help: gettext("How long a typical task runs. Short tasks make scheduling costs visible."),
  },
  {
    path: "workload.tasks",
    label: gettext("Total tasks"),
    kind: "integer",
    min: 100,
    max: 1000000,
    default: 10000,
    scale: "log",
    when: has("workload.tasks"),
    help: gettext("How much work the run brings. More tasks make the run longer."),
  },
  {
    path: "workload.jobs",
    label: gettext("Total jobs"),
    kind: "integer",
    min: 10,
    max: 100000,
    default: 1000,
    scale: "log",
    when: has("workload.jobs"),
    help: gettext("How much work the run brings."),
  },
  {
    path: "workload.arrive_for_s",
    label: gettext("Jobs arrive for"),
    unit: "s",
    kind: "number",
    min: 1,
    max: 86400,
    default: 600,
    scale: "log",
    when: has("workload.arrive_for_s"),
    help: gettext("How long jobs keep arriving."),
  },
  {
    path: "workload.tasks_per_job",
    label: gettext("Tasks per job"),
    kind: "number",
    min: 1,
    max: 2000,
    default: 1,
    scale: "log",
    ...scaled("workload.tasks_per_job"),
    help: gettext("Number of tasks of a typical job. They arrive together, so larger jobs make larger bursts."),
  },
  {
    path: "workload.demand.cpus",
    label: gettext("CPUs per task"),
    kind: "number",
    min: 0.1,
    max: 64,
    default: 1,
    scale: "log",
    when: isDrawn,
    help: gettext("CPUs that each task uses on its machine."),
    also: {
      "workload.demand": {
        label: gettext("A task"),
        remedy: gettext("Without it a machine never fills. Give each task some CPUs."),
      },
    },
  },
  {
    path: "seed",
    label: gettext("Seed"),
    kind: "integer",
    min: 0,
    max: 1000,
    default: 1,
    scale: "linear",
    help: gettext("A different seed gives a different random sample of the same workload."),
  },
].map((each) => ({ ...each, beyond: true }));

export default {
  id: "work",
  place: "left",
  title: gettext("Workload"),
  question: gettext("Which jobs arrive, and how fast?"),
  mount(/** @type {HTMLElement} */ body, /** @type {Studio} */ studio) {
    const source = tracePicker(studio);
    const given = element("p", "section-sum", () => givenWords(studio.experiment.value?.workload));
    effect(() => {
      given.hidden = !givenWords(studio.experiment.value?.workload);
    });
    body.append(source.element, given);
    const section = knobSection(body, studio, specs, 2);
    body.insertBefore(
      element("div", "pick-row", () => shapeView(studio)),
      body.querySelector(".more"),
    );
    effect(() => {
      if (studio.experiment.value) section.experiment(studio.experiment.value);
    });
    effect(() => {
      section.problems(studio.problems.value);
      source.problems(studio.problems.value);
    });
    watch(
      () => studio.news.value,
      (news) => news && source.state(news.session),
    );
  },
};

/** Return how many jobs the JSON lists; "" for other workloads. */
function givenWords(/** @type {Experiment["workload"]} */ workload) {
  return workload?.kind === "inline"
    ? ngettext("{jobs} job written out in the JSON.", "{jobs} jobs written out in the JSON.", workload.jobs?.length, {
        jobs: whole(workload.jobs?.length ?? 0),
      })
    : "";
}

/**
 * Return pictures of the two distributions, and a button; both open their editor. A trace has no distributions. For a
 * damaged experiment in the JSON, draw nothing.
 */
function shapeView(/** @type {Studio} */ studio) {
  const workload = studio.experiment.value?.workload;
  const open = () => studio.openEditor("workload");
  const tip = gettext(
    "How large jobs are (left) and how long their tasks run (right), on logarithmic axes. Click to shape them.",
  );
  let drawn = /** @type {unknown} */ (nothing);
  try {
    if (workload?.kind === "synthetic") drawn = shapeThumbnail(workload);
  } catch {
    // The server reports the experiment's problem.
  }
  return html`<button
      class="thumb"
      type="button"
      aria-label=${gettext("Edit the sizes and durations of jobs")}
      data-tip=${tip}
      ?hidden=${workload?.kind !== "synthetic"}
      @click=${open}
    >${drawn}<span class="thumb-words"
        ><span>${gettext("tasks per job")}</span><span>${gettext("task duration")}</span></span
      ></button>
    <button class="button button-small" type="button" data-edit="workload" @click=${open}>${gettext("Edit")}</button>`;
}
