/** The computed result beside the class's answers, with the reader's own answer if there is one. */

import { svg } from "../../kit/dom.js";
import { measured as measuredTime } from "../../kit/format.js";
import { html, nothing } from "../../kit/view.js";
import { gettext, measureName, ngettext, sentences } from "../../kit/words.js";
import { axesOf, axisName, BOX, placeWords, scaleAxis, xOf, yOf } from "./axes.js";
import { grownAt } from "./growth.js";
import { numberParts } from "./number_picture.js";
import { placeOf, valueAt, valueWords } from "./scale.js";

/**
 * @import { QuestionResult } from "../../contract/contract"
 * @import { AnswerValue } from "./class_api.js"
 * @import { Grown } from "./number_picture.js"
 * @import { Child } from "../../kit/dom.js"
 */

/**
 * @typedef {{name: string, count: number, right: boolean, own: boolean, measured?: string}} Bar
 */

/** @typedef {import("../../contract/contract").AskedQuestion} AskedQuestion */
/** @typedef {AskedQuestion & {result: QuestionResult}} Revealed */

/**
 * Return the result of a revealed question. `own` is the reader's answer, or null; `t_s` is an instant of its runs,
 * null for their end.
 * @param {Revealed} question
 * @param {AnswerValue | null} own
 * @param {number | null} t_s
 */
export function resultView(question, own = null, t_s = null) {
  const of = { choice: barsOfOptions, number: numbers, curve: curves, point: barsOfMachines }[question.kind];
  const at = t_s ?? nothing;
  return html`<div class="result" data-result=${question.kind} data-at=${at}>${of(question, own, t_s)}</div>`;
}

/** Return the question before the result: the options, or the empty axes of a number or a curve. */
export function askedView(/** @type {AskedQuestion} */ question) {
  if (question.kind === "choice") {
    return html`<ul class="screen-options">
      ${question.options.map((option, at) => html`<li data-says=${`option:${at}`}>${option}</li>`)}
    </ul>`;
  }
  if (question.kind === "point") return nothing;
  const parts = question.kind === "curve" ? axesOf(question) : scaleAxis(question).element;
  const picture = frame(parts, gettext("The axes of the question"));
  return html`<div class="result" data-asked=${question.kind}>${picture}</div>`;
}

const people = (/** @type {number} */ n) => ngettext("{n} answer", "{n} answers", n);

/** Return a row for each option: its name, a bar for those who chose it, and the run's value. */
function barsView(/** @type {Bar[]} */ entries) {
  const most = Math.max(1, ...entries.map((one) => one.count));
  return html`<ul class="bars">
    ${entries.map(
      (one, at) => html`<li class="bar${one.right ? " is-right" : ""}" ?data-right=${one.right}>
        <span class="bar-name"
          ><span data-says=${`option:${at}`}>${one.name}</span>${
            one.right ? html`<b>${` · ${gettext("correct")}`}</b>` : nothing
          }${one.own ? html`<i>${` · ${gettext("your answer")}`}</i>` : nothing}</span
        >
        <span class="bar-fill" .style=${`inline-size: ${(one.count / most) * 100}%`} aria-hidden="true"></span>
        <span class="bar-told"
          ><span data-says=${`answers:${at}`}>${people(one.count)}</span>${
            one.measured ? html` · <span data-says=${`runs:${at}`}>${one.measured}</span>` : nothing
          }</span
        >
      </li>`,
    )}
  </ul>`;
}

/**
 * Return the values at an instant of the runs.
 * @param {QuestionResult} result
 * @param {number | null} t_s
 * @param {(number | null)[]} last
 */
function measuredAt(result, t_s, last) {
  return t_s === null || !result.growth ? last : grownAt(result.growth, t_s);
}

function barsOfOptions(
  /** @type {Revealed} */ { options, unit, measure, result },
  /** @type {AnswerValue | null} */ own,
  /** @type {number | null} */ t_s,
) {
  const measured = measuredAt(result, t_s, result.values);
  const bars = barsView(
    options.map((name, at) => ({
      name,
      count: result.counts[at],
      right: t_s === null && result.right.includes(at),
      own: own === at,
      measured: measuredWords(measured[at], t_s === null ? result.intervals[at] : null, unit),
    })),
  );
  if (t_s !== null) return [bars, soFar(t_s)];
  return [
    bars,
    result.right.length > 1 ? note(TIED) : nothing,
    note(gettext("Measured by runs: {measure}.", { measure: measureName(measure) }), "runs:measure"),
  ];
}

