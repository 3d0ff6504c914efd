/** Parts of the teacher's page: who is there, and the questions with what can be done with each. */

import { h } from "../../kit/dom.js";
import { gettext, ngettext } from "../../kit/words.js";
import { written } from "../../kit/format.js";

/** @type {Record<string, string>} */
const STATES = {
  ready: gettext("not asked yet"),
  open: gettext("open"),
  closed: gettext("closed"),
  revealed: gettext("revealed"),
};
/** What can be done with a question in a state: the words of the button, by the name of the move. */
/** @type {Record<string, Record<string, string>>} */
const MOVES = {
  ready: { open: gettext("Open") },
  open: { close: gettext("Close"), reveal: gettext("Reveal") },
  closed: { reveal: gettext("Reveal"), open: gettext("Open again") },
  revealed: { reveal: gettext("Show the result again") },
};

/** What the computation of an answer says to the teacher; the answer itself stays hidden until the reveal. */
export function computedWords(/** @type {string} */ state) {
  if (state === "done") return gettext("answer computed");
  if (["failed", "cancelled"].includes(state)) return gettext("the runs of the answer failed");
  return gettext("answer is being computed");
}

/** What the teacher is told before the lesson of a choice whose runs do not separate its options. */
const tiedWords = (/** @type {number} */ n) =>
  gettext("the runs cannot tell {n} options apart; each counts as correct", { n });

/** How a question stands, in one line. */
function stateWords(/** @type {any} */ question) {
  return [
    STATES[question.state],
    ngettext("{n} answer", "{n} answers", question.answered),
    computedWords(question.computed),
    question.tied.length ? tiedWords(question.tied.length) : "",
  ]
    .filter(Boolean)
    .join(" · ");
}

/**
 * The buttons that move a question on.
 * @param {any} question
 * @param {(number: number, move: string) => void} act
 */
function movesOf(question, act) {
  const buttons = Object.entries(MOVES[question.state]).map(([move, words]) =>
    h(
      "button",
      {
        class: move === "reveal" && question.state !== "revealed" ? "button button-heavy" : "button",
        type: "button",
        "data-move": move,
        disabled: move === "reveal" && question.computed !== "done",
        onclick: () => act(question.number, move),
      },
      words,
    ),
  );
  return buttons.length ? h("div", { class: "desk-acts" }, buttons) : null;
}

/**
 * The list of questions.
 * @param {any[]} questions
 * @param {(number: number, move: string) => void} act
 */
export function questionList(questions, act) {
  return questions.map((question) =>
    h(
      "li",
      { class: "desk-question", "data-question": question.number, "data-state": question.state },
      h("p", {}, question.text),
      h("p", { class: "class-note" }, stateWords(question)),
      movesOf(question, act),
    ),
  );
}

/** @type {Record<string, string>} */
const STEPS = {
  show: gettext("Run"),
  question: gettext("Question"),
  explore: gettext("Explore"),
  challenge: gettext("Challenge"),
  text: gettext("Text"),
};

/** Lines for the teacher under a title; nothing where there are none. */
function told(/** @type {string} */ title, /** @type {string[]} */ lines) {
  if (!lines.length) return [];
  const items = lines.map((line) => h("li", {}, line));
  return [h("h4", { class: "desk-told" }, title), h("ul", { class: "desk-lines" }, items)];
}

/**
 * A lesson's steps, with the notes that only the teacher sees. At the step where the class is stand what its question
 * takes next, and the way to the next step.
 * @param {any} lesson
 * @param {any[]} questions
 * @param {{go: (step: number) => void, act: (number: number, move: string) => void}} on
 */
export function lessonList(lesson, questions, on) {
  const minutes = lesson.steps.reduce(
    (/** @type {number} */ sum, /** @type {{minutes: number}} */ step) => sum + step.minutes,
    0,
  );
  const steps = lesson.steps.map((/** @type {unknown} */ _step, /** @type {number} */ at) =>
    stepItem(lesson, questions, at, on),
  );
  return [
    h("h3", {}, `${lesson.title} · ${gettext("{minutes} min", { minutes })}`),
    ...told(gettext("Aims"), lesson.aims),
    ...told(gettext("What students will guess wrong"), lesson.guesses),
    ...told(gettext("The point"), lesson.point ? [lesson.point] : []),
    h("ol", { class: "desk-list" }, steps),
  ];
}

function stepItem(
  /** @type {any} */ lesson,
  /** @type {any[]} */ questions,
  /** @type {number} */ at,
  /** @type {{go: (step: number) => void, act: (number: number, move: string) => void}} */ { go, act },
) {
  const step = lesson.steps[at];
  const isHere = at === lesson.at;
  const question = isHere && questions.find((one) => one.number === step.question);
  const button = (/** @type {number} */ to, /** @type {string} */ words, /** @type {string} */ name) =>
    h("button", { class: "button", type: "button", [name]: to, onclick: () => go(to) }, words);
  const minutes = gettext("{minutes} min", { minutes: step.minutes });
  return h(
    "li",
    { class: "desk-step", "data-step": at, "aria-current": isHere ? "step" : null },
    h("p", {}, h("b", {}, `${at + 1}. ${STEPS[step.kind]} · `), step.text || step.name),
    button(at, gettext("Go to this step"), "data-go"),
    h("p", { class: "class-note" }, step.notes ? `${minutes} · ${step.notes}` : minutes),
    question ? h("p", { class: "class-note" }, stateWords(question)) : null,
    isHere
      ? h(
          "div",
          { class: "desk-acts" },
          question ? movesOf(question, act) : null,
          at + 1 < lesson.steps.length ? button(at + 1, gettext("Next step"), "data-next") : null,
        )
      : null,
  );
}

/**
 * The list of students; a name is a field that renames.
 * @param {any[]} students
 * @param {{rename: (number: number, name: string) => void, remove: (number: number) => void}} act
 */
export function studentList(students, act) {
  return students.map(({ number, name, score }) => {
    const field = h("input", {
      class: "field",
      type: "text",
      value: name,
      maxlength: 24,
      "aria-label": gettext("Name of student {number}", { number }),
    });
    field.addEventListener("change", () => act.rename(number, field.value));
    const away = h(
      "button",
      { class: "button", type: "button", "data-remove": number, "aria-label": gettext("Remove {name}", { name }) },
      gettext("Remove"),
    );
    away.addEventListener("click", () => act.remove(number));
    return h(
      "li",
      { class: "desk-student", "data-student": number },
      field,
      h(
        "span",
        { class: "desk-score", title: gettext("Sum of the scores of all answers, each from 0 to 1") },
        gettext("Score {score}", { score: written(score, 2, 2) }),
      ),
      away,
    );
  });
}
