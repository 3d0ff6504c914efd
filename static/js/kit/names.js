/**
 * Display names of clusters, queues and Global Masters. Generated names are numbers in the data (`lm-3`, `q0`, `GM 2`);
 * a reader sees “Cluster 3”, “Queue 0” and “Master 2”. Names in the project's own experiments (`hall-0`) start with a
 * capital.
 */

import { gettext } from "./words.js";

/**
 * Return the name of a choice as words. Other text, such as a policy, keeps its underscores.
 * @param {unknown} value
 */
export function choiceWords(value) {
  const text = String(value);
  return /^\w+$/.test(text) ? text.replaceAll("_", " ") : text;
}

/** Matches a generated name: a prefix and a number. */
const MADE = /^(?:lm-?|q|GM )(\d+)$/;

/** Return the number of a generated name, or a user's name unchanged. @param {string | undefined} name */
export function bareName(name) {
  return MADE.exec(name ?? "")?.[1] ?? name ?? "";
}

/** Default names of an experiment's only cluster. */
const ONLY = new Set(["lm", "machines"]);
const HALL = /^hall-(\d+)$/;

/** @param {string | undefined} name */
export function clusterName(name) {
  if (ONLY.has(name ?? "")) return gettext("Cluster {name}", { name: "0" });
  const hall = HALL.exec(name ?? "");
  if (hall) return gettext("Hall {name}", { name: hall[1] });
  return bareName(name) === name ? name : gettext("Cluster {name}", { name: bareName(name) });
}

/** @param {string | undefined} name */
export function queueName(name) {
  return bareName(name) === name ? name : gettext("Queue {name}", { name: bareName(name) });
}

/** @param {string} name */
function ownerName(name) {
  return bareName(name) === name ? name : gettext("Master {master}", { master: bareName(name) });
}

/**
 * Return a run's metadata with display names for the owners.
 * @template {{owners?: string[]} | null} T
 * @param {T} meta
 * @returns {T}
 */
export function withOwners(meta) {
  return meta?.owners ? { ...meta, owners: meta.owners.map(ownerName) } : meta;
}
