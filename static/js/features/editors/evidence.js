/** Where a number comes from, in one word beside it; the rest on hover. */

import { h } from "../../kit/dom.js";

const MEANS = {
  measured: "Measured in data that its authors published.",
  "authors' code": "Read from the public code of the paper's authors.",
  published: "As a paper prints it.",
  synthetic: "Chosen by this project: nobody measured it.",
  yours: "Set in this experiment.",
  mixed: "Groups of machines have it from different places.",
};

export function evidenceTag(evidence, about = "") {
  return h(
    "span",
    {
      class: "tag",
      "data-evidence": evidence,
      tabindex: "0",
      "data-tip": [MEANS[evidence], about && `${about[0].toUpperCase()}${about.slice(1)}.`].filter(Boolean).join(" "),
    },
    evidence,
  );
}
