/** The page of schedulers: cards, their animated pictures, and the search over them. */

import { wireMoving } from "../features/cards/moving.js";
import { wireSearch } from "../features/cards/search.js";
import { wireTheme } from "../kit/boot.js";
import { wireGlossaryAndTips } from "../kit/glossary.js";
import { wirePageKeys } from "../kit/page_keys.js";
import { part } from "../kit/dom.js";

wireTheme();
wirePageKeys();
wireGlossaryAndTips();
const cards = part("[data-cards]");
wireSearch(cards);
wireMoving(cards);
