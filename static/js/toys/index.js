/** The toys' models by name. Each returns a run for a workload; tests compare it with the library's scheduler. */

import { copies } from "./copies.js";
import { masters } from "./masters.js";
import { oneQueue } from "./one_queue.js";
import { probes } from "./probes.js";

/** @import { Run, Work } from "./work.js" */
/** @typedef {Required<import("./panels.js").Rules>} Rules */

/** @type {Record<string, (work: Work, rules: Rules) => Run>} */
export const MODELS = { one_queue: oneQueue, probes, copies, masters };
