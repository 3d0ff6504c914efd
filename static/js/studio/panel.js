/** One section of the studio: a head with a question, and what its panel puts under it. */

import { h } from "../kit/dom.js";

/** @import { Studio } from "./store.js" */

/** Give the panel's hooks. */
export function mountPanel(panel, /** @type {Studio} */ studio) {
  const body = h("div", { class: "panel-body" });
  const head = h(
    "summary",
    { class: "panel-head" },
    h("span", { class: "panel-title" }, panel.title),
    h("span", { class: "panel-question" }, panel.question),
  );
  const phone = () => matchMedia("(max-width: 860px)").matches;
  const element = h(
    "details",
    { class: `panel panel-${panel.id}`, open: panel.place === "right" || !phone() },
    head,
    body,
  );
  // Only on a phone do sections fold; elsewhere a click on the head changes nothing.
  head.addEventListener("click", (event) => {
    if (!phone()) event.preventDefault();
  });
  document.querySelector(`[data-place="${panel.place}"]`).append(element);
  return panel.mount(body, studio) || {};
}
