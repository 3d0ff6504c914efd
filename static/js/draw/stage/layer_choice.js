/** The buttons that choose a layer of the map. */

import { h } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";

/** Draw a button for each layer of the run, and one for all together. */
export function drawLayers(stage) {
  if (!stage.layers) return;
  const choice = (name, label, help) =>
    h(
      "button",
      {
        type: "button",
        class: "layer",
        "aria-pressed": String(stage.layer === name),
        "data-tip": help,
        "data-layer": name ?? "",
        onclick: () => stage.setLayer(name),
      },
      label,
    );
  if (stage.meta.outline) {
    stage.layers.replaceChildren();
    return;
  }
  stage.layers.replaceChildren(
    choice(null, gettext("Everything"), gettext("All layers in one picture: color, strength and stripes together.")),
    ...stage.meta.layers.map((layer) => choice(layer.name, layer.label, layer.help)),
    layerPick(stage),
  );
}

/** The same as one control, for Play. */
function layerPick(stage) {
  return h(
    "label",
    { class: "layer-pick" },
    gettext("Color by"),
    h(
      "select",
      { class: "knob-select", onchange: (event) => stage.setLayer(event.target.value || null) },
      h("option", { value: "", selected: !stage.layer }, gettext("Everything")),
      stage.meta.layers.map((layer) =>
        h("option", { value: layer.name, selected: stage.layer === layer.name }, layer.label),
      ),
    ),
  );
}
