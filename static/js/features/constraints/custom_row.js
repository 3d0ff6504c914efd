/**
 * What a constraint of one's own has besides its bars: a name, an attribute that decides, a kind of resource, a
 * slowdown.
 */

import { h } from "../../kit/dom.js";
import { choice, entry, numeric } from "../../experiment/forms/fields.js";
import { gettext } from "../../kit/words.js";

/** @import { ConstraintRow } from "./offer_rows.js" */

/**
 * @typedef {{change: (change: Record<string, unknown>) => void, rename: (name: string | null) => void,
 *   slowdown: (value: unknown) => void}} CustomAct
 */

const AXES = [
  ["", gettext("No resource")],
  ["cpu", gettext("CPU")],
  ["memory", gettext("Memory")],
  ["disk", gettext("Disk")],
  ["os", gettext("Operating system")],
  ["clock", gettext("Clock rate")],
  ["network", gettext("Network")],
];
const SIGNS = [">=", ">", "<=", "<", "==", "!="].map((each) => [each, each]);

/**
 * A value as it is typed: a number, true or false, or a text.
 * @param {string} text
 */
export function scalar(text) {
  const trimmed = text.trim();
  if (trimmed === "true" || trimmed === "false") return trimmed === "true";
  return trimmed !== "" && Number.isFinite(Number(trimmed)) ? Number(trimmed) : trimmed;
}

/**
 * @param {string} name
 * @param {() => void} onclick
 */
function removeButton(name, onclick) {
  const label = gettext("Remove {name}", { name });
  return h(
    "button",
    { class: "link", type: "button", "data-remove": name, "aria-label": label, onclick },
    gettext("Remove"),
  );
}

/**
 * Call `act` with a text that is not empty.
 * @param {(text: string) => void} act
 */
const unlessEmpty = (act) => (/** @type {string} */ text) => {
  if (text) act(text);
};

/**
 * @param {string} name
 * @param {CustomAct} options
 */
export function customExtra(name, { change, rename, slowdown }) {
  const own = entry({ label: gettext("Name of {name}", { name }), wide: true }, unlessEmpty(rename));
  const by = choice(
    {
      label: gettext("by"),
      choices: [
        ["share", gettext("by a share")],
        ["attribute", gettext("by an attribute")],
      ],
    },
    (value) => change({ attribute: value === "attribute" ? "clock_ghz" : undefined }),
  );
  const attribute = entry(
    { label: gettext("Attribute") },
    unlessEmpty((text) => change({ attribute: text })),
  );
  const sign = choice({ label: gettext("compares"), choices: SIGNS }, (value) => change({ comparison: value }));
  const value = entry(
    { label: gettext("Value") },
    unlessEmpty((text) => change({ value: scalar(text) })),
  );
  const axis = choice({ label: gettext("Resource"), choices: AXES }, (chosen) => change({ axis: chosen || undefined }));
  const slow = entry(
    {
      label: gettext("Slowdown where relaxed"),
      numeric: true,
      help: gettext("Run time without it, as a multiple, if the constraint is soft."),
    },
    (/** @type {string} */ text) => slowdown(text === "" ? undefined : numeric(text)),
  );
  const gone = removeButton(name, () => rename(null));
  const comparison = h("span", { class: "editor-line" }, attribute.element, sign.element, value.element);
  const element = h(
    "div",
    { class: "offer-extra" },
    by.element,
    comparison,
    axis.element,
    h("label", { class: "field-choice" }, h("span", { class: "knob-label" }, gettext("slowdown ×")), slow.element),
    gone,
  );
  return {
    element,
    name: own.element,
    set(/** @type {ConstraintRow} */ { custom }, /** @type {boolean} */ readOnly) {
      const compared = custom.attribute !== undefined && custom.attribute !== null;
      own.set(custom.name);
      by.set(compared ? "attribute" : "share");
      comparison.hidden = !compared;
      attribute.set(custom.attribute ?? "");
      sign.set(custom.comparison ?? ">=");
      value.set(custom.value ?? "");
      axis.set(custom.axis ?? "");
      slow.set(custom.slowdown ?? "");
      for (const each of [own, by, attribute, sign, value, axis, slow]) each.disable(readOnly);
      gone.hidden = readOnly;
    },
  };
}
