/** Check a policy in the page. It says of a valid text what the server's check says (scheduler_core/explanation). */

import { NEEDS, RESERVED, WORDS } from "../../contract/policy_table.js";
import { compilePolicy } from "../../engine/policy/program.js";

/** @import { PolicyCheck } from "../../contract/api.js" */
/** @import { Limits } from "../../engine/policy/lines.js" */

const CHOICE = ["filter", "score"];
const KEPT_NEEDS = NEEDS.DEMAND | NEEDS.MACHINE;
/** What a score may depend on that cannot be kept. */
const CAUSES = Object.entries(NEEDS).filter(
  ([name, bit]) => !(bit & KEPT_NEEDS) && !["VICTIM", "FOLDED"].includes(name),
);

/**
 * Return what the check of a valid text says; null for a text that is no policy.
 * @param {string} text
 * @param {Limits} limits
 * @returns {PolicyCheck | null}
 */
export function checkHere(text, limits) {
  const policy = compilePolicy(text, RESERVED, limits);
  if (!policy) return null;
  const codes = CHOICE.filter((name) => name in policy.hooks).map((name) => policy.hooks[name]);
  const needs = codes.reduce((found, code) => found | code.needs, 0);
  const steps = (/** @type {(code: typeof codes[number]) => number} */ count) =>
    codes.reduce((sum, code) => sum + count(code), 0);
  return {
    valid: true,
    problems: [],
    settings: policy.settings.map(({ name, default: value, low, high }) => ({ name, default: value, low, high })),
    hooks: Object.keys(policy.hooks).map((name) => ({ name })),
    words: policy.words.map((number) => ({ word: WORDS[number].word })),
    choice: {
      kept: (needs & ~KEPT_NEEDS) === 0,
      depends: CAUSES.filter(([, bit]) => needs & bit).map(([name]) => name.toLowerCase()),
      once: steps(({ first, machine }) => machine - first),
      each: steps(({ machine, end }) => end - machine),
    },
  };
}
