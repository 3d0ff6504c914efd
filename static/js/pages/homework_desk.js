/** The teacher's page of a homework: its link, its end, the students' answers, and the results of the questions. */

import { computedWords, doubtWords } from "../features/classes/desk.js";
import { deleteClass, endHomework, readHomework, removeStudent } from "../features/classes/class_api.js";
import { problemText } from "../experiment/problems.js";
import { isAway } from "../contract/api.js";
import { bootData, localTimes, wireTheme } from "../kit/boot.js";
import { find } from "../kit/dom.js";
import { written } from "../kit/format.js";
import { wireGlossaryAndTips } from "../kit/glossary.js";
import { wirePageKeys } from "../kit/page_keys.js";
import { html, nothing, repeat, show, signal } from "../kit/view.js";
import { gettext, ngettext } from "../kit/words.js";

/**
 * @import { ApiError, Failure } from "../contract/api.js"
 * @import { Homework, HomeworkQuestion, HomeworkStudent } from "../features/classes/class_api.js"
 */

const id = bootData().homework;
const LOOK_MS = 5000;
const ASKED_MS = 5000;
const told = signal(/** @type {Homework | null} */ (null));

function say(/** @type {string} */ text) {
  find("said").textContent = text;
}

async function read() {
  try {
    const found = await readHomework(id);
    told.value = found;
    find("over").hidden = !found.over;
    find("move").hidden = found.over;
    find("ends-at").setAttribute("datetime", found.ends_at);
    localTimes();
  } catch (error) {
    if (!isAway(error)) say(/** @type {ApiError} */ (error).message);
  }
}

async function act(/** @type {() => Promise<unknown>} */ work) {
  say("");
  try {
    await work();
  } catch (caught) {
    const error = /** @type {Failure} */ (caught);
    say([error.message, ...(error.problems ?? []).map(problemText)].join(" "));
  }
  await read();
}

const scoreWords = (/** @type {number} */ score) => gettext("Score {score}", { score: written(score, 2, 2) });

function questionView(/** @type {HomeworkQuestion} */ question) {
  const { number, text, answered, score, computed } = question;
  const words = [
    ngettext("{n} answer", "{n} answers", answered),
    computedWords(computed),
    ...doubtWords(question),
    score === null ? "" : gettext("mean score {score}", { score: written(score, 2, 2) }),
  ];
  return html`<li class="desk-question" data-question=${number}>
    <p>${text}</p>
    <p class="class-note">${words.filter(Boolean).join(" · ")}</p>
  </li>`;
}

function studentView(/** @type {HomeworkStudent} */ { number, name, answered, score }) {
  return html`<li class="homework-row" data-student=${number}>
    <span>${name}</span>
    <span>${gettext("{answered} of {questions} answered", {
      answered,
      questions: /** @type {Homework} */ (told.value).questions,
    })}</span>
    <span title=${gettext("Sum of the scores of all answers, each from 0 to 1")}>${scoreWords(score)}</span>
    <button
      class="button"
      type="button"
      aria-label=${gettext("Remove {name}", { name })}
      @click=${() => act(() => removeStudent(id, number))}
      >${gettext("Remove")}</button
    >
  </li>`;
}

show(find("results"), () => {
  const teacher = told.value?.teacher;
  if (!teacher) return nothing;
  const number = (/** @type {{number: number}} */ one) => one.number;
  return html`<section class="desk-part">
      <h2>${gettext("Questions")}</h2>
      <ol class="desk-list">${repeat(teacher.questions, number, questionView)}</ol>
    </section>
    <section class="desk-part">
      <h2>${gettext("Students")}</h2>
      ${teacher.students.length ? nothing : html`<p>${gettext("Nobody has joined yet.")}</p>`}
      <ul class="desk-list" data-students>${repeat(teacher.students, number, studentView)}</ul>
    </section>`;
});

find("copy").addEventListener("click", async () => {
  find("link").select();
  await navigator.clipboard?.writeText(find("link").value).catch(() => document.execCommand("copy"));
  find("copy").textContent = gettext("Copied");
});

find("move").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  act(() => endHomework(id, new Date(find("ends").value).toISOString()));
});

find("delete").addEventListener("click", async () => {
  const button = find("delete");
  const twice = gettext("Confirm: delete with all names and answers");
  if (button.textContent === twice) {
    await act(() => deleteClass(id));
    window.location.href = "/classes";
    return;
  }
  const once = button.textContent;
  button.textContent = twice;
  setTimeout(() => {
    button.textContent = once;
  }, ASKED_MS);
});

setInterval(() => {
  if (document.visibilityState === "visible") read();
}, LOOK_MS);

localTimes();
wireTheme();
wireGlossaryAndTips();
wirePageKeys();
read();
