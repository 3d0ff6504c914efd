/** Dialogs, and the smallest of them: the list of keys. */

import { h } from "./dom.js";

/** A modal dialog with a title and a button that closes it. */
export function openDialog(title, ...content) {
  const close = h("button", { class: "button", type: "button" }, "Close");
  const dialog = h("dialog", { class: "dialog", "aria-label": title }, h("h2", {}, title), ...content, h("div", { class: "dialog-end" }, close));
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

const KEYS = [["Space", "play or pause"], ["→", "step to the next event"], ["←", "step to the previous event"],
  ["Shift + ← →", "jump by a tenth of the run"], ["[ ]", "jump to the previous, the next one of what is chosen by the timeline"], ["J", "choose what to jump to"], ["F", "what if: change one thing from here on"], ["Home, End", "start, end"], [". ,", "faster, slower"], ["+ − 0", "zoom the map in, out, to everything"], ["Tab", "to the map: arrows go from machine to machine"],
  ["Shift + arrows", "there: move the map"], ["Enter, D", "there: pin the machine; say every cluster"], ["Menu, Shift + F10", "there: what may be done to the machine"], ["Arrows, Enter", "on a picture of jobs: from mark to mark; choose"], ["Page Up, Page Down", "on a network: the round before, the next"], ["L", "next map layer"], ["S", "share"], ["Esc", "unpin"], ["?", "this list"]];

export function keysDialog() {
  openDialog("Keys", h("dl", { class: "keys" }, KEYS.flatMap(([key, what]) => [h("dt", {}, key), h("dd", {}, what)])));
}
