/**
 * The part of a Slurm cluster that leaves the browser: the columns and fields that the reader uses, with pseudonyms for
 * names. Everything else is dropped here, before anything is sent. scheduler_core/inventory/slurm has the same lists.
 */

import { machineColumns, machineRows } from "./machine_types.js";

/** @import { Names } from "./cluster_filter.js" */

const MARK = '{"kind":"SchedulerPlaygroundFile","of":"text"}';
const NUMBER = /^[0-9]{1,15}(-[0-9]{1,15})?$/;
const SPAN = /^([0-9]{1,6}-)?[0-9]{1,9}(:[0-9]{1,2}){0,2}(\.[0-9]{1,9})?$|^(UNLIMITED|Partition_Limit|INVALID)$/;
const TIME = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}$|^[0-9]{1,12}$/;
const MEMORY = /^[0-9.]{1,16}[KMGTP]?i?B?[nc]?$/i;
const JOB = /^[0-9]+(\+[0-9]+)?(_([0-9]+|\[[0-9,:%-]+\]))?(\.(batch|extern|interactive|[0-9]+))?$/;
const CONDITION = /^(singleton|((after(any|ok|notok|corr|burstbuffer)?):)?[0-9_*+:]+)$/;
const STATE = /^[A-Z_]{2,20}$/;
const COLUMN = /^[A-Za-z0-9]{1,40}$/;
const MOST_HOSTS = 100_000;
const RULES_OF_PARTITIONS = [
  "OverSubscribe",
  "ExclusiveUser",
  "ExclusiveTopo",
  "MaxNodes",
  "AllowGroups",
  "AllowAccounts",
  "AllowQos",
  "DenyAccounts",
  "DenyQos",
  "QoS",
  "LLN",
  "OverTimeLimit",
  "MaxMemPerNode",
  "MaxMemPerCPU",
  "MaxCPUsPerNode",
  "MaxCPUsPerSocket",
  "RootOnly",
  "ReqResv",
  "SelectTypeParameters",
];

/** @typedef {(text: string, names: Names) => string | Promise<string>} Keep  returns the kept part of a field */

/** @param {RegExp} pattern @returns {Keep} */
const like = (pattern) => (text) => (pattern.test(text) ? text : "");

/** @param {string} kind @returns {Keep} */
const named = (kind) => (text, names) => names.of(kind, text);

/** @param {string} kind @returns {Keep} */
const eachNamed = (kind) => async (text, names) =>
  (await Promise.all(text.split(",").map((one) => names.of(kind, one)))).join(",");

/** Values by which Slurm says that a field asks for nothing. */
const NOTHING = /^(|\(null\)|none|n\/a|no|0|unlimited|infinite|all|unknown)$/i;

/** @param {string} text */
const asks = (text) => !NOTHING.test(text.trim());

/**
 * Keep no more of a field than that it asks for something: the reader counts it and does not obey it.
 * @type {Keep}
 */
const noted = (text) => (asks(text) ? "set" : "");

/** @param {RegExp} nothing @returns {Keep} */
const notedUnless = (nothing) => (text) => (asks(text) && !nothing.test(text) ? "set" : "");

/** @type {Keep} */
const devices = async (text, names) => {
  const kept = [];
  for (const part of text.replace(/\([^)]*\)/g, "").split(",")) {
    const [name, ...rest] = part.split(":");
    if (name && !["gpu", "gres/gpu"].includes(name) && asks(name)) kept.push("other:1");
    if (name === "gpu" || name === "gres/gpu") {
      const count = /^[0-9]+$/.test(rest.at(-1) ?? "") ? rest.at(-1) : "1";
      kept.push(rest.length > 1 ? `${name}:${await names.of("gpu", rest[0])}:${count}` : `${name}:${count}`);
    }
  }
  return kept.join(",");
};

