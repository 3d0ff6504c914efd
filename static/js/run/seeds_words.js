/** What a seed changes in an experiment, in the reader's language: the library writes it in English. */

import { gettext, measureName } from "../kit/words.js";

/** The library's sentences, and their parts, for the catalogue. */
export const SENTENCES = () => [
  gettext("Each seed draws other jobs from the same distributions."),
  gettext("Each seed draws other blocks of the trace's jobs (circular block bootstrap)."),
  gettext("The jobs are those of the trace under every seed."),
  gettext("The jobs are those of the experiment under every seed."),
  gettext("Resample the trace to vary the jobs, too."),
];
export const DRAWS = () => [
  gettext("the scheduler's own random choices"),
  gettext("which queue a job goes to"),
  gettext("which machines and tasks have which constraints"),
];
/** @type {[pattern: RegExp, words: (draws: string) => string][]} */
const LISTS = [
  [/^It also decides (.*)\.$/, (draws) => gettext("It also decides {draws}.", { draws })],
  [/^A seed only decides (.*)\.$/, (draws) => gettext("A seed only decides {draws}.", { draws })],
];

/**
 * Return the library's sentences in the reader's language; what is not known stays unchanged.
 * @param {string} said
 */
export function seedsWords(said) {
  return said
    .split(/(?<=\.) /)
    .map(sentenceWords)
    .join(" ");
}

/** @param {string} sentence */
function sentenceWords(sentence) {
  for (const [pattern, words] of LISTS) {
    const found = pattern.exec(sentence);
    if (found) return words(joined(found[1].split(/(?:, | and )(?=which |the )/).map(measureName)));
  }
  return measureName(sentence);
}

/** @param {string[]} parts */
function joined(parts) {
  if (parts.length < 2) return parts.join("");
  return gettext("{draws} and {last}", { draws: parts.slice(0, -1).join(", "), last: parts[parts.length - 1] });
}
