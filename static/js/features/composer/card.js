/** A stage of the diagram: its name, its policy, its state, and its share of the time. */

import { NONE, STATES } from "./pipeline.js";
import { duration, percent } from "../../kit/format.js";
import { gettext } from "../../kit/words.js";
import { classMap, html, live, nothing } from "../../kit/view.js";

/** @typedef {Event & {target: HTMLInputElement}} OfField  an event of a field */

/**
 * @import { State, TimeRow } from "./pipeline.js"
 * @import { Stage } from "./reference.js"
 */

/**
 * @typedef {object} CardFacts  the experiment's facts about a stage
 * @property {State} state
 * @property {string | null} policy
 * @property {boolean} off  true if its policy cannot be changed
 * @property {string} sign  the stage's symbol in the loaded preset's row; empty without a preset
 * @property {string} told  the meaning of that symbol
 *
 * @typedef {object} CardNow  further state of a card
 * @property {Stage} stage
 * @property {TimeRow | null} time
 * @property {boolean} lit  true if the run has just passed through
 * @property {boolean} chosen
 * @property {boolean} tabStop  true if Tab stops at this card; arrow keys reach the others
 * @property {string} problem
 * @property {boolean} wanted  true while a policy of the stage is dragged
 * @property {boolean} over  true while that policy is over the card
 *
 * @typedef {CardFacts & CardNow} Card
 *
 * @typedef {object} CardActs
 * @property {() => void} select
 * @property {(policy: string) => void} put
 * @property {(on: boolean) => void} toggle
 * @property {(over: boolean) => void} hover  a dragged policy of the stage enters or leaves the card
 */

export const POLICY_TYPE = "application/x-stage-policy";

/**
 * Return the drag type of a stage's policies.
 * @param {Stage} stage
 */
export function typeOf(stage) {
  return `${POLICY_TYPE}-${stage.id.toLowerCase()}`;
}

/**
 * @param {Card} card
 * @param {CardActs} acts
 */
export function cardView(card, acts) {
  const { stage, time, problem } = card;
  const classes = {
    stage: true,
    "is-chosen": card.chosen,
    "is-lit": card.lit,
    "is-wanted": card.wanted,
    "is-over": card.over,
    "has-problem": problem !== "",
  };
  return html`<li
    class=${classMap(classes)}
    data-stage=${stage.id}
    data-is=${card.state}
    @dragover=${(/** @type {DragEvent} */ event) => {
      if (!takes(card, event)) return;
      event.preventDefault();
      acts.hover(true);
    }}
    @dragleave=${() => acts.hover(false)}
    @drop=${(/** @type {DragEvent} */ event) => {
      acts.hover(false);
      if (!takes(card, event)) return;
      event.preventDefault();
      acts.put(event.dataTransfer?.getData(POLICY_TYPE) ?? "");
    }}
  >
    ${headView(card, acts)} ${choiceView(card, acts)}
    <i class="stage-share" aria-hidden="true" .style=${`--share: ${time?.share ?? 0}`}></i>
    <p class="stage-problem" role="alert" ?hidden=${!problem}>${problem}</p>
  </li>`;
}

/**
 * @param {Card} card
 * @param {CardActs} acts
 */
function headView(card, acts) {
  const { stage, time } = card;
  return html`<button
    type="button"
    class="stage-head"
    tabindex=${card.tabStop ? 0 : -1}
    aria-pressed=${String(card.chosen)}
    data-stage-head=${stage.id}
    data-tip=${tipOf(card)}
    @click=${acts.select}
  >
    <span class="stage-sign" aria-hidden="true">${STATES[card.state].sign}</span><b>${stage.id}</b
    ><span class="stage-name">${stage.name}</span
    ><span class="stage-spent">${time && time.us > 0 ? duration(time.us * 1e3) : ""}</span
    ><span class="stage-row" aria-hidden="true">${card.sign}</span>
  </button>`;
}

/**
 * @param {Card} card
 * @param {CardActs} acts
 */
function choiceView({ stage, state, policy, off }, acts) {
  const { word, help } = STATES[state];
  if (!stage.policies.length) return html`<span class="stage-word" data-tip=${help}>${word}</span>`;
  const label = `${stage.id} ${stage.name}`;
  const choices = [{ name: NONE, label: gettext("unspecified"), help: "" }, ...stage.policies];
  return html`<span class="stage-choice"
    ><label class="stage-hit"
      ><input
        type="checkbox"
        class="stage-toggle"
        data-specifies=${stage.id}
        aria-label=${gettext("{label} is specified", { label })}
        ?disabled=${off}
        .checked=${live(policy !== NONE)}
        @change=${(/** @type {OfField} */ event) => acts.toggle(event.target.checked)} /></label
    ><select
      class="stage-select"
      aria-label=${gettext("Policy of {label}", { label })}
      data-stage-policy=${stage.id}
      ?disabled=${off}
      @change=${(/** @type {OfField} */ event) => acts.put(event.target.value)}
    >
      ${choices.map(
        (each) => html`<option
          value=${each.name}
          title=${each.help || nothing}
          .selected=${live(each.name === policy)}
        >${each.label}</option>`,
      )}</select
    ><span class="stage-said">${choices.find((each) => each.name === policy)?.label ?? ""}</span></span
  >`;
}

/**
 * Return true if the dragged item is a policy of this stage. Its type is readable before the drop.
 * @param {Card} card
 * @param {DragEvent} event
 */
function takes({ stage, off }, event) {
  return !off && stage.policies.length > 0 && event.dataTransfer?.types.includes(typeOf(stage));
}

/** @param {Card} card */
function tipOf({ stage, state, told, time }) {
  const spent =
    time && time.us > 0
      ? gettext(" Modeled time so far: {time}, {share} of all.", {
          time: duration(time.us * 1e3),
          share: percent(time.share),
        })
      : "";
  return `${stage.id} ${stage.name}, ${STATES[state].word}. ${stage.meaning}${spent}${told ? ` ${told}` : ""}`;
}
