/** Move a stage to a presenter's state. */

import { FIT } from "../map/camera.js";
import { whereTo } from "./following.js";

/**
 * @import { Shown } from "../../contract/contract"
 * @import { Stage } from "./stage.js"
 */

/**
 * Go to the presenter's time and play as the presenter does; `age_ms` is the state's age.
 * @param {Stage} stage
 * @param {Shown} state
 * @param {number} age_ms
 */
export function applyTime(stage, state, age_ms) {
  const { player } = stage;
  const ran = state.playing ? (state.rate * age_ms) / 1000 : 0;
  const to = whereTo({ ...state, t_s: state.t_s + ran }, player.t_ns / 1e9);
  player.chosenRate = state.rate;
  if (to !== null) stage.seek(to * 1e9);
  if (state.playing && !player.playing && !player.ended) player.play();
  if (!state.playing) player.pause();
}

/**
 * Apply the presenter's map position, layer, pointer and owners.
 * @param {Stage} stage
 * @param {Shown} state
 */
export function applyPlace(stage, state) {
  const { map } = stage;
  const place = map.place();
  const { zoom = null, centre = null, layer = null, pointed = -1, owners = [] } = state;
  if (zoom === null || centre === null) {
    if (place) map.moveTo(FIT);
  } else if (place?.zoom !== zoom || place?.centre !== centre) map.goTo({ zoom, centre });
  if (stage.layer !== layer) stage.setLayer(layer);
  if (map.pointed !== pointed) {
    map.pointed = pointed;
    map.overDrawn = false;
  }
  const { chosen } = stage.filter;
  if ([...chosen].join() === owners.join()) return;
  chosen.clear();
  for (const owner of owners) chosen.add(owner);
  stage.refilter();
}
