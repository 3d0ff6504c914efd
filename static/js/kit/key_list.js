/** The list of keyboard shortcuts, opened by `?`. */

import { keysOf } from "./keys.js";
import { gettext } from "./words.js";
import { openDialog } from "./dialogs.js";
import { staticPath } from "./dom.js";
import { element, html } from "./view.js";

const STYLE = staticPath("css/dialog.css");

/** Load the dialog style sheet on a page that has no dialogs of its own. */
async function style() {
  if ([...document.styleSheets].some((sheet) => sheet.href?.endsWith(STYLE))) return;
  const link = document.createElement("link");
  Object.assign(link, { rel: "stylesheet", href: STYLE });
  await new Promise((done) => {
    for (const end of ["load", "error"]) link.addEventListener(end, done, { once: true });
    document.head.append(link);
  });
}

/** @param {string} page  the page's name in keys.js */
export async function keysDialog(page) {
  await style();
  const groupView = (
    /** @type {ReturnType<typeof keysOf>[number]} */ { title, keys },
  ) => html`<section class="keys-group">
    <h3>${title}</h3>
    <dl class="keys">${keys.map(([key, what]) => html`<dt>${key}</dt><dd>${what}</dd>`)}</dl>
  </section>`;
  const groups = element("div", "keys-groups", () => keysOf(page).map(groupView));
  const docs = element(
    "p",
    "",
    () => html`<a href="/docs/" target="_blank" rel="noopener">${gettext("Documentation")}</a>`,
  );
  openDialog(gettext("Keys"), groups, docs).classList.add("dialog-wide");
}
