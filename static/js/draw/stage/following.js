/** What a presenter sends and how a viewer applies it. Pure: states are plain objects, as the socket carries them. */

import { gettext } from "../../kit/words.js";

/** @import { Shown } from "../../contract/contract" */

/** The tolerated drift of playback in seconds of real time. */
const DRIFT_S = 0.35;
/** The interval of a presenter's updates during playback. */
export const TELL_MS = 1000;

/**
 * Return true if `now` must be sent: a field other than time changed, or time is not where playback would be.
 * @param {Shown | null} before
 * @param {Shown} now
 * @param {number} elapsed_s
 */
export function hasNews(before, now, elapsed_s) {
  if (!before) return true;
  const { t_s: _, ...was } = before;
  const { t_s: __, ...is } = now;
  if (JSON.stringify(was) !== JSON.stringify(is)) return true;
  const expected = before.t_s + (before.playing ? before.rate * elapsed_s : 0);
  return Math.abs(now.t_s - expected) > (now.playing ? DRIFT_S * now.rate : 1e-6);
}

/**
 * Return the instant that a viewer must go to, in simulated seconds; null if the viewer is close enough.
 * @param {Shown} state
 * @param {number} at_s
 */
export function whereTo(state, at_s) {
  const gap = Math.abs(state.t_s - at_s);
  return gap > (state.playing ? DRIFT_S * state.rate : 1e-6) ? state.t_s : null;
}

/**
 * Return a viewer's status line. `seen`: the presenter was present since the viewer joined; `apart`: the viewer
 * explores alone.
 * @param {{presenting: boolean, seen: boolean, apart: boolean, up: boolean}} options
 */
export function followWords({ presenting, seen, apart, up }) {
  if (!up) return gettext("Connection lost, trying again…");
  if (presenting)
    return apart ? gettext("The presentation continues without you.") : gettext("You follow the presenter.");
  return seen
    ? gettext("The presenter has left. You can continue on your own.")
    : gettext("The presenter is not here yet.");
}

/**
 * Return the presenter's status line.
 * @param {{watching: number, up: boolean}} options
 */
export function presentWords({ watching, up }) {
  if (!up) return gettext("Connection lost, trying again…");
  if (!watching) return gettext("Presenting · no one is following yet");
  return watching === 1
    ? gettext("Presenting · 1 following")
    : gettext("Presenting · {watching} following", { watching });
}
