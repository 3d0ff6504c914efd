/** Changes of a policy and of its settings, for which a page writes a program into a packed start. */

import { RESERVED } from "../../contract/policy_table.js";
import { programFor } from "../../engine/policy/fitting.js";
import { policyWrite } from "../../engine/program.js";

/** @import { Header } from "../../engine/start_file.js" */
/** @import { Values } from "../../engine/turning.js" */
/** @import { Changes } from "./starts.js" */

/**
 * Returns what the page writes for those of the changed paths that are the policy's, and the other paths; null if the
 * start cannot have them.
 * @typedef {(header: Header, changed: string[], wanted: Changes, own: (path: string) => unknown) =>
 *   {values: Values, others: string[]} | null} TakePolicy
 */

const PARAMS = "scheduler.params";
const POLICY = `${PARAMS}.policy`;
const NAME = /^scheduler\.params\.(\w+)$/;

/** Whether a path is that of the policy's text, or of one of its settings. */
function isOfPolicy(/** @type {string} */ path) {
  const [, name] = NAME.exec(path) ?? [];
  return path === POLICY || (name !== undefined && !RESERVED.includes(name));
}

/**
 * Return the parameters of the scheduler after the changes.
 * @param {Changes} wanted
 * @param {(path: string) => unknown} own
 */
function paramsAfter(wanted, own) {
  const params = /** @type {Record<string, unknown>} */ ({ .../** @type {object} */ (own(PARAMS) ?? {}) });
  for (const [path, value] of Object.entries(wanted)) {
    const [, name] = NAME.exec(path) ?? [];
    if (name !== undefined && value === "absent") delete params[name];
    else if (name !== undefined) params[name] = value;
  }
  return params;
}

/** @type {TakePolicy} */
export function takePolicy(header, changed, wanted, own) {
  const write = policyWrite(header);
  const others = changed.filter((path) => !isOfPolicy(path));
  if (!write || others.length === changed.length) return { values: {}, others: changed };
  const { policy, ...given } = paramsAfter(wanted, own);
  const program = typeof policy === "string" ? programFor(header, write.policy, policy, given) : null;
  return program && { values: { [POLICY]: program }, others };
}
