/** The layout of a message log's lanes, arrows and bars, and their descriptions. Times in seconds. */

import { duration, glued, whole, written } from "../../kit/format.js";
import { gettext, midSentence } from "../../kit/words.js";

/**
 * @typedef {{id: string, label: string, help: string, sent: number, received: number, stands_for: string,
 *   number: number}} Lane  a sender or receiver
 * @typedef {{kind: string, label: string, help: string, refuses?: boolean, quiet?: boolean}} MessageKind
 * @typedef {{kind: string, frm: string, to: string, task: number | null, job: number, sent_s: number,
 *   arrives_s: number}} Message
 * @typedef {{lane: string, task: number | null, job: number, start_s: number, end_s: number}} Span  a running task, or
 *   a decision about a job
 * @typedef {{lanes: Lane[], kinds: MessageKind[], messages: Message[], spans: Span[], from_s: number, until_s: number,
 *   delay_s: number, over: "messages" | "events" | "end", notes: {t_s: number, sentence: string}[]}} MessageLog
 * @typedef {{role: string, dash: string}} Style  the style of arrows
 * @typedef {ReturnType<typeof shownOf>} Shown
 * @typedef {ReturnType<typeof planOf>} BoardPlan
 */

const MOST_LANES = 40;
const MOST_BESIDE = 20; // up to this many lanes are filled with those that only run something
const LANE_HEIGHTS = [16, 36];
const TOP = 22;
const LETTER = 6.8;
const SHOWN_FIRST = 16;
const ROLES = ["data", "second", "ink"];
const DASHES = ["none", "6 3", "1.5 3", "8 3 1.5 3"];

/**
 * Return the style of each kind's arrows, {kind: {role, dash}}: refusals have the map's color, and no two others are
 * alike.
 * @param {MessageKind[]} kinds
 */
export function stylesOf(kinds) {
  let [plain, refusals] = [0, 0];
  return Object.fromEntries(
    kinds.map((each) => {
      const at = each.refuses ? refusals : plain;
      if (each.refuses) refusals += 1;
      else plain += 1;
      const rounds = Math.floor(at / ROLES.length);
      return [
        each.kind,
        each.refuses
          ? { role: "alarm", dash: DASHES[at % DASHES.length] }
          : { role: ROLES[at % ROLES.length], dash: DASHES[((at % ROLES.length) + rounds) % DASHES.length] },
      ];
    }),
  );
}

/**
 * Return the visible part of a log in a time window: only some kinds, and lanes with a message in it, or a few that run
 * something; `left` counts omitted lanes.
 * @param {MessageLog} log
 * @param {Set<string>} hidden
 */
export function shownOf(log, hidden, /** @type {number[]} */ [from, to] = [-Infinity, Infinity]) {
  const messages = log.messages.filter((one) => !hidden.has(one.kind));
  const inside = messages.filter((one) => one.arrives_s >= from && one.sent_s <= to);
  const used = new Set(inside.flatMap((one) => [one.frm, one.to]));
  // If there are too many lanes, keep those of the first messages: an arrow needs both of its ends.
  /** @type {Set<string>} */
  const kept = new Set();
  for (const { frm, to: end } of inside) if (new Set([...kept, frm, end]).size <= MOST_LANES) kept.add(frm).add(end);
  const left = used.size - kept.size;
  const told = new Set(messages.flatMap((one) => [one.frm, one.to]));
  for (const span of log.spans)
    if (kept.size > 0 && kept.size < MOST_BESIDE && told.has(span.lane) && span.end_s >= from && span.start_s <= to)
      kept.add(span.lane);
  return {
    lanes: log.lanes.filter((lane) => kept.has(lane.id)),
    left,
    all: messages,
    messages: messages.filter((one) => kept.has(one.frm) && kept.has(one.to)),
    spans: log.spans.filter((span) => kept.has(span.lane)),
    longest: Math.max(0, ...log.lanes.map((lane) => lane.label.length)),
  };
}

/**
 * Return the distinct instants at which something is sent or arrives, ascending.
 * @param {Message[]} messages
 */
export function stepsOf(messages) {
  const times = messages.flatMap((one) => [one.sent_s, one.arrives_s]).sort((a, b) => a - b);
  return times.filter((t, at) => at === 0 || t - times[at - 1] > 1e-12);
}

/**
 * Return the step after an instant (1) or before it (-1); null at the ends.
 * @param {number[]} steps
 * @param {number} t_s
 * @param {number} direction
 */
