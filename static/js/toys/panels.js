/** The landing page's toys: the model that each runs before its question is answered, and the one after. */

import { SECOND } from "./work.js";

const WORK = { seed: 1, machines: 24, load: 0.85, mean_s: 4, jobs: 600, shares: [1, 1, 1, 1] };
const MASTERS = { masters: 4, delay: SECOND / 20, report: 5 * SECOND };

/**
 * The rules of a model; each model has some of them.
 * @typedef {{probes?: number, schedulers?: number, think?: number, masters?: number, delay?: number, report?: number,
 *   borrow?: boolean}} Rules
 * @typedef {{model: string, picture: string, rules: Rules,
 *   work: Parameters<typeof import("./work.js").drawWork>[0]}} Variant picture: its layout (places.js); work:
 *   arguments of drawWork()
 */

/** @type {Record<string, [Variant, Variant]>} */
export const PANELS = {
  queue: [
    { model: "one_queue", picture: "queue", rules: {}, work: { ...WORK, machines: 12 } },
    { model: "one_queue", picture: "queue", rules: {}, work: WORK },
  ],
  random: [
    { model: "one_queue", picture: "queue", rules: {}, work: WORK },
    { model: "probes", picture: "lines", rules: { probes: 1 }, work: WORK },
  ],
  two: [
    { model: "probes", picture: "lines", rules: { probes: 1 }, work: WORK },
    { model: "probes", picture: "lines", rules: { probes: 2 }, work: WORK },
  ],
  copies: [
    { model: "copies", picture: "schedulers", rules: { schedulers: 6, think: SECOND / 10 }, work: WORK },
    { model: "copies", picture: "schedulers", rules: { schedulers: 6, think: (SECOND * 4) / 10 }, work: WORK },
  ],
  masters: [
    { model: "masters", picture: "masters", rules: MASTERS, work: WORK },
    { model: "masters", picture: "masters", rules: { ...MASTERS, borrow: false }, work: WORK },
  ],
};
