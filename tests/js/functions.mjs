/** Finds the functions of a script and how long they are as written: blank lines, comments and brackets count. */

import { fullAncestor } from "acorn-walk";

import { treeOf } from "./texts.mjs";

/**
 * Each function with its first line (a method's or property's, where it has one) and its number of lines.
 * @param {string} source
 */
export function functionsOf(source) {
  /** @type {{name: string, line: number, lines: number}[]} */
  const found = [];
  fullAncestor(treeOf(source), (node, _state, ancestors) => {
    if (!/Function/.test(node.type)) return;
    const parent = ancestors.at(-2);
    const isMember = /^(MethodDefinition|Property|PropertyDefinition)$/.test(parent?.type) && parent.value === node;
    const owner = isMember ? parent : node;
    const name = owner.key?.name ?? owner.id?.name ?? parent?.id?.name ?? "(function)";
    found.push({ name, line: owner.loc.start.line, lines: node.loc.end.line - owner.loc.start.line + 1 });
  });
  return found;
}
