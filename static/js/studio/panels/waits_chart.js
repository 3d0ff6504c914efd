/** The waiting tasks over the run's time, by part of their wait: stacked areas for one group. */

import { axisSeconds, duration, percent, whole } from "../../kit/format.js";
import { html, svgView } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";
import { PLACES } from "../../run/bottleneck_now.js";
import { worstSpan } from "../../draw/charts/waits_over.js";

/** @typedef {import("../../draw/charts/waits_over.js").GroupOver} GroupOver */

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

/** Return the largest number of a group's tasks that wait at one time. */
export function mostOf(/** @type {GroupOver} */ { parts }) {
  let most = 0;
  for (let span = 0; span < parts[0].length; span += 1)
    most = Math.max(
      most,
      parts.reduce((sum, part) => sum + part[span], 0),
    );
  return most;
}

/** Return the caption: "Peak, at about 1 min 12 s: 2,216 tasks wait, 98 % of them in queues of schedulers." */
export function overCaption(/** @type {GroupOver} */ group, /** @type {number} */ span_ns) {
  const worst = worstSpan(group, span_ns);
  if (!worst) return gettext("At most one task waits at any time.");
  return gettext("Peak, at about {time}: {tasks} tasks wait, {share} of them {part}.", {
    time: duration((worst.from_ns + worst.until_ns) / 2),
    tasks: whole(Math.round(worst.tasks)),
    share: percent(worst.share),
    part: PLACES[worst.part],
  });
}

/** Return the chart of all tasks with axes and caption. */
export function waitsChart(/** @type {import("../../draw/charts/waits_over.js").Over} */ over) {
  const [all] = over.groups;
  const most = Math.max(1, mostOf(all));
  const caption = overCaption(all, over.span_ns);
  return html`<div class="bottleneck-over">
    <p class="chart-title">${gettext("Tasks that wait, over time")}</p>
    <div class="waits-over-frame" role="img" aria-label=${caption}>
      ${stackOf(all, most, 72)}<span class="waits-over-most">${whole(Math.round(most))}</span>
    </div>
    <p class="bottleneck-axis"><span>0</span> <span>${axisSeconds(over.until_ns / 1e9)}</span></p>
    <p class="chart-caption" data-waits-over=${over.of} data-waits-until=${Math.round(over.until_ns)}>${caption}</p>
  </div>`;
}
