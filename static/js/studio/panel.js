/** One section of the studio: a head with a question, and what its panel puts under it. */

import { h, part } from "../kit/dom.js";
import { gettext } from "../kit/words.js";
import { helpOf } from "./helps.js";

/** @import { Studio } from "./store.js" */

/**
 * @typedef {{id: string, place: string, title: string, question: string,
 *   mount: (body: HTMLElement, studio: Studio) => void}} Panel
 */

/** The panel's `?`: its page in the documentation, in a tab of its own so that the run stays. */
function helpLink(/** @type {Panel} */ panel) {
  const href = helpOf(panel.id);
  if (!href) return [];
  const words = gettext("Documentation: {panel}", { panel: panel.title });
  return [
    h("a", { class: "panel-help", href, target: "_blank", rel: "noopener", "aria-label": words, title: words }, "?"),
  ];
}

/** Give the section that a panel's body is in. */
export function panelOf(/** @type {HTMLElement} */ body) {
  return /** @type {HTMLDetailsElement} */ (body.parentElement);
}

/** Put a panel into its column. */
export function mountPanel(/** @type {Panel} */ panel, /** @type {Studio} */ studio) {
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
    ...helpLink(panel),
    body,
  );
  // Only on a phone do sections fold; elsewhere a click on the head changes nothing.
  head.addEventListener("click", (event) => {
    if (!phone()) event.preventDefault();
  });
  part(`[data-place="${panel.place}"]`).append(element);
  panel.mount(body, studio);
}
