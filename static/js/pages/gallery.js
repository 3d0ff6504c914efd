/** The gallery: its questions, and the search over them by idea. */

import { wireSearch } from "../features/cards/search.js";
import { wireTheme } from "../kit/boot.js";
import { part } from "../kit/dom.js";
import { wireGlossaryAndTips } from "../kit/glossary.js";
import { wirePageKeys } from "../kit/page_keys.js";

wireTheme();
wirePageKeys();
wireGlossaryAndTips();
wireSearch(part("[data-cards]"));
