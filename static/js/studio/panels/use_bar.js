/** Below the bar of shares: how much of the datacenter each queue uses, and how much of that is borrowed. */

import { percent } from "../../kit/format.js";
import { ownerColour } from "../../kit/palette.js";
import { isDark } from "../../kit/dom.js";
import { html } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";

/**
 * @typedef {{name: string, hue: number, deserved: number, used: number, borrowed: number, lent: number}} Use  fractions
 *   of the whole datacenter, 0 to 1
 */

const wordsOf = (/** @type {Use} */ row) =>
  gettext("{name}: entitled to {deserved} of the datacenter, uses {used}{borrowed}{lent}", {
    name: row.name,
    deserved: percent(row.deserved),
    used: percent(row.used),
    borrowed:
      row.borrowed > 0.0005
        ? gettext(", including {borrowed} on borrowed machines", { borrowed: percent(row.borrowed) })
        : "",
    lent: row.lent > 0.0005 ? gettext("; {lent} is lent to others", { lent: percent(row.lent) }) : "",
  });

/** Return the bar: each queue's used fraction of the datacenter, with its borrowed part. */
export function useView(/** @type {Use[] | null} */ rows, caption = gettext("In use now.")) {
  if (!rows) return html`<div class="use-bar" role="img" hidden></div>`;
  const words = `${caption} ${rows.slice(0, 8).map(wordsOf).join(". ")}.`;
  const part = (/** @type {Use} */ { used, borrowed, hue }) => {
    const width = 100 * Math.min(1, used);
    const within = used > 0 ? (100 * borrowed) / used : 0;
    return html`<span class="use" .style=${`width: ${width}%; --hue: ${ownerColour(hue, isDark())}`}
      ><i class="use-borrowed" .style=${`width: ${within}%`}></i
    ></span>`;
  };
  return html`<div class="use-bar" role="img" data-tip=${words} aria-label=${words}>${rows.map(part)}</div>`;
}
