/** A stage of the diagram: its name, its policy, whether it is specified, and how much of the time goes there. */

import { NONE, STATES } from "./pipeline.js";
import { duration, percent } from "../../kit/format.js";
import { h } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";

export const POLICY_TYPE = "application/x-stage-policy";

export class StageCard {
  constructor(stage, on) {
    this.stage = stage;
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
      on.put(event.dataTransfer.getData(POLICY_TYPE));
    });
  }

  #choice(on) {
    const { stage } = this;
    if (!stage.policies.length) {
      this.word = h("span", { class: "stage-word" });
      return this.word;
    }
    const label = `${stage.id} ${stage.name}`;
    this.select = h(
      "select",
      { class: "stage-select", "aria-label": gettext("Policy of {label}", { label }), "data-stage-policy": stage.id },
      h("option", { value: NONE }, gettext("unspecified")),
      stage.policies.map((policy) => h("option", { value: policy.name, title: policy.help }, policy.label)),
    );
    this.select.addEventListener("change", () => on.put(this.select.value));
    this.toggle = h("input", {
      type: "checkbox",
      class: "stage-toggle",
      "aria-label": gettext("{label} is specified", { label }),
    });
    this.toggle.addEventListener("change", () => on.toggle(this.toggle.checked));
    this.said = h("span", { class: "stage-said" });
    return h(
      "span",
      { class: "stage-choice" },
      h("label", { class: "stage-hit" }, this.toggle),
      this.select,
      this.said,
    );
  }

  /** Only a policy of this stage can be put here: its kind is in the type, which can be read before the drop. */
  #takes(event) {
    return (
      !this.select?.disabled && this.stage.policies.length > 0 && event.dataTransfer.types.includes(typeOf(this.stage))
    );
  }

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
    if (!this.select) return;
    this.select.value = policy;
    this.select.disabled = off;
    this.said.textContent = this.select.selectedOptions[0]?.textContent ?? "";
    this.toggle.checked = policy !== NONE;
    this.toggle.disabled = off;
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
      `${this.stage.id} ${this.stage.name}, ${STATES[this.state ?? "absent"].word}. ${this.stage.meaning}` +
      `${time}${this.told ? ` ${this.told}` : ""}`;
  }

  /** What the row of the preset that is loaded has: a sign and a sentence, or nothing. */
  row(sign, told) {
    this.told = told;
    if (this.mark.textContent !== sign) this.mark.textContent = sign;
    this.tip();
  }

  choose(on) {
    this.head.setAttribute("aria-pressed", String(on));
    this.element.classList.toggle("is-chosen", on);
  }

  light(on) {
    this.element.classList.toggle("is-lit", on);
  }

  time(row) {
    this.times = row;
    const words = row && row.us > 0 ? duration(row.us * 1e3) : "";
    if (this.spent.textContent !== words) this.spent.textContent = words;
    this.share.style.setProperty("--share", row ? String(row.share) : "0");
    this.tip();
  }

  problem(text) {
    this.alarm.hidden = !text;
    if (this.alarm.textContent !== text) this.alarm.textContent = text;
    this.element.classList.toggle("has-problem", Boolean(text));
  }
}

/** What a dragged policy of a stage says it is. */
export function typeOf(stage) {
  return `${POLICY_TYPE}-${stage.id.toLowerCase()}`;
}