const TIED = gettext("The runs cannot tell the options marked as correct apart: each of them counts as correct.");

/**
 * Return the runs' value, with the interval of its mean over the seeds if they differ.
 * @param {number | null} value
 * @param {number[] | null | undefined} ends
 * @param {string} unit
 */
function measuredWords(value, ends, unit) {
  if (!ends || ends[0] === ends[1]) return gettext("the runs: {value}", { value: valueWords(value, unit) });
  return gettext("the runs: {value} ({low} to {high})", {
    value: valueWords(value, unit),
    low: valueWords(ends[0], unit),
    high: valueWords(ends[1], unit),
  });
}

const note = (/** @type {string} */ words, /** @type {string | undefined} */ says = undefined) =>
  html`<p class="class-note" data-says=${says ?? nothing}>${words}</p>`;

/** Return the note below a picture while the runs play. */
function soFar(/** @type {number} */ t_s) {
  return note(gettext("The runs are playing. Simulated time: {time}.", { time: measuredTime(t_s * 1e9) }), "clock");
}

function barsOfMachines(/** @type {Revealed} */ { result, target }, /** @type {AnswerValue | null} */ own) {
  const machines = result.machines.includes(Number(result.answer))
    ? result.machines
    : [Number(result.answer), ...result.machines];
  const entries = machines.slice(0, 8).map((machine) => ({
    name: target === "task" ? gettext("Task {task}", { task: machine }) : gettext("Machine {machine}", { machine }),
    count: result.counts[result.machines.indexOf(machine)] ?? 0,
    right: machine === result.answer,
    own: own === machine,
  }));
  return [barsView(entries), note(gettext("The correct answer is what happened in the run."))];
}

/** Return a question with its scale widened to include the computed values. */
function whole(/** @type {Revealed} */ question) {
  const computed = [question.result.answer].flat().filter((value) => value !== null);
  return {
    ...question,
    low: Math.min(question.low, ...computed.filter((value) => value > 0 || !question.log)),
    high: Math.max(question.high, ...computed),
  };
}

/**
 * @param {Revealed} asked
 * @param {AnswerValue | null} own
 * @param {number | null} t_s
 */
function numbers(asked, own, t_s) {
  const question = whole(asked);
  const { result, unit } = question;
  const told =
    t_s === null
      ? [
          sentence(
            valueWords(Number(result.answer), unit),
            own === null ? "" : valueWords(/** @type {number} */ (own), unit),
          ),
          within(question),
        ]
      : soFar(t_s);
  const parts = result.growth
    ? numberParts({ asked, question: /** @type {Grown} */ (question), own: /** @type {number | null} */ (own), t_s })
    : histogramParts(asked, question, own);
  return [frame(parts), keyView(own !== null), told];
}

/** Return the interval of a number over the seeds, if they differ: every answer within it is as good as the mean. */
function within(/** @type {Revealed} */ { result, unit }) {
  const [ends] = result.intervals;
  if (!ends || ends[0] === ends[1]) return null;
  const [low, high] = ends.map((end) => valueWords(end, unit));
  const told = gettext(
    "Over several seeds the mean lies between {low} and {high} (95 %). An answer in between has the full score.",
    { low, high },
  );
  const drawn = result.growth ? gettext("The gray band is this interval.") : "";
  return note(sentences([told, drawn]), "runs:within");
}

/**
 * Return the class's numbers along their scale, for a result without recorded growth.
 * @param {Revealed} asked
 * @param {Revealed} question
 * @param {AnswerValue | null} own
 */
function histogramParts(asked, question, own) {
  const { result } = question;
  const { along, element } = scaleAxis(question);
  const most = Math.max(1, ...result.counts);
  // Counts belong to equal parts of the scale on which students answered.
  const edge = (/** @type {number} */ at) => along(valueAt(asked, at / result.counts.length));
  const bars = result.counts.map((count, at) => {
    const height = (count / most) * (BOX.bottom - BOX.top);
    const width = Math.max(1, edge(at + 1) - edge(at) - 2);
    return svg("rect", { class: "answer-bar", x: edge(at) + 1, y: BOX.bottom - height, width, height });
  });
  const mark = (/** @type {number} */ value, /** @type {string} */ name) =>
    svg("line", { class: name, x1: along(value), x2: along(value), y1: BOX.top, y2: BOX.bottom });
  return [
    element,
    bars,
    mark(Number(result.answer), "run-line"),
    own === null ? null : mark(/** @type {number} */ (own), "own-line"),
  ];
}

