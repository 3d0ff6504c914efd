/**
 * Mark glossary terms in the page: the first occurrence of each term in the prose, in each studio panel and in each
 * dialog gets a dotted underline and a tooltip. Links, buttons, controls and changing texts are not marked.
 */

import { wireTips } from "./tips.js";

const PROSE = ["p", "li", "dd", "dt", "th", "td", "figcaption"].join();
const LEAVE = [
  "a",
  "button",
  "label",
  "summary",
  "select",
  "textarea",
  "code",
  "pre",
  "svg",
  "dfn",
  "nav",
  "form",
  "[data-tip]",
  "[aria-live]",
  "[role]",
].join();
/** Parts that people read on their own. Each part marks its terms again, even if the rest of the page already does. */
const PARTS = ["details.panel", "dialog"].join();
/**
 * Delays of the search for terms: after the page has loaded, later for parts added since, and after each click that
 * opens a part.
 */
const SOON_MS = [1500, 6000, 20000];
const AFTER_OPENING_MS = 500;

/** @typedef {{words: string[], text: string}} Term */
/** @typedef {{pattern: RegExp, byWord: Map<string, {word: string, term: Term}>}} Finder */

/** @type {WeakMap<Term[], Finder>} */
const finders = new WeakMap();

/**
 * Return the first of some terms in a text as {term, at, length}, the longest term at a position, or null.
 * @param {string} text
 * @param {Term[]} terms
 * @param {(term: Term) => boolean} wanted
 */
export function firstTerm(text, terms, wanted = () => true) {
  const { pattern, byWord } = finderOf(terms);
  for (const found of text.matchAll(pattern)) {
    const named = byWord.get(found[0].toLowerCase());
    // Abbreviations and names are case-sensitive: CI is a term, ci is not.
    const cased = named && (!/[A-Z]/.test(named.word) || named.word === found[0]);
    if (cased && wanted(named.term)) return { term: named.term, at: found.index, length: found[0].length };
  }
  return null;
}

/** @param {Term[]} terms @returns {Finder} */
function finderOf(terms) {
  const known = finders.get(terms);
  if (known) return known;
  const named = terms.flatMap((term) => term.words.map((word) => ({ word, term })));
  const longest = named.map(({ word }) => escaped(word)).sort((one, other) => other.length - one.length);
  const made = {
    pattern: new RegExp(`(?<![\\w-])(?:${longest.join("|")})(?![\\w-])`, "gi"),
    byWord: new Map(named.map((each) => [each.word.toLowerCase(), each])),
  };
  finders.set(terms, made);
  return made;
}

const escaped = (/** @type {string} */ word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Mark terms on a page that has no other tooltips. */
export function wireGlossaryAndTips() {
  wireTips();
  wireGlossary();
}

/** Fetch the terms once the page is idle and mark them, then again in parts that were added or opened since. */
export function wireGlossary() {
  /** @type {Term[] | null} */
  let terms = null;
  const marks = new Marks();
  const look = async () => {
    try {
      if (!terms) {
        const answer = await fetch("/glossary.json");
        if (answer.ok) terms = (await answer.json()).terms;
      }
      if (terms?.length) marks.look(document.body, terms);
    } catch {
      /* The page works without the glossary. */
    }
  };
  let timer = 0;
  const soon = () => {
    clearTimeout(timer);
    timer = window.setTimeout(look, AFTER_OPENING_MS);
  };
  for (const after of SOON_MS) setTimeout(look, after);
  for (const opened of ["click", "toggle"]) document.addEventListener(opened, soon, { capture: true, passive: true });
}

/** The marked terms of each part of the page. */
class Marks {
  /** @type {WeakSet<Text>} */
  #read = new WeakSet();
  /** @type {WeakMap<Element, Map<Term, HTMLElement>>} */
  #found = new WeakMap();

  /** @param {HTMLElement} root @param {Term[]} terms */
  look(root, terms) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    /** @type {Text[]} */
    const texts = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (!this.#read.has(/** @type {Text} */ (node)) && /\w/.test(node.textContent ?? ""))
        texts.push(/** @type {Text} */ (node));
    for (const text of texts)
      if (text.parentElement?.checkVisibility() && isProse(text.parentElement)) this.#mark(text, terms);
  }

  /** @param {Text} text @param {Term[]} terms */
  #mark(text, terms) {
    const part = text.parentElement?.closest(PARTS) ?? document.body;
    const found = this.#found.get(part) ?? new Map();
    this.#found.set(part, found);
    /** @type {ChildNode[]} */
    const made = [];
    for (let rest = text; ; made.push(rest)) {
      this.#read.add(rest);
      const first = firstTerm(rest.data, terms, (term) => !found.get(term)?.isConnected);
      if (!first) break;
      const word = rest.splitText(first.at);
      rest = word.splitText(first.length);
      const marked = markOf(first.term);
      word.replaceWith(marked);
      marked.append(word);
      found.set(first.term, marked);
      made.push(marked);
    }
    if (made.length) this.#followChange(text, made);
  }

  /**
   * Remove the marks of a text when it changes. A view writes the new text into its own node, which is the first piece
   * of the former text; the other pieces would stay behind it.
   * @param {Text} text
   * @param {ChildNode[]} made
   */
  #followChange(text, made) {
    const observer = new MutationObserver(() => {
      observer.disconnect();
      for (const piece of made) piece.remove();
      this.#read.delete(text);
    });
    observer.observe(text, { characterData: true });
  }
}

/** @param {Term} term */
function markOf(term) {
  const marked = document.createElement("dfn");
  marked.className = "term";
  marked.tabIndex = 0;
  marked.dataset.tip = term.text;
  marked.setAttribute("aria-description", term.text);
  return marked;
}

/** @param {Element | null} element */
function isProse(element) {
  const prose = element?.closest(PROSE);
  if (!element || !prose || element.closest(LEAVE)) return false;
  // In a flex or grid container each piece of the text would become an item of its own.
  if (/flex|grid/.test(getComputedStyle(element).display)) return false;
  return !Object.keys(/** @type {HTMLElement} */ (element).dataset).length;
}
