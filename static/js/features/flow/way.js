/** The way of a task's unit and the next-best one, as words and steps. */

import { glued } from "../../kit/format.js";
import { h } from "../../kit/dom.js";

const cost = (value) => Number(value.toFixed(3)).toLocaleString("en");

function steps(title, path, total) {
  return h(
    "div",
    { class: "way" },
    h("p", { class: "way-title" }, `${title}, cost ${cost(total)}`),
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

/** `found` is an answer of features/flow/networks.js, fetchWay. */
export function wayElement(found) {
  const parts = [h("p", { class: "way-told" }, glued(found.told))];
  if (found.path.length) parts.push(steps("Its way", found.path, found.cost));
  for (const [name, other] of [
    ["Elsewhere", found.elsewhere],
    ["Next best", found.next],
  ]) {
    if (other)
      parts.push(
        steps(
          `${name}, ${other.difference ? `${cost(other.difference)} more` : "no more"} for all; its own way`,
          other.path,
          other.cost,
        ),
      );
  }
  return h("div", { class: "ways" }, parts);
}
