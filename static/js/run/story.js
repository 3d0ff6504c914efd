/**
 * Where the story of a finished run ends, and which instant is most instructive. Playback thus never ends on an empty
 * map.
 */

/** @typedef {Pick<import("./frames.js").FrameStore, "frames" | "times" | "series">} Told */

/** The story ends when at most this fraction of the peak of running tasks remains. */
const DRAINED = 0.05;
/** Machines count as busy while at least this fraction of the peak of running tasks runs. */
const AT_WORK = 0.5;

/** Return a series' values; empty if the run lacks the series. */
const valuesOf = (/** @type {Told} */ store, /** @type {string} */ name) => store.series[name]?.v ?? [];

/**
 * Return the first instant after the last arrival at which no task waits and few tasks run, or the run's last instant.
 *
 * @param {Told} store
 */
export function storyEnd({ frames, times, series }) {
  const counters = (/** @type {number} */ place) => frames[place].counters;
  const all = counters(frames.length - 1).tasks_arrived;
  const few = DRAINED * Math.max(0, ...valuesOf({ frames, times, series }, "running"));
  for (let place = 0; place < frames.length; place += 1) {
    const { tasks_arrived, tasks_waiting, tasks_running } = counters(place);
    if (tasks_arrived >= all && tasks_waiting === 0 && tasks_running <= few) return times[place];
  }
  return times[times.length - 1];
}

/**
 * Return the instant with the most waiting tasks while machines are busy. If no task ever waits, return the instant
 * with the most running tasks.
 *
 * @param {Told} store
 */
export function tellingInstant(store) {
  const running = valuesOf(store, "running");
  const waiting = valuesOf(store, "waiting");
  const busy = AT_WORK * running.reduce((best, value) => Math.max(best, value), 0);
  const at = (/** @type {number} */ place) => (running[place] >= busy ? 1 + (waiting[place] ?? 0) : 0);
  let best = 0;
  for (let place = 1; place < running.length; place += 1) {
    const more = at(place) - at(best) || (at(place) === 1 ? running[place] - running[best] : 0);
    if (more > 0) best = place;
  }
  return store.series.running?.t[best] ?? store.times[store.times.length - 1] ?? 0;
}
