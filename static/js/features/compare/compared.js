/** Runs side by side: names, one machine in every run, the difference of two pictures. */

import { optionLabel } from "../../experiment/experiment.js";
import { three, whole } from "../../kit/format.js";
import { clusterOf, levelWords, valueLayer } from "../../run/sentences.js";
import { gettext, midSentence } from "../../kit/words.js";
import { clusterName } from "../../kit/names.js";

/**
 * @import { LayerMeta, Meta } from "../../contract/contract"
 * @import { Experiment } from "../../experiment/experiment.js"
 * @import { KnobSpec } from "../../kit/knob.js"
 * @import { Picture } from "../../run/frames.js"
 */

/**
 * @typedef {{label: string, seed: number, experiment: Experiment, knobs?: KnobSpec[], meta?: Meta | null,
 *   picture?: Pick<Picture, "layers"> | null}} ComparedRun
 * @typedef {Pick<Picture, "t_ns" | "layers" | "counters" | "hists"> & {differ?: number}} Difference
 */

const NONE = 255;

/**
 * Return a parameter's label and value: "heartbeat interval 10 s".
 * @param {KnobSpec[] | undefined} knobs
 * @param {string} key
 * @param {unknown} value
 */
function paramWords(knobs, key, value) {
  const knob = knobs?.find((each) => each.name === key);
  const name = knob ? midSentence(knob.label) : key.replace(/_s$/, "").replaceAll("_", " ");
  const shownValue = typeof value === "boolean" ? (value ? gettext("on") : gettext("off")) : value;
  if (typeof value !== "number") return `${name}: ${knob ? optionLabel(knob.options, shownValue) : shownValue}`;
  const unit = knob?.unit ?? (key.endsWith("_s") ? "s" : "");
  return `${name} ${three(value)}${unit && unit.length <= 3 ? `\u202f${unit}` : ""}`;
}

const LONGEST_LINE = 32;

