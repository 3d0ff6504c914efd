/** What of fflate is used; see static/vendor/README.md for its version. */
export interface ZipEntry {
  name: string;
  size: number;
  originalSize: number;
}
export function unzipSync(
  data: Uint8Array,
  options?: { filter?(file: ZipEntry): boolean },
): Record<string, Uint8Array<ArrayBuffer>>;
export function deflateSync(data: Uint8Array, options?: { level?: number }): Uint8Array<ArrayBuffer>;
export function inflateSync(data: Uint8Array, options?: { out?: Uint8Array }): Uint8Array<ArrayBuffer>;
export function strToU8(text: string): Uint8Array<ArrayBuffer>;
export function strFromU8(bytes: Uint8Array): string;
