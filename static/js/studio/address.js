/** What of the studio's view the address bar and a link say. */

import { writeViewState } from "./view_state.js";

const ADDRESS_MS = 1000;

/** The view as it stands; without `t`, it says no instant. */
export function viewStateOf(studio, t = true) {
  const { player, layer, map, filter } = studio.stage;
  return {
    t_s: t && player.store.count ? Math.round(player.t_ns) / 1e9 : null,
    show: studio.shown,
    layer,
    speed: player.chosenRate,
    paused: !player.playing && !player.ended,
    ...(map.place() ?? { zoom: null, centre: null }),
    owners: [...filter.chosen].sort((a, b) => a - b),
    ...studio.desk?.viewState(),
  };
}

export function writeAddress(studio) {
  if (!studio.session) return;
  const search = writeViewState(studio.viewState(), window.location.search);
  if (search !== window.location.search) window.history.replaceState(null, "", `${window.location.pathname}${search}`);
}

export function wireAddress(studio) {
  setInterval(() => writeAddress(studio), ADDRESS_MS);
}
