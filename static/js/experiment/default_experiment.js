/**
 * The studio's first experiment: small enough to start at once, and near saturation, where its load setting matters. At
 * 80 % load nearly every task starts within 4 ms; at 95 % one in a hundred waits a second; at 105 % half of them wait.
 */

import { gettext } from "../kit/words.js";
export const DEFAULT_EXPERIMENT = Object.freeze({
  schema_version: 1,
  name: gettext("Megha on 2,000 machines"),
  question: gettext("How full can a datacenter get before tasks have to wait?"),
  seed: 1,
  topology: {
    global_masters: 4,
    clusters: [{ name: "lm", repeat: 8, racks: 5, machines: [{ count: 250, cpus: 4, memory_gb: 16 }] }],
  },
  workload: {
    kind: "synthetic",
    tasks: 120000,
    arrivals: { kind: "poisson", offered_load: 0.95 },
    tasks_per_job: { kind: "lognormal", median: 20, sigma: 1, max: 400 },
    duration_s: { kind: "lognormal", median: 4, sigma: 0.6, max: 30 },
    queue_assignment: "by_share",
  },
  network: { message_delay_s: 0.0005 },
  scheduler: { name: "megha", params: { heartbeat_s: 10 } },
});
