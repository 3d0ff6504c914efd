/** The waiting tasks over the run's time, by part of their wait: stacked areas for one group. */

import { axisSeconds, duration, whole } from "../../kit/format.js";
import { html, svgView } from "../../kit/view.js";
import { gettext, ngettext } from "../../kit/words.js";
import { arePlaced, placeWords } from "../../run/bottleneck_now.js";
import { worstOf } from "../../draw/charts/waits_over.js";

/**
 * @import { GroupOver, Over, Peak } from "../../draw/charts/waits_over.js"
 */

const WIDE = 240;

/** Return stacked areas, one for each part of the wait. The height represents `most` tasks. */
export function stackOf(/** @type {GroupOver} */ { parts }, /** @type {number} */ most, /** @type {number} */ tall) {
  const spans = parts[0].length;
  const foot = new Float64Array(spans);
  const areas = parts.map((part, place) => {
    const x = (/** @type {number} */ span) => ((span + 0.5) / spans) * WIDE;
    const y = (/** @type {number} */ value) => tall - (value / most) * tall;
    const under = [];
    const over = [];
    for (let span = 0; span < spans; span += 1) {
      under.push(`${x(span).toFixed(1)},${y(foot[span]).toFixed(2)}`);
      foot[span] += part[span];
      over.push(`${x(span).toFixed(1)},${y(foot[span]).toFixed(2)}`);
    }
    const points = [...over, ...under.reverse()].join(" ");
    return svgView`<polygon class=${`delay-area delay-${place}`} points=${points}></polygon>`;
  });
  return html`<svg viewBox=${`0 0 ${WIDE} ${tall}`} preserveAspectRatio="none" class="waits-over" aria-hidden="true">
    ${areas}
  </svg>`;
}

/** Return the largest mean number of a group's waiting tasks in a span. */
export function mostOf(/** @type {GroupOver} */ { parts }) {
  let most = 0;
  for (let span = 0; span < parts[0].length; span += 1)
    most = Math.max(
      most,
      parts.reduce((sum, part) => sum + part[span], 0),
    );
  return most;
}

/**
 * Return the caption: "Peak, at about 1 min 12 s: 2,216 tasks wait. Around this moment, 98 % wait in queues ..."
 * @param {Over} over
 * @param {Peak | null} peak
 * @param {number} never  tasks that wait until the run's end
 */
export function overCaption(over, peak, never = 0) {
  const worst = worstOf(over, peak);
  if (!worst) return gettext("At most one task waits at any time.");
  const first = ngettext(
    "Peak, at about {time}: {n} task waits.",
    "Peak, at about {time}: {count} tasks wait.",
    worst.tasks,
    { n: worst.tasks, count: whole(worst.tasks), time: duration(worst.t_ns) },
  );
  const where = arePlaced(worst.tasks, never) ? placeWords(over.groups[0], worst.span) : "";
  return [first, where].filter(Boolean).join(" ");
}

/**
 * Return the chart of all tasks with axes and caption. Its top is the peak, which no count on the page exceeds.
 * @param {Over} over
 * @param {Peak | null} peak
 * @param {number} never  tasks that wait until the run's end
 */
export function waitsChart(over, peak, never) {
  const most = worstOf(over, peak)?.tasks ?? 1;
  const caption = overCaption(over, peak, never);
  return html`<div class="bottleneck-over">
    <p class="chart-title">${gettext("Tasks that wait, over time")}</p>
    <div class="waits-over-frame" role="img" aria-label=${caption}>
      ${stackOf(over.groups[0], most, 72)}<span class="waits-over-most">${whole(most)}</span>
    </div>
    <p class="bottleneck-axis"><span>0</span> <span>${axisSeconds(over.until_ns / 1e9)}</span></p>
    <p class="chart-caption" data-waits-over=${over.of} data-waits-until=${Math.round(over.until_ns)}>${caption}</p>
  </div>`;
}
