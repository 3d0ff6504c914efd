/** Where a value stands in JSON text. Walks the text once; null when the path is not there. */

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
  let found = null;

  const value = (depth) => {
    blank();
    const start = at;
    if (text[at] === "{") container(depth, "}", true);
    else if (text[at] === "[") container(depth, "]", false);
    else if (text[at] === '"') string();
    else while (at < text.length && !/[\s,\]}]/.test(text[at])) at += 1;
    if (depth === path.length && !found) found = [start, at];
  };

  const container = (depth, end, named) => {
    at += 1;
    for (let index = 0; at < text.length; index += 1) {
      blank();
      if (text[at] === end) {
        at += 1;
        return;
      }
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
