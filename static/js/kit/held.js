/**
 * The address in the studio of the experiment that a link's fragment holds; empty if the fragment holds none.
 *
 * @param {string} hash
 */
export function heldAddress(hash) {
  return /^#x\d{1,6}\.[\w-]+$/.test(hash) ? `/studio${hash}` : "";
}
