/** The settings that the author of an exported page leaves to its readers. */

import { targetOf } from "../../kit/dom.js";
import { html, live } from "../../kit/view.js";

/** @import { Setting } from "../../engine/start_file.js" */
/** @import { Touch } from "./touch.js" */

/**
 * A setting as the page tells it: its label, and its values in words.
 * @typedef {Setting & {label: string, words: string[], kind: "number" | "choice"}} ToldSetting
 */

/** Return the place of each setting's value on the screen. */
export const placesOf = (/** @type {Touch} */ touch, /** @type {ToldSetting[]} */ settings) =>
  touch.at.value ?? settings.map(({ own }) => own);

/**
 * Show the settings. Each change is simulated at once.
 * @param {Touch} touch
 * @param {ToldSetting[]} settings
 */
export function settingsView(touch, settings) {
  const at = placesOf(touch, settings);
  return html`<div class="here-settings">${settings.map((setting, place) => {
    const set = (/** @type {Event} */ event) => {
      const chosen = Number(targetOf(event).value);
      touch.set(at.map((each, other) => (other === place ? chosen : each)));
    };
    return setting.kind === "number" ? sliderView(setting, at[place], set) : choiceView(setting, at[place], set);
  })}</div>`;
}

/**
 * Show a slider with a stop for each value.
 * @param {ToldSetting} setting
 * @param {number} at
 * @param {(event: Event) => void} set
 */
function sliderView({ path, label, words }, at, set) {
  const most = words.length - 1;
  return html`<label class="here-setting"
    ><span>${label}</span><output data-setting-value=${path}>${words[at]}</output
    ><input
      type="range"
      min="0"
      max=${most}
      step="1"
      data-setting=${path}
      aria-valuetext=${words[at]}
      .value=${live(String(at))}
      .style=${`--fill: ${(100 * at) / Math.max(1, most)}%`}
      @input=${set}
  /></label>`;
}

/**
 * @param {ToldSetting} setting
 * @param {number} at
 * @param {(event: Event) => void} set
 */
function choiceView({ path, label, words }, at, set) {
  return html`<label class="here-field"
    ><span>${label}</span
    ><select class="knob-select" data-setting=${path} @change=${set}
      >${words.map(
        (each, place) => html`<option value=${place} .selected=${live(place === at)}>${each}</option>`,
      )}</select
  ></label>`;
}
