/** Switch the policy at the current instant: fork the run, and show its network beside the one without the switch. */

import { whole } from "../../kit/format.js";
import { act, canAct } from "../../run/acting.js";
import { batch, html, live, signal } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Meta, PolicyMeta } from "../../contract/contract"
 * @import { Desk } from "../graphs/desk.js"
 */

/** @typedef {{id: string, rounds: number}} FlowRun  the run on screen */

/** @type {{name: "before" | "after", label: string, tip: string}[]} */
const SIDES = [
  { name: "before", label: gettext("Before"), tip: gettext("This round in the run without the switch.") },
  { name: "after", label: gettext("After"), tip: gettext("This round after the switch; signs say what differs.") },
];

export class PolicySwitch {
  #state = {
    /** The policies of the run on screen, and the one in force at its end. */
    policies: signal(/** @type {PolicyMeta[]} */ ([])),
    inForce: signal(/** @type {PolicyMeta | undefined} */ (undefined)),
    /** The name of the policy to switch to. */
    chosen: signal(""),
    /** The run before the switch. */
    before: signal(/** @type {FlowRun | null} */ (null)),
    side: signal(SIDES[1].name),
    /** The title of the comparison. */
    title: signal(""),
  };
  /** @type {FlowRun | null} */
  run = null;
  /** The run after the switch. */
  after = "";
  /** A switch whose run does not exist yet. @type {{at_s: number, label: string} | null} */
  pending = null;
  /** The first round under the new policy. @type {number | null} */
  round = null;

  /**
   * @param {Desk} desk
   * @param {{compared: () => void}} on
   */
  constructor(desk, on) {
    this.desk = desk;
    this.on = on;
  }

  get before() {
    return this.#state.before.value;
  }
  /** The run whose network is on screen during a comparison. */
  get side() {
    return this.#state.side.value;
  }

  view() {
    const { policies, inForce, chosen } = this.#state;
    const option = (/** @type {PolicyMeta} */ each) =>
      html`<option value=${each.name} title=${each.help} .selected=${live(each.name === chosen.value)}>${
        each === inForce.value ? gettext("{label} (now)", { label: each.label }) : each.label
      }</option>`;
    return html`<div class="flow-policy" ?hidden=${!policies.value.length}>
      <label class="picture-key picture-label"
        >${gettext("Policy")}<select
          class="picture-select"
          aria-label=${gettext("Policy")}
          data-tip=${this.#chosen?.help ?? ""}
          @change=${(/** @type {Event & {target: HTMLSelectElement}} */ event) => {
            chosen.value = event.target.value;
          }}
        >${policies.value.map(option)}</select></label
      >
      <button
        type="button"
        class="button button-small"
        data-switch
        data-tip=${gettext(
          "From the clock's instant on, the run continues under this policy. The networks before and " +
            "after are shown side by side.",
        )}
        @click=${() => this.#switch()}
      >${gettext("Switch now")}</button>
      ${this.#sidesView()}
    </div>`;
  }

  #sidesView() {
    const { before, side, title } = this.#state;
    return html`<div
      class="layers"
      role="group"
      aria-label=${gettext("Before or after the switch")}
      title=${title.value}
      ?hidden=${!before.value}
    >
      ${SIDES.map(
        ({ name, label, tip }) => html`<button
          type="button"
          class="layer"
          aria-pressed=${String(name === side.value)}
          data-side=${name}
          data-tip=${tip}
          @click=${() => {
            side.value = name;
            this.on.compared();
          }}
        >${label}</button>`,
      )}
      <button
        type="button"
        class="layer"
        data-end-comparison
        aria-label=${gettext("End the comparison")}
        data-tip=${gettext("End the comparison")}
        @click=${() => {
          this.end();
          this.on.compared();
        }}
      >×</button>
    </div>`;
  }

  get #chosen() {
    const { policies, chosen } = this.#state;
    return policies.value.find((each) => each.name === chosen.value);
  }

  /**
   * @param {Meta} meta
   * @param {FlowRun} run
   */
  describe(meta, run) {
    const policies = meta?.policies ?? [];
    const inForce = this.#inForce(policies);
    this.run = run;
    batch(() => {
      this.#state.policies.value = policies;
      this.#state.inForce.value = inForce;
      if (!this.#chosen) this.#state.chosen.value = policies.find((each) => each !== inForce)?.name ?? "";
    });
    if (this.before && this.pending === null && this.after !== run.id) this.end();
  }

  /**
   * Return the policy at the run's end: the one whose parameters the experiment or its events set.
   * @param {PolicyMeta[]} policies
   */
  #inForce(policies) {
    const experiment = this.desk.studio.experiment.value;
    const chosen = this.desk.studio.chosen.value;
    const sets = (Array.isArray(experiment?.events) ? experiment.events : [])
      .filter((each) => each?.kind === "set" && each.target?.scheduler)
      .sort((a, b) => a.at_s - b.at_s);
    const defaults = Object.fromEntries(
      Object.entries(chosen?.params?.properties ?? {}).map(([name, field]) => [name, field.default]),
    );
    const params = Object.assign(defaults, experiment?.scheduler?.params, ...sets.map((each) => each.value));
    return policies.find((policy) => Object.entries(policy.params).every(([name, value]) => params[name] === value));
  }

  async #switch() {
    const { studio } = this.desk;
    const policy = this.#chosen;
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
    batch(() => {
      this.#state.before.value = this.run && { ...this.run };
      this.#state.side.value = "after";
    });
    const done = await act(
      studio,
      [{ at_s, kind: "set", target: { scheduler: true }, value: policy.params }],
      `${policy.label}.`,
    );
    if (!done) this.end();
  }

  /**
   * Begin the comparison once the fork's first round under the new policy is known.
   * @param {number} round
   */
  compare(round) {
    this.round = round;
    this.after = this.run?.id ?? "";
    const label = this.pending?.label ?? "";
    this.#state.title.value = gettext("{label} from round {round} on", { label, round: whole(round) });
    this.pending = null;
  }

  end() {
    this.pending = null;
    this.round = null;
    batch(() => {
      this.#state.before.value = null;
      this.#state.side.value = "after";
    });
  }
}
