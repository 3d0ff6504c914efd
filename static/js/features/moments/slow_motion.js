/**
 * The playback of a moment: the events before it in a few seconds, then slower and slower, so that the event itself
 * takes some seconds; then playback stops.
 */

/** @typedef {import("../../contract/contract").Moment} Moment */
/** @typedef {import("../../run/track.js").Track} Track */
/**
 * @typedef {object} Script  instants in simulated nanoseconds, rates in simulated seconds per second
 * @property {number} from  where it begins
 * @property {[number, number][]} slow  the intervals of slowest playback; the last one is the event itself
 * @property {number} until  where the event is over
 * @property {number} first  the initial rate
 * @property {number} lag_ns  the minimum duration of a visible movement
 */

/** The event plays at a hundredth of real time. */
export const SLOW = 0.01;
/** The events before it take about this many seconds. */
const LEAD_S = 2.5;
/** Playback is at its slowest from this many seconds before the event. */
const STEADY_S = 0.8;
/** The playback before the slow part lasts at least this many seconds. */
const LEAST_S = 1.5;
/** A larger value slows down more gently. */
const BRAKE_S = 0.35;
/** The maximum time shown before the event, in simulated nanoseconds. @type {Record<string, number>} */
const MOST_LEAD = { wait: Infinity, race: Infinity, throw: 20e9, steal: 6e9, report: 0.5e9, other: 3e9 };

/**
 * The duration of a visible movement, and how many of these durations lie before and after the event's instant.
 * @type {Record<string, {lagS: number, before: number, after: number}>}
 */
const SPANS = {
  wait: { lagS: 1.8, before: 0, after: 1.6 },
  data: { lagS: 1.8, before: 0, after: 1.6 },
  near: { lagS: 1.8, before: 0, after: 1.6 },
  place: { lagS: 2.4, before: 0, after: 2 },
  choose: { lagS: 0.55, before: 0.3, after: 7 },
  scored: { lagS: 0.6, before: 0.3, after: 10.5 },
  race: { lagS: 1.6, before: 0, after: 1.8 },
  round: { lagS: 0.6, before: 0.5, after: 5.8 },
  report: { lagS: 1.2, before: 0, after: 3 },
  other: { lagS: 1.4, before: 1, after: 2.2 },
};

/** Moments that show how the machine is chosen, if the scheduler declares how it decides. */
const CHOSEN = ["wait", "decision", "data", "near"];

/** In lags: how long probes are sent, and the time before and after the fetch of a task. */
const SENT = 2.8;
const FETCHED = [0.3, 1.3];

/** @param {string} kind  a moment's kind */
export function sortOf(kind) {
  if (kind.endsWith("_wait")) return "wait";
  if (kind === "first_report") return "report";
  if (kind === "probes_race") return "race";
  if (kind === "central_placement") return "place";
  if (kind === "skipped_turn" || kind === "at_data") return "data";
  if (kind === "near_data") return "near";
  if (["several_jobs", "two_queues", "reserved_machine"].includes(kind)) return "wait";
  if (kind === "given_share") return "give";
  if (kind === "largest_round" || kind.endsWith("_decision") || kind.endsWith("_choice")) return "decision";
  if (kind === "most_helped" || kind === "least_helped") return "steal";
  if (kind === "most_lost" || kind === "first_fault") return "throw";
  if (kind === "worst_bounce") return "bounce";
  return kind.replace("first_", "");
}

/**
 * @param {Moment} moment
 * @param {Track | null} track
 * @param {boolean} [priced]  true if the prices of the moment's task are known, which take longer to read
 * @returns {Script}
 */
export function scriptOf(moment, track, priced = false) {
  const sort = sortOf(moment.kind);
  const decision = CHOSEN.includes(sort) ? track?.work.decision : "";
  const hasScores = decision === "choose" && track?.choices?.task.includes(moment.task);
  const scored = hasScores || (decision === "round" && priced) ? "scored" : "";
  const { lagS, before, after } = SPANS[scored || decision || sort] ?? SPANS.other;
  const lag = lagS * SLOW * 1e9;
  const steady = moment.t_ns - before * lag - STEADY_S * SLOW * 1e9;
  const most = MOST_LEAD[sort] ?? MOST_LEAD.other;
  const since = Math.max(moment.since_ns ?? sinceOf(moment, track, sort), moment.t_ns - most);
  const from = Math.max(0, Math.min(since, steady - LEAST_S * SLOW * 1e9));
  const until = moment.t_ns + after * lag;
  const probes = moment.probes ?? [];
  return {
    from: probes.length ? since : from,
    slow: [...windowsOf(moment, track, { since, sort, lag }), [steady, until]],
    until,
    first: Math.max(SLOW, (steady - from) / 1e9 / LEAD_S),
    lag_ns: lag,
  };
}

/**
 * Return the intervals before a moment that play slowly: when probes are sent and fetch tasks, and when a faster task
 * goes to its machine.
 *
 * @returns {[number, number][]}
 */
function windowsOf(
  /** @type {Moment} */ { probes = [], task, t_ns },
  /** @type {Track | null} */ track,
  /** @type {{since: number, sort: string, lag: number}} */ { since, sort, lag },
) {
  const won = probes.filter((one) => one.task >= 0).map((one) => one.until_ns);
  const rival = sort === "bounce" && track ? rivalRow(track, task, t_ns / track.unit_ns) : -1;
  const began = [...won, ...(track && rival >= 0 ? [track.leaves[rival] * track.unit_ns] : [])];
  const seen = /** @type {[number, number][]} */ (began.map((at) => [at - FETCHED[0] * lag, at + FETCHED[1] * lag]));
  return probes.length ? [[since, since + SENT * lag], ...seen] : seen;
}

/** Return when the cause of a moment began: a task arrived, started, or another one came first. */
function sinceOf(/** @type {Moment} */ { task, t_ns }, /** @type {Track | null} */ track, /** @type {string} */ sort) {
  const row = track && task >= 0 ? track.rowOf(task) : -1;
  if (!track || row < 0) return t_ns;
  const at = t_ns / track.unit_ns;
  const rival = sort === "bounce" ? rivalRow(track, task, at) : -1;
  const spells = track.spellsOf.get(row);
  let since = track.arrival[row];
  if (rival >= 0) since = track.begun[rival];
  else if (sort === "throw" && spells)
    for (let spell = spells[0]; spell < spells[1]; spell += 1)
      if (track.spell.start[spell] < at) since = track.spell.start[spell];
  // Start a tenth earlier, so that the beginning is visible.
  return (since - 0.1 * Math.max(0, at - since)) * track.unit_ns;
}

/**
 * Return the row of the task that had the place, if the log names it; -1 for none.
 * @param {Track} track
 * @param {number} task
 * @param {number} at
 */
function rivalRow(track, task, at) {
  const [first, last] = track.movesBetween(at - 1, at + 1);
  for (let place = first; place < last; place += 1)
    if (track.move.task[place] === task && track.move.other[place] > 0) return track.rowOf(track.move.other[place] - 1);
  return -1;
}

/** Return the playback rate at an instant; 0 once the event is over. @param {Script} script @param {number} t_ns */
export function rateAt({ slow, until, first }, t_ns) {
  if (t_ns >= until) return 0;
  const away = Math.min(...slow.map(([from, to]) => Math.max(0, from - t_ns, t_ns - to)));
  return Math.min(first, Math.max(SLOW, away / 1e9 / BRAKE_S));
}
