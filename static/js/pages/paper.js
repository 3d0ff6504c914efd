/** The page of a paper: a figure for each claim that has numbers; the tables below them need no script. */

import { localTimes, wireTheme } from "../kit/boot.js";
import { wirePageKeys } from "../kit/page_keys.js";
import { FigureView } from "../features/figures/figure_view.js";

wireTheme();
wirePageKeys();
localTimes();

for (const place of document.querySelectorAll("[data-claim-figure]")) {
  const id = /** @type {HTMLElement} */ (place).dataset.claimFigure ?? "";
  const view = new FigureView({
    source: `/papers/claims/${encodeURIComponent(id)}/figure`,
    params: {},
    name: id,
    caption: false,
  });
  place.append(view.element);
}
