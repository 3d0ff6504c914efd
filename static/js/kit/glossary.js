/**
 * Explain the glossary's terms where they stand: the first occurrence of each in a page's prose gets a dotted underline
 * and a tip, on hover and on focus. Links, buttons, controls and texts that change are left as they are.
 */

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
const SOON_MS = 1500;

/** @typedef {{words: string[], text: string}} Term */

/**
 * Where the first of some terms stands in a text: {term, at, length}, or null.
 * @param {string} text
 * @param {Term[]} terms
 */
export function firstTerm(text, terms) {
  /** @type {{term: Term, at: number, length: number} | null} */
  let best = null;
  for (const term of terms)
    for (const word of term.words) {
      const found = new RegExp(`(?<![\\w-])${escaped(word)}(?![\\w-])`, caseOf(word)).exec(text);
      if (found && (!best || found.index < best.at || (found.index === best.at && word.length > best.length)))
        best = { term, at: found.index, length: word.length };
    }
  return best;
}

const escaped = (/** @type {string} */ word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
/** Abbreviations and names keep their case: CI is a term, ci is not. */
const caseOf = (/** @type {string} */ word) => (/[A-Z]/.test(word) ? "" : "i");

/** Fetch the terms once the page is at rest, and mark them. */
export function wireGlossary() {
  setTimeout(async () => {
    try {
      const answer = await fetch("/glossary.json");
      if (answer.ok) mark(document.body, (await answer.json()).terms);
    } catch {
      /* the page reads well without it */
    }
  }, SOON_MS);
}

/**
 * Mark the first occurrence of each term below an element.
 * @param {HTMLElement} root
 * @param {Term[]} terms
 */
function mark(root, terms) {
  const left = [...terms];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  /** @type {Text[]} */
  const texts = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) texts.push(/** @type {Text} */ (node));
  for (const text of texts) if (isProse(text.parentElement)) markIn(text, left);
}

/** @param {Element | null} element */
function isProse(element) {
  const prose = element?.closest(PROSE);
  if (!element || !prose || element.closest(LEAVE)) return false;
  return !Object.keys(/** @type {HTMLElement} */ (element).dataset).length;
}

/** @param {Text} text @param {Term[]} left */
function markIn(text, left) {
  const found = left.length ? firstTerm(text.data, left) : null;
  if (!found) return;
  left.splice(left.indexOf(found.term), 1);
  const word = text.splitText(found.at);
  const rest = word.splitText(found.length);
  const marked = document.createElement("dfn");
  marked.className = "term";
  marked.tabIndex = 0;
  marked.dataset.tip = found.term.text;
  marked.setAttribute("aria-description", found.term.text);
  word.replaceWith(marked);
  marked.append(word);
  markIn(rest, left);
}
