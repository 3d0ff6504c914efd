/**
 * Forks of an experiment as dots over two axes: all students' on the teacher's wall, a student's own tries on a phone.
 */

import { three, whole, withUnit } from "../../kit/format.js";
import { html, nothing, svgView } from "../../kit/view.js";
import { declared, gettext, measureName } from "../../kit/words.js";
import { BOX } from "./axes.js";
import { placeOf, ticksOf } from "./scale.js";

/** @typedef {import("../../contract/contract").ClassExplore} ClassExplore */
/** @typedef {import("./class_api.js").Value} Value */
/** @typedef {{values: Record<string, Value>, figures: Record<string, number | null> | null,
 *   by_phone?: boolean}} Fork  `by_phone`: a phone computed the figures, not the server */
/** @typedef {Fork & {number?: number, name?: string, own?: boolean}} Dot */
/**
 * @typedef {{name: string, label: string, unit: string, low: number, high: number, log: boolean, choices: Value[]}}
 *   Axis
 */

/** From this ratio of largest to smallest value on, an axis is logarithmic. */
const WIDE = 50;
const MARGIN = 0.06;

/** Return a fork's value on an axis; null if it is not known yet. */
export function valueOn(/** @type {string} */ name, /** @type {Fork} */ fork) {
  return fork.values[name] ?? fork.figures?.[name] ?? null;
}

/**
 * Return an axis of the wall: an open parameter between its bounds, or a metric over the range of the forks.
 * @param {ClassExplore} explore
 * @param {string} name
 * @param {Fork[]} forks
 * @returns {Axis}
 */
export function axisOf(explore, name, forks) {
  const knob = explore.knobs.find((one) => one.path === name);
  if (knob) {
    const choices = knob.kind === "switch" ? [false, true] : knob.choices;
    const [low, high] = [knob.least ?? 0, knob.most ?? 1];
    const log = low > 0 && high / low > WIDE;
    return { name, label: knob.label, unit: knob.unit, low, high, log, choices };
  }
  const { label, unit } = explore.measures.find((one) => one.name === name) ?? { label: name, unit: "" };
  const known = forks.map((fork) => valueOn(name, fork)).filter((value) => typeof value === "number");
  // A band that reaches down to 0 does not take the logarithmic scale away.
  const values = [...known, ...(explore.noise?.[name] ?? []).filter((end) => end > 0)];
  const [least, most] = values.length ? [Math.min(...values), Math.max(...values)] : [0, 1];
  const log = least > 0 && most / least > WIDE;
  const room = log ? (most / least) ** MARGIN : (most - least || Math.abs(most) || 1) * MARGIN;
  const bottom = explore.noise?.[name]?.[0] === 0 ? 0 : least;
  const low = log ? least / room : bottom >= 0 ? Math.max(0, bottom - room) : bottom - room;
  return { name, label: measureName(label), unit, low, high: log ? most * room : most + room, log, choices: [] };
}

/** Return a value's position on an axis, from 0 to 1; null if it is not on the axis. */
export function placeOn(/** @type {Axis} */ axis, /** @type {Value | null} */ value) {
  if (axis.choices.length) {
    const at = axis.choices.indexOf(/** @type {Value} */ (value));
    return at < 0 ? null : (at + 0.5) / axis.choices.length;
  }
  return typeof value === "number" ? placeOf(axis, value) : null;
}

/** Format a value of an axis. */
export function wordsOn(/** @type {{unit: string}} */ axis, /** @type {Value | null | undefined} */ value) {
  if (value === null || value === undefined) return "–";
  return withUnit(value, axis.unit === "1" ? "share" : axis.unit);
}

const xAt = (/** @type {number} */ place) => BOX.left + place * (BOX.right - BOX.left);
const yAt = (/** @type {number} */ place) => BOX.bottom - place * (BOX.bottom - BOX.top);

/**
 * Return true if an axis's name contains its unit. A long unit, such as `probes per task`, would not fit beside each
 * tick. Fractions are shown in percent.
 */
const inName = (/** @type {Axis} */ axis) => !axis.choices.length && axis.unit.length > 3 && axis.unit !== "share";

/** Return the label below an axis. */
export function nameOf(/** @type {Axis} */ axis) {
  return inName(axis) ? `${axis.label}, ${declared({ unit: axis.unit }).unit}` : axis.label;
}

export function ticksOn(/** @type {Axis} */ axis) {
  if (!axis.choices.length) return ticksOf(axis, (value) => (inName(axis) ? three(value) : wordsOn(axis, value)));
  return axis.choices.map((value) => ({ place: placeOn(axis, value) ?? 0, words: wordsOn(axis, value) }));
}

