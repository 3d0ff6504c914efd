/** The experiment that the page's own link holds, if it holds one. */

import { fromFragment, LinkError } from "../experiment/fragment.js";
import { gettext } from "../kit/words.js";

export const NOT_SHOWN = gettext("This link does not hold an experiment that can be shown.");

/** {experiment}, {error} in words when there is one that cannot be read, or {}. */
export function linkedExperiment() {
  window.addEventListener("hashchange", () => {
    if (/^#x\d/.test(window.location.hash)) window.location.reload();
  });
  try {
    const experiment = fromFragment(window.location.hash);
    return experiment ? { experiment } : {};
  } catch (error) {
    return { error: error instanceof LinkError ? error.message : NOT_SHOWN };
  }
}
