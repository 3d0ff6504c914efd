/** The words of a policy as a searchable table: name, unit, meaning, and current value. */

import { three } from "../../kit/format.js";
import { html, nothing, repeat } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";

/**
 * @import { PolicyLanguage } from "../../contract/api.js"
 */

/**
 * @typedef {PolicyLanguage["words"][number]} Word
 * @typedef {Record<string, [number, number] | null>} Values  the smallest and largest value of each word
 */

/**
 * Return the words whose name or meaning contains every search term.
 * @param {Word[]} words
 * @param {string} sought
 */
export function found(words, sought) {
  const parts = sought.toLowerCase().split(/\s+/).filter(Boolean);
  return words.filter(({ word, help }) => {
    const text = `${word} ${help}`.toLowerCase();
    return parts.every((part) => text.includes(part));
  });
}

/**
 * Format a word's value: one number, or the range over the machines.
 * @param {[number, number] | null | undefined} value
 * @param {string} unit
 */
export function valueText(value, unit) {
  if (!value) return "";
  const [low, high] = value;
  const plain = unit === "1" || unit === "0 or 1" ? "" : unit;
  const said = low === high ? three(low) : gettext("{low} to {high}", rangeOf(low, high));
  return plain ? `${said} ${plain}` : said;
}

function rangeOf(/** @type {number} */ low, /** @type {number} */ high) {
  return { low: three(low), high: three(high) };
}

/**
 * Return the table. A click on a word inserts it into the editor.
 * @param {{words: Word[], values: Values | null, used: Set<string>, sought: string, readOnly: boolean,
 *   insert: (word: string) => void}} options
 */
export function wordsView({ words, values, used, sought, readOnly, insert }) {
  const rows = found(words, sought);
  if (!rows.length) return html`<p class="policy-none">${gettext("No word matches.")}</p>`;
  return html`<table class="policy-table">
    <thead>
      <tr>
        <th scope="col">${gettext("Word")}</th>
        <th scope="col">${values ? gettext("Value now") : gettext("Unit")}</th>
      </tr>
    </thead>
    <tbody>
      ${repeat(
        rows,
        ({ word }) => word,
        ({ word, unit, help, known }) => html`<tr class=${used.has(word) ? "is-used" : ""}>
          <td>
            <button
              type="button"
              class="link policy-word"
              data-word=${word}
              ?disabled=${readOnly}
              @click=${() => insert(word)}
            >
              ${word}
            </button>
            <span class="policy-meaning">
              ${help}. ${known === "oracle" ? html`<em>${gettext("No real scheduler knows this.")}</em>` : nothing}
            </span>
          </td>
          <td class="policy-value">${values ? valueText(values[word], unit) : unit === "1" ? "" : unit}</td>
        </tr>`,
      )}
    </tbody>
  </table>`;
}
