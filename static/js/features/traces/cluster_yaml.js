/** The objects of kubectl's YAML. Aliases are refused, because they make a small file enormous. */

import { JSON_SCHEMA, loadAll } from "../../../vendor/js-yaml/js-yaml.mjs";
import { gettext } from "../../kit/words.js";

const MOST_BYTES = 50_000_000;
const MOST_DEPTH = 64;

/**
 * Return the objects of YAML documents, and of lists in them. Throws for text that is not YAML, too large or too deep.
 * @param {string} text
 * @returns {Record<string, unknown>[]}
 */
export function yamlObjects(text) {
  if (text.length > MOST_BYTES)
    throw new SyntaxError(
      gettext("The file is YAML of more than {most} bytes. Use -o json, which is faster.", { most: MOST_BYTES }),
    );
  /** @type {unknown[]} */
  let documents;
  try {
    documents = loadAll(text, null, { schema: JSON_SCHEMA });
  } catch (caught) {
    const error = /** @type {{mark?: {line: number}}} */ (caught);
    throw new SyntaxError(gettext("Line {line} of the file is not YAML.", { line: (error.mark?.line ?? 0) + 1 }));
  }
  const known = new Set();
  for (const document of documents) check(document, known, 0);
  return /** @type {(Record<string, unknown> & {items?: Record<string, unknown>[]} | null)[]} */ (documents).flatMap(
    (document) => {
      if (Array.isArray(document)) return document;
      return document && String(document.kind ?? "").endsWith("List")
        ? (document.items ?? [])
        : document
          ? [document]
          : [];
    },
  );
}

/**
 * Refuse aliases and deep nesting.
 * @param {unknown} value
 * @param {Set<object>} known  the objects so far; an alias gives the same object again
 * @param {number} depth
 */
function check(value, known, depth) {
  if (typeof value !== "object" || value === null) return;
  if (known.has(value)) throw new SyntaxError(gettext("The file has a YAML alias, which is refused."));
  if (depth > MOST_DEPTH)
    throw new SyntaxError(gettext("The file has more than {most} levels of nesting.", { most: MOST_DEPTH }));
  known.add(value);
  for (const inner of Object.values(value)) check(inner, known, depth + 1);
}
