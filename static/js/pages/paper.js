/** The page of a paper: a figure for each claim that has numbers; the tables below them need no script. */

import { localTimes, wireTheme } from "../kit/boot.js";
import { wirePageKeys } from "../kit/page_keys.js";
import { FigureView } from "../features/figures/figure_view.js";
import { wireRunAgain } from "../features/claims/run_again.js";

wireTheme();
wirePageKeys();
localTimes();

/** @type {Map<string, FigureView>} */
const figures = new Map();

for (const place of document.querySelectorAll("[data-claim-figure]")) {
  const id = /** @type {HTMLElement} */ (place).dataset.claimFigure ?? "";
  const view = new FigureView({
    source: `/papers/claims/${encodeURIComponent(id)}/figure`,
    params: {},
    name: id,
    caption: false,
  });
  place.append(view.element);
  figures.set(id, view);
}
for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[data-run-again]")))
  wireRunAgain(button, figures.get(button.dataset.runAgain ?? "") ?? null);
