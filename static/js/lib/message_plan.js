/** Where lanes, arrows and bars of a log of messages lie, and what each means in words. Times in seconds. */

import { duration, whole } from "./format.js";

const MOST_LANES = 40;
export const LANE_HEIGHT = 26;
export const LABEL_WIDTH = 96;

/** What is shown of a log in a window of time: only some kinds, and only lanes with a message then; `left` counts lanes left out. */
export function shownOf(log, hidden, [from, to] = [-Infinity, Infinity]) {
  const messages = log.messages.filter((one) => !hidden.has(one.kind));
  const used = new Set(messages.filter((one) => one.arrives_s >= from && one.sent_s <= to).flatMap((one) => [one.frm, one.to]));
  const lanes = log.lanes.filter((lane) => used.has(lane.id));
  const kept = new Set(lanes.slice(0, MOST_LANES).map((lane) => lane.id));
  return {
    lanes: lanes.slice(0, MOST_LANES), left: Math.max(0, lanes.length - MOST_LANES), all: messages,
    messages: messages.filter((one) => kept.has(one.frm) && kept.has(one.to)),
    spans: log.spans.filter((span) => kept.has(span.lane)),
  };
}

/** The instants at which something is sent or arrives, ascending and each once. */
export function stepsOf(messages) {
  const times = messages.flatMap((one) => [one.sent_s, one.arrives_s]).sort((a, b) => a - b);
  return times.filter((t, at) => at === 0 || t - times[at - 1] > 1e-12);
}

/** The step after an instant (1) or before it (-1); null at the ends. */
export function stepFrom(steps, t_s, direction) {
  const close = 1e-10;
  if (direction > 0) return steps.find((t) => t > t_s + close) ?? null;
  return steps.findLast((t) => t < t_s - close) ?? null;
}

/** The page of time of `width_s` that the instant is in: it is turned when four fifths of it are over, so lanes stand still. */
export function windowAt(log, t_s, width_s) {
  const page = Math.max(0, Math.floor((t_s - log.from_s) / (0.8 * width_s) + 1e-9));
  const from = Math.max(log.from_s, Math.min(log.from_s + page * 0.8 * width_s, log.until_s - width_s));
  return [from, from + width_s];
}

/** A first width that shows some dozen messages, and never less than three messages' time. */
export function firstWidth(log) {
  const many = log.messages.length;
  const span = many ? log.messages[many - 1].arrives_s - log.messages[0].sent_s : 1;
  return Math.max(log.delay_s * 4, Math.min(span * 1.1, (span / Math.max(1, many)) * 30), 1e-6);
}

/** Arrows, bars and lanes in pixels for a window of time: {height, lanes, arrows, bars, x(t_s)}. */
export function planOf(shown, [from, to], t_s, width) {
  const inner = Math.max(40, width - LABEL_WIDTH - 12);
  const x = (t) => LABEL_WIDTH + ((t - from) / (to - from)) * inner;
  const y = new Map(shown.lanes.map((lane, at) => [lane.id, 22 + at * LANE_HEIGHT + LANE_HEIGHT / 2]));
  const inside = (start, end) => end >= from && start <= to;
  const arrows = shown.messages.filter((one) => inside(one.sent_s, one.arrives_s)).map((one) => {
    const state = t_s < one.sent_s ? "later" : t_s < one.arrives_s ? "flying" : "there";
    const share = state === "later" ? 0 : state === "there" ? 1 : (t_s - one.sent_s) / Math.max(1e-15, one.arrives_s - one.sent_s);
    const [x1, y1, x2, y2] = [x(one.sent_s), y.get(one.frm), x(one.arrives_s), y.get(one.to)];
    return { message: one, state, x1, y1, x2, y2, dot: [x1 + (x2 - x1) * share, y1 + (y2 - y1) * share] };
  });
  const bars = shown.spans.filter((span) => inside(span.start_s, span.end_s)).map((span) => ({
    span, x: Math.max(LABEL_WIDTH, x(span.start_s)), width: Math.max(2, Math.min(x(span.end_s), width) - Math.max(LABEL_WIDTH, x(span.start_s))), y: y.get(span.lane),
    state: t_s < span.start_s ? "later" : t_s < span.end_s ? "running" : "done",
  }));
  const lanes = shown.lanes.map((lane) => ({ lane, y: y.get(lane.id) }));
  return { height: 30 + shown.lanes.length * LANE_HEIGHT, lanes, arrows, bars, x, inner };
}

/** A message in a sentence. */
export function tellMessage(log, one, told) {
  const name = (id) => log.lanes.find((lane) => lane.id === id)?.label ?? id;
  const kind = log.kinds.find((each) => each.kind === one.kind);
  const about = one.task === null ? "" : ` about task ${whole(one.task)}`;
  return `${kind?.label ?? one.kind}${about}: ${name(one.frm)} to ${name(one.to)}, sent at ${told(one.sent_s)}, there after ${duration((one.arrives_s - one.sent_s) * 1e9)}. ${kind?.help ?? ""}`;
}

/** What is true at an instant: how many are in flight, and what was just sent or has just arrived. */
export function tellInstant(log, shown, t_s, told) {
  const close = 1e-9;
  const flying = shown.all.filter((one) => one.sent_s <= t_s && one.arrives_s > t_s + close).length;
  const now = shown.all.filter((one) => Math.abs(one.sent_s - t_s) < close || Math.abs(one.arrives_s - t_s) < close);
  const words = now.slice(0, 2).map((one) => {
    const arrives = Math.abs(one.arrives_s - t_s) < close;
    const lane = log.lanes.find((each) => each.id === (arrives ? one.to : one.frm));
    const kind = log.kinds.find((each) => each.kind === one.kind)?.label.toLowerCase() ?? one.kind;
    return `${lane?.label ?? ""} ${arrives ? "gets" : "sends"} “${kind}”${one.task === null ? "" : ` about task ${whole(one.task)}`}`;
  });
  const more = now.length > 2 ? ` and ${now.length - 2} more` : "";
  const note = log.notes.find((each) => Math.abs(each.t_s - t_s) < 1e-9);
  return `${told(t_s)}: ${words.length ? `${words.join("; ")}${more}. ` : ""}${flying} in flight.${note ? ` ${note.sentence}` : ""}`;
}
