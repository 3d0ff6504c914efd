/** Pages whose server has said everything: the theme, times as this browser's clock has them, and the list of keys. */

import { localTimes, wireTheme } from "./boot.js";
import { wirePageKeys } from "./page_keys.js";

wireTheme();
wirePageKeys();
localTimes();
