/**
 * The studio's first experiment: few enough machines to see each task, and near saturation, where its load setting
 * matters. At 60 % load every task starts within 40 ms; at 80 % one in a hundred waits 2.5 s; at 95 % one in ten waits
 * 3 s.
 */

import { gettext } from "../kit/words.js";
export const DEFAULT_EXPERIMENT = Object.freeze({
  schema_version: 1,
  name: gettext("Megha on 60 machines"),
  question: gettext("How full can a datacenter get before tasks have to wait?"),
  seed: 1,
  topology: {
    global_masters: 4,
    clusters: [{ name: "lm", repeat: 3, racks: 5, machines: [{ count: 20, cpus: 4, memory_gb: 16 }] }],
  },
  workload: {
    kind: "synthetic",
    tasks: 1200,
    arrivals: { kind: "poisson", offered_load: 0.95 },
    tasks_per_job: { kind: "lognormal", median: 6, sigma: 0.8, max: 40 },
    duration_s: { kind: "lognormal", median: 4, sigma: 0.6, max: 30 },
    queue_assignment: "by_share",
  },
  network: { message_delay_s: 0.005 },
  scheduler: { name: "megha", params: { heartbeat_s: 10 } },
});

/** The moment of its run that the studio opens on: a master has no free machine left and borrows one. */
export const FIRST_MOMENT = "first_borrow";
