/** What of @msgpack/msgpack's encoder is used. */
export class Encoder {
  encode(value: unknown): Uint8Array<ArrayBuffer>;
}
