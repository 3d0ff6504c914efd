/** Classes over HTTP. An answer is sent until the server confirms that it is stored. */

import { isAway, request } from "../../contract/api.js";
import { backOff } from "../../contract/socket.js";

/**
 * @import { ApiError } from "../../contract/api.js"
 * @import { AskedQuestion, ClassNews } from "../../contract/contract"
 * @import { Fork } from "./dots.js"
 * @import { Wall } from "./explore_desk.js"
 * @import { Draft } from "./lesson_draft.js"
 */

/**
 * @typedef {number | string | boolean} Value  a value of an open parameter
 * @typedef {number | number[]} AnswerValue  an option, a number, one at each place of an axis, or a machine or task
 * @typedef {{question: number, value: AnswerValue, score: number | null}} StoredAnswer
 * @typedef {{name?: string, file?: string}} NamedLesson  a built-in lesson by its name, or a lesson's text
 * @typedef {{mode?: string, locked?: boolean, anonymous?: boolean, experiment?: string, gallery?: string,
 *   challenge?: string}} ClassChanges
 * @typedef {{kind?: string, text: string, metric?: string, best?: string, schedulers?: string[], path?: string,
 *   values?: (number | string)[], low?: number, high?: number, log?: boolean, target?: string, reason?: string,
 *   after_s?: number}} Question  a question in the server's format
 * @typedef {{path: string, least?: number | null, most?: number | null, choices?: Value[]}} OpenParameter
 * @typedef {{parameters: OpenParameter[], x?: string, y?: string}} Exploration
 */

/**
 * A class's question, lesson, students and played challenges, as its teacher reads them.
 * @typedef {{computed: string, tied: number[], spread: number | null, flat: boolean}} Computed  how far the answer is,
 *   and what its runs cannot tell apart
 * @typedef {Pick<AskedQuestion, "number" | "state" | "kind" | "text" | "answered"> & Computed} TeacherQuestion
 * @typedef {{kind: string, name: string, text: string, notes: string, minutes: number, question?: number}} LessonStep
 * @typedef {{title: string, aims: string[], guesses: string[], point: string, at: number,
 *   steps: LessonStep[]}} TeacherLesson
 * @typedef {{number: number, name: string, score: number}} TeacherStudent
 * @typedef {{id: string, title: string, entries: number, closed_at: string | null, url: string}} PlayedChallenge
 * @typedef {{code: string, join_url: string, anonymous: boolean, lesson: TeacherLesson | null,
 *   students: TeacherStudent[], questions: TeacherQuestion[], challenges: PlayedChallenge[]}} Teacher
 * @typedef {{number: number, name: string, answers: StoredAnswer[], fork: Fork | null}} ClassStudent
 * @typedef {{news: ClassNews, teacher: Teacher, student: ClassStudent}} ClassRead  `teacher` and `student` are there
 *   for the teacher and for a student alone
 */

/**
 * A homework as a student or its teacher reads it.
 * @typedef {import("../../contract/contract").ClassShown} ClassShown
 * @typedef {{kind: string, name: string, text: string, minutes: number, question: AskedQuestion | null,
 *   shown: ClassShown | null, challenge: string | null}} HomeworkStep
 * @typedef {{number: number, name: string, answered: number, score: number}} HomeworkStudent
 * @typedef {{number: number, text: string, answered: number, score: number | null} & Computed} HomeworkQuestion
 * @typedef {{locked: boolean, students: HomeworkStudent[], questions: HomeworkQuestion[]}} HomeworkResults
 * @typedef {{id: string, title: string, aims: string[], minutes: number, questions: number, ends_at: string,
 *   over: boolean, at_once: boolean, steps?: HomeworkStep[],
 *   student?: {number: number, name: string, answers: StoredAnswer[]} | null, teacher?: HomeworkResults}} Homework
 */

const path = (/** @type {string} */ id, rest = "") => `/classes/${encodeURIComponent(id)}${rest}`;

export function openClass(shown = {}) {
  return request("POST", "/classes", shown);
}

/**
 * @param {string} code
 * @param {string} name
 */
export function joinClass(code, name) {
  return request("POST", "/classes/join", { code, name });
}

/** @returns {Promise<ClassRead>} */
export function readClass(/** @type {string} */ id) {
  return request("GET", path(id));
}

/**
 * @param {string} id
 * @param {ClassChanges} changes
 */
export function changeClass(id, changes) {
  return request("PATCH", path(id), changes);
}

export function deleteClass(/** @type {string} */ id) {
  return request("DELETE", path(id));
}

/**
 * @param {string} id
 * @param {number} number
 * @param {string} name
 */
