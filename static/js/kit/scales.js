/** Slider positions for values (linear, or logarithmic with round steps), spans and axis ticks. */

const STEPS = 100;

/**
 * @typedef {{min?: number | null, max?: number | null, kind?: string, default?: unknown, scale?: string, open?:
 *   boolean}}
 *   Knob
 * @typedef {{toValue: (position: number) => number, toPosition: (value: number) => number}} Slider  positions are
 *   0..100
 */

/**
 * Round to two significant digits, so that a dragged value looks like a typed one.
 * @param {number} value
 */
export function tidy(value, integer = false) {
  if (value === 0) return 0;
  const digits = integer && Math.abs(value) < 100 ? String(Math.round(Math.abs(value))).length : 2;
  const rounded = Number(value.toPrecision(Math.max(1, digits)));
  return integer ? Math.round(rounded) : rounded;
}

/**
 * Return a slider with positions 0..100 for a parameter {min, max, kind, default, scale}. Wide or open ranges are
 * logarithmic around the default: a linear slider from 0 to 86,400 is useless near 10.
 * @param {Knob} knob
 * @returns {Slider}
 */
export function sliderFor(knob) {
  const integer = knob.kind === "integer";
  const start = typeof knob.default === "number" && knob.default > 0 ? knob.default : 1;
  let low = knob.min ?? 0;
  let high = knob.max ?? start * 100;
  const log = knob.scale === "log" || (knob.scale === undefined && high / Math.max(low, 1e-12) > 50 && high > 0);
  if (!log) {
    return {
      toValue: (position) =>
        clampTo(knob, tidyLinear(low + ((high - low) * position) / STEPS, (high - low) / STEPS, integer)),
      toPosition: (value) => Math.min(STEPS, Math.max(0, ((value - low) / (high - low || 1)) * STEPS)),
    };
  }
  if (knob.scale !== "log") {
    high = Math.min(high, start * 1000);
    low = Math.max(low, start / 1000);
  }
  const least = Math.max(low, integer ? 1 : high / 1e9);
  const span = Math.log(high / least);
  const zero = (knob.min ?? 0) === 0 && !knob.open && knob.scale !== "log";
  return {
    toValue: (position) =>
      zero && position <= 0 ? 0 : clampTo(knob, tidy(least * Math.exp((span * position) / STEPS), integer)),
    toPosition: (value) => (value <= least ? 0 : Math.min(STEPS, (Math.log(value / least) / span) * STEPS)),
  };
}

/**
 * Return the next value up (`way` 1) or down (-1) that a slider can show. Values are rounded, so several positions may
 * share one.
 * @param {Slider} slider
 * @param {number} value
 * @param {number} way
 */
export function stepped(slider, value, way, step = 0.25) {
  let position = slider.toPosition(value);
  while (way > 0 ? position < STEPS : position > 0) {
    position = Math.min(STEPS, Math.max(0, position + way * step));
    const next = slider.toValue(position);
    if ((next - value) * way > 0) return next;
  }
  const end = slider.toValue(way > 0 ? STEPS : 0);
  return (end - value) * way > 0 ? end : value;
}

/**
 * @param {number} value
 * @param {number} step
 * @param {boolean} integer
 */
function tidyLinear(value, step, integer) {
  if (integer) return Math.round(value);
  const digits = Math.max(0, Math.ceil(-Math.log10(step || 1)));
  return Number(value.toFixed(Math.min(6, digits)));
}

/**
 * Clamp a typed or dragged value to the allowed range.
 * @param {Knob} knob
 * @param {number} value
 */
export function clampTo(knob, value) {
  let kept = value;
  if (knob.min !== undefined && knob.min !== null) kept = Math.max(knob.min, kept);
  if (knob.max !== undefined && knob.max !== null) kept = Math.min(knob.max, kept);
  return kept;
}

/**
 * Return the visible span after zooming by `factor` around `at`, kept inside [0, end].
 * @param {number[]} span  from, to
 * @param {number} at
 * @param {number} factor
 * @param {number} end
 * @returns {[number, number]}
 */
export function zoomSpan([from, to], at, factor, end) {
  const least = end / 2000;
  const width = Math.min(end, Math.max(least, (to - from) * factor));
  const part = to > from ? (at - from) / (to - from) : 0.5;
  const start = Math.min(Math.max(0, at - width * part), end - width);
  return width >= end ? [0, end] : [start, start + width];
}

/**
 * Return round numbers from 0 to at most `most`, about `parts` of them.
 * @param {number} most
 * @param {number} parts
 */
export function ticks(most, parts) {
  const rough = most / parts;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((each) => each * power >= rough * 0.999) ?? 10) * power;
  return Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, place) => place * step);
}

/**
 * Return a round upper end for an axis that contains `value`.
 * @param {number} value
 */
export function roundTop(value) {
  if (!(value > 0)) return 0.1;
  const step = ticks(value, 5)[1] ?? value;
  return Math.ceil(value / step - 1e-9) * step;
}
