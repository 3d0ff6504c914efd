/** Parts of the teacher's page: the students, and the questions with their actions. */

import { focusedIn, targetOf } from "../../kit/dom.js";
import { percent, written } from "../../kit/format.js";
import { html, ifDefined, live, nothing, render, repeat } from "../../kit/view.js";
import { gettext, ngettext } from "../../kit/words.js";

/** @import { TeacherLesson, TeacherQuestion, TeacherStudent } from "./class_api.js" */

/** @type {Record<string, string>} */
const STATES = {
  ready: gettext("not asked yet"),
  open: gettext("open"),
  closed: gettext("closed"),
  revealed: gettext("revealed"),
};
/**
 * The actions of a question by its state: the button's label by the name of the action.
 * @type {Record<string, Record<string, string>>}
 */
const MOVES = {
  ready: { open: gettext("Open") },
  open: { close: gettext("Close"), reveal: gettext("Reveal") },
  closed: { reveal: gettext("Reveal"), open: gettext("Open again") },
  revealed: { reveal: gettext("Show the result again") },
};

/** Return the state of an answer's computation for the teacher; the answer itself stays hidden until the reveal. */
export function computedWords(/** @type {string} */ state) {
  if (state === "done") return gettext("answer computed");
  if (["failed", "cancelled"].includes(state)) return gettext("the runs of the answer failed");
  return gettext("answer is being computed");
}

/**
 * Return what the teacher should know about a question before the lesson: that its runs separate too little.
 * @param {Pick<TeacherQuestion, "tied" | "spread" | "flat">} question
 */
export function doubtWords({ tied, spread, flat }) {
  return [
    tied.length ? gettext("the runs cannot tell {n} options apart; each counts as correct", { n: tied.length }) : "",
    flat ? gettext("the runs cannot tell any two places of the curve apart") : "",
    spread === null
      ? ""
      : gettext("the seeds leave {share} of the scale open; every answer there has the full score", {
          share: percent(spread),
        }),
  ].filter(Boolean);
}

/** Return a question's state in one line. */
function stateWords(/** @type {TeacherQuestion} */ question) {
  return [
    STATES[question.state],
    ngettext("{n} answer", "{n} answers", question.answered),
    computedWords(question.computed),
    ...doubtWords(question),
  ]
    .filter(Boolean)
    .join(" · ");
}

/**
 * Return the buttons that change a question's state.
 * @param {TeacherQuestion} question
 * @param {(number: number, move: string) => void} act
 */
function movesView(question, act) {
  const button = (/** @type {string} */ move, /** @type {string} */ words) => html`<button
    class=${move === "reveal" && question.state !== "revealed" ? "button button-heavy" : "button"}
    type="button"
    data-move=${move}
    ?disabled=${move === "reveal" && question.computed !== "done"}
    @click=${() => act(question.number, move)}
    >${words}</button
  >`;
  const moves = Object.entries(MOVES[question.state]);
  const name = (/** @type {string[]} */ [move]) => move;
  return repeat(moves, name, ([move, words]) => button(move, words));
}

/**
 * Return the list of questions.
 * @param {TeacherQuestion[]} questions
 * @param {(number: number, move: string) => void} act
 */
export function questionsView(questions, act) {
  return repeat(
    questions,
    (question) => question.number,
    (question) =>
      html`<li class="desk-question" data-question=${question.number} data-state=${question.state}>
        <p data-says="lesson:question">${question.text}</p>
        <p class="class-note" data-says="class:answered">${stateWords(question)}</p>
        <div class="desk-acts">${movesView(question, act)}</div>
      </li>`,
  );
}

/**
 * Return the challenges that the class has played, each with its board, the board as a file, and a close button.
 * @param {string} classId
 * @param {{id: string, title: string, entries: number, closed_at: string | null, url: string}[]} challenges
 * @param {(id: string) => void} close
 */
export function playedView(classId, challenges, close) {
  if (!challenges.length) return nothing;
  const file = (/** @type {string} */ id) =>
    `/api/v1/classes/${classId}/challenge/board.csv?challenge=${encodeURIComponent(id)}`;
  const stateOf = (/** @type {string | null} */ closed) => (closed ? gettext("closed") : gettext("open"));
  return html`<h3>${gettext("Challenges of this class")}</h3>
    <ul class="desk-list">
      ${repeat(
        challenges,
        (one) => one.id,
        ({ id, title, entries, closed_at: closed, url }) =>
          html`<li class="desk-question" data-played-challenge=${id} data-closed=${closed ? "yes" : "no"}>
            <p data-says="challenge:title">${title}</p>
            <p class="class-note" data-says="challenge:entries"
              >${`${stateOf(closed)} · ${ngettext("{n} entry", "{n} entries", entries)}`}</p
            >
            <div class="desk-acts">
              <a class="button" href=${url} target="_blank" rel="noopener">${gettext("Board")}</a>
              <a class="button" href=${file(id)} download="board.csv" data-board-csv>${gettext("Board as CSV")}</a>
              ${
                closed
                  ? nothing
                  : html`<button class="button" type="button" data-close-board @click=${() => close(id)}
                      >${gettext("Close and show all entries")}</button
                    >`
              }
            </div>
          </li>`,
      )}
    </ul>`;
}

