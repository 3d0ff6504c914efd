/**
 * Finds the texts in a script's source: those that go through gettext or ngettext (the catalogue), and literals that a
 * person would read and that do not (mistakes). It reads the syntax tree.
 */

import { parse } from "acorn";
import { ancestor, full } from "acorn-walk";

/** Attributes, properties and options whose value a person reads, even where it is a single word. */
const READ = new Set(
  "title aria-label placeholder data-tip alt label help question note text about aria-valuetext textContent"
    .split(" ")
    .concat("tip sentence words empty".split(" ")),
);
/** Calls whose arguments a person reads. */
const SAYS = new Set(["notice", "say", "openDialog", "confirm", "figure", "fold", "part", "complain"]);
const WRAPS = new Set(["gettext", "ngettext"]);
/** Properties and attributes whose value is code. */
const CODE = new Set(
  "class className d transform viewBox points font style id href src type rel for name role path accept method cssText"
    .split(" ")
    .concat("dash fill stroke filter background color mime selector kind authorization upload-metadata".split(" ")),
);
/** Functions whose arguments are code. A message of Error, or of `refuse`, is for developers. */
const CODE_CALLS = new Set(
  "part querySelector querySelectorAll closest matches add remove toggle contains getElementById addEventListener"
    .split(" ")
    .concat("removeEventListener dispatchEvent setProperty matchMedia token icon Error TypeError RangeError".split(" "))
    .concat("refuse")
    .concat("CustomEvent Event Set get set has startsWith endsWith includes split join replace replaceAll".split(" "))
    .concat("indexOf test fetch log warn error getItem setItem removeItem removeAttribute getAttribute".split(" ")),
);
/** Keys as the browser names them. */
const KEYS = new Set(["Enter", "Escape", "Tab", "Home", "End", "Delete", "Insert", "Backspace"]);
/** What stands for a value in a text while it is judged. */
const HOLE = "\ufffc";
const WORD = /\p{L}{2,}/u;
const SENTENCE = new RegExp(`\\p{L}{2,}[,;:.…)]* +[(]?[\\p{L}${HOLE}]|[\\p{L}%${HOLE}][,;:.…)]* +\\p{L}{2,}`, "u");
const NAME = /^\p{Lu}\p{Ll}{2,}[.…]?$/u;
/** Tags of templates whose literals are markup. */
const VIEWS = new Set(["html", "svgView"]);
const MARKUP = /^<|\b(sans-serif|monospace)\b/;

export function treeOf(source) {
  return parse(source, { ecmaVersion: "latest", sourceType: "module", locations: true });
}

/** A literal's text with a hole for each value, or null for what is no text. */
export function textOf(node) {
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : null;
  return node.type === "TemplateLiteral" ? node.quasis.map((each) => each.value.cooked).join(HOLE) : null;
}

/**
 * The literals that a person reads and that do not go through gettext: {node, line, text}.
 * @param {string} source
 */
export function strayTexts(source) {
  const found = [];
  const look = (node, _state, ancestors) => {
    const template = ancestors[ancestors.length - 2];
    if (template?.type === "TaggedTemplateExpression" && VIEWS.has(template.tag.name)) {
      const written = wordsOfView(textOf(node));
      if (written) found.push({ node, line: node.loc.start.line, text: written });
      return;
    }
    const text = textOf(node);
    if (text === null || !WORD.test(text) || KEYS.has(text) || isMarkup(ancestors)) return;
    const place = placeOf(ancestors);
    if (place === "code") return;
    if (place === "read" || SENTENCE.test(text) || NAME.test(text))
      found.push({ node, line: node.loc.start.line, text: text.replaceAll(HOLE, "{}") });
  };
  ancestor(treeOf(source), { Literal: look, TemplateLiteral: look });
  return found;
}

/** The words that a view's template has between its tags or in an attribute that a person reads; "" for none. */
function wordsOfView(template) {
  const between = template.replace(/<!--.*?-->|<[^>]*>/gs, " ").replace(/&\w+;/g, " ");
  const attributes = [...template.matchAll(/\s([\w-]+)="([^"]*)"/g)].filter(([, name]) => READ.has(name));
  return [between, ...attributes.map(([, , value]) => value)]
    .map((text) => text.replaceAll(HOLE, " ").trim())
    .filter((text) => WORD.test(text))
    .join(" ");
}

/** Whether a literal is a part of a text, joined by +, that begins as markup does. */
function isMarkup(ancestors) {
  let at = ancestors.length - 1;
  while (at > 0 && ancestors[at - 1].type === "BinaryExpression") at -= 1;
  let first = ancestors[at];
  while (first.type === "BinaryExpression") first = first.left;
  return MARKUP.test(textOf(first) ?? "");
}

