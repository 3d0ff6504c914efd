/** The page of a paper: an animated picture, and a figure for each claim with numbers; tables need no script. */

import { localTimes, wireTheme } from "../kit/boot.js";
import { wireGlossaryAndTips } from "../kit/glossary.js";
import { wirePageKeys } from "../kit/page_keys.js";
import { FigureView } from "../draw/charts/figure_view.js";
import { wireMoving } from "../features/cards/moving.js";
import { wireOpening } from "../features/claims/openings.js";
import { wireOtherSeeds, wireRunAgain } from "../features/claims/run_again.js";

wireTheme();
wireGlossaryAndTips();
wirePageKeys();
localTimes();

const moving = document.querySelector("[data-moving]");
if (moving) wireMoving(moving, moving.querySelector("[data-moving-acts]"));

/** @type {Map<string, FigureView>} */
const figures = new Map();

for (const place of document.querySelectorAll("[data-claim-figure]")) {
  const { claimFigure: id = "", title } = /** @type {HTMLElement} */ (place).dataset;
  const view = new FigureView({
    source: `/papers/claims/${encodeURIComponent(id)}/figure`,
    params: {},
    name: id,
    title,
    caption: false,
  });
  place.append(view.element);
  figures.set(id, view);
}
for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[data-run-again]")))
  wireRunAgain(button, figures.get(button.dataset.runAgain ?? "") ?? null);
for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("[data-other-seeds]")))
  wireOtherSeeds(form);
for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[data-setups]")))
  wireOpening(button);
