/** The views around a network's canvas: the rounds above it, sentences and a task's paths below. */

import { ICONS, targetOf } from "../../kit/dom.js";
import { stepButton } from "../../kit/step_button.js";
import { clock, whole } from "../../kit/format.js";
import { html, nothing } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";
import { askView } from "./flow_asking.js";
import { tellNetwork } from "./network.js";

/**
 * @import { FlowPicture } from "./flow.js"
 * @import { Network } from "./network.js"
 */

/**
 * Return the buttons for the previous and the next round.
 * @param {FlowPicture} flow
 */
export const stepButtons = (flow) => ({
  back: stepButton(gettext("Previous round"), ICONS.back, () => flow.step(-1)),
  forward: stepButton(gettext("Next round"), ICONS.forward, () => flow.step(1)),
});

/**
 * @param {FlowPicture} flow
 * @param {ReturnType<typeof stepButtons>} steps
 */
export function toolsView(flow, { back, forward }) {
  const rounds = flow.shown.value?.rounds ?? 1;
  const of = gettext("Round {round} of {rounds}", { round: whole(flow.round.value), rounds: whole(rounds) });
  return html`<div class="flow-rounds" role="group" aria-label=${gettext("Rounds")}>
      ${back}
      <input
        type="range"
        class="flow-slider"
        min="1"
        max=${Math.max(1, rounds)}
        step="1"
        aria-label=${gettext("Round")}
        aria-valuetext=${flow.shown.value ? of : nothing}
        .value=${String(flow.round.value)}
        @input=${(/** @type {Event} */ event) => {
          flow.follows.value = false;
          flow.goTo(Number(targetOf(event).value));
        }}
      />
      ${forward}
      <output class="flow-where">${flow.shown.value ? whereWords(flow, of) : ""}</output>
    </div>
    <div class="layers" role="group" aria-label=${gettext("What is shown")}>
      <button
        type="button"
        class="layer"
        aria-pressed=${String(flow.follows.value)}
        data-follow
        data-tip=${gettext("Show the round at the clock's instant while the clock moves.")}
        @click=${() => {
          flow.follows.value = !flow.follows.value;
          flow.goTo(flow.follows.value ? flow.now() : flow.round.value);
        }}
      >${gettext("Follow the clock")}</button>
      <button
        type="button"
        class="layer"
        aria-pressed=${String(flow.idle.value)}
        data-tip=${gettext("Show arcs without flow, too.")}
        @click=${() => {
          flow.idle.value = !flow.idle.value;
          flow.picture.draw();
        }}
      >${gettext("All arcs")}</button>
      ${allTasksView(flow)}
    </div>
    ${flow.policy.view()}
    <p class="picture-key flow-key">${flow.network.value ? keyWords(flow.network.value, flow.chosen.value) : ""}</p>`;
}

/** Return the button that leaves a chosen task. @param {FlowPicture} flow */
function allTasksView(flow) {
  if (flow.chosen.value === null) return nothing;
  return html`<button
    type="button"
    class="layer"
    data-all-tasks
    data-tip=${gettext("Show the network of all tasks again.")}
    @click=${() => flow.choose(null)}
  >${gettext("All tasks")}</button>`;
}

/** @param {FlowPicture} flow */
export function footView(flow) {
  const network = flow.network.value;
  const told = flow.told.value;
  // While the clock runs, a live region would make screen readers talk without end.
  const live = flow.follows.value ? "off" : "polite";
  const words = network ? tellNetwork(network, timeOf(flow, network)) : "";
  return html`${askView(flow)}
    <div class="flow-words">
      <p class="desk-about flow-about" aria-live=${live}>${words}</p>
      <div class="flow-way" ?hidden=${!told}>${told}</div>
    </div>`;
}

/**
 * Return the round and its time; while another round loads, that round.
 * @param {FlowPicture} flow
 * @param {string} looked
 */
function whereWords(flow, looked) {
  const [network, shown] = [flow.network.value, flow.shown.value];
  if (!network || flow.looking.value) return looked;
  return gettext("Round {round} of {rounds}, {time}", {
    round: whole(network.round),
    rounds: whole(shown?.rounds ?? network.round),
    time: timeOf(flow, network),
  });
}

/**
 * @param {FlowPicture} flow
 * @param {Network} network
 */
const timeOf = (flow, network) => clock(network.t_s * 1e9, flow.desk.studio.stage.player.store.endNs);

/**
 * @param {Network} network
 * @param {number | null} chosen  the task whose arcs alone are drawn
 */
function keyWords(network, chosen) {
  if (chosen !== null)
    return gettext(
      "The arcs of task {task}, with their costs. Solid: the path that it got. Dashed: its next-best path.",
      { task: whole(chosen) },
    );
  const marks =
    network.round > 1 || network.before
      ? gettext("+ added, − removed, ≠ cost or bound changed, ~ flow changed")
      : gettext("Everything is new in round 1");
  return gettext(
    "The width of an arc shows how many tasks flow through it. {marks}. A framed box holds several nodes.",
    { marks },
  );
}
