/** The server's address that others can open. `outside`: the address from the server; empty: none. */

import { gettext } from "../../kit/words.js";

/**
 * Return a link that others can open: with the server's outside address if the page has a local one.
 * @param {string} link
 * @param {string | undefined} outside
 */
export function forOthers(link, outside) {
  return outside ? `${outside}${link.slice(new URL(link).origin.length)}` : link;
}

/**
 * Return the note beside a link; "" if the page's own address works for others.
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