export function renameStudent(id, number, name) {
  return request("PATCH", path(id, `/students/${number}`), { name });
}

/**
 * @param {string} id
 * @param {number} number
 */
export function removeStudent(id, number) {
  return request("DELETE", path(id, `/students/${number}`));
}

/**
 * @param {string} id
 * @param {Question} question
 */
export function ask(id, question) {
  return request("POST", path(id, "/questions"), question);
}

/**
 * Start a lesson: {name} of a built-in lesson, or {file}, a lesson's text.
 * @param {string} id
 * @param {NamedLesson} lesson
 */
export function beginLesson(id, lesson) {
  return request("POST", path(id, "/lesson"), lesson);
}

/**
 * Parse a lesson: {name} of a built-in lesson, or {file}, a lesson's text.
 * @param {NamedLesson} named
 * @returns {Promise<{lesson: Partial<Draft>}>}
 */
export function readLesson(named) {
  return request("POST", "/lessons/read", named);
}

/**
 * Return a lesson's text as {file}; the error lists every problem of the lesson.
 * @param {Partial<Draft>} lesson
 * @returns {Promise<{file: string}>}
 */
export function writeLesson(lesson) {
  return request("POST", "/lessons/write", { lesson });
}

/**
 * @param {string} id
 * @param {number} step
 */
export function goToStep(id, step) {
  return request("POST", path(id, `/lesson/steps/${step}`), {});
}

/**
 * Start an exploration. `asked`: {parameters: [{path, least?, most?, choices?}], x, y}.
 * @param {string} id
 * @param {Exploration} asked
 */
export function exploreClass(id, asked) {
  return request("PUT", path(id, "/explore"), asked);
}

/**
 * Fetch all students' values and results, for the teacher.
 * @returns {Promise<Wall>}
 */
export function readWall(/** @type {string} */ id) {
  return request("GET", path(id, "/wall"));
}

/**
 * Show a student's fork on the big screen; 0 shows the wall.
 * @param {string} id
 * @param {number} number
 */
export function openOnScreen(id, number) {
  return request("POST", path(id, "/wall/open"), { number });
}

/** Fetch a challenge of the arena with everything its board needs. */
export function readChallenge(/** @type {string} */ id) {
  return request("GET", `/challenges/${encodeURIComponent(id)}`);
}

/**
 * Close the class's board of a challenge.
 * @param {string} id
 * @param {string} challenge
 */
export function closeBoard(id, challenge) {
  return request("POST", path(id, `/challenges/${encodeURIComponent(challenge)}/close`), {});
}

/** Fetch the class's own board of its challenge, without what the projector hides from the class. */
export function readBoard(/** @type {string} */ id) {
  return request("GET", path(id, "/challenge/board?projected=true"));
}

/**
 * Set this student's values; previews compute them.
 * @param {string} id
 * @param {Record<string, Value>} values
 * @returns {Promise<{preview: number, socket_url: string}>}
 */
export function changeFork(id, values) {
  return request("PUT", path(id, "/fork"), { values });
}

/**
 * Open, close or reveal a question: `what` is "open", "close" or "reveal".
 * @param {string} id
 * @param {number} number
 * @param {string} what
 */
export function moveQuestion(id, number, what) {
  return request("POST", path(id, `/questions/${number}/${what}`), {});
}

export const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Send an answer and retry while the server is unreachable; the server counts repeated answers once. `waits` is called
 * before each retry.
 * @param {string} id
 * @param {number} number
 * @param {AnswerValue | null} value
 * @returns {Promise<StoredAnswer>}
 */
export async function sendAnswer(id, number, value, waits = () => {}) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await request("PUT", path(id, `/questions/${number}/answer`), { value });
    } catch (error) {
      if (!isAway(error) && /** @type {ApiError} */ (error).status !== 429) throw error;
      waits();
      await pause(backOff(attempt));
    }
  }
}

/** Assign a lesson as homework: {name} of a built-in one, or {file}, its text, with {ends_at, at_once}. */
export function giveHomework(/** @type {NamedLesson & {ends_at: string, at_once: boolean}} */ asked) {
  return request("POST", "/homework", asked);
}

const homework = (/** @type {string} */ id, rest = "") => `/homework/${encodeURIComponent(id)}${rest}`;

/** @returns {Promise<Homework>} */
export function readHomework(/** @type {string} */ id) {
  return request("GET", homework(id));
}

/**
 * @param {string} id
 * @param {string} name
 */
export function joinHomework(id, name) {
  return request("POST", homework(id, "/join"), { name });
}

/**
 * @param {string} id
 * @param {string} endsAt
 */
export function endHomework(id, endsAt) {
  return request("PATCH", homework(id), { ends_at: endsAt });
}
