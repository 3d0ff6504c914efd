/** The list of keys, on `?`. */

import { keysOf } from "./keys.js";
import { gettext } from "./words.js";
import { openDialog } from "./dialogs.js";
import { h, staticPath } from "./dom.js";

const STYLE = staticPath("css/dialog.css");

/** Pages without dialogs get their style with the first one. */
async function style() {
  if ([...document.styleSheets].some((sheet) => sheet.href?.endsWith(STYLE))) return;
  const link = h("link", { rel: "stylesheet", href: STYLE });
  await new Promise((done) => {
    for (const end of ["load", "error"]) link.addEventListener(end, done, { once: true });
    document.head.append(link);
  });
}

/** @param {string} page  its name in keys.js */
export async function keysDialog(page) {
  await style();
  const groups = keysOf(page).map((group) =>
    h(
      "section",
      { class: "keys-group" },
      h("h3", {}, group.title),
      h(
        "dl",
        { class: "keys" },
        group.keys.flatMap(([key, what]) => [h("dt", {}, key), h("dd", {}, what)]),
      ),
    ),
  );
  const docs = h("p", {}, h("a", { href: "/docs/", target: "_blank", rel: "noopener" }, gettext("Documentation")));
  openDialog(gettext("Keys"), h("div", { class: "keys-groups" }, groups), docs).classList.add("dialog-wide");
}