function axesView(/** @type {Axis} */ x, /** @type {Axis} */ y) {
  const text = (/** @type {number} */ at, /** @type {number} */ up, /** @type {string} */ words, anchor = "middle") =>
    svgView`<text x=${at} y=${up} text-anchor=${anchor} class="axis-text">${words}</text>`;
  const level = (/** @type {number} */ up) =>
    svgView`<line x1=${BOX.left} x2=${BOX.right} y1=${up} y2=${up} class="axis-line" />`;
  return svgView`<g aria-hidden="true">
    ${ticksOn(y).map(({ place, words }) => [level(yAt(place)), text(BOX.left - 6, yAt(place) + 4, words, "end")])}
    ${ticksOn(x).map(({ place, words }) => text(xAt(place), BOX.bottom + 18, words))}
    ${text((BOX.left + BOX.right) / 2, BOX.height - 6, nameOf(x))}
  </g>`;
}

/**
 * Return the band of an axis in which runs of the teacher's values lie under other seeds; null if it is not known.
 * @param {Axis} axis
 * @param {number[] | undefined} ends
 * @param {boolean} upright  true for the horizontal axis, whose band is upright
 */
function bandView(axis, ends, upright) {
  if (!ends) return null;
  const [low, high] = ends.map((end) => placeOf(axis, end));
  const box = upright
    ? { x: xAt(low), y: BOX.top, width: xAt(high) - xAt(low), height: BOX.bottom - BOX.top }
    : { x: BOX.left, y: yAt(high), width: BOX.right - BOX.left, height: yAt(low) - yAt(high) };
  return svgView`<rect
    class="dots-band"
    data-band=${axis.name}
    x=${box.x}
    y=${box.y}
    width=${box.width}
    height=${box.height}
  />`;
}

/**
 * Return the dots. `act` is called with a tapped fork.
 * @template {Dot} T
 * @param {ClassExplore} explore
 * @param {T[]} forks
 * @param {(fork: T) => void} [act]
 */
export function dotsView(explore, forks, act) {
  const teacher = {
    values: Object.fromEntries(explore.knobs.map((one) => [one.path, one.value])),
    figures: explore.base,
  };
  const [x, y] = [explore.x, explore.y].map((name) => axisOf(explore, name, [teacher, ...forks]));
  const spot = (/** @type {Dot} */ fork) => {
    const [across, up] = [placeOn(x, valueOn(x.name, fork)), placeOn(y, valueOn(y.name, fork))];
    return across === null || up === null ? null : { cx: xAt(across), cy: yAt(up) };
  };
  const dotView = (/** @type {T} */ fork) => {
    const at = spot(fork);
    if (!at) return nothing;
    const said = [fork.name, ...[x, y].map((axis) => `${axis.label} ${wordsOn(axis, valueOn(axis.name, fork))}`)];
    return svgView`<circle
      cx=${at.cx}
      cy=${at.cy}
      r=${fork.own ? 7 : 6}
      class="dot${fork.own ? " is-own" : ""}${act ? " is-open" : ""}"
      data-dot=${fork.number ?? ""}
      @click=${act ? () => act(fork) : nothing}
    ><title>${said.filter(Boolean).join(" · ")}</title></circle>`;
  };
  const base = spot(teacher);
  const bands = [bandView(x, explore.noise?.[x.name], true), bandView(y, explore.noise?.[y.name], false)];
  const noise = bands.some(Boolean)
    ? gettext(
        "The band is where 95 % of runs with the teacher’s values and other seeds are expected. " +
          "A try in it may differ by chance.",
      )
    : "";
  const ring = gettext("The ring marks the teacher’s values.");
  const { reduced } = explore;
  const end = reduced === null ? "" : gettext("Previews end after {tasks} tasks.", { tasks: whole(reduced) });
  return html`<figure class="dots">
    <figcaption class="dots-axis">${y.label}</figcaption>
    <svg
      class="dots-picture"
      viewBox="0 0 ${BOX.width} ${BOX.height}"
      role="img"
      aria-label=${gettext("{y} over {x}, a dot for each try", { x: x.label, y: y.label })}
    >
      ${bands} ${axesView(x, y)} ${forks.map(dotView)}
      ${
        base
          ? svgView`<circle cx=${base.cx} cy=${base.cy} r="9" class="dot-base"
              ><title>${gettext("The teacher’s values")}</title></circle>`
          : nothing
      }
    </svg>
    <p class="class-note" data-says="preview:tasks">${[ring, noise, end].filter(Boolean).join(" ")}</p>
  </figure>`;
}