/**
 * @param {Revealed} asked
 * @param {AnswerValue | null} own
 * @param {number | null} t_s
 */
function curves(asked, own, t_s) {
  const question = whole(asked);
  const { at, result, unit } = question;
  const heights = (/** @type {(number | null)[]} */ values) =>
    values.map((value) => (value === null ? null : placeOf(question, value)));
  const path = (/** @type {(number | null)[]} */ values, /** @type {string} */ name) => {
    const spots = heights(values).flatMap((y, i) => (y === null ? [] : [`${xOf(i, at.length)},${yOf(y)}`]));
    return svg("path", { class: name, d: spots.length ? `M${spots.join("L")}` : "" });
  };
  const area = (/** @type {number[]} */ low, /** @type {number[]} */ high, /** @type {string} */ name) => {
    const there = low.map((value, i) => `${xOf(i, at.length)},${yOf(placeOf(question, value))}`);
    const back = high.map((value, i) => `${xOf(i, at.length)},${yOf(placeOf(question, value))}`);
    return svg("path", { class: name, d: `M${there.join("L")}L${back.reverse().join("L")}Z` });
  };
  const upright = (/** @type {number} */ i, /** @type {number[]} */ [low, high]) => {
    const [y1, y2] = [low, high].map((value) => yOf(placeOf(question, value)));
    return svg("line", { class: "noise-line", x1: xOf(i, at.length), x2: xOf(i, at.length), y1, y2 });
  };
  const { band } = result;
  const answer = Array.isArray(result.answer) ? result.answer : [result.answer];
  const bands = band.length
    ? [area(band[0], band[4], "class-band"), area(band[1], band[3], "class-band"), path(band[2], "class-line")]
    : [];
  const noise =
    t_s === null ? result.intervals.map((ends, i) => (ends && ends[0] !== ends[1] ? upright(i, ends) : null)) : [];
  const lines = [
    noise,
    own ? path(/** @type {number[]} */ (own), "own-line") : null,
    path(measuredAt(result, t_s, answer), "run-line"),
  ];
  const said = answer
    .map((value, i) => {
      const place = placeWords(question, at[i]);
      // The first value names the parameter; the others omit it.
      return `${valueWords(value, unit)} (${i ? place : `${axisName(question)} ${place}`})`;
    })
    .join(", ");
  const told = [
    html`<p class="result-told" data-says="runs:all">${gettext("The runs give {answer}.", { answer: said })}</p>`,
    noise.some((each) => each)
      ? note(gettext("Upright strokes are 95 % intervals over several seeds."), "runs:interval")
      : nothing,
  ];
  return [frame([axesOf(question), bands, lines]), keyView(Boolean(own), true), t_s === null ? told : soFar(t_s)];
}

function frame(/** @type {Child} */ parts, name = gettext("The answer of the run over the answers of the class")) {
  const about = { class: "result-picture", viewBox: `0 0 ${BOX.width} ${BOX.height}`, role: "img" };
  return svg("svg", { ...about, "aria-label": name }, parts);
}

function keyView(/** @type {boolean} */ hasOwn, ofCurve = false) {
  const entry = (/** @type {string} */ name, /** @type {string} */ text) =>
    html`<li><span class="key-mark ${name}" aria-hidden="true"></span>${text}</li>`;
  return html`<ul class="result-key">
    ${entry("is-run", ofCurve ? gettext("the runs") : gettext("the run"))} ${entry("is-class", gettext("the class"))}
    ${hasOwn ? entry("is-own", gettext("your answer")) : nothing}
  </ul>`;
}

/**
 * @param {string} answer
 * @param {string} own  empty without an own answer
 */
function sentence(answer, own) {
  const said = own
    ? gettext("The run gives {answer}. Your answer is {own}.", { answer, own })
    : gettext("The run gives {answer}.", { answer });
  return html`<p class="result-told" data-says="run:answer">${said}</p>`;
}
