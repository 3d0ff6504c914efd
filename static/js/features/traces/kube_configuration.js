/** A KubeSchedulerConfiguration: a dropped file sets the scheduler's parameters, and parameters are exported as one. */

import { request } from "../../contract/api.js";
import { openDialog } from "../../kit/dialogs.js";
import { save } from "../../kit/saving.js";
import { html, nothing } from "../../kit/view.js";
import { gettext, ngettext } from "../../kit/words.js";

/**
 * @import { Experiment, Scheduler } from "../../experiment/experiment.js"
 * @import { Studio } from "../../studio/store.js"
 */

const KIND = "KubeSchedulerConfiguration";
const HEAD_BYTES = 65_536;
/** Parameters that a scheduler with such a configuration has. */
const NEEDS = ["scoring_strategy", "percentage", "fit_weight"];
const FILE = "kube-scheduler.yaml";

/** Return true if a file holds a KubeSchedulerConfiguration, in YAML or JSON. */
export async function isConfiguration(/** @type {File} */ file) {
  const head = await file.slice(0, HEAD_BYTES).text();
  return /(^|[{,\s])"?kind"?\s*:\s*"?KubeSchedulerConfiguration\b/.test(head);
}

/** Return true if a scheduler's parameters can be written as a KubeSchedulerConfiguration. */
export function hasConfiguration(/** @type {Scheduler | undefined} */ scheduler) {
  const fields = scheduler?.params?.properties ?? {};
  return NEEDS.every((name) => Object.hasOwn(fields, name));
}

/**
 * Return an experiment's scheduler under the parameters of a configuration. Parameters that a configuration does not
 * have stay where the scheduler stays.
 * @param {Experiment} experiment
 * @param {{name: string, params: Record<string, unknown>}} read
 */
export function withConfiguration(experiment, read) {
  const own = experiment.scheduler?.name === read.name ? experiment.scheduler.params : {};
  return { name: read.name, params: { ...own, ...read.params } };
}

/**
 * Set the parameters that a configuration means, and tell what was set and what was not understood. Throws an error in
 * words for another file.
 * @param {Studio} studio
 * @param {File} file
 */
export async function takeConfiguration(studio, file) {
  const { yamlObjects } = await import("./cluster_yaml.js");
  const configuration = yamlObjects(await file.text()).find((each) => each?.kind === KIND);
  const read = await request("POST", "/kube-configurations", { configuration });
  const { experiment } = studio;
  if (!experiment.value) return;
  studio.edit("scheduler", withConfiguration(experiment.value, read.scheduler));
  tell(studio, file.name, read);
}

/**
 * @param {Studio} studio
 * @param {string} name  of the file
 * @param {{scheduler: {name: string, params: Record<string, unknown>}, not_understood: string[]}} read
 */
function tell(studio, name, { scheduler, not_understood: left }) {
  const known = studio.schedulers.value.find((one) => one.name === scheduler.name);
  const fields = known?.params?.properties ?? {};
  const changed = Object.entries(scheduler.params).filter(([key, value]) => fields[key]?.default !== value);
  const count = left.length;
  const leftWords = ngettext(
    "{count} place was not understood and is left out:",
    "{count} places were not understood and are left out:",
    count,
    { count },
  );
  const leftOut = count
    ? html`<p>${leftWords}</p><ul data-left-out>${left.map((place) => html`<li><code>${place}</code></li>`)}</ul>`
    : nothing;
  const words = gettext(
    "The scheduler is {label}, with the parameters of {file}. What the file does not name has its default.",
    { label: known?.label ?? scheduler.name, file: name },
  );
  openDialog(
    gettext("Scheduler configuration"),
    html`<p role="status" data-configured>${words}</p>
      ${
        changed.length
          ? html`<p>${gettext("These differ from the defaults:")}</p>
              <ul>${changed.map(([key, value]) => html`<li>${fields[key]?.title ?? key}: ${String(value)}</li>`)}</ul>`
          : nothing
      }
      ${leftOut}`,
  );
}

/** Save the parameters of the experiment on the screen as a KubeSchedulerConfiguration. */
export async function exportConfiguration(/** @type {Studio} */ studio) {
  const { scheduler } = studio.experiment.value ?? {};
  const { configuration } = await request("POST", "/kube-configurations", { scheduler });
  const { dump } = await import("../../../vendor/js-yaml/js-yaml.mjs");
  save(FILE, new Blob([dump(configuration)], { type: "application/yaml" }));
}
