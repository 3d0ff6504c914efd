/** The documentation page that each panel's `?` opens: a path below /docs/. A test checks that each exists. */

const HELPS = {
  datacenter: "how-to/design-by-hand/#the-datacenter",
  work: "how-to/shape-the-workload/#workload",
  constraints: "how-to/shape-the-workload/#constraints",
  queues: "how-to/design-by-hand/#queues",
  scheduler: "explanation/schedulers/",
  story: "reference/metrics/#waiting",
  waiting: "reference/metrics/#waiting",
  bottleneck: "how-to/design-by-hand/#the-bottleneck",
  "constraint-waits": "explanation/schedulers/#waits-by-constraint",
  recorded: "how-to/your-cluster/#how-near-is-it-to-what-happened",
  maps: "how-to/read-pictures/#workers-queues-and-probes",
  counters: "reference/metrics/#counters",
  here: "explanation/engine-in-the-page/#in-the-studio",
  inspector: "how-to/go-through-a-run/#why-a-task-is-where-it-is",
};

/** Return the address of a panel's documentation; "" if it has none. */
export function helpOf(/** @type {string} */ panel) {
  const path = HELPS[/** @type {keyof typeof HELPS} */ (panel)];
  return path ? `/docs/${path}` : "";
}
