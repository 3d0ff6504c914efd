/** The path of a task's unit of flow and the next-best path, as words and steps. */

import { decimals, glued } from "../../kit/format.js";
import { element, html, nothing } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";

const cost = decimals;

/**
 * @typedef {{from_label: string, to_label: string, cost: number}} Step
 * @typedef {{path: Step[], cost: number, difference: number}} OtherWay
 * @typedef {{told: string, path: Step[], cost: number, elsewhere?: OtherWay | null, next?: OtherWay | null}} Way  the
 *   answer of fetchWay in networks.js
 */

/**
 * @param {string} title
 * @param {Step[]} path
 * @param {number} total
 */
function steps(title, path, total) {
  const step = (/** @type {Step} */ each) => html`
    <li>
      <span>${`${each.from_label} → ${each.to_label}`}</span>
      <span class="way-cost">${cost(each.cost)}</span>
    </li>
  `;
  return html`
    <div class="way">
      <p class="way-title">${gettext("{title}, cost {total}", { title, total: cost(total) })}</p>
      <ol class="way-steps">${path.map(step)}</ol>
    </div>
  `;
}

/**
 * @param {string} name
 * @param {OtherWay | null | undefined} other
 */
function otherView(name, other) {
  if (!other) return nothing;
  const more = other.difference
    ? gettext("{difference} more", { difference: cost(other.difference) })
    : gettext("no more");
  const title = gettext("{name}, {more} in total; the task's own path", { name, more });
  return steps(title, other.path, other.cost);
}

/** @param {Way} found */
export function wayElement(found) {
  return element(
    "div",
    "ways",
    () => html`
      <p class="way-told">${glued(found.told)}</p>
      ${found.path.length ? steps(gettext("Its path"), found.path, found.cost) : nothing}
      ${otherView(gettext("Elsewhere"), found.elsewhere)}
      ${otherView(gettext("Next best"), found.next)}
    `,
  );
}
