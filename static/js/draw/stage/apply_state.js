/** Put a stage where a presenter's is. */

import { FIT } from "../map/camera.js";
import { whereTo } from "./following.js";

/** Go to the presenter's time and play as they do; `age_ms`: how old the state is. */
export function applyTime(stage, state, age_ms) {
  const { player } = stage;
  const ran = state.playing ? (state.rate * age_ms) / 1000 : 0;
  const to = whereTo({ ...state, t_s: state.t_s + ran }, player.t_ns / 1e9);
  player.chosenRate = state.rate;
  if (to !== null) stage.seek(to * 1e9);
  if (state.playing && !player.playing && !player.ended) player.play();
  if (!state.playing) player.pause();
}

/** Go to the presenter's place on the map, layer, pointer and owners. */
export function applyPlace(stage, state) {
  const { map } = stage;
  const place = map.place();
  if (state.zoom === null) {
    if (place) map.moveTo(FIT);
  } else if (place?.zoom !== state.zoom || place?.centre !== state.centre)
    map.goTo({ zoom: state.zoom, centre: state.centre });
  if (stage.layer !== state.layer) stage.setLayer(state.layer);
  if (map.pointed !== state.pointed) {
    map.pointed = state.pointed;
    map.overDrawn = false;
  }
  const { chosen } = stage.filter;
  if ([...chosen].join() === state.owners.join()) return;
  chosen.clear();
  for (const owner of state.owners) chosen.add(owner);
  stage.refilter();
}