/** @type {Keep} */
const trackable = async (text, names) => {
  const kept = [];
  for (const part of text.split(",")) {
    const [name, value = ""] = part.split("=");
    if (!MEMORY.test(value)) continue;
    if (["cpu", "mem", "node", "billing", "gres/gpu"].includes(name)) kept.push(part);
    else if (name.startsWith("gres/gpu:"))
      kept.push(`gres/gpu:${await names.of("gpu", name.slice("gres/gpu:".length))}=${value}`);
    else if (/^(gres|license|bb)\//.test(name)) kept.push(`${name.split("/")[0]}/other=1`);
  }
  return kept.join(",");
};

/**
 * Return the names in `n[1-3,7],gpu01`, as Slurm lists hosts.
 * @param {string} text
 */
export function hosts(text) {
  /** @type {string[]} */
  const names = [];
  for (const part of text.split(/,(?![^[]*\])/)) {
    const [, head, inside, tail] = /^([^[]*)\[([^\]]*)\](.*)$/.exec(part) ?? [];
    if (inside === undefined) {
      if (part) names.push(part);
      continue;
    }
    for (const piece of inside.split(",")) {
      const [, low, high] = /^([0-9]+)-([0-9]+)$/.exec(piece) ?? [];
      if (low === undefined) names.push(head + piece + tail);
      else if (Number(high) - Number(low) < MOST_HOSTS - names.length)
        for (let number = Number(low); number <= Number(high); number += 1)
          names.push(head + String(number).padStart(low.length, "0") + tail);
    }
  }
  return names;
}

/** @type {Keep} */
const hostNames = async (text, names) =>
  /^(None( assigned)?|Unknown|\(null\))?$/.test(text)
    ? ""
    : (await Promise.all(hosts(text).map((one) => names.of("node", one)))).join(",");

/** @type {Keep} */
const features = async (text, names) =>
  text === "(null)" ? "" : (await Promise.all(text.split(",").map((one) => names.ofKey(one)))).join(",");

/** @type {Keep} */
const states = (text) => (text.split(/[+ ]/)[0].toUpperCase().match(STATE) ?? [""])[0];

/**
 * Conditions on other jobs: kinds, numbers and signs. Any other text becomes one word, which the reader counts.
 * @type {Keep}
 */
const conditions = (text) => {
  const kept = text.replace(/\([a-z]*\)/g, "");
  if (/^(None|N\/A)?$/.test(kept)) return "";
  return kept.split(/[,?]/).every((one) => CONDITION.test(one)) ? kept : "other";
};

/** @type {Record<string, Keep>} */
const COLUMNS = {
  jobid: like(JOB),
  jobidraw: like(JOB),
  state: states,
  submit: like(TIME),
  eligible: like(TIME),
  start: like(TIME),
  end: like(TIME),
  elapsed: like(SPAN),
  elapsedraw: like(NUMBER),
  timelimit: like(SPAN),
  timelimitraw: like(SPAN),
  partition: eachNamed("partition"),
  account: named("account"),
  user: named("user"),
  qos: named("qos"),
  priority: like(NUMBER),
  dependency: conditions,
  alloccpus: like(NUMBER),
  reqcpus: like(NUMBER),
  ncpus: like(NUMBER),
  allocnodes: like(NUMBER),
  reqnodes: like(NUMBER),
  nnodes: like(NUMBER),
  reqmem: like(MEMORY),
  alloctres: trackable,
  reqtres: trackable,
  nodelist: hostNames,
  constraints: noted,
  licenses: noted,
  reservation: noted,
};

/** @type {Record<string, Keep>} */
const FIELDS = {
  NodeName: named("node"),
  CPUTot: like(NUMBER),
  CPUEfctv: like(NUMBER),
  RealMemory: like(NUMBER),
  Gres: devices,
  State: (text) => (/^[A-Z_+*~#!%$@^-]{2,80}$/.test(text) ? text : ""),
  ActiveFeatures: features,
  AvailableFeatures: features,
  PartitionName: named("partition"),
  Nodes: hostNames,
  MaxTime: like(SPAN),
  PriorityTier: like(NUMBER),
  Default: like(/^(YES|NO)$/),
  ReservationName: named("ReservationName"),
  LicenseName: named("LicenseName"),
  JobId: named("JobId"),
  Weight: notedUnless(/^1$/),
  CoreSpecCount: noted,
  MemSpecLimit: noted,
  Owner: noted,
  Alternate: noted,
  ...Object.fromEntries(RULES_OF_PARTITIONS.map((name) => [name, noted])),
  MinNodes: notedUnless(/^1$/),
  PreemptMode: notedUnless(/^off$/i),
  GraceTime: notedUnless(/^00:00:00$/),
  PriorityJobFactor: notedUnless(/^1$/),
};

/** @type {Record<string, Keep>} */
const MACHINES = {
  count: like(NUMBER),
  cpus: like(/^[0-9.]{1,12}$/),
  memory_gb: like(/^[0-9.]{1,12}$/),
  gpus: like(/^[0-9.]{1,12}$/),
  type: named("type"),
  cluster: named("cluster"),
};
/**
 * Return what a text is by its first line: "sacct", "scontrol" or "machines"; "" for another.
 * @param {string} head
 */
export function textKind(head) {
  const first = head
    .replace(/^\ufeff/, "")
    .trimStart()
    .split("\n", 1)[0];
  if (/^(NodeName|PartitionName)=/.test(first)) return "scontrol";
  if (first.includes("|") && /jobid/i.test(first)) return "sacct";
  const places = machineColumns(first);
  return places.count !== undefined && places.cpus !== undefined ? "machines" : "";
}

/** @param {string} text @param {Names} names */
async function machines(text, names) {
  const columns = Object.keys(MACHINES);
  const lines = [columns.join(",")];
  for (const row of machineRows(text))
    lines.push((await Promise.all(columns.map((name) => MACHINES[name](row[name] ?? "", names)))).join(","));
  return lines;
}

/** @param {string} text @param {Names} names */
async function sacct(text, names) {
  const [first, ...rows] = text
    .replace(/^\ufeff/, "")
    .trimStart()
    .split(/\r?\n/);
  const header = first.split("|").map((name) => name.split("%")[0].trim());
  // A column that is not read keeps its name, so that the report can count it, and loses what is in it.
  const lines = [header.map((name) => (COLUMN.test(name) ? name : "")).join("|")];
  const waits = header.findIndex((name) => name.toLowerCase() === "dependency");
  // Only the dependency `singleton` is about names of jobs: without one, no pseudonyms of them leave.
  const single =
    waits >= 0 && rows.some((row) => row.includes("singleton") && row.split("|")[waits]?.includes("singleton"));
  const columns = single ? { ...COLUMNS, jobname: named("jobname") } : COLUMNS;
  for (const row of rows) {
    if (!row) continue;
    const fields = row.split("|").slice(0, header.length);
    const kept = fields.map((field, at) => {
      const name = header[at].toLowerCase();
      return field && Object.hasOwn(columns, name) ? columns[name](field.trim(), names) : "";
    });
    lines.push((await Promise.all(kept)).join("|"));
  }
  return lines;
}

/** @param {string} text @param {Names} names */
async function scontrol(text, names) {
  const lines = [];
  const records = text
    .replace(/^\ufeff/, "")
    .split(/^\s*(?=(?:NodeName|PartitionName|ReservationName|LicenseName|JobId)=)/m);
  for (const record of records) {
    const kept = [];
    for (const [, name, value] of record.matchAll(/(?:^|\s)([A-Za-z][A-Za-z/]{0,40})=(\S*)/g)) {
      const found = Object.hasOwn(FIELDS, name) && value ? await FIELDS[name](value, names) : "";
      if (found) kept.push(`${name}=${found}`);
    }
    if (kept.length) lines.push(kept.join(" "));
  }
  return lines;
}

/** @type {Record<string, (text: string, names: Names) => Promise<string[]>>} */
const FILTERS = { sacct, scontrol, machines };

/**
 * Return one file with the kept part of several texts; a line MARK begins each of them.
 * @param {Blob[]} files
 * @param {Names} names
 * @param {(share: number) => void} [onShare]
 */
export async function filteredTexts(files, names, onShare) {
  /** @type {string[]} */
  const parts = [];
  for (const [number, file] of files.entries()) {
    const text = await file.text();
    const filter = FILTERS[textKind(text)];
    if (filter) parts.push(`${[MARK, ...(await filter(text, names))].join("\n")}\n`);
    onShare?.((number + 1) / files.length);
  }
  return new Blob(parts);
}
