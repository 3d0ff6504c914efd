/** Convert a toy's run into an experiment: its jobs, written out, under the scheduler with the same rules. */

import { SECOND } from "./work.js";

const FREE = { match_us: 0, scan_ns: 0, request_us: 0, send_ns: 0, update_us: 0, apply_ns: 0, fairness: false };

/** @typedef {Required<import("./panels.js").Rules>} Rules */

/** @type {Record<string, (rules: Rules) => {name: string, params: object, masters: number, delay: number}>} */
const SCHEDULERS = {
  // One master that sees all machines immediately.
  one_queue: () => ({ name: "megha", params: FREE, masters: 1, delay: 0 }),
  probes: ({ probes }) => ({
    name: "sparrow",
    params: { probe_ratio: probes, sampling: "per_task", late_binding: false },
    masters: 1,
    delay: 0,
  }),
  copies: ({ schedulers, think }) => ({
    name: "omega",
    params: { schedulers, split: "key", job_s: think / SECOND, task_s: 0, short_cutoff_s: 1e6 },
    masters: 1,
    delay: 0,
  }),
  masters: ({ masters, delay, report }) => ({
    name: "megha",
    params: { ...FREE, heartbeat_s: report / SECOND },
    masters,
    delay,
  }),
};

/**
 * @param {string} model
 * @param {import("./work.js").Work} work
 * @param {import("./panels.js").Rules} rules
 * @param {{name?: string, question?: string}} [texts]
 */
export function experimentOf(model, work, rules, texts = {}) {
  const { name, params, masters, delay } = SCHEDULERS[model](/** @type {Rules} */ (rules));
  return {
    schema_version: 1,
    ...texts,
    seed: work.seed,
    topology: { global_masters: masters, clusters: [{ name: "lm", machines: [{ count: work.machines }] }] },
    queues: Array.from({ length: masters }, (_, master) => ({
      name: `q${master}`,
      share: 1 / masters,
      global_master: master,
    })),
    network: { message_delay_s: delay / SECOND },
    workload: {
      kind: "inline",
      jobs: work.jobs.map(({ arrival, duration, queue }) => ({
        arrival_s: arrival / SECOND,
        queue: `q${queue % masters}`,
        durations_s: [duration / SECOND],
      })),
    },
    scheduler: { name, params },
  };
}