export function stepFrom(steps, t_s, direction) {
  const close = 1e-10;
  if (direction > 0) return steps.find((t) => t > t_s + close) ?? null;
  return steps.findLast((t) => t < t_s - close) ?? null;
}

/**
 * Return the page of `width_s` that contains the instant. The page turns after four fifths, so that lanes stand still.
 * @param {MessageLog} log
 * @param {number} t_s
 * @param {number} width_s
 */
export function windowAt(log, t_s, width_s) {
  const page = Math.max(0, Math.floor((t_s - log.from_s) / (0.8 * width_s) + 1e-9));
  const from = Math.max(log.from_s, Math.min(log.from_s + page * 0.8 * width_s, log.until_s - width_s));
  return [from, from + width_s];
}

/**
 * Return an initial width that shows about the next dozen messages, up to a pause in sending; at least eight message
 * delays, because the log begins four before the clock. For a task's messages, show all of them.
 * @param {Pick<MessageLog, "messages" | "delay_s"> & {task?: number | null}} log
 */
export function firstWidth({ messages, delay_s, task = null }) {
  const least = Math.max(delay_s * 8, 1e-6);
  if (!messages.length) return least;
  let until = messages[0].arrives_s;
  for (const one of messages.slice(1, SHOWN_FIRST)) {
    if (task === null && one.sent_s - until > least) break;
    until = Math.max(until, one.arrives_s);
  }
  return Math.max(least, (until - messages[0].sent_s) * 1.1);
}

/**
 * Return round instants in a time window, at most `most`: [{t_s, label}].
 * @param {number[]} parts
 * @param {number} most
 */
export function ticksOf([from, to], most) {
  const rough = (to - from) / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(rough) + 1e-9);
  const step = power * ([1, 2, 5, 10].find((each) => power * each >= rough * (1 - 1e-9)) ?? 10);
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const first = Math.ceil(from / step - 1e-9);
  return Array.from({ length: Math.max(0, Math.floor(to / step + 1e-9) - first + 1) }, (_, at) => ({
    t_s: (first + at) * step,
    label: `${written((first + at) * step, digits, digits)}\u202fs`,
  }));
}

/**
 * Shorten a name to the available pixels. Its end stays, because the end distinguishes it from its neighbors.
 * @param {string} name
 * @param {number} room
 */
export function cutName(name, room) {
  const most = Math.max(8, Math.floor(room / LETTER));
  return name.length <= most ? name : `${name.slice(0, most - 5)}…${name.slice(-4)}`;
}

/**
 * Return lanes, arrows, bars and ticks in pixels for a time window. Lanes are closer together if they would not fit
 * into `height`.
 * @param {Shown} shown
 * @param {number[]} window
 * @param {number} t_s
 * @param {number} width
 * @param {number} [height]
 */
export function planOf(shown, [from, to], t_s, width, height = 0) {
  const left = Math.round(Math.min(Math.max(56, shown.longest * LETTER + 22), width < 560 ? 104 : 176));
  const inner = Math.max(40, width - left - 12);
  const laneHeight = Math.min(
    Math.max(Math.floor((height - TOP - 8) / Math.max(1, shown.lanes.length)), LANE_HEIGHTS[0]),
    LANE_HEIGHTS[1],
  );
  /** @param {number} t */
  const x = (t) => left + ((t - from) / (to - from)) * inner;
  const ys = new Map(shown.lanes.map((lane, at) => [lane.id, TOP + at * laneHeight + laneHeight / 2]));
  const y = (/** @type {string} */ lane) => ys.get(lane) ?? 0;
  /**
   * @param {number} start
   * @param {number} end
   */
  const inside = (start, end) => end >= from && start <= to;
  const arrows = shown.messages
    .filter((one) => inside(one.sent_s, one.arrives_s))
    .map((one) => {
      const state = t_s < one.sent_s ? "later" : t_s < one.arrives_s ? "flying" : "there";
      const share =
        state === "later"
          ? 0
          : state === "there"
            ? 1
            : (t_s - one.sent_s) / Math.max(1e-15, one.arrives_s - one.sent_s);
      const [x1, y1, x2, y2] = [x(one.sent_s), y(one.frm), x(one.arrives_s), y(one.to)];
      return { message: one, state, x1, y1, x2, y2, dot: [x1 + (x2 - x1) * share, y1 + (y2 - y1) * share] };
    });
  const bars = shown.spans
    .filter((span) => inside(span.start_s, span.end_s))
    .map((span) => ({
      span,
      x: Math.max(left, x(span.start_s)),
      width: Math.max(2, Math.min(x(span.end_s), width) - Math.max(left, x(span.start_s))),
      y: y(span.lane),
      state: t_s < span.start_s ? "later" : t_s < span.end_s ? "running" : "done",
    }));
  const lanes = shown.lanes.map((lane) => ({ lane, y: y(lane.id) }));
  const ticks = ticksOf([from, to], Math.max(1, Math.floor(inner / 100))).map((tick) => ({
    ...tick,
    x: x(tick.t_s),
    label: x(tick.t_s) > width - tick.label.length * LETTER * 0.5 ? "" : tick.label,
  }));
  return { height: TOP + 8 + shown.lanes.length * laneHeight, left, laneHeight, lanes, arrows, bars, ticks, x, inner };
}

