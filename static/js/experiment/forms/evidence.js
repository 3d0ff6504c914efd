/** The source of a number as one word beside it; the tooltip has the details. */

import { html } from "../../kit/view.js";
import { capital, gettext } from "../../kit/words.js";

/** @type {Record<string, string>} */
const MEANS = {
  measured: gettext("Measured in data that its authors published."),
  "authors' code": gettext("Read from the public code of the paper's authors."),
  published: gettext("As printed in a paper."),
  synthetic: gettext("Chosen by this project; not measured."),
  yours: gettext("Set in this experiment."),
  mixed: gettext("Groups of machines take this from different sources."),
};

/** @type {Record<string, string>} */
const LABELS = {
  measured: gettext("measured"),
  "authors' code": gettext("authors' code"),
  published: gettext("published"),
  synthetic: gettext("synthetic"),
  yours: gettext("yours"),
  mixed: gettext("mixed"),
};

/**
 * @param {string} evidence
 * @param {string} [about]
 */
export function evidenceView(evidence, about = "") {
  const tip = [MEANS[evidence], about && `${capital(about)}.`].filter(Boolean).join(" ");
  return html`<span class="tag" data-evidence=${evidence} tabindex="0" data-tip=${tip}
    >${LABELS[evidence] ?? evidence}</span>`;
}
