/** Counts with the noun in the right plural form: counted.task(3) is "3 tasks". */

import { whole } from "./format.js";
import { ngettext } from "./words.js";

/** @type {Record<string, (count: number) => string>} */
export const counted = {
  arc: (n) => ngettext("{count} arc", "{count} arcs", n, { count: whole(n) }),
  arcEnd: (n) => ngettext("{count} arc end", "{count} arc ends", n, { count: whole(n) }),
  cluster: (n) => ngettext("{count} cluster", "{count} clusters", n, { count: whole(n) }),
  edge: (n) => ngettext("{count} edge", "{count} edges", n, { count: whole(n) }),
  eligible: (n) => ngettext("{count} eligible task", "{count} eligible tasks", n, { count: whole(n) }),
  job: (n) => ngettext("{count} job", "{count} jobs", n, { count: whole(n) }),
  machine: (n) => ngettext("{count} machine", "{count} machines", n, { count: whole(n) }),
  node: (n) => ngettext("{count} node", "{count} nodes", n, { count: whole(n) }),
  probe: (n) => ngettext("{count} probe", "{count} probes", n, { count: whole(n) }),
  rack: (n) => ngettext("{count} rack", "{count} racks", n, { count: whole(n) }),
  round: (n) => ngettext("{count} round", "{count} rounds", n, { count: whole(n) }),
  run: (n) => ngettext("{count} run", "{count} runs", n, { count: whole(n) }),
  seed: (n) => ngettext("{count} seed", "{count} seeds", n, { count: whole(n) }),
  stage: (n) => ngettext("{count} stage", "{count} stages", n, { count: whole(n) }),
  task: (n) => ngettext("{count} task", "{count} tasks", n, { count: whole(n) }),
  unit: (n) => ngettext("{count} unit", "{count} units", n, { count: whole(n) }),
  wait: (n) => ngettext("{count} waits", "{count} wait", n, { count: whole(n) }),
  worker: (n) => ngettext("{count} worker", "{count} workers", n, { count: whole(n) }),
};
