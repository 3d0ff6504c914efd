/** What of @msgpack/msgpack's decoder is used. A message's shape is for its reader to say. */
export class Decoder {
  // biome-ignore lint/suspicious/noExplicitAny: the bytes decide the shape
  decode(bytes: Uint8Array): any;
  // biome-ignore lint/suspicious/noExplicitAny: the bytes decide the shape
  decodeMulti(bytes: Uint8Array): Iterable<any>;
}
