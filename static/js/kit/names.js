/**
 * Names of clusters, queues and Global Masters as a page says them. Names that nobody chose are numbers in the data
 * (`lm-3`, `q0`, `GM 2`); a reader sees “Cluster 3”, “Queue 0” and “Master 2”. The names of the project's own
 * experiments (`hall-0`) start with a capital.
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

/** The letters before the number in a name that the product gave. */
const MADE = /^(?:lm-?|q|GM )(\d+)$/;

/** The number in a name that the product gave; a name that a user chose stays. @param {string | undefined} name */
export function bareName(name) {
  return MADE.exec(name ?? "")?.[1] ?? name ?? "";
}

/** Names of the only cluster of an experiment that nobody named. */
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
 * What a run says of itself, with its owners as a page calls them.
 * @template {{owners?: string[]} | null} T
 * @param {T} meta
 * @returns {T}
 */
export function withOwners(meta) {
  return meta?.owners ? { ...meta, owners: meta.owners.map(ownerName) } : meta;
}
