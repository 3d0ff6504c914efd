/** Small notes on the picture; each goes for good once it was understood. */

const KEY = "playground.notes-seen";

export function wireNotes() {
  let seen = [];
  try { seen = JSON.parse(localStorage.getItem(KEY) || "[]"); } catch { seen = []; }
  for (const note of document.querySelectorAll("[data-hint]")) {
    if (seen.includes(note.dataset.hint)) { note.remove(); continue; }
    note.hidden = false;
    note.querySelector("button").addEventListener("click", () => {
      seen.push(note.dataset.hint);
      try { localStorage.setItem(KEY, JSON.stringify(seen)); } catch { /* private window */ }
      note.remove();
    });
  }
}
