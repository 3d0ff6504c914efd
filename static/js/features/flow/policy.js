/**
 * Switching the policy at the viewer's instant: a fork of the run, and its network beside the one it would have been.
 */

import { whole } from "../../kit/format.js";
import { act, canAct } from "../../run/acting.js";
import { childrenOf, h } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Meta, PolicyMeta } from "../../contract/contract"
 * @import { Desk } from "../graphs/desk.js"
 */

/** @typedef {{id: string, rounds: number}} FlowRun  the run that is shown */

export class PolicySwitch {
  /** The run before the switch. @type {FlowRun | null} */
  before = null;
  /** @type {FlowRun | null} */
  run = null;
  /** The run after the switch. */
  after = "";
  /** @type {"before" | "after"} */
  side = "after";
  /** A switch whose run is not there yet. @type {{at_s: number, label: string} | null} */
  pending = null;
  /** @type {number | null} */
  round = null;

  /**
   * @param {Desk} desk
   * @param {{compared: () => void}} on
   */
  constructor(desk, on) {
    this.desk = desk;
    this.on = on;
    this.select = h("select", {
      class: "picture-select",
      "aria-label": gettext("Policy"),
      onchange: () => this.#explain(),
    });
    this.button = h(
      "button",
      {
        type: "button",
        class: "button button-small",
        "data-switch": "",
        "data-tip": gettext(
          "From the clock's instant on, the run continues under this policy. The networks before and " +
            "after are shown side by side.",
        ),
        onclick: () => this.#switch(),
      },
      gettext("Switch now"),
    );
    /**
     * @param {"before" | "after"} name
     * @param {string} label
     * @param {string} tip
     */
    const side = (name, label, tip) =>
      h(
        "button",
        { type: "button", class: "layer", "data-side": name, "data-tip": tip, onclick: () => this.show(name) },
        label,
      );
    this.sides = h(
      "div",
      { class: "layers", role: "group", "aria-label": gettext("Before or after the switch"), hidden: true },
      side("before", gettext("Before"), gettext("This round in the run without the switch.")),
      side("after", gettext("After"), gettext("This round after the switch; signs say what differs.")),
      h(
        "button",
        {
          type: "button",
          class: "layer",
          "data-end-comparison": true,
          "aria-label": gettext("End the comparison"),
          "data-tip": gettext("End the comparison"),
          onclick: () => {
            this.end();
            this.on.compared();
          },
        },
        "×",
      ),
    );
    this.choice = h("label", { class: "picture-key picture-label" }, gettext("Policy"), this.select);
    this.element = h("div", { class: "flow-policy", hidden: true }, this.choice, this.button, this.sides);
  }

  /**
   * @param {Meta} meta
   * @param {FlowRun} run
   */
  describe(meta, run) {
    const policies = meta?.policies ?? [];
    this.run = run;
    this.element.hidden = !policies.length;
    const kept = this.select.value;
    const inForce = this.#inForce(policies);
    this.select.replaceChildren(
      ...policies.map((each) =>
        h(
          "option",
          { value: each.name, title: each.help },
          each === inForce ? gettext("{label} (now)", { label: each.label }) : each.label,
        ),
      ),
    );
    this.select.value = kept || (policies.find((each) => each !== inForce)?.name ?? "");
    this.#explain();
    if (this.before && this.pending === null && this.after !== run.id) this.end();
  }

  /**
   * The policy that the run has at the end: the one whose parameters are set, by the experiment or by its events.
   * @param {PolicyMeta[]} policies
   */
  #inForce(policies) {
    const { experiment, chosen } = this.desk.studio;
    const sets = (Array.isArray(experiment?.events) ? experiment.events : [])
      .filter((each) => each?.kind === "set" && each.target?.scheduler)
      .sort((a, b) => a.at_s - b.at_s);
    const defaults = Object.fromEntries(
      Object.entries(chosen?.params?.properties ?? {}).map(([name, field]) => [name, field.default]),
    );
    const params = Object.assign(defaults, experiment?.scheduler?.params, ...sets.map((each) => each.value));
    return policies.find((policy) => Object.entries(policy.params).every(([name, value]) => params[name] === value));
  }

  /** What the chosen policy does, as a tip. */
  #explain() {
    this.select.dataset.tip = this.desk.meta?.policies?.find((each) => each.name === this.select.value)?.help ?? "";
  }

  async #switch() {
    const { studio } = this.desk;
    const policy = this.desk.meta?.policies?.find((each) => each.name === this.select.value);
    if (!policy) return;
    if (!canAct(studio)) {
      studio.messages.notice(
        gettext("The policy can be switched when the run on screen matches the current settings."),
        "",
        6000,
      );
      return;
    }
    const at_s = Math.round(studio.stage.player.t_ns / 1e6) / 1e3;
    this.pending = { at_s, label: policy.label };
    this.before = this.run && { ...this.run };
    this.side = "after";
    const done = await act(
      studio,
      [{ at_s, kind: "set", target: { scheduler: true }, value: policy.params }],
      `${policy.label}.`,
    );
    if (!done) this.end();
  }

  /**
   * The fork's first round under the new policy is known.
   * @param {number} round
   */
  compare(round) {
    this.round = round;
    this.after = this.run?.id ?? "";
    const label = this.pending?.label ?? "";
    this.sides.title = gettext("{label} from round {round} on", { label, round: whole(round) });
    this.pending = null;
    this.#press();
  }

  /** @param {"before" | "after"} side */
  show(side) {
    this.side = side;
    this.#press();
    this.on.compared();
  }

  end() {
    this.before = null;
    this.pending = null;
    this.round = null;
    this.side = "after";
    this.#press();
  }

  #press() {
    this.sides.hidden = !this.before;
    for (const button of childrenOf(this.sides))
      if (button.dataset.side) button.setAttribute("aria-pressed", String(button.dataset.side === this.side));
  }
}
