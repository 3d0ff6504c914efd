/** A run's state in words. */

import { duration, percent, whole } from "../kit/format.js";
import { gettext } from "../kit/words.js";

/** @import { ToldState } from "./run_session.js" */

function doneWords(/** @type {ToldState} */ run) {
  if (run.agrees === true) return gettext("Computed again: the same result");
  if (run.agrees === false) return gettext("Computed again: the result differs");
  return run.known ? gettext("Result of an earlier run") : gettext("Computed");
}

function compilingWords(/** @type {ToldState} */ run) {
  if (!run.compiled?.known) return gettext("Compiling, first time only…");
  return gettext("Compiling: {done} of {known} functions{left}", {
    done: whole(run.compiled.done),
    known: whole(run.compiled.known),
    left: run.eta_s && run.eta_s > 0 ? gettext(", {time} left", { time: duration(Math.ceil(run.eta_s) * 1e9) }) : "",
  });
}

/** Return how full the progress bar is: compiled functions first, then the run's progress. */
export function barValue(/** @type {ToldState} */ run) {
  if (run.state === "done") return 1;
  if (run.state === "compiling" && run.compiled?.known) return run.compiled.done / run.compiled.known;
  return run.progress || 0;
}

/** Return a run's state as the bar shows it. */
export function stateWords(/** @type {ToldState} */ run) {
  const { eta_s: eta, queue_position: queued } = run;
  const left = eta && eta > 0 ? gettext(", {time} left", { time: duration(eta * 1e9) }) : "";
  const place =
    queued && queued > 0
      ? gettext("Waiting: number {place} in the queue{eta}", {
          place: whole(queued),
          eta: eta && eta > 0 ? gettext(", done in about {time}", { time: duration(eta * 1e9) }) : "",
        })
      : gettext("Waiting for a free worker…");
  /** @type {Record<string, string>} */
  const words = {
    starting: gettext("Sending the experiment…"),
    here: gettext("Simulated in this page"),
    queued: place,
    compiling: compilingWords(run),
    running: run.pausing
      ? gettext("Pausing: saving the run…")
      : (run.progress ?? 0) > 0.9995
        ? gettext("Writing the results…")
        : (run.progress ?? 0) > 0
          ? gettext("Computing {progress}{left}", { progress: percent(run.progress ?? 0), left })
          : gettext("Building the datacenter and its workload…"),
    paused: gettext("Computation paused at {progress}", { progress: percent(run.progress || 0) }),
    receiving: gettext("Computed, loading pictures…"),
    done: doneWords(run),
    cancelled: gettext("Cancelled"),
    failed: gettext("Failed: {error}", { error: run.error || gettext("the run stopped with an error") }),
    invalid: gettext("Not run: a setting is invalid"),
    offline: gettext("Connection lost, trying again…"),
    unreachable: gettext("The server does not answer, trying again…"),
    linked: gettext("Opened from a link; not run yet"),
    removed: gettext("Recording deleted to make room"),
    badlink: gettext("The link cannot be opened"),
  };
  return words[run.state] ?? run.state;
}
