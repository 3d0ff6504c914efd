/** A stage with the policies that may be varied. */

import { policyOf } from "./pipeline.js";
import { h } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Params } from "./pipeline.js"
 * @import { OpenStage } from "./stage_combinations.js"
 */

/**
 * One stage with its policies to tick.
 * @param {{base: {params: Params}, defaults: Params, count: () => void}} dialog
 * @param {OpenStage & {all: string[]}} options
 * @param {string[]} picked
 */
export function stageRow(dialog, { stage, why, all: names, names: usable }, picked) {
  const has = policyOf(stage, dialog.base.params, dialog.defaults);
  const boxes = names.map((name) => {
    const label = stage.policies.find((each) => each.name === name);
    const box = h("input", { type: "checkbox", value: name, disabled: !usable.includes(name) });
    box.checked = picked.length ? picked.includes(name) : name === has;
    box.addEventListener("change", () => dialog.count());
    return {
      name,
      box,
      element: h(
        "label",
        {
          class: "open-policy",
          "data-cell-tip": usable.includes(name)
            ? (label?.help ?? gettext("Inputs pass through unchanged."))
            : gettext("The rest of the pipeline does not support it."),
        },
        box,
        label?.label ?? gettext("unspecified"),
      ),
    };
  });
  return {
    stage,
    boxes,
    element: h(
      "fieldset",
      { class: "open-stage", "data-open-stage": stage.id },
      h("legend", {}, h("b", {}, stage.id), ` ${stage.name}`, why ? h("small", {}, ` ${why}`) : null),
      h(
        "div",
        { class: "open-policies" },
        boxes.map((each) => each.element),
      ),
    ),
  };
}
