/** Open a claim's experiments: two to four side by side on the compare page, a single one in the studio. */

import { createExperiment, request } from "../../contract/api.js";
import { gettext } from "../../kit/words.js";
import { sideBySide } from "../../run/beside.js";

/** Store the experiments of a claim's setups, start them if there are several, and return the address to open. */
async function opened(/** @type {string} */ claim, /** @type {string[]} */ setups) {
  const address = `/papers/claims/${encodeURIComponent(claim)}/experiments/`;
  const experiments = await Promise.all(setups.map((name) => request("GET", address + encodeURIComponent(name))));
  if (experiments.length > 1) return sideBySide(experiments);
  const { id } = await createExperiment(experiments[0]);
  return `/studio/${id}`;
}

/** Wire a button that names a claim and its setups. */
export function wireOpening(/** @type {HTMLButtonElement} */ button) {
  const { claim = "", setups = "" } = button.dataset;
  const status = button.closest("article")?.querySelector("[data-opening]");
  button.addEventListener("click", async () => {
    const words = button.textContent;
    button.disabled = true;
    button.textContent = gettext("Starting…");
    try {
      window.location.href = await opened(claim, setups.split(","));
    } catch (error) {
      button.disabled = false;
      if (status) status.textContent = error instanceof Error ? error.message : String(error);
    }
    button.textContent = words;
  });
}
