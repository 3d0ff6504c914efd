/** The share dialog: a short link, one that holds the experiment, markup for a page, a code for cameras. */

import { openDialog } from "./dialogs.js";
import { h } from "./dom.js";

async function copy(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.select();
    return document.execCommand?.("copy") || false;
  }
}

/** A line with something to copy, and what it is for. */
function row(name, what, value, help, heavy = false) {
  const field = h("input", { class: "field", type: "text", readonly: true, value, "aria-label": name });
  field.addEventListener("focus", () => field.select());
  const button = h("button", { class: `button${heavy ? " button-heavy" : ""}`, type: "button", "aria-label": `Copy ${what}` }, "Copy");
  const said = h("span", { class: "share-said", role: "status" });
  const run = async (asked = true) => {
    const done = await copy(field);
    if (done) { button.textContent = "Copied"; setTimeout(() => { button.textContent = "Copy"; }, 2000); }
    else if (asked) said.textContent = "Select it and copy it by hand.";
    return done;
  };
  button.addEventListener("click", () => run());
  return { field, run, element: h("div", { class: "share-row" }, h("p", { class: "share-name" }, name), h("div", { class: "dialog-row" }, field, button), h("p", { class: "dialog-note" }, help, " ", said)) };
}

/** `short`, `embed` and `code` are missing for an experiment that the server does not have. */
export async function shareDialog({ short, whole, tooLarge, embed, code }) {
  const first = short ? row("Link to this experiment", "the short link", short, "Anyone with it sees this run from this moment, and can fork it. Kept on this server.", true) : null;
  const held = whole ? row("Link that holds the experiment", "the long link", whole, "Needs nothing stored: the whole experiment is in it, and whoever opens it runs it anew.", !short) : null;
  const frame = embed ? row("On a page or a slide", "the markup", `<iframe src="${embed}" width="800" height="520" title="Scheduler Playground"></iframe>`, "The map and its play bar alone.") : null;
  const image = code ? h("figure", { class: "share-code" }, h("img", { src: code, width: 148, height: 148, alt: "The short link as a QR code" }), h("figcaption", {}, "The link, for a camera")) : null;
  const rows = h("div", { class: "share-rows" }, [first, held, frame].filter(Boolean).map((each) => each.element), tooLarge ? h("p", { class: "dialog-note" }, tooLarge) : null);
  openDialog("Share", h("div", { class: `share-body${image ? "" : " is-plain"}` }, rows, image)).classList.add("dialog-wide");
  const main = first ?? held;
  if (!main) return;
  main.field.focus();
  await main.run(false);
}
