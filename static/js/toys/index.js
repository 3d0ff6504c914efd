/** The toys' models by name. Each returns a run for a workload; tests compare it with the library's scheduler. */

import { copies } from "./copies.js";
import { masters } from "./masters.js";
import { oneQueue } from "./one_queue.js";
import { probes } from "./probes.js";

/** @type {Record<string, (work: import("./work.js").Work, rules: Required<import("./panels.js").Rules>) => import("./work.js").Run>} */
export const MODELS = { one_queue: oneQueue, probes, copies, masters };
