/** A lesson to read or to print. */

import { wireTheme } from "../kit/boot.js";
import { find } from "../kit/dom.js";
import { wireGlossaryAndTips } from "../kit/glossary.js";
import { wirePageKeys } from "../kit/page_keys.js";

find("print").addEventListener("click", () => window.print());

wireTheme();
wireGlossaryAndTips();
wirePageKeys();
