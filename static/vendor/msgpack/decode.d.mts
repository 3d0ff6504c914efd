// biome-ignore lint/suspicious/noExplicitAny: the bytes decide the shape
export function decode(bytes: Uint8Array): any;
