/** What the studio opens with: small enough to move at once, busy enough to show stale requests and lent machines. */
export const DEFAULT_EXPERIMENT = Object.freeze({
  schema_version: 1,
  name: "Megha on 2,000 machines",
  question: "How stale may a global view be before it hurts?",
  seed: 1,
  topology: { global_masters: 4, clusters: [{ name: "lm", repeat: 8, racks: 5, machines: [{ count: 250, cpus: 4, memory_gb: 16 }] }] },
  workload: {
    kind: "synthetic", tasks: 80000,
    arrivals: { kind: "poisson", offered_load: 0.95 },
    tasks_per_job: { kind: "lognormal", median: 20, sigma: 1, max: 400 },
    duration_s: { kind: "lognormal", median: 8, sigma: 0.8, max: 120 },
  },
  network: { message_delay_s: 0.0005 },
  scheduler: { name: "megha", params: { heartbeat_s: 10 } },
});
