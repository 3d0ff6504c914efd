/** The four parts of a delay: one bar, and each part with its duration. */

import { duration } from "../../kit/format.js";
import { element, html, nothing } from "../../kit/view.js";
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
 * Return the bar of a delay. `caption` names the delay's owner unless it belongs to one task.
 * @param {Record<string, number | null>} parts  seconds, by the names of DELAY_PARTS
 */
export function delayBar(parts, caption = "") {
  const total = DELAY_PARTS.reduce((sum, [name]) => sum + (parts[name] ?? 0), 0);
  const shares = DELAY_PARTS.map(([name], at) => ({ at, share: total ? (parts[name] ?? 0) / total : 0 })).filter(
    (each) => each.share > 0.002,
  );
  const row = (/** @type {string[]} */ [name, label, help], /** @type {number} */ at) => html`
    <div data-tip=${help}>
      <i class="delay-${at}" aria-hidden="true"></i>
      <dt>${label}</dt>
      <dd>${duration((parts[name] ?? 0) * 1e9)}</dd>
    </div>
  `;
  return element(
    "div",
    "delay",
    () => html`
      ${caption ? html`<p class="history-note">${caption}</p>` : nothing}
      <div class="delay-bar" aria-hidden="true">
        ${shares.map(({ at, share }) => html`<i class="delay-${at}" .style=${`flex-grow: ${share}`}></i>`)}
      </div>
      <dl class="delay-words">${DELAY_PARTS.map(row)}</dl>
    `,
  );
}
