/** What of js-yaml is used; see static/vendor/README.md for its version. */
export const JSON_SCHEMA: object;
export class YAMLException extends Error {
  mark?: { line: number };
}
export function loadAll(text: string, iterator: null, options: { schema: object }): unknown[];
export function dump(value: unknown): string;
