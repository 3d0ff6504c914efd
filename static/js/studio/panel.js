/** One section of the studio: a head with a question, and what its panel puts under it. */

import { part } from "../kit/dom.js";
import { html, nothing, render } from "../kit/view.js";
import { gettext } from "../kit/words.js";
import { helpOf } from "./helps.js";

/** @import { Studio } from "./store.js" */

/**
 * @typedef {{id: string, place: string, title: string, question: string,
 *   mount: (body: HTMLElement, studio: Studio) => void}} Panel
 */

/** The panel's `?`: its page in the documentation, in a tab of its own so that the run stays. */
function helpView(/** @type {Panel} */ { id, title }) {
  const href = helpOf(id);
  if (!href) return nothing;
  const words = gettext("Documentation: {panel}", { panel: title });
  return html`<a class="panel-help" href=${href} target="_blank" rel="noopener" aria-label=${words} title=${words}
    >?</a
  >`;
}

/** Give the section that a panel's body is in. */
export function panelOf(/** @type {HTMLElement} */ body) {
  return /** @type {HTMLDetailsElement} */ (body.parentElement);
}

/** Put a panel into its column. */
export function mountPanel(/** @type {Panel} */ panel, /** @type {Studio} */ studio) {
  const body = document.createElement("div");
  body.className = "panel-body";
  const phone = () => matchMedia("(max-width: 860px)").matches;
  // Only on a phone do sections fold; elsewhere a click on the head changes nothing.
  const keepOpen = (/** @type {Event} */ event) => {
    if (!phone()) event.preventDefault();
  };
  const element = document.createElement("details");
  element.className = `panel panel-${panel.id}`;
  element.open = panel.place === "right" || !phone();
  render(
    html`<summary class="panel-head" @click=${keepOpen}>
        <span class="panel-title">${panel.title}</span><span class="panel-question">${panel.question}</span>
      </summary>
      ${helpView(panel)}${body}`,
    element,
  );
  part(`[data-place="${panel.place}"]`).append(element);
  panel.mount(body, studio);
}
