/** Classes over HTTP. An answer is sent until the server confirms that it is stored. */

import { isAway, request } from "../../contract/api.js";
import { backOff } from "../../contract/socket.js";

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

export function readClass(/** @type {string} */ id) {
  return request("GET", path(id));
}

/**
 * @param {string} id
 * @param {Record<string, any>} changes
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
 * @param {any} question
 */
export function ask(id, question) {
  return request("POST", path(id, "/questions"), question);
}

/**
 * Start a lesson: {name} of a built-in lesson, or {file}, a lesson's text.
 * @param {string} id
 * @param {any} lesson
 */
export function beginLesson(id, lesson) {
  return request("POST", path(id, "/lesson"), lesson);
}

/** Parse a lesson: {name} of a built-in lesson, or {file}, a lesson's text. */
export function readLesson(/** @type {{name?: string, file?: string}} */ named) {
  return request("POST", "/lessons/read", named);
}

/** Return a lesson's text as {file}; the error lists every problem of the lesson. */
export function writeLesson(/** @type {any} */ lesson) {
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
 * @param {any} asked
 */
export function exploreClass(id, asked) {
  return request("PUT", path(id, "/explore"), asked);
}

/** Fetch all students' values and results, for the teacher. */
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

/** Fetch the class's own board of its challenge. */
export function readBoard(/** @type {string} */ id) {
  return request("GET", path(id, "/challenge/board"));
}

/**
 * Set this student's values; previews compute them.
 * @param {string} id
 * @param {Record<string, any>} values
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

const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Send an answer and retry while the server is unreachable; the server counts repeated answers once. `waits` is called
 * before each retry.
 * @param {string} id
 * @param {number} number
 * @param {any} value
 */
export async function sendAnswer(id, number, value, waits = () => {}) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await request("PUT", path(id, `/questions/${number}/answer`), { value });
    } catch (/** @type {any} */ error) {
      if (!isAway(error) && error.status !== 429) throw error;
      waits();
      await pause(backOff(attempt));
    }
  }
}

/** Assign a lesson as homework: {name} of a built-in one, or {file}, its text, with {ends_at, at_once}. */
export function giveHomework(/** @type {Record<string, any>} */ asked) {
  return request("POST", "/homework", asked);
}

const homework = (/** @type {string} */ id, rest = "") => `/homework/${encodeURIComponent(id)}${rest}`;

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
