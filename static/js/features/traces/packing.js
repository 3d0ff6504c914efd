/** What is sent of a cluster, in gzip: its text repeats itself, and the server limits the bytes of an upload. */

const WORTH_BYTES = 200_000;

/**
 * Return a blob in gzip if it is large and this browser can compress, else the blob itself.
 * @param {Blob} blob
 */
export async function packed(blob) {
  if (blob.size < WORTH_BYTES || !("CompressionStream" in globalThis)) return blob;
  return new Response(blob.stream().pipeThrough(new CompressionStream("gzip"))).blob();
}
