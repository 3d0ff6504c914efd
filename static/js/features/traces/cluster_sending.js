/** A user's own cluster: dropped files are filtered here, and only the kept fields are sent. */

import { createExperiment } from "../../contract/api.js";
import { gettext } from "../../kit/words.js";
import { filtered, isKubernetesJson, isKubernetesYaml, Names } from "./cluster_filter.js";
import { machineRows, machinesExperiment } from "./machine_types.js";
import { ownKey } from "./names_key.js";
import { packed } from "./packing.js";
import { filteredTexts, textKind } from "./slurm_filter.js";
import { importTrace } from "./trace_requests.js";

/**
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { Show } from "./trace_sending.js"
 */

const HEAD_BYTES = 65_536;

/**
 * Return the kind of a cluster's files: "kubernetes", "slurm", "machines" (types and counts alone); "" for other files.
 * @param {File[]} files
 */
export async function clusterKind(files) {
  if ((await isKubernetesJson(files[0])) || (await isKubernetesYaml(files[0]))) return "kubernetes";
  const kinds = new Set(await Promise.all(files.map(async (file) => textKind(await file.slice(0, HEAD_BYTES).text()))));
  if (kinds.has("")) return "";
  return kinds.has("sacct") || kinds.has("scontrol") ? "slurm" : "machines";
}

/**
 * Keep the allowed fields of a cluster's files, send them alone, and show what was found.
 * @param {File[]} files
 * @param {string} kind
 * @param {{show: Show, signal: AbortSignal, send: (file: File) => Promise<string>}} by
 */
export async function sendCluster(files, kind, { show, signal, send }) {
  if (kind === "machines") {
    await openMachines(files);
    return;
  }
  if (!globalThis.crypto?.subtle)
    throw new Error(gettext("Pseudonyms need HTTPS or localhost. Otherwise import the cluster from the command line."));
  const names = await Names.by(ownKey());
  const words = gettext("Removing everything but the allowed fields, and names. Nothing is sent yet.");
  show(words, 0);
  const onShare = (/** @type {number} */ share) => {
    signal.throwIfAborted();
    show(words, share);
  };
  const blob =
    kind === "slurm" ? await filteredTexts(files, names, onShare) : (await filtered(files, names, onShare)).blob;
  // A file's name may tell whose cluster it is.
  const name = kind === "slurm" ? gettext("Slurm cluster") : gettext("Kubernetes cluster");
  const upload = await send(new File([await packed(blob)], name));
  const made = await importTrace({ upload }, { signal, on: { progress: () => show(gettext("Reading the cluster…")) } });
  window.location.assign(`/traces/${made.id}`);
}

/**
 * Open an experiment on machines by types and counts, with a synthetic workload.
 * @param {File[]} files
 */
async function openMachines(files) {
  const rows = (await Promise.all(files.map((file) => file.text()))).flatMap(machineRows);
  const made = await createExperiment(/** @type {Experiment} */ (machinesExperiment(rows)));
  window.location.assign(`/studio/${made.id}`);
}
