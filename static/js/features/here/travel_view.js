/** The controls of going through a run event by event. */

import { clock, whole } from "../../kit/format.js";
import { targetOf } from "../../kit/dom.js";
import { html, live, nothing } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";

/** @import { Touchable } from "./touch.js" */
/** @import { Travel } from "./travel.js" */

/** How far the buttons go. */
const STEPS = [-1_000, -1, 1, 1_000];

/**
 * Show the controls; the first button begins.
 * @param {Travel} travel
 * @param {Touchable | null} run
 */
export function travelView(travel, run) {
  const { stand, works, why } = travel;
  const failed = why.value
    ? html`<p class="here-different" role="alert" data-travel="failed">
        ${gettext("Not simulated in this page: {why}", { why: why.value })}
      </p>`
    : nothing;
  if (!run || !stand.value)
    return html`${failed}
      <p>
        <button
          class="button"
          type="button"
          data-travel-begin
          ?disabled=${!run || works.value}
          @click=${() => travel.begin()}
          >${gettext("Event by event")}</button
        >
      </p>`;
  const { event, t_ns, over } = stand.value;
  const read = (/** @type {Event} */ changed) => travel.to(Math.round(Number(targetOf(changed).value) || 0));
  return html`
    <p role="status" data-travel=${event} data-travel-t=${t_ns}
      >${
        over
          ? gettext("After the last event, {event}, at {time}.", { event: whole(event), time: clock(t_ns, 0) })
          : gettext("After event {event}, at {time}.", { event: whole(event), time: clock(t_ns, 0) })
      }
      ${gettext("This page draws the map from its own arrays, without tasks.")}</p
    >
    <div class="here-fields"
      ><label class="here-field"
        ><span>${gettext("Event")}</span
        ><input
          class="knob-number"
          type="number"
          inputmode="numeric"
          data-travel-event
          min="0"
          .value=${live(String(event))}
          @change=${read}
      /></label></div>
    <p class="here-buttons" role="group" aria-label=${gettext("Event by event")}
      >${STEPS.map((by) => stepView(travel, by, by < 0 ? event > 0 : !over))}
      <button class="button button-small" type="button" data-travel-end @click=${() => travel.end()}
        >${gettext("Show the run")}</button
      ></p>`;
}

/**
 * @param {Travel} travel
 * @param {number} by
 * @param {boolean} can
 */
function stepView(travel, by, can) {
  const label = by < 0 ? gettext("{count} back", { count: whole(-by) }) : gettext("{count} on", { count: whole(by) });
  return html`<button
    class="button button-small"
    type="button"
    data-travel-step=${by}
    ?disabled=${!can}
    @click=${() => travel.step(by)}
    >${label}</button
  >`;
}
