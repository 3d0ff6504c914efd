/** Decode a track's columns. */

/**
 * Decode a column of 2-byte integers, stored as two runs of bytes.
 *
 * @param {Uint8Array} bytes
 */
export function short(bytes) {
  const count = bytes.length >> 1;
  return Uint16Array.from({ length: count }, (_, row) => bytes[row] | (bytes[count + row] << 8));
}

/**
 * Decode a column of 4-byte integers, stored as four runs of bytes.
 *
 * @param {Uint8Array} bytes
 */
export function whole(bytes) {
  const count = bytes.length >> 2;
  const found = new Uint32Array(count);
  const [second, third, fourth] = [count, 2 * count, 3 * count];
  for (let row = 0; row < count; row += 1) {
    found[row] =
      (bytes[row] | (bytes[second + row] << 8) | (bytes[third + row] << 16) | (bytes[fourth + row] << 24)) >>> 0;
  }
  return found;
}
