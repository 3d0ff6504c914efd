/** Pages whose server has said everything: the theme, times as this browser's clock has them, and the list of keys. */

import { localTimes, wireTheme } from "../kit/boot.js";
import { wireGlossaryAndTips } from "../kit/glossary.js";
import { wirePageKeys } from "../kit/page_keys.js";

wireTheme();
wirePageKeys();
wireGlossaryAndTips();
localTimes();
