/** Further fields of a custom constraint: a name, the deciding attribute, a kind of resource, a slowdown. */

import { numeric } from "../../experiment/forms/fields.js";
import { html } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Form } from "../../experiment/forms/fields.js"
 * @import { ConstraintRow } from "./offer_rows.js"
 */

/**
 * @typedef {{name: string, attribute?: string | null, comparison?: string | null,
 *   value?: string | number | null}} CustomConstraint
 * @typedef {{change: (change: Record<string, unknown>) => void, rename: (name: string | null) => void}} CustomAct a
 *   name of null removes it
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
 * Parse a typed value: a number, true or false, or a text.
 * @param {string} text
 */
export function scalar(text) {
  const trimmed = text.trim();
  if (trimmed === "true" || trimmed === "false") return trimmed === "true";
  return trimmed !== "" && Number.isFinite(Number(trimmed)) ? Number(trimmed) : trimmed;
}

/**
 * Call `act` with a nonempty text.
 * @param {(text: string) => void} act
 */
const unlessEmpty = (act) => (/** @type {string} */ text) => {
  if (text) act(text);
};

/**
 * Return the name and the further fields of a custom constraint.
 * @param {ConstraintRow} row
 * @param {Form} form
 * @param {boolean} readOnly
 * @param {CustomAct} on
 */
export function customViews({ name, custom }, form, readOnly, on) {
  return {
    name: form.entry(
      { label: gettext("Name of {name}", { name }), wide: true, value: custom.name },
      unlessEmpty(on.rename),
    ),
    fields: html`<div class="offer-extra"
      >${meaningViews(custom, form, on)}${form.choice(
        { label: gettext("Resource"), choices: AXES, value: custom.axis ?? "" },
        (chosen) => on.change({ axis: chosen || undefined }),
      )}<label class="field-choice"
        ><span class="knob-label">${gettext("slowdown ×")}</span>${form.entry(
          {
            label: gettext("Slowdown where relaxed"),
            numeric: true,
            help: gettext("Run time without it, as a multiple, if the constraint is soft."),
            value: custom.slowdown ?? "",
          },
          (text) => on.change({ slowdown: text === "" ? undefined : numeric(text) }),
        )}</label
      ><button
        class="link"
        type="button"
        data-remove=${name}
        aria-label=${gettext("Remove {name}", { name })}
        ?hidden=${readOnly}
        @click=${() => on.rename(null)}
      >${gettext("Remove")}</button></div>`,
  };
}

/**
 * Return the fields for the machines that offer it: a fraction of them, or those whose attribute satisfies a
 * comparison.
 * @param {CustomConstraint} custom
 * @param {Form} form
 * @param {CustomAct} on
 */
function meaningViews(custom, form, { change }) {
  const compared = custom.attribute !== undefined && custom.attribute !== null;
  const ways = [
    ["share", gettext("by a share")],
    ["attribute", gettext("by an attribute")],
  ];
  const by = form.choice({ label: gettext("by"), choices: ways, value: compared ? "attribute" : "share" }, (value) =>
    change({ attribute: value === "attribute" ? "clock_ghz" : undefined }),
  );
  const attribute = form.entry(
    { label: gettext("Attribute"), value: custom.attribute ?? "" },
    unlessEmpty((text) => change({ attribute: text })),
  );
  const sign = form.choice({ label: gettext("compares"), choices: SIGNS, value: custom.comparison ?? ">=" }, (value) =>
    change({ comparison: value }),
  );
  const value = form.entry(
    { label: gettext("Value"), value: custom.value ?? "" },
    unlessEmpty((text) => change({ value: scalar(text) })),
  );
  return html`${by}<span class="editor-line" ?hidden=${!compared}>${attribute}${sign}${value}</span>`;
}