/** Return the lines of a policy that say something, without comments. @returns {string[]} */
const linesOf = (/** @type {unknown} */ policy) =>
  String(policy ?? "")
    .split("\n")
    .map((line) => line.replace(/#.*/, "").trim())
    .filter(Boolean);

/**
 * Return the first line of a policy that other policies have not, cut; its letter if there is none.
 * @param {unknown} policy
 * @param {unknown[]} others
 * @param {string} letter
 */
function policyWords(policy, others, letter) {
  const line = linesOf(policy).find((each) => others.some((other) => !linesOf(other).includes(each)));
  if (!line) return gettext("policy {letter}", { letter });
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE - 1).trimEnd()}…` : line;
}

/** Return short names that distinguish the runs: the scheduler, else the differing parameters, else the seed. */
export function namesOf(/** @type {ComparedRun[]} */ runs) {
  const labels = runs.map((run) => run.label);
  return runs.map((run, at) => {
    const alike = runs.filter((_other, place) => place !== at && labels[place] === labels[at]);
    if (!alike.length) return run.label;
    const own = run.experiment.scheduler?.params ?? {};
    const keys = Object.keys(own).filter((key) =>
      alike.some((other) => JSON.stringify(other.experiment.scheduler?.params?.[key]) !== JSON.stringify(own[key])),
    );
    const seeds = alike.some((other) => other.seed !== run.seed);
    const parts = [
      ...keys
        .slice(0, 2)
        .map((key) =>
          key === "policy"
            ? policyWords(own.policy, policiesOf(alike), "ABCDEFGH"[at])
            : paramWords(run.knobs, key, own[key]),
        ),
      ...(seeds || !keys.length ? [gettext("seed {seed}", { seed: run.seed })] : []),
    ];
    const name = `${run.label} (${parts.join(", ")})`;
    return alike.some((other) => other.seed === run.seed) && !keys.length ? `${name} ${"ABCDEFGH"[at]}` : name;
  });
}

const policiesOf = (/** @type {ComparedRun[]} */ runs) => runs.map((run) => run.experiment.scheduler?.params?.policy);

/**
 * Return true if two runs have the same machines at the same places.
 * @param {Meta} one
 * @param {Meta} other
 */
export function sameMachines(one, other) {
  return (
    one.machines === other.machines &&
    one.clusters.length === other.clusters.length &&
    one.clusters.every(
      (cluster, at) => cluster.machines === other.clusters[at].machines && cluster.name === other.clusters[at].name,
    )
  );
}

/**
 * Return a layer of the difference map, in the format of metadata.
 * @param {string} name
 * @param {string} label
 * @param {LayerMeta["kind"]} kind
 * @param {LayerMeta["role"]} role
 * @param {string} help
 */
function differenceLayer(name, label, kind, role, help) {
  return { name, label, kind, role, help, unit: "", full: 0, fixed: false, whole: false, plain: "" };
}

/**
 * Return the metadata of a difference map: hue shows the run in which a machine is busier, strength shows by how much.
 * @param {Meta} meta
 * @param {string[]} names
 * @returns {Meta}
 */
export function differenceMeta(meta, names) {
  return {
    ...meta,
    groups: null,
    owners: names.map((name) => gettext("Busier: {name}", { name })),
    marks: [],
    queues: [],
    clusters: meta.clusters.map((cluster) => ({
      ...cluster,
      partitions: [{ owner: NONE, first: cluster.first, machines: cluster.machines }],
    })),
    layers: [
      differenceLayer(
        "fuller",
        gettext("Busier in"),
        "category",
        "owner",
        gettext("The run in which the machine is busier now."),
      ),
      differenceLayer(
        "gap",
        gettext("Difference"),
        "level",
        "load",
        gettext("The difference as a share of the machine."),
      ),
    ],
  };
}

/**
 * Return the difference of two pictures at an instant; `places` are the indices of the two runs. `into` is reused;
 * `differ` counts machines.
 * @param {Meta[]} metas
 * @param {Picture[]} pictures
 * @param {number[]} places
 * @param {Difference | null | undefined} into
 */
export function differencePicture(metas, pictures, places, into) {
  const [mine, other] = metas.map((meta, at) => pictures[at].layers[valueLayer(meta)?.name ?? ""]);
  const count = metas[0].machines;
  const made = into ?? {
    t_ns: 0,
    layers: { fuller: new Uint8Array(count), gap: new Uint8Array(count) },
    counters: {},
    hists: {},
  };
  made.t_ns = pictures[0].t_ns;
  let differ = 0;
  for (let machine = 0; machine < count; machine += 1) {
    const gap = (mine?.[machine] ?? 0) - (other?.[machine] ?? 0);
    made.layers.fuller[machine] = gap === 0 ? NONE : gap > 0 ? places[0] : places[1];
    made.layers.gap[machine] = Math.abs(gap);
    if (gap) differ += 1;
  }
  made.differ = differ;
  return made;
}

/**
 * Describe one machine in every run: "Machine 12 of lm-1: full under Megha, idle under Sparrow."
 * @param {ComparedRun[]} runs
 * @param {string[]} names
 * @param {number} machine
 */
export function tellMachine(runs, names, machine) {
  const first = runs[0].meta;
  const said = runs
    .map((run, at) => {
      const layer = run.meta && valueLayer(run.meta);
      const level = layer && run.picture?.layers[layer.name]?.[machine];
      if (level === undefined || level === null) return null;
      return gettext("{load} under {name}", {
        load: level === 0 ? gettext("idle") : level >= 254 ? gettext("full") : layer ? levelWords(layer, level) : "",
        name: names[at],
      });
    })
    .filter(Boolean);
  return gettext("Machine {machine} of {cluster}{loads}.", {
    machine: whole(machine),
    cluster: first ? clusterName(clusterOf(first, machine).name) : "",
    loads: said.length ? `: ${said.join(", ")}` : "",
  });
}
