/**
 * The panels of the studio, in order. A new one is a module and a line here.
 *
 * A panel: {id, place: "left" | "right", title, question, mount(body, studio)}; `studio` is the store, and mount
 * renders in effects of its signals.
 */

import bottleneck from "./bottleneck.js";
import constraintWaits from "./constraint_waits.js";
import constraints from "./constraints.js";
import counters from "./counters.js";
import datacenter from "./datacenter.js";
import here from "./here.js";
import inspector from "./inspector.js";
import queues from "./queues.js";
import recorded from "./recorded.js";
import scheduler from "./scheduler.js";
import seriesMaps from "./series_maps.js";
import signature from "./signature.js";
import story from "./story.js";
import waiting from "./waiting.js";
import work from "./work.js";

export const PANELS = [
  datacenter,
  work,
  constraints,
  queues,
  scheduler,
  signature,
  story,
  waiting,
  bottleneck,
  constraintWaits,
  recorded,
  seriesMaps,
  counters,
  here,
  inspector,
];
