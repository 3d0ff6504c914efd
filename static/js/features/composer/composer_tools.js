/** The bar above the composer, and the keys that go from stage to stage. */

import { h, targetOf } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";

/** @import { Composer } from "./composer.js" */

/** @type {Record<string, number[]>} */
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/** @param {Composer} composer */
export function composerTools(composer) {
  /**
   * @param {string} name
   * @param {string} title
   * @param {string} tip
   */
  const opens = (name, title, tip) =>
    h(
      "button",
      {
        type: "button",
        class: "button button-small",
        "data-opens": name,
        "data-tip": tip,
        onclick: () => composer.open(name),
      },
      title,
    );
  return h(
    "div",
    { class: "picture-tools" },
    composer.sum,
    h(
      "label",
      {
        class: "picture-key picture-label",
        "data-tip": gettext(
          "On: a changed policy applies from the clock's instant on. Off: it applies from the " + "beginning.",
        ),
      },
      composer.later,
      gettext("From now on"),
    ),
    opens(
      "matrix",
      gettext("Matrix…"),
      gettext("Which stages fourteen published schedulers have; load one as a pipeline."),
    ),
    opens(
      "open_stages",
      gettext("Spread…"),
      gettext("Vary the policies of open stages and see how far the results spread."),
    ),
  );
}

/**
 * Arrows go from stage to stage, within a list and from list to list.
 * @param {Composer} composer
 * @param {KeyboardEvent} event
 */
export function onComposerKey(composer, event) {
  const step = ARROWS[event.key];
  if (!step || !targetOf(event).matches(".stage-head")) return;
  event.preventDefault();
  event.stopPropagation();
  const lists = [...composer.grid.querySelectorAll(".stage-list")].map((list) => [
    ...list.querySelectorAll(".stage-head"),
  ]);
  const column = lists.findIndex((list) => list.includes(targetOf(event)));
  const row = lists[column].indexOf(targetOf(event));
  const list = lists[Math.min(lists.length - 1, Math.max(0, column + step[0]))];
  const next = list[Math.min(list.length - 1, Math.max(0, row + step[1]))];
  for (const card of composer.cards.values()) card.head.tabIndex = card.head === next ? 0 : -1;
  next.focus();
}
