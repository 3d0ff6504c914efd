/** The list of keys, on `?`. */

import { keysOf } from "../lib/keys.js";
import { gettext } from "../lib/words.js";
import { openDialog } from "./dialogs.js";
import { h } from "./dom.js";

export function keysDialog(page) {
  const groups = keysOf(page).map((group) => h("section", { class: "keys-group" }, h("h3", {}, gettext(group.title)),
    h("dl", { class: "keys" }, group.keys.flatMap(([key, what]) => [h("dt", {}, key), h("dd", {}, gettext(what))]))));
  openDialog(gettext("Keys"), h("div", { class: "keys-groups" }, groups)).classList.add("dialog-wide");
}
