/** Which address of this server others can open. `outside`: as the server told the page; empty: none. */

import { gettext } from "../../kit/words.js";

/**
 * A link as others open it: under the address that reaches the server from outside, where the page has a local one.
 * @param {string} link
 * @param {string | undefined} outside
 */
export function forOthers(link, outside) {
  return outside ? `${outside}${link.slice(new URL(link).origin.length)}` : link;
}

/**
 * What to say beside a link: nothing where the page itself has an address that others can open.
 * @param {string | undefined} outside
 * @param {string} origin
 */
export function reachWords(outside, origin) {
  if (!outside)
    return gettext(
      "These links work only on this computer. To open the server to your network, start it with “make run HOST=lan”.",
    );
  return outside === origin ? "" : gettext("Other computers reach this one at {address}.", { address: outside });
}
