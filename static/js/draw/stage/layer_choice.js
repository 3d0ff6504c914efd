/** The buttons that choose a layer of the map. */

import { html, nothing, render } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { LayerMeta, Meta } from "../../contract/contract"
 * @import { Stage } from "./stage.js"
 */

/**
 * Render a button for each layer of the run, and one for all layers together.
 * @param {Stage} stage
 */
export function drawLayers(stage) {
  const { layers, meta } = stage;
  if (!layers) return;
  render(meta && !meta.outline ? choicesView(stage, meta) : nothing, layers);
}

/**
 * @param {Stage} stage
 * @param {Meta} meta
 */
function choicesView(stage, meta) {
  const choice = (/** @type {string | null} */ name, /** @type {string} */ label, /** @type {string} */ help) => html`
    <button
      type="button"
      class="layer"
      aria-pressed=${String(stage.layer === name)}
      data-tip=${help}
      data-layer=${name ?? ""}
      @click=${() => stage.setLayer(name)}
    >${label}</button>`;
  const all = gettext("All layers in one picture: color, strength and stripes together.");
  return html`${choice(null, gettext("Everything"), all)}${meta.layers.map((layer) =>
    choice(layer.name, layer.label, layer.help),
  )}${layerPick(stage, meta.layers)}`;
}

/**
 * Return the same choice as one select, for the level Play.
 * @param {Stage} stage
 * @param {LayerMeta[]} layers
 */
function layerPick(stage, layers) {
  const choose = (/** @type {Event} */ event) =>
    stage.setLayer(/** @type {HTMLSelectElement} */ (event.target).value || null);
  const option = (/** @type {string | null} */ name, /** @type {string} */ label) =>
    html`<option value=${name ?? ""} .selected=${stage.layer === name}>${label}</option>`;
  return html`<label class="layer-pick"
    >${gettext("Color by")}<select class="knob-select" @change=${choose}>
      ${option(null, gettext("Everything"))}${layers.map((layer) => option(layer.name, layer.label))}
    </select></label
  >`;
}
