/**
 * Pages whose server has said everything: the theme, times as this browser's clock has them, and the list of keys.
 * The server sees no fragment: on the page of a removed experiment, this offers the experiment that the link holds.
 */

import { localTimes, wireTheme } from "../kit/boot.js";
import { wireGlossaryAndTips } from "../kit/glossary.js";
import { heldAddress } from "../kit/held.js";
import { wirePageKeys } from "../kit/page_keys.js";

wireTheme();
wirePageKeys();
wireGlossaryAndTips();
localTimes();

const held = document.querySelector("a[data-held]");
const address = heldAddress(location.hash);
if (held instanceof HTMLAnchorElement && address) {
  held.href = address;
  held.hidden = false;
}
