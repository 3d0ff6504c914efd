/** The page of schedulers: cards and the search over them. */

import { wireSearch } from "../features/cards/search.js";
import { wireTheme } from "../kit/boot.js";
import { wirePageKeys } from "../kit/page_keys.js";

wireTheme();
wirePageKeys();
wireSearch(document.querySelector("[data-cards]"));
