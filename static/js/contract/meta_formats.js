// Made by `manage.py make_contract` from scheduler_core/contract and playground/contract. Do not edit.

/** The format of meta that the page reads. */
export const META_FORMAT = 3;

/** Roles that format 1 left to the names of layers.
 * @type {Record<string, string>} */
export const ROLES_OF_FORMAT_1 = {
  owner: "owner",
  load: "load",
  lent: "lent",
  borrower: "borrower",
  outage: "service",
};

/** Families that format 1 showed as composed of stages.
 * @type {string[]} */
export const COMPOSING_FAMILIES_OF_FORMAT_1 = ["pipeline"];

/** Roles that formats 1 and 2 left to the kinds of marks: the kind was the role.
 * @type {string[]} */
export const MARK_ROLES_OF_FORMAT_2 = ["refusal", "preemption", "fault", "repartition"];
