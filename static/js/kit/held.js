/**
 * Return the studio's address for the experiment encoded in a link's fragment; "" if the fragment encodes none.
 *
 * @param {string} hash
 */
export function heldAddress(hash) {
  return /^#x\d{1,6}\.[\w-]+$/.test(hash) ? `/studio${hash}` : "";
}