/** Where a literal stands: "read" by a person, "code", or "" where its own shape decides. */
function placeOf(ancestors) {
  for (let at = ancestors.length - 2; at >= 0; at -= 1) {
    const place = placeIn(ancestors[at], ancestors[at + 1]);
    if (place !== null) return place;
  }
  return "";
}

/** What a node says about a child of it, or null where the node around decides. */
function placeIn(parent, child) {
  if (/^(Import|Export(Named|All)Declaration)/.test(parent.type)) return "code";
  if (parent.type === "CallExpression" || parent.type === "NewExpression") return placeInCall(parent, child);
  if (parent.type === "Property")
    return parent.key === child ? "code" : placeUnder(parent.key.name ?? parent.key.value);
  if (parent.type === "BinaryExpression") return /^[!=]==?$|^in$/.test(parent.operator) ? "code" : null;
  if (parent.type === "SwitchCase") return parent.test === child ? "code" : "";
  if (parent.type === "MemberExpression") return parent.property === child ? "code" : "";
  if (parent.type === "ConditionalExpression")
    return parent.test === child ? "" : isWrapped(parent.consequent) || isWrapped(parent.alternate) ? "read" : null;
  if (parent.type === "AssignmentExpression") {
    const [owner, name] = [parent.left.object?.property?.name, parent.left.property?.name];
    return owner === "style" || (owner === "dataset" && !READ.has(name)) ? "code" : placeUnder(name);
  }
  if (parent.type === "TemplateLiteral") return placeInTemplate(parent, child);
  return /Function|Statement|Declarat|PropertyDefinition/.test(parent.type) ? "" : null;
}

/** A value of an attribute of markup is what a person reads, or code; elsewhere its own shape decides. */
function placeInTemplate(template, child) {
  const before = template.quasis[template.expressions.indexOf(child)]?.value.cooked ?? "";
  const [, name] = /\s[.?@]?([\w-]+)=("[^"]*)?$/.exec(before) ?? [];
  return name ? (READ.has(name) ? "read" : "code") : "";
}

function isWrapped(node) {
  return node.type === "CallExpression" && WRAPS.has(node.callee.name);
}

function placeUnder(name) {
  const known = String(name).toLowerCase();
  return CODE.has(name) || CODE.has(known) ? "code" : READ.has(name) ? "read" : "";
}

function placeInCall(call, child) {
  const name = call.callee.property?.name ?? call.callee.name;
  const at = call.arguments.indexOf(child);
  if (WRAPS.has(name) || CODE_CALLS.has(name)) return "code";
  if (name === "h" || name === "svg") return at === 0 ? "code" : at >= 2 ? "read" : "";
  if (name === "setAttribute") return at === 0 ? "code" : placeUnder(call.arguments[0].value);
  return SAYS.has(name) ? "read" : "";
}

/**
 * The texts of a source's gettext and ngettext, in order: [text] or [one, many]; `mistakes` are calls whose text is no
 * literal or whose places have no values.
 * @param {string} source
 */
export function messagesOf(source) {
  /** @type {{texts: string[], line: number}[]} */
  const messages = [];
  /** @type {string[]} */
  const mistakes = [];
  full(treeOf(source), (node) => {
    if (node.type !== "CallExpression" || !WRAPS.has(node.callee.name)) return;
    const forms = node.callee.name === "gettext" ? 1 : 2;
    const texts = node.arguments.slice(0, forms).map(constant);
    const line = node.loc.start.line;
    if (texts.length < forms || texts.some((text) => text === null)) mistakes.push(`${line}: no literal`);
    else {
      messages.push({ texts, line });
      const given = valuesOf(node.arguments[forms === 1 ? 1 : 3]);
      if (forms === 2) given?.add("n");
      const missing = [...texts.join(" ").matchAll(/\{(\w+)\}/g)]
        .map(([, name]) => name)
        .filter((name) => !given?.has(name));
      if (given && missing.length) mistakes.push(`${line}: no value for {${missing.join("}, {")}}`);
    }
  });
  return { messages: messages.sort((a, b) => a.line - b.line), mistakes };
}

/** The names of a call's values; null where they are not written there. */
function valuesOf(node) {
  if (!node) return new Set();
  if (node.type !== "ObjectExpression" || node.properties.some((each) => each.type !== "Property")) return null;
  return new Set(node.properties.map((each) => each.key.name ?? each.key.value));
}

/** The value of a string that is written out, in parts with + between them or whole. */
function constant(node) {
  if (node.type === "BinaryExpression" && node.operator === "+") {
    const [left, right] = [constant(node.left), constant(node.right)];
    return left === null || right === null ? null : left + right;
  }
  return node.type === "Literal" && typeof node.value === "string" ? node.value : null;
}
