/** The API page: Swagger renders it, in the same theme as the other pages. */

import { isDark, onTheme } from "../kit/dom.js";
import { wireTheme } from "../kit/boot.js";
import { wirePageKeys } from "../kit/page_keys.js";

/** Set the class that Swagger's style sheet uses. */
function follow() {
  document.documentElement.classList.toggle("dark-mode", isDark());
}

follow();
onTheme(follow);
wireTheme();
wirePageKeys();