/**
 * Return the subject of a message with a leading space; "" if it concerns neither a task nor a job.
 * @param {Message} one
 */
function aboutOf(one) {
  if (one.task !== null) return gettext(" about task {task}", { task: whole(one.task) });
  return Number.isFinite(one.job) ? gettext(" about job {job}", { job: whole(one.job) }) : "";
}

/**
 * Format an instant to the microsecond, without needless zeros.
 * @param {number} t_s
 */
export const told = (t_s) => `${written(t_s, 2, 6)}\u202fs`;

/**
 * Describe a message in a sentence.
 * @param {MessageLog} log
 * @param {Message} one
 * @param {(t_s: number) => string} told
 */
export function tellMessage(log, one, told) {
  const name = (/** @type {string} */ id) => log.lanes.find((lane) => lane.id === id)?.label ?? id;
  const kind = log.kinds.find((each) => each.kind === one.kind);
  const took_s = one.arrives_s - one.sent_s;
  const there =
    took_s > 5e-10 ? gettext("arrived after {time}", { time: duration(took_s * 1e9) }) : gettext("arrived at once");
  return gettext("{label}{about}: {from} to {to}, sent at {time}, {arrival}. {help}", {
    label: kind?.label ?? one.kind,
    about: aboutOf(one),
    from: name(one.frm),
    to: name(one.to),
    time: told(one.sent_s),
    arrival: there,
    help: kind?.help ?? "",
  });
}

/**
 * Describe a bar in a sentence.
 * @param {Span} span
 * @param {(t_s: number) => string} told
 */
export function tellSpan(span, told) {
  const does =
    span.task === null
      ? gettext("Decides about job {job}", { job: whole(span.job) })
      : gettext("Task {task} runs here", { task: whole(span.task) });
  return gettext("{does} from {start} to {end}.", { does, start: told(span.start_s), end: told(span.end_s) });
}

/**
 * Describe a window without messages: when the next one is sent.
 * @param {Shown} shown
 * @param {number} t_s
 * @param {(t_s: number) => string} told
 */
export function tellQuiet(shown, t_s, told) {
  const next = shown.all.find((one) => one.sent_s > t_s);
  return next
    ? gettext("No messages right now. Press → for the next one ({time}).", { time: told(next.sent_s) })
    : gettext("No messages right now.");
}

/**
 * Describe an instant: the messages in flight, and those just sent or arrived.
 * @param {MessageLog} log
 * @param {Shown} shown
 * @param {number} t_s
 * @param {(t_s: number) => string} told
 */
export function tellInstant(log, shown, t_s, told) {
  const close = 1e-9;
  const flying = shown.all.filter((one) => one.sent_s <= t_s && one.arrives_s > t_s + close).length;
  const now = shown.all.filter((one) => Math.abs(one.sent_s - t_s) < close || Math.abs(one.arrives_s - t_s) < close);
  const words = now.slice(0, 2).map((one) => {
    const arrives = Math.abs(one.arrives_s - t_s) < close;
    const lane = log.lanes.find((each) => each.id === (arrives ? one.to : one.frm));
    const kind = midSentence(log.kinds.find((each) => each.kind === one.kind)?.label ?? one.kind);
    const values = { lane: lane?.label ?? "", kind, about: aboutOf(one) };
    return arrives ? gettext("{lane} gets “{kind}”{about}", values) : gettext("{lane} sends “{kind}”{about}", values);
  });
  const more = now.length > 2 ? gettext(" and {count} more", { count: now.length - 2 }) : "";
  const note = log.notes.find((each) => Math.abs(each.t_s - t_s) < 1e-9);
  return gettext("{time}: {words}{flying} on their way.{note}", {
    time: told(t_s),
    words: words.length ? `${words.join("; ")}${more}. ` : "",
    flying,
    note: note ? ` ${glued(note.sentence)}` : "",
  });
}
