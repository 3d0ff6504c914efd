/** Parts of the teacher's page: who is there, and the questions with what can be done with each. */

import { h } from "../../kit/dom.js";
import { gettext, ngettext } from "../../kit/words.js";

const STATES = {
  ready: gettext("not asked yet"),
  open: gettext("open"),
  closed: gettext("closed"),
  revealed: gettext("revealed"),
};
/** What can be done with a question in a state: the words of the button, by the name of the move. */
const MOVES = {
  ready: { open: gettext("Open") },
  open: { close: gettext("Close"), reveal: gettext("Reveal") },
  closed: { reveal: gettext("Reveal"), open: gettext("Open again") },
  revealed: {},
};

/** What the computation of an answer says to the teacher; the answer itself stays hidden until the reveal. */
export function computedWords(state) {
  if (state === "done") return gettext("answer computed");
  if (["failed", "cancelled"].includes(state)) return gettext("its runs failed");
  return gettext("answer is being computed");
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
      h(
        "p",
        { class: "class-note" },
        [
          STATES[question.state],
          ngettext("{n} answer", "{n} answers", question.answered),
          computedWords(question.computed),
        ].join(" · "),
      ),
      h(
        "div",
        { class: "desk-acts" },
        Object.entries(MOVES[question.state]).map(([move, words]) =>
          h(
            "button",
            {
              class: "button",
              type: "button",
              "data-move": move,
              disabled: move === "reveal" && question.computed !== "done",
              onclick: () => act(question.number, move),
            },
            words,
          ),
        ),
      ),
    ),
  );
}

const STEPS = {
  show: gettext("Run"),
  question: gettext("Question"),
  explore: gettext("Explore"),
  challenge: gettext("Challenge"),
  text: gettext("Text"),
};

/**
 * A lesson's steps, with the notes that only the teacher sees; `go` leads to one.
 * @param {any} lesson
 * @param {(step: number) => void} go
 */
export function lessonList(lesson, go) {
  const minutes = lesson.steps.reduce((sum, step) => sum + step.minutes, 0);
  const steps = lesson.steps.map((step, at) =>
    h(
      "li",
      { class: "desk-step", "data-step": at, "aria-current": at === lesson.at ? "step" : null },
      h("p", {}, h("b", {}, `${STEPS[step.kind]} · `), step.text),
      h(
        "button",
        { class: "button", type: "button", "data-go": at, onclick: () => go(at) },
        gettext("Go to this step"),
      ),
      h(
        "p",
        { class: "class-note" },
        gettext("{minutes} min", { minutes: step.minutes }),
        step.notes ? ` · ${step.notes}` : "",
      ),
    ),
  );
  return [
    h("h3", {}, `${lesson.title} · ${gettext("{minutes} min", { minutes })}`),
    h(
      "ul",
      { class: "class-note" },
      lesson.aims.map((aim) => h("li", {}, aim)),
    ),
    h("ol", { class: "desk-list" }, steps),
  ];
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
      h("span", { class: "desk-score", title: gettext("Sum of the scores") }, score.toFixed(2)),
      away,
    );
  });
}
