/** The policy editor in the scheduler panel, and the controls of the policy's parameters. */

import { hasPolicy, knobsFromSchema } from "../../experiment/experiment.js";
import { element, html, signal } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { PolicySetting } from "../../contract/api.js"
 * @import { Scheduler } from "../../experiment/experiment.js"
 * @import { SectionKnob } from "../../experiment/forms/knob_section.js"
 * @import { Studio } from "../store.js"
 */

const POLICY = "scheduler.params.policy";
/** A study has at most eight schedulers: these beside the user's own, each with a different idea. */
const REST = ["fifo", "kubernetes", "sparrow", "megha", "tetris", "drf", "srtf"];

/** The policy editor; its module loads when a scheduler has a policy. */
export class PolicyPlace {
  #asked = false;
  #settings = signal(/** @type {PolicySetting[]} */ ([]));

  /** @param {Studio} studio */
  constructor(studio) {
    this.studio = studio;
    this.place = document.createElement("div");
    this.place.className = "policy-place";
    const against = async () => (await import("../../features/compare/compare_dialog.js")).compareDialog(studio, REST);
    const tip = gettext("A study over ten seeds: your policy and seven other schedulers, with intervals.");
    this.element = element(
      "div",
      "own-policy",
      () => html`${this.place}
        <button class="button" type="button" data-against data-tip=${tip} @click=${against}>
          ${gettext("Against the rest…")}
        </button>`,
    );
    this.element.hidden = true;
  }

  /**
   * Show the editor if the scheduler has a policy, and return controls for the `param` lines.
   * @param {Scheduler | undefined} chosen
   * @returns {SectionKnob[]}
   */
  knobs(chosen) {
    const wanted = hasPolicy(chosen);
    this.element.hidden = !wanted;
    document.body.classList.toggle("has-policy", wanted);
    if (wanted && !this.#asked) this.#mount();
    return wanted ? this.#settings.value.map(settingKnob) : [];
  }

  /**
   * Return controls of the policy's settings, then the scheduler's; the editor replaces the policy text's control.
   * @param {SectionKnob[]} declared
   * @param {Scheduler | undefined} chosen
   * @returns {SectionKnob[]}
   */
  beside(declared, chosen) {
    const own = knobsFromSchema(chosen?.params_schema || chosen?.params || {});
    const shown = this.element.hidden ? own : own.filter(({ path }) => path !== POLICY);
    return [...declared, ...shown].map((spec) => ({ ...spec, marksDefault: true }));
  }

  async #mount() {
    this.#asked = true;
    try {
      const { mountPolicy } = await import("../../features/policy/policy_section.js");
      await mountPolicy(this.place, this.studio, (settings) => {
        if (JSON.stringify(settings) !== JSON.stringify(this.#settings.peek())) this.#settings.value = settings;
      });
    } catch (caught) {
      const error = /** @type {Error} */ (caught);
      this.#asked = false;
      this.studio.messages.notice(error.message, "", 6000);
    }
  }
}

/** Return a policy's `param` line as a control. @returns {SectionKnob} */
function settingKnob(/** @type {PolicySetting} */ { name, default: value, low, high }) {
  const plain = { name, path: `scheduler.params.${name}`, label: name, kind: "number", unit: "" };
  return { ...plain, help: gettext("A setting of the policy."), default: value, min: low, max: high };
}
