/** Why one task is where it is: the scheduler's decisions about it, in the order of time. */

import { openDialog } from "./dialogs.js";
import { h } from "./dom.js";

/** Opens at once, while the reasons are being worked out. Returns {fill([{time, text}]), fail(text), more(element), probes(element)}. */
export function reasonsDialog(title) {
  const note = h("p", { class: "dialog-note", role: "status" }, "Working out its reasons: the run is simulated again up to here…");
  const list = h("ol", { class: "reasons" });
  const below = h("div", { class: "reasons-more" });
  const sent = h("div", {});
  openDialog(title, note, list, sent, below);
  return {
    fill(reasons) {
      note.textContent = reasons.length ? "" : "Nothing was decided about it.";
      list.replaceChildren(...reasons.map((each) => h("li", {}, h("span", { class: "reasons-time" }, each.time), h("span", {}, each.text))));
    },
    fail(text) { note.textContent = text; },
    more(element) { below.replaceChildren(element); },
    probes(element) { sent.replaceChildren(element); },
  };
}
