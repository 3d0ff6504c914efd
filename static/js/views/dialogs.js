/** Small dialogs: the share link, the list of keys. */

import { h } from "./dom.js";

function open(title, ...content) {
  const close = h("button", { class: "button", type: "button" }, "Close");
  const dialog = h("dialog", { class: "dialog", "aria-label": title }, h("h2", {}, title), ...content, h("div", { class: "dialog-end" }, close));
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

async function copy(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.select();
    return document.execCommand?.("copy") || false;
  }
}

export async function shareDialog(link, embed) {
  const field = h("input", { class: "field", type: "text", readonly: true, value: link, "aria-label": "Link to this experiment" });
  const frame = h("input", { class: "field", type: "text", readonly: true, "aria-label": "Markup for a page or slides",
    value: `<iframe src="${embed}" width="800" height="520" title="Scheduler Playground"></iframe>` });
  const note = h("p", { class: "dialog-note", role: "status" }, "Anyone with this link sees this run from this moment, and can fork it.");
  const again = h("button", { class: "button button-heavy", type: "button" }, "Copy link");
  again.addEventListener("click", async () => { note.textContent = (await copy(field)) ? "Link copied." : "Select the link and copy it by hand."; });
  open("Share", h("div", { class: "dialog-row" }, field, again), note, h("label", { class: "dialog-label" }, "On a page or a slide", frame));
  field.focus();
  field.select();
  if (await copy(field)) note.textContent = "Link copied. Anyone with it sees this run from this moment, and can fork it.";
}

const KEYS = [["Space", "play or pause"], ["→", "step to the next event"], ["←", "step to the previous event"],
  ["Shift + ← →", "jump by a tenth of the run"], ["Home, End", "start, end"], ["+ −", "faster, slower"], ["L", "next map layer"], ["S", "share"], ["Esc", "unpin"], ["?", "this list"]];

export function keysDialog() {
  open("Keys", h("dl", { class: "keys" }, KEYS.flatMap(([key, what]) => [h("dt", {}, key), h("dd", {}, what)])));
}
