/** The four parts of a delay: one bar, and each with its time. */

import { duration } from "../../kit/format.js";
import { h } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";

export const DELAY_PARTS = [
  [
    "framework_queuing",
    gettext("Queue at scheduler"),
    gettext("In a queue of a scheduler, or of a master that checks its request."),
  ],
  ["processing", gettext("Deciding"), gettext("While a scheduler worked on the task, or a master on its request.")],
  ["communication", gettext("Messages"), gettext("While messages about the task were on their way.")],
  [
    "worker_queuing",
    gettext("Queue at machine"),
    gettext("In a queue at a machine, after the scheduler had sent it or a probe there."),
  ],
];

/**
 * `parts`: {framework_queuing, processing, communication, worker_queuing} in seconds; `caption`: whose, where it is not
 * one task's.
 * @param {Record<string, number | null>} parts
 */
export function delayBar(parts, caption = "") {
  const total = DELAY_PARTS.reduce((sum, [name]) => sum + (parts[name] ?? 0), 0);
  const shares = DELAY_PARTS.map(([name], at) => ({ at, share: total ? (parts[name] ?? 0) / total : 0 })).filter(
    (each) => each.share > 0.002,
  );
  const bar = h(
    "div",
    { class: "delay-bar", "aria-hidden": "true" },
    shares.map(({ at, share }) => {
      const piece = h("i", { class: `delay-${at}` });
      piece.style.flexGrow = String(share);
      return piece;
    }),
  );
  return h(
    "div",
    { class: "delay" },
    caption ? h("p", { class: "history-note" }, caption) : null,
    bar,
    h(
      "dl",
      { class: "delay-words" },
      DELAY_PARTS.map(([name, label, help], at) =>
        h(
          "div",
          { "data-tip": help },
          h("i", { class: `delay-${at}`, "aria-hidden": "true" }),
          h("dt", {}, label),
          h("dd", {}, duration((parts[name] ?? 0) * 1e9)),
        ),
      ),
    ),
  );
}
