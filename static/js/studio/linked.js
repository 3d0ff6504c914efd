/** The experiment that the page's own link contains, if any. */

import { fromFragment, LinkError } from "../experiment/fragment.js";
import { gettext } from "../kit/words.js";

export const NOT_SHOWN = gettext("This link does not hold an experiment that can be shown.");

/** Return {experiment}; {error} in words if it is unreadable; or {}. */
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
