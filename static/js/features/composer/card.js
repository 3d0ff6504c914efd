/** A stage of the diagram: its name, its policy, whether it is specified, and how much of the time goes there. */

import { NONE, STATES } from "./pipeline.js";
import { duration, percent } from "../../kit/format.js";
import { h } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { State, TimeRow } from "./pipeline.js"
 * @import { Stage } from "./reference.js"
 */

export const POLICY_TYPE = "application/x-stage-policy";

export class StageCard {
  /**
   * @param {Stage} stage
   * @param {{select: () => void, put: (policy: string) => void, toggle: (on: boolean) => void}} on
   */
  constructor(stage, on) {
    this.stage = stage;
    /** @type {State} */
    this.state = "absent";
    this.told = "";
    /** @type {TimeRow | null} */
    this.times = null;
    const { id, name } = stage;
    this.sign = h("span", { class: "stage-sign", "aria-hidden": "true" });
    this.mark = h("span", { class: "stage-row", "aria-hidden": "true" });
    this.spent = h("span", { class: "stage-spent" });
    this.head = h(
      "button",
      {
        type: "button",
        class: "stage-head",
        tabindex: "-1",
        "aria-pressed": "false",
        "data-stage-head": id,
        onclick: on.select,
      },
      this.sign,
      h("b", {}, id),
      h("span", { class: "stage-name" }, name),
      this.spent,
      this.mark,
    );
    this.share = h("i", { class: "stage-share", "aria-hidden": "true" });
    this.alarm = h("p", { class: "stage-problem", role: "alert", hidden: true });
    this.element = h("li", { class: "stage", "data-stage": id }, this.head, this.#choice(on), this.share, this.alarm);
    this.element.addEventListener("dragover", (event) => {
      if (this.#takes(event)) {
        event.preventDefault();
        this.element.classList.add("is-over");
      }
    });
    this.element.addEventListener("dragleave", () => this.element.classList.remove("is-over"));
    this.element.addEventListener("drop", (event) => {
      this.element.classList.remove("is-over");
      if (!this.#takes(event)) return;
      event.preventDefault();
      on.put(event.dataTransfer?.getData(POLICY_TYPE) ?? "");
    });
  }

  /** @param {{put: (policy: string) => void, toggle: (on: boolean) => void}} on */
  #choice(on) {
    const { stage } = this;
    if (!stage.policies.length) {
      this.word = h("span", { class: "stage-word" });
      return this.word;
    }
    const label = `${stage.id} ${stage.name}`;
    const select = h(
      "select",
      { class: "stage-select", "aria-label": gettext("Policy of {label}", { label }), "data-stage-policy": stage.id },
      h("option", { value: NONE }, gettext("unspecified")),
      stage.policies.map((policy) => h("option", { value: policy.name, title: policy.help }, policy.label)),
    );
    select.addEventListener("change", () => on.put(select.value));
    const toggle = h("input", {
      type: "checkbox",
      class: "stage-toggle",
      "data-specifies": stage.id,
      "aria-label": gettext("{label} is specified", { label }),
    });
    toggle.addEventListener("change", () => on.toggle(toggle.checked));
    const said = h("span", { class: "stage-said" });
    this.choice = { select, toggle, said };
    return h("span", { class: "stage-choice" }, h("label", { class: "stage-hit" }, toggle), select, said);
  }

  /**
   * Only a policy of this stage can be put here: its kind is in the type, which can be read before the drop.
   * @param {DragEvent} event
   */
  #takes(event) {
    return (
      !this.choice?.select.disabled &&
      this.stage.policies.length > 0 &&
      event.dataTransfer?.types.includes(typeOf(this.stage))
    );
  }

  /**
   * @param {State} state
   * @param {string | null} policy
   * @param {boolean} off
   */
  show(state, policy, off) {
    const { word, sign, help } = STATES[state];
    this.state = state;
    this.element.dataset.is = state;
    this.sign.textContent = sign;
    this.tip();
    if (this.word) {
      this.word.textContent = word;
      this.word.dataset.tip = help;
    }
    if (!this.choice) return;
    const { select, toggle, said } = this.choice;
    select.value = policy ?? "";
    select.disabled = off;
    said.textContent = select.selectedOptions[0]?.textContent ?? "";
    toggle.checked = policy !== NONE;
    toggle.disabled = off;
  }

  tip() {
    const time =
      this.times && this.times.us > 0
        ? gettext(" Modeled time so far: {time}, {share} of all.", {
            time: duration(this.times.us * 1e3),
            share: percent(this.times.share),
          })
        : "";
    this.head.dataset.tip =
      `${this.stage.id} ${this.stage.name}, ${STATES[this.state].word}. ${this.stage.meaning}` +
      `${time}${this.told ? ` ${this.told}` : ""}`;
  }

  /**
   * What the row of the preset that is loaded has: a sign and a sentence, or nothing.
   * @param {string} sign
   * @param {string} told
   */
  row(sign, told) {
    this.told = told;
    if (this.mark.textContent !== sign) this.mark.textContent = sign;
    this.tip();
  }

  /** @param {boolean} on */
  choose(on) {
    this.head.setAttribute("aria-pressed", String(on));
    this.element.classList.toggle("is-chosen", on);
  }

  /** @param {boolean} on */
  light(on) {
    this.element.classList.toggle("is-lit", on);
  }

  /** @param {TimeRow | null} row */
  time(row) {
    this.times = row;
    const words = row && row.us > 0 ? duration(row.us * 1e3) : "";
    if (this.spent.textContent !== words) this.spent.textContent = words;
    this.share.style.setProperty("--share", row ? String(row.share) : "0");
    this.tip();
  }

  /** @param {string} text */
  problem(text) {
    this.alarm.hidden = !text;
    if (this.alarm.textContent !== text) this.alarm.textContent = text;
    this.element.classList.toggle("has-problem", Boolean(text));
  }
}

/**
 * What a dragged policy of a stage says it is.
 * @param {Stage} stage
 */
export function typeOf(stage) {
  return `${POLICY_TYPE}-${stage.id.toLowerCase()}`;
}
