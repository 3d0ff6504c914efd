/** Undo and redo of every edit, and the editors that open over the studio. */

import { listCatalogues, listPresets } from "../kit/api.js";
import { targetOf } from "../kit/dom.js";

export function wireEditing(studio) {
  const typed = new WeakSet();
  let sheet = null;

  studio.catalogues = once(() => listCatalogues().then((found) => found.catalogues));
  studio.presets = once(() => listPresets().then((found) => found.presets ?? found));

  /** Open an editor ("constraints" or "workload"); its modules are fetched when one is wanted. */
  studio.openEditor = async (name, { keyed = false } = {}) => {
    if (!sheet) {
      const { EditorSheet } = await import("../features/editors/sheet.js");
      sheet ??= new EditorSheet(studio);
      studio.editorSheet = sheet;
      if (!studio.panels.includes(sheet)) studio.panels.push(sheet);
    }
    sheet.open(name, keyed);
  };

  // However slowly a slider or a border is dragged, it is one step back.
  document.addEventListener("pointerdown", (event) => {
    if (targetOf(event).matches?.("[data-path] > input[type=range], .share-border")) studio.history.hold();
  });
  for (const over of ["pointerup", "pointercancel"]) document.addEventListener(over, () => studio.history.seal());

  // What is being typed into a field is the field's to take back.
  document.addEventListener("input", (event) => typed.add(event.target));
  for (const over of ["change", "focusout"]) document.addEventListener(over, (event) => typed.delete(event.target));
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || document.querySelector("dialog[open]")) return;
    const key = event.key.toLowerCase();
    const redo = key === "y" || (key === "z" && event.shiftKey);
    if (!redo && key !== "z") return;
    if (
      targetOf(event).matches?.("textarea") ||
      (typed.has(targetOf(event)) && targetOf(event).matches("input[type=text]"))
    )
      return;
    event.preventDefault();
    if (redo) studio.redo();
    else studio.undo();
  });
}

/** Ask once; a failure may be asked again. */
function once(ask) {
  let answer = null;
  return () => {
    answer ??= ask().catch((error) => {
      answer = null;
      throw error;
    });
    return answer;
  };
}
