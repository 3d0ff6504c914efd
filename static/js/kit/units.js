/** Countable units in the right plural form: "1 worker", "2 workers". */

import { ngettext } from "./words.js";

/** @type {Record<string, (n: number) => string>} */
const NOUNS = {
  machines: (n) => ngettext("machine", "machines", n),
  probes: (n) => ngettext("probe", "probes", n),
  "probes per task": (n) => ngettext("probe per task", "probes per task", n),
  rounds: (n) => ngettext("round", "rounds", n),
  samples: (n) => ngettext("sample", "samples", n),
  schedulers: (n) => ngettext("scheduler", "schedulers", n),
  servers: (n) => ngettext("server", "servers", n),
  "short tasks": (n) => ngettext("short task", "short tasks", n),
  tasks: (n) => ngettext("task", "tasks", n),
  "tasks per worker": (n) => ngettext("task per worker", "tasks per worker", n),
  workers: (n) => ngettext("worker", "workers", n),
};

/** Return a unit as it follows a number. Units without an English plural, or already translated, stay unchanged. */
export function unitFor(/** @type {number} */ n, /** @type {string} */ unit) {
  return NOUNS[unit]?.(n) ?? unit;
}
