/** The page of the API: Swagger draws it, in the theme that the other pages have. */

import { isDark, onTheme } from "../kit/dom.js";
import { wireTheme } from "../kit/boot.js";
import { wirePageKeys } from "../kit/page_keys.js";

/** Swagger's own style sheet goes by this name. */
function follow() {
  document.documentElement.classList.toggle("dark-mode", isDark());
}

follow();
onTheme(follow);
wireTheme();
wirePageKeys();
