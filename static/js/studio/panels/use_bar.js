/** Under the bar of shares: how much of the datacenter each one uses, and how much of that is borrowed. */

import { percent } from "../../kit/format.js";
import { ownerColour } from "../../kit/palette.js";
import { childrenOf, h, isDark, onTheme } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";

/**
 * @typedef {{name: string, hue: number, deserved: number, used: number, borrowed: number, lent: number}} Use  shares of
 *   the whole datacenter, 0 to 1
 */

/** `set([{name, hue, deserved, used, borrowed, lent}] | null, caption)`: shares of the whole datacenter, 0 to 1. */
export function useBar() {
  const bar = h("div", { class: "use-bar", role: "img", hidden: true });
  /** @type {Use[] | null} */
  let rows = null;
  let caption = "";
  const words = (/** @type {Use} */ row) =>
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
  const draw = () => {
    bar.hidden = !rows;
    if (!rows) return;
    while (bar.childElementCount < rows.length)
      bar.append(h("span", { class: "use" }, h("i", { class: "use-borrowed" })));
    while (bar.childElementCount > rows.length) bar.lastElementChild?.remove();
    rows.forEach((row, place) => {
      const part = childrenOf(bar)[place];
      part.style.width = `${100 * Math.min(1, row.used)}%`;
      part.style.setProperty("--hue", ownerColour(row.hue, isDark()));
      childrenOf(part)[0].style.width = `${row.used > 0 ? (100 * row.borrowed) / row.used : 0}%`;
    });
    const text = `${caption} ${rows.slice(0, 8).map(words).join(". ")}.`;
    bar.dataset.tip = text;
    bar.setAttribute("aria-label", text);
  };
  onTheme(draw);
  return {
    element: bar,
    set(/** @type {Use[] | null} */ next, said = gettext("In use now.")) {
      rows = next;
      caption = said;
      draw();
    },
  };
}
