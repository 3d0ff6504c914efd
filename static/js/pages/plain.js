/**
 * Pages that the server renders completely: the theme, local times, and the list of shortcuts. The server does not see
 * fragments: on the page of a removed experiment, this offers the experiment in the link.
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
