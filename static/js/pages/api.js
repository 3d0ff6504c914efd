/** The page of the API: Swagger draws it, in the theme that the other pages have. */

import { isDark, onTheme } from "../views/dom.js";
import { wireTheme } from "./boot.js";
import { wirePageKeys } from "./page_keys.js";

/** Swagger's own style sheet goes by this name. */
function follow() {
  document.documentElement.classList.toggle("dark-mode", isDark());
}

follow();
onTheme(follow);
wireTheme();
wirePageKeys();
