/** The path of a task's unit of flow in a round, chosen by number or by a click. */

import { whole } from "../../kit/format.js";
import { fetchWay } from "../../run/why/networks.js";
import { whyTask } from "../../run/why/why_task.js";
import { targetOf } from "../../kit/dom.js";
import { html, live, nothing } from "../../kit/view.js";
import { wayElement } from "../../run/why/way.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { Failure } from "../../contract/api.js"
 * @import { View } from "../../kit/view.js"
 * @import { Way } from "../../run/why/way.js"
 * @import { FlowPicture } from "./flow.js"
 */

/**
 * Return the field for a task's number, and the button.
 * @param {FlowPicture} flow
 */
export function askView(flow) {
  return html`<div class="flow-ask">
    <input
      class="finder-input"
      type="text"
      inputmode="numeric"
      aria-label=${gettext("Task")}
      placeholder=${gettext("Task…")}
      autocomplete="off"
      .value=${live(flow.task.value)}
      @input=${(/** @type {Event} */ event) => {
        flow.task.value = targetOf(event).value;
      }}
      @keydown=${(/** @type {KeyboardEvent} */ event) => {
        if (event.key === "Enter") {
          event.preventDefault();
          askTyped(flow);
        }
        event.stopPropagation();
      }}
    />
    <button
      type="button"
      class="button button-small"
      data-why-here
      ?disabled=${!flow.network.value}
      @click=${() => askTyped(flow)}
    >${gettext("Why here?")}</button>
  </div>`;
}

/**
 * Show the paths of the typed task.
 * @param {FlowPicture} flow
 */
function askTyped(flow) {
  const task = Number.parseInt(flow.task.value.replace(/\D/g, ""), 10);
  if (Number.isFinite(task)) askWay(flow, task);
  else tell(flow, html`<p>${gettext("Type a task's number, or click one in the picture.")}</p>`);
}

/**
 * Show a task's paths in the round on screen; or, with `placed`, in the round that placed the task, and go to that
 * round.
 * @param {FlowPicture} flow
 * @param {number} task
 */
export async function askWay(flow, task, placed = false) {
  if (!flow.network.value || !flow.shown.value) return;
  flow.task.value = String(task);
  const run = flow.shown.value;
  const { round, t_s } = flow.network.value;
  const isBefore = flow.policy.side === "before";
  const looking = gettext("Looking for the paths of task {task}…", { task: whole(task) });
  tell(flow, html`<p role="status">${looking}</p>`);
  try {
    const way = await fetchWay(
      isBefore ? (flow.policy.before?.id ?? run.id) : run.id,
      placed ? { task, at_s: t_s } : { task, round },
    );
    if (flow.shown.value !== run || flow.network.value?.round !== round) return;
    flow.choose(way);
    if (way.round >= 1 && way.round !== round) {
      flow.follows.value = false;
      flow.goTo(way.round);
    }
    tell(flow, wayView(flow, task, way, { canGoBack: !placed, canTell: !isBefore }));
  } catch (caught) {
    const error = /** @type {Failure} */ (caught);
    tell(flow, html`<p role="alert">${flow.problem(error)}</p>`);
  }
}

/**
 * @param {FlowPicture} flow
 * @param {number} task
 * @param {Way} way
 * @param {{canGoBack: boolean, canTell: boolean}} links  links to the round that placed the task, and to all its
 *   decisions
 */
function wayView(flow, task, way, { canGoBack, canTell }) {
  const stays = way.path.length > 0 && !way.next;
  const back = html`<button type="button" class="link" data-placed @click=${() => askWay(flow, task, true)}>${gettext(
    "Which round placed it?",
  )}</button>`;
  const all = html`<button
    type="button"
    class="link"
    data-decisions
    @click=${() => whyTask(flow.desk.studio, task)}
  >${gettext("All its decisions")}</button>`;
  return html`<div class="flow-way-said">
    ${wayElement(way)}
    <p class="flow-links">${canGoBack && stays ? back : nothing}${canTell ? all : nothing}</p>
  </div>`;
}

/**
 * Go to the first round about a task at or after an instant, and show its paths in it, as soon as the run is here.
 * @param {FlowPicture} flow
 * @param {number} task
 * @param {number} at_s
 */
export async function showWay(flow, task, at_s) {
  if (!flow.shown.value) {
    flow.wanted = [task, at_s];
    return;
  }
  const run = flow.shown.value;
  flow.task.value = String(task);
  flow.follows.value = false;
  try {
    const way = await fetchWay(run.id, { task, at_s });
    if (flow.shown.value !== run || flow.follows.value) return;
    flow.choose(way);
    tell(flow, html`${wayElement(way)}`);
    if (way.round >= 1) flow.goTo(way.round);
  } catch (caught) {
    const error = /** @type {Failure} */ (caught);
    tell(flow, html`<p role="alert">${flow.problem(error)}</p>`);
  }
}

/**
 * @param {FlowPicture} flow
 * @param {View} view
 */
function tell(flow, view) {
  flow.told.value = view;
}
