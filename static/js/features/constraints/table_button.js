/** The button that gives a class of tasks a table of its own, or takes it. */

import { h } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";

/** @import { Asks, TaskClass } from "./tasks_fold.js" */

/**
 * A class asks as all do, times its factor, or by a table of its own.
 * @param {TaskClass} each
 * @param {number} index
 * @param {Asks} found
 * @param {(next: TaskClass) => void} change
 */
export function tableButton(each, index, found, change) {
  const { probabilities, ...plain } = each;
  return h(
    "button",
    {
      class: "link",
      type: "button",
      "data-own-table": index + 1,
      onclick: () => change(probabilities ? plain : { ...plain, probabilities: { ...found.probabilities } }),
    },
    probabilities ? gettext("Use the common table") : gettext("Own table"),
  );
}
