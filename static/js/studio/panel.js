/** A section of the studio: a heading with a question, and its panel's content below. */

import { part } from "../kit/dom.js";
import { html, nothing, render } from "../kit/view.js";
import { gettext } from "../kit/words.js";
import { helpOf } from "./helps.js";

/** @import { Studio } from "./store.js" */

/**
 * @typedef {{id: string, place: string, title: string, question: string,
 *   mount: (body: HTMLElement, studio: Studio) => void}} Panel
 */

/** Return the panel's `?`: its documentation in a separate tab, so that the run stays. */
function helpView(/** @type {Panel} */ { id, title }) {
  const href = helpOf(id);
  if (!href) return nothing;
  const words = gettext("Documentation: {panel}", { panel: title });
  return html`<a class="panel-help" href=${href} target="_blank" rel="noopener" aria-label=${words} title=${words}
    >?</a
  >`;
}

/** Return the section of a panel's body. */
export function panelOf(/** @type {HTMLElement} */ body) {
  return /** @type {HTMLDetailsElement} */ (body.parentElement);
}

/** Add a panel to its column. */
export function mountPanel(/** @type {Panel} */ panel, /** @type {Studio} */ studio) {
  const body = document.createElement("div");
  body.className = "panel-body";
  const phone = () => matchMedia("(max-width: 860px)").matches;
  // Sections collapse only on a phone; elsewhere a click on the heading does nothing.
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
