/** Undo and redo of every edit, and the editors that open over the studio. */

import { targetOf } from "../kit/dom.js";

/** @import { Studio } from "./store.js" */

/** The editors, in a sheet over the studio. */
export class Editing {
  constructor(/** @type {Studio} */ studio) {
    this.studio = studio;
    /** @type {import("./editor_sheet.js").EditorSheet | null} */
    this.sheet = null;
  }

  /**
   * Open an editor by its name; its modules load on first use.
   * @param {string} name
   * @param {{keyed?: boolean}} [options]  keyed: opened by a key, so the focus moves there
   */
  async open(name, { keyed = false } = {}) {
    if (!this.sheet) {
      const { EditorSheet } = await import("./editor_sheet.js");
      this.sheet ??= new EditorSheet(this.studio);
    }
    this.sheet.open(name, keyed);
  }

  /** Close the sheet; return true if it was open. */
  close() {
    if (this.sheet?.element.hidden !== false) return false;
    this.sheet.close();
    return true;
  }
}

export function wireUndo(/** @type {Studio} */ studio) {
  const typed = new WeakSet();
  // A drag of a slider or a border is one undo step, however slow it is.
  document.addEventListener("pointerdown", (event) => {
    if (targetOf(event).matches?.("[data-path] > input[type=range], .share-border")) studio.history.hold();
  });
  for (const over of ["pointerup", "pointercancel"]) document.addEventListener(over, () => studio.history.seal());

  // While a user types in a field, undo belongs to the field.
  document.addEventListener("input", (event) => typed.add(targetOf(event)));
  for (const over of ["change", "focusout"]) document.addEventListener(over, (event) => typed.delete(targetOf(event)));
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || document.querySelector("dialog[open]")) return;
    const key = event.key.toLowerCase();
    const redo = key === "y" || (key === "z" && event.shiftKey);
    if (!redo && key !== "z") return;
    const target = targetOf(event);
    if (target.matches?.("textarea") || (typed.has(target) && target.matches("input[type=text]"))) return;
    event.preventDefault();
    if (redo) studio.redo();
    else studio.undo();
  });
}
