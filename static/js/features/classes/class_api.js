/** Classes over HTTP. An answer is sent until the server says that it is stored. */

import { isAway, request } from "../../kit/api.js";
import { backOff } from "../../kit/socket.js";

const path = (/** @type {string} */ id, rest = "") => `/classes/${encodeURIComponent(id)}${rest}`;

export function openClass(shown = {}) {
  return request("POST", "/classes", shown);
}

export function joinClass(code, name) {
  return request("POST", "/classes/join", { code, name });
}

export function readClass(id) {
  return request("GET", path(id));
}

export function changeClass(id, changes) {
  return request("PATCH", path(id), changes);
}

export function deleteClass(id) {
  return request("DELETE", path(id));
}

export function renameStudent(id, number, name) {
  return request("PATCH", path(id, `/students/${number}`), { name });
}

export function removeStudent(id, number) {
  return request("DELETE", path(id, `/students/${number}`));
}

export function ask(id, question) {
  return request("POST", path(id, "/questions"), question);
}

/** `lesson`: {name} of one that comes with the product, or {file}, its text. */
export function beginLesson(id, lesson) {
  return request("POST", path(id, "/lesson"), lesson);
}

export function goToStep(id, step) {
  return request("POST", path(id, `/lesson/steps/${step}`), {});
}

/** `what` is "open", "close" or "reveal". */
export function moveQuestion(id, number, what) {
  return request("POST", path(id, `/questions/${number}/${what}`), {});
}

const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Send an answer, again and again while the server cannot be reached: the same answer twice is one answer. `waits` is
 * told while it has to.
 */
export async function sendAnswer(id, number, value, waits = () => {}) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await request("PUT", path(id, `/questions/${number}/answer`), { value });
    } catch (error) {
      if (!isAway(error) && error.status !== 429) throw error;
      waits();
      await pause(backOff(attempt));
    }
  }
}
