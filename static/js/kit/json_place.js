/** Positions in JSON text. */

/**
 * Return the position [from, to] of the value at a path, found in one pass over the text; null if the path does not
 * exist.
 * @param {string} text
 * @param {(string | number)[]} path
 */
export function locate(text, path) {
  let at = 0;
  const blank = () => {
    while (at < text.length && /\s/.test(text[at])) at += 1;
  };
  const string = () => {
    const start = at;
    at += 1;
    while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
    at += 1;
    return text.slice(start + 1, at - 1);
  };
  /** @type {number[] | null} */
  let found = null;

  const value = (/** @type {number} */ depth) => {
    blank();
    const start = at;
    if (text[at] === "{") container(depth, "}", true);
    else if (text[at] === "[") container(depth, "]", false);
    else if (text[at] === '"') string();
    else while (at < text.length && !/[\s,\]}]/.test(text[at])) at += 1;
    if (depth === path.length && !found) found = [start, at];
  };

  const container = (/** @type {number} */ depth, /** @type {string} */ end, /** @type {boolean} */ named) => {
    at += 1;
    for (let index = 0; at < text.length; index += 1) {
      blank();
      if (text[at] === end) {
        at += 1;
        return;
      }
      /** @type {string | number} */
      let key = index;
      if (named) {
        key = string();
        blank();
        at += 1;
      }
      if (depth >= 0 && depth < path.length && key === path[depth]) value(depth + 1);
      else value(-1);
      blank();
      if (text[at] === ",") at += 1;
    }
  };

  value(0);
  return found;
}
