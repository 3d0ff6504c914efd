/** The parts of the studio's view that the address bar and links contain. */

import { levelSaid } from "../kit/level_now.js";
import { writeViewState } from "./view_state.js";

/** @import { Studio } from "../studio/store.js" */

const ADDRESS_MS = 1000;

/** Return the current view's state; without `t`, it contains no instant. */
export function viewStateOf(/** @type {Studio} */ studio, t = true) {
  const { player, layer, map, filter } = studio.stage;
  return {
    t_s: t && player.store.count ? Math.round(player.t_ns) / 1e9 : null,
    show: studio.shown.value,
    layer,
    speed: player.chosenRate,
    paused: !player.playing && !player.ended,
    ...(map.place() ?? { zoom: null, centre: null }),
    owners: [...filter.chosen].sort((a, b) => a - b),
    moment: studio.moments?.shown?.kind ?? null,
    level: levelSaid(),
    ...studio.desk.value?.viewState(),
  };
}

export function writeAddress(/** @type {Studio} */ studio) {
  if (!studio.session.value) return;
  const search = writeViewState(viewStateOf(studio), window.location.search);
  if (search !== window.location.search) window.history.replaceState(null, "", `${window.location.pathname}${search}`);
}

export function wireAddress(/** @type {Studio} */ studio) {
  setInterval(() => writeAddress(studio), ADDRESS_MS);
}
