/** The policies of all stages, or of the chosen one. A user drags them into a stage, or sets them by click or Enter. */

import { policyOf } from "./pipeline.js";
import { POLICY_TYPE, typeOf } from "./card.js";
import { gettext } from "../../kit/words.js";
import { html } from "../../kit/view.js";

/**
 * @import { Composer } from "./composer.js"
 * @import { Policy, Stage } from "./reference.js"
 */

/** @param {Composer} composer */
export function paletteView(composer) {
  const { chosen, stages } = composer;
  const { params, defaults } = composer.facts;
  const own = Boolean(chosen?.policies.length);
  const title = own
    ? gettext("Policies of {chosen}", { chosen: chosen?.id })
    : gettext("Policies: drag one into its stage, or press it");
  return html`<section class="stage-palette" tabindex="0" aria-label=${gettext("Policies")}>
    <h2 class="stage-foot-title">${title}</h2>
    <div class="policy-list">
      ${stages.map((stage) => {
        const has = policyOf(stage, params, defaults);
        const hidden = own && stage !== chosen;
        return stage.policies.map((policy) => policyView(composer, stage, policy, { hidden, has }));
      })}
    </div>
  </section>`;
}

/**
 * @param {Composer} composer
 * @param {Stage} stage
 * @param {Policy} policy
 * @param {{hidden: boolean, has: string | null}} now  `has`: the stage's policy
 */
function policyView(composer, stage, policy, { hidden, has }) {
  const { off } = composer.facts;
  const begin = (/** @type {DragEvent} */ event) => {
    if (!event.dataTransfer) return;
    event.dataTransfer.setData(POLICY_TYPE, policy.name);
    event.dataTransfer.setData(typeOf(stage), "");
    event.dataTransfer.effectAllowed = "copy";
    composer.drag(stage.id);
  };
  return html`<button
    type="button"
    class="policy"
    draggable=${String(!off)}
    data-policy="${stage.id}:${policy.name}"
    data-tip="${stage.id} ${stage.name}: ${policy.help}"
    aria-pressed=${String(has === policy.name)}
    ?disabled=${off}
    ?hidden=${hidden}
    @click=${() => composer.put(stage, policy.name)}
    @dragstart=${begin}
    @dragend=${() => composer.drag(null)}
  ><b>${stage.id}</b> ${policy.label}</button>`;
}
