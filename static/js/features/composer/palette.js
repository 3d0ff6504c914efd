/** The policies to drag into stages, or to put there by a click or Enter: all of them, or those of one stage. */

import { policyOf } from "./pipeline.js";
import { h } from "../../kit/dom.js";
import { POLICY_TYPE, typeOf } from "./card.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Composer } from "./composer.js"
 * @import { Params } from "./pipeline.js"
 * @import { Policy, Reference, Stage } from "./reference.js"
 */

export class Palette {
  /** @param {Composer} composer */
  constructor(composer) {
    this.composer = composer;
    this.title = h("h2", { class: "stage-foot-title" });
    this.list = h("div", { class: "policy-list" });
    this.element = h(
      "section",
      { class: "stage-palette", tabindex: "0", "aria-label": gettext("Policies") },
      this.title,
      this.list,
    );
  }

  /** @param {Reference} reference */
  take(reference) {
    this.chips = reference.stages.flatMap((stage) => stage.policies.map((policy) => this.#chip(stage, policy)));
    this.list.replaceChildren(...this.chips.map((chip) => chip.element));
  }

  /**
   * @param {Stage} stage
   * @param {Policy} policy
   */
  #chip(stage, policy) {
    const element = h(
      "button",
      {
        type: "button",
        class: "policy",
        draggable: "true",
        "data-policy": `${stage.id}:${policy.name}`,
        "data-tip": `${stage.id} ${stage.name}: ${policy.help}`,
        onclick: () => this.composer.put(stage, policy.name),
      },
      h("b", {}, stage.id),
      ` ${policy.label}`,
    );
    element.addEventListener("dragstart", (event) => {
      if (!event.dataTransfer) return;
      event.dataTransfer.setData(POLICY_TYPE, policy.name);
      event.dataTransfer.setData(typeOf(stage), "");
      event.dataTransfer.effectAllowed = "copy";
      this.composer.grid.dataset.dragging = stage.id;
      this.composer.cards.get(stage.id)?.element.classList.add("is-wanted");
    });
    element.addEventListener("dragend", () => {
      delete this.composer.grid.dataset.dragging;
      this.composer.cards.get(stage.id)?.element.classList.remove("is-wanted");
    });
    return { stage, policy, element };
  }

  /**
   * @param {string | null} chosen
   * @param {Params} params
   * @param {Params} defaults
   * @param {boolean} off
   */
  show(chosen, params, defaults, off) {
    if (!this.chips) return;
    const own = this.chips.some((chip) => chip.stage.id === chosen);
    this.title.textContent = own
      ? gettext("Policies of {chosen}", { chosen })
      : gettext("Policies: drag one into its stage, or press it");
    for (const { stage, policy, element } of this.chips) {
      element.hidden = own && stage.id !== chosen;
      element.disabled = off;
      element.draggable = !off;
      element.setAttribute("aria-pressed", String(policyOf(stage, params, defaults) === policy.name));
    }
  }
}
