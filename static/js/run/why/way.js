/** The way of a task's unit and the next-best one, as words and steps. */

import { decimals, glued } from "../../kit/format.js";
import { h } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";

const cost = decimals;

/**
 * @param {string} title
 * @param {any[]} path
 * @param {number} total
 */
function steps(title, path, total) {
  return h(
    "div",
    { class: "way" },
    h("p", { class: "way-title" }, gettext("{title}, cost {total}", { title, total: cost(total) })),
    h(
      "ol",
      { class: "way-steps" },
      path.map((step) =>
        h(
          "li",
          {},
          h("span", {}, `${step.from_label} → ${step.to_label}`),
          h("span", { class: "way-cost" }, cost(step.cost)),
        ),
      ),
    ),
  );
}

/** `found` is an answer of run/why/networks.js, fetchWay. */
export function wayElement(/** @type {any} */ found) {
  const parts = [h("p", { class: "way-told" }, glued(found.told))];
  if (found.path.length) parts.push(steps(gettext("Its path"), found.path, found.cost));
  for (const [name, other] of [
    [gettext("Elsewhere"), found.elsewhere],
    [gettext("Next best"), found.next],
  ]) {
    if (other)
      parts.push(
        steps(
          gettext("{name}, {more} in total; the task's own path", {
            name,
            more: other.difference
              ? gettext("{difference} more", { difference: cost(other.difference) })
              : gettext("no more"),
          }),
          other.path,
          other.cost,
        ),
      );
  }
  return h("div", { class: "ways" }, parts);
}
