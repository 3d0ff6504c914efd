/** Small notes on the picture; each disappears for good once dismissed. */

import { part } from "../kit/dom.js";

const KEY = "playground.notes-seen";

/** Show the next note; only one is visible at a time. */
function showNext() {
  const note = document.querySelector("[data-hint]");
  if (note) note.hidden = false;
}

export function wireNotes() {
  /** @type {string[]} */
  let seen = [];
  try {
    seen = JSON.parse(localStorage.getItem(KEY) || "[]");
  } catch {
    seen = [];
  }
  for (const note of document.querySelectorAll("[data-hint]")) {
    if (seen.includes(note.dataset.hint ?? "")) {
      note.remove();
      continue;
    }
    part("button", note).addEventListener("click", () => {
      seen.push(note.dataset.hint ?? "");
      try {
        localStorage.setItem(KEY, JSON.stringify(seen));
      } catch {
        /* Storage is unavailable in a private window. */
      }
      note.remove();
      showNext();
    });
  }
  showNext();
}
