/** A text that is no policy. The server says what is wrong with it (scheduler_core/policy/problems.py). */

/** Thrown where a text cannot be read. */
export class Unread extends Error {}

/**
 * @param {string} why  for whoever debugs; no reader sees it
 * @returns {never}
 */
export function refuse(why) {
  throw new Unread(why);
}