/** @type {Record<string, string>} */
const STEPS = {
  show: gettext("Run"),
  question: gettext("Question"),
  explore: gettext("Explore"),
  challenge: gettext("Challenge"),
  text: gettext("Text"),
};

/** Return lines for the teacher under a title; nothing if there are none. */
function toldView(/** @type {string} */ title, /** @type {string[]} */ lines) {
  if (!lines.length) return nothing;
  return html`<h4 class="desk-told">${title}</h4>
    <ul class="desk-lines" data-says="lesson:told">
      ${lines.map((line) => html`<li>${line}</li>`)}
    </ul>`;
}

/**
 * Return a lesson's steps, with the notes that only the teacher sees. The current step has its question's buttons and a
 * link to the next step.
 * @param {TeacherLesson} lesson
 * @param {TeacherQuestion[]} questions
 * @param {{go: (step: number) => void, act: (number: number, move: string) => void}} on
 */
export function lessonView(lesson, questions, on) {
  const minutes = lesson.steps.reduce((sum, step) => sum + step.minutes, 0);
  return html`<h3 data-says="lesson:minutes">${`${lesson.title} · ${gettext("{minutes} min", { minutes })}`}</h3>
    ${toldView(gettext("Aims"), lesson.aims)} ${toldView(gettext("What students will guess wrong"), lesson.guesses)}
    ${toldView(gettext("The point"), lesson.point ? [lesson.point] : [])}
    <ol class="desk-list">
      ${lesson.steps.map((_, at) => stepView(lesson, questions, at, on))}
    </ol>`;
}

function stepView(
  /** @type {TeacherLesson} */ lesson,
  /** @type {TeacherQuestion[]} */ questions,
  /** @type {number} */ at,
  /** @type {{go: (step: number) => void, act: (number: number, move: string) => void}} */ { go, act },
) {
  const step = lesson.steps[at];
  const isHere = at === lesson.at;
  const question = isHere && questions.find((one) => one.number === step.question);
  const minutes = gettext("{minutes} min", { minutes: step.minutes });
  const next = html`<button class="button" type="button" data-next=${at + 1} @click=${() => go(at + 1)}
    >${gettext("Next step")}</button
  >`;
  return html`<li class="desk-step" data-step=${at} aria-current=${ifDefined(isHere ? "step" : undefined)}>
    <p data-says="lesson:text"><b>${`${at + 1}. ${STEPS[step.kind]} · `}</b>${step.text || step.name}</p>
    <button class="button" type="button" data-go=${at} @click=${() => go(at)}>${gettext("Go to this step")}</button>
    <p class="class-note" data-says="lesson:notes">${step.notes ? `${minutes} · ${step.notes}` : minutes}</p>
    ${question ? html`<p class="class-note" data-says="class:answered">${stateWords(question)}</p>` : nothing}
    ${
      isHere
        ? html`<div class="desk-acts"
            >${question ? html`<div class="desk-acts">${movesView(question, act)}</div>` : nothing}
            ${at + 1 < lesson.steps.length ? next : nothing}</div
          >`
        : nothing
    }
  </li>`;
}

/**
 * Return the list of students; a name is a field to rename the student. A name that is being typed is not overwritten.
 * @param {TeacherStudent[]} students
 * @param {{rename: (number: number, name: string) => void, remove: (number: number) => void}} act
 */
export function studentsView(students, act) {
  const field = document.activeElement instanceof HTMLInputElement ? document.activeElement : null;
  const typing = /** @type {HTMLElement | null | undefined} */ (field?.closest("[data-student]"))?.dataset.student;
  return repeat(
    students,
    (student) => student.number,
    ({ number, name, score }) =>
      html`<li class="desk-student" data-student=${number}>
        <input
          class="field"
          type="text"
          maxlength="24"
          aria-label=${gettext("Name of student {number}", { number })}
          .value=${live(typing === String(number) ? field?.value : name)}
          @change=${(/** @type {Event} */ event) => act.rename(number, targetOf(event).value)}
        />
        <span
          class="desk-score"
          data-says="student:score"
          title=${gettext("Sum of the scores of all answers, each from 0 to 1")}
          >${gettext("Score {score}", { score: written(score, 2, 2) })}</span
        >
        <button
          class="button"
          type="button"
          data-remove=${number}
          aria-label=${gettext("Remove {name}", { name })}
          @click=${() => act.remove(number)}
          >${gettext("Remove")}</button
        >
      </li>`,
  );
}

/**
 * Render a list. The focus stays on its button; if the button is gone, it moves to the next action in the same item, or
 * in the list.
 * @param {HTMLElement} place
 * @param {unknown} view
 */
export function drawList(place, view) {
  const before = focusedIn(place);
  const item = before?.closest("li");
  render(view, place);
  if (!before || before.isConnected) return;
  const next = (/** @type {ParentNode | null | undefined} */ part) =>
    /** @type {HTMLElement | null | undefined} */ (part?.querySelector("[data-move]:enabled, [data-next]"));
  ((item?.isConnected ? next(item) : null) ?? next(place))?.focus();
}
