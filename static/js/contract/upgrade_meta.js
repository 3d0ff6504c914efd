/**
 * Upgrade the metadata of older recordings to the current format.
 *
 * The library on the server does the same (scheduler_core/contract/upgrade.py).
 */

import {
  COMPOSING_FAMILIES_OF_FORMAT_1,
  MARK_ROLES_OF_FORMAT_2,
  META_FORMAT,
  ROLES_OF_FORMAT_1,
} from "./meta_formats.js";

const RESOURCE_PREFIX = "of_";

/**
 * Return metadata of any format in the format META_FORMAT. Format 1 lacks most layers' roles and the scheduler flags;
 * format 2 lacks the marks' roles.
 *
 * @param {{format?: number, marks?: {kind: string, role?: string}[], layers?: {name: string, role?: string}[],
 *   scheduler?: {family?: string}, [more: string]: unknown}} meta the contents of a recording's `meta.json`
 * @returns {import("./contract").Meta}
 */
export function upgradeMeta(meta) {
  const form = meta.format ?? 1;
  if (form >= META_FORMAT) return asMeta(meta);
  const marks = (meta.marks ?? []).map((mark) => ({
    role: markRole(mark.kind),
    ...mark,
  }));
  const upgraded = { ...meta, format: META_FORMAT, marks };
  if (form >= 2) return asMeta(upgraded);
  const composes = COMPOSING_FAMILIES_OF_FORMAT_1.includes(meta.scheduler?.family ?? "");
  return asMeta({
    ...upgraded,
    scheduler: { composes, ...meta.scheduler },
    layers: (meta.layers ?? []).map((layer) => ({
      ...layer,
      role: layer.role || roleOf(layer.name),
    })),
  });
}

const asMeta = (/** @type {unknown} */ upgraded) => /** @type {import("./contract").Meta} */ (upgraded);

/** @param {string} name */
function roleOf(name) {
  return name.startsWith(RESOURCE_PREFIX) ? "resource" : (ROLES_OF_FORMAT_1[name] ?? "");
}

/** @param {string} kind */
function markRole(kind) {
  return MARK_ROLES_OF_FORMAT_2.includes(kind) ? kind : "";
}
