/** The spread of one metric over combinations: a dot for each, over a box of quartiles. */

import { axisOf, boxOf, stripOf, tellSpread } from "./stage_combinations.js";
import { three } from "../../kit/format.js";
import { classMap, html, nothing, repeat, svgView } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";

/** @import { Box, Metric, StudyCell } from "./stage_combinations.js" */

/**
 * @typedef {object} StripActs
 * @property {(cell: number | null) => void} over  called with the hovered or focused combination
 * @property {(cell: number) => void} stop  called when Tab should stop at this dot
 * @property {(cell: StudyCell) => string} tell
 */

const FEW = 5; // fewer values have no useful quartiles
const [WIDTH, HEIGHT, MIDDLE, DOT] = [520, 64, 28, 4];

/**
 * @param {Metric} metric
 * @param {StudyCell[]} cells
 * @param {{marked: number | null, isAbove: boolean, tabStop: number | undefined}} now  `isAbove`: true if the
 *   highlighted dot lies above the others
 * @param {StripActs} acts
 */
export function stripView(metric, cells, now, acts) {
  const values = cells.map((cell) => cell.value);
  const box = boxOf(values);
  const axis = axisOf(values);
  const spread = box ? `${tellSpread(cells)}${axis.log ? gettext(", log scale") : ""}` : "";
  return html`<section class="strip" data-metric=${metric.id}>
    <h3 class="strip-title" data-cell-tip=${metric.help}
      ><b>${metric.id}</b> ${metric.name} <span class="strip-spread">${spread}</span></h3
    >
    <svg
      viewBox="0 0 ${WIDTH} ${HEIGHT}"
      class="strip-plot"
      role="group"
      aria-label=${gettext("{name}, one dot a combination", { name: metric.name })}
    >
      ${box ? boxView(box, (value) => axis.place(value) * WIDTH, metric.unit, cells.length >= FEW) : nothing}
      ${box ? dotsView(stripOf(cells, axis, (2 * DOT + 1) / WIDTH), now, acts) : nothing}
    </svg>
  </section>`;
}

/**
 * Return the whiskers with their values, the box between the quartiles, and the median's line.
 * @param {Box} box
 * @param {(value: number) => number} x  returns the position of a value
 * @param {string} unit
 * @param {boolean} quartiles
 */
function boxView(box, x, unit, quartiles) {
  const label = (/** @type {number} */ value, /** @type {number} */ place, /** @type {string} */ anchor) =>
    svgView`<text class="strip-label" x=${place} y=${HEIGHT - 4} text-anchor=${anchor}
      >${three(value)}${unit ? ` ${unit}` : ""}</text>`;
  const [top, bottom] = [MIDDLE - 14, MIDDLE + 14];
  return svgView`
    <line class="strip-whisker" x1=${x(box.low)} x2=${x(box.high)} y1=${MIDDLE} y2=${MIDDLE} />
    ${
      quartiles
        ? svgView`
          <rect class="strip-box" x=${x(box.q1)} y=${top} width=${Math.max(1, x(box.q3) - x(box.q1))} height="28" />
          <line class="strip-median" x1=${x(box.median)} x2=${x(box.median)} y1=${top} y2=${bottom} />`
        : nothing
    }
    ${label(box.low, Math.max(2, x(box.low) - 8), "start")}
    ${box.high > box.low ? label(box.high, Math.min(WIDTH - 2, x(box.high) + 8), "end") : nothing}`;
}

/**
 * @param {ReturnType<typeof stripOf>} placed  in the order of the arrow keys
 * @param {{marked: number | null, isAbove: boolean, tabStop: number | undefined}} now
 * @param {StripActs} acts
 */
function dotsView(placed, { marked, isAbove, tabStop = placed[0]?.cell.cell }, acts) {
  const most = Math.max(...placed.map((each) => each.row));
  const step = Math.min(2 * DOT, 44 / Math.max(1, most));
  const above = placed.filter((each) => isAbove && each.cell.cell === marked);
  const order = [...placed.filter((each) => !above.includes(each)), ...above];
  return repeat(
    order,
    (each) => each.cell.cell,
    ({ cell, x, row }) => {
      const words = acts.tell(cell);
      // Rows alternate above and below the middle.
      const y = MIDDLE + (row % 2 ? -1 : 1) * Math.ceil(row / 2) * step;
      return svgView`<circle
        class=${classMap({ "strip-dot": true, "is-marked": cell.cell === marked })}
        cx=${x * WIDTH}
        cy=${Math.min(MIDDLE + 22, Math.max(DOT, y))}
        r=${DOT}
        tabindex=${cell.cell === tabStop ? 0 : -1}
        role="img"
        data-cell=${cell.cell}
        aria-label=${words}
        data-cell-tip=${words}
        @pointerenter=${() => acts.over(cell.cell)}
        @pointerleave=${() => acts.over(null)}
        @focus=${() => acts.over(cell.cell)}
        @keydown=${(/** @type {KeyboardEvent} */ event) => onKey(event, placed, acts)}
      />`;
    },
  );
}

/**
 * Go to the dot on the left or the right of the focused one.
 * @param {KeyboardEvent} event
 * @param {ReturnType<typeof stripOf>} placed
 * @param {StripActs} acts
 */
function onKey(event, placed, acts) {
  /** @type {Record<string, number>} */
  const steps = { ArrowLeft: -1, ArrowRight: 1 };
  const step = steps[event.key];
  const dot = /** @type {SVGElement} */ (event.currentTarget);
  const at = placed.findIndex(({ cell }) => String(cell.cell) === dot.dataset.cell);
  if (!step || at < 0) return;
  event.preventDefault();
  const next = placed[at + step]?.cell.cell;
  if (next === undefined) return;
  acts.stop(next);
  /** @type {SVGElement | null | undefined} */ (dot.parentElement?.querySelector(`[data-cell="${next}"]`))?.focus();
}
