/**
 * The only color table: every view takes its hues, grays and roles from here, so that a thing has the same color
 * everywhere. Hue shows the owner, lightness shows the load.
 *
 * The eight hues are distinguishable with the common kinds of color blindness (after Okabe and Ito, with evened
 * weight). Owners past the eighth reuse a hue with a pattern. Where jobs are split by length, short jobs have the first
 * hue (blue) and long jobs the second (orange). Colors are packed as a canvas needs them.
 */

/** [hue, chroma] in OKLCH; gray means no owner. */
export const HUES = [
  [255, 0.15],
  [55, 0.15],
  [165, 0.12],
  [330, 0.15],
  [95, 0.14],
  [215, 0.11],
  [25, 0.17],
  [290, 0.15],
];
/** Hues that do not resemble red, which marks failures. Jobs cycle through these hues. */
export const CALM = [0, 1, 2, 3, 4, 5, 7];
export const NOBODY = [250, 0.02];
export const NONE = 255;
/** The strength of an owner's hue, and of the pale background behind it. */
const STRONG = 0.86;
const PALE = 0.1;
/** The hue of scores. */
const HEAT = 4;

/**
 * @param {number} lightness
 * @param {number} chroma
 * @param {number} hue
 */
function oklch(lightness, chroma, hue) {
  const angle = (hue * Math.PI) / 180;
  const a = chroma * Math.cos(angle);
  const b = chroma * Math.sin(angle);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((linear) => {
    const value = Math.min(1, Math.max(0, linear));
    return Math.round(255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055));
  });
}

const FURTHER = { light: 1.42, dark: 1.22 };

/**
 * Return the color of a machine: idle machines blend into the background, busy ones stand out (dark on a light theme,
 * bright on a dark one). `deep` extends the range beyond full load.
 * @param {number} owner
 * @param {number} load
 * @param {boolean} dark
 */
export function shade(owner, load, dark, deep = false) {
  const [hue, chroma] = owner === NONE || owner < 0 ? NOBODY : HUES[owner % HUES.length];
  const full = Math.min(1, Math.max(0, load));
  const eased = full === 0 ? 0 : 0.18 + 0.82 * full;
  const reach = deep ? FURTHER[dark ? "dark" : "light"] : 1;
  return dark
    ? oklch(0.27 + 0.43 * reach * eased, chroma * (0.3 + 0.7 * eased), hue)
    : oklch(0.935 - 0.345 * reach * eased, chroma * (0.16 + 0.94 * eased), hue);
}

/**
 * Return the color of a level on one sequential scale, for a layer shown alone.
 * @param {number} load
 * @param {boolean} dark
 */
export function levelShade(load, dark) {
  const eased = load === 0 ? 0 : 0.1 + 0.9 * load;
  return dark
    ? oklch(0.27 + 0.6 * eased, 0.02 + 0.12 * eased, 235 - 150 * eased)
    : oklch(0.945 - 0.5 * eased, 0.01 + 0.12 * eased, 90 + 165 * eased);
}

/** @param {number[]} colour  red, green, blue, 0 to 255 */
export function pack([red, green, blue], alpha = 255) {
  return ((alpha << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

/**
 * Blend a fraction of one packed color over another.
 * @param {number} colour
 * @param {number} ink
 * @param {number} share
 */
export function over(colour, ink, share) {
  const channel = (/** @type {number} */ bits) =>
    Math.round(((colour >>> bits) & 255) * (1 - share) + ((ink >>> bits) & 255) * share) << bits;
  return ((colour & 0xff000000) | channel(16) | channel(8) | channel(0)) >>> 0;
}

/** @param {number[]} colour  red, green, blue, 0 to 255 */
export function css([red, green, blue]) {
  return `rgb(${red} ${green} ${blue})`;
}

/**
 * Return an owner's color for legends, charts and links.
 * @param {number} owner
 * @param {boolean} dark
 */
export function ownerColour(owner, dark) {
  return css(shade(owner, STRONG, dark));
}

/**
 * Return the theme's colors: tasks by hue, the pale backgrounds behind them, and scores.
 * @param {boolean} dark
 */
export function taskColours(dark) {
  const hues = [...HUES.keys()];
  return {
    strong: hues.map((hue) => ownerColour(hue, dark)),
    pale: hues.map((hue) => css(shade(hue, PALE, dark))),
    heat: ownerColour(HEAT, dark),
  };
}

/**
 * Return the gray of a machine's load, from idle to full. `deep` extends the range beyond full load.
 * @param {number} load
 * @param {boolean} dark
 */
export function cellColour(load, dark, deep = false) {
  return css(shade(NONE, load, dark, deep));
}

/**
 * Return the packed color of stripes on machines without an owner.
 * @param {boolean} dark
 */
export function stripeInk(dark) {
  return dark ? pack([255, 255, 255]) : pack([20, 22, 28]);
}

/**
 * Return packed colors by owner (0..255) and level (0..255), at index owner * 256 + level. Machines without an owner
 * are gray: darker when busier (lighter in the dark theme).
 * @param {number} owners
 * @param {boolean} dark
 */
export function ownerTable(owners, dark, deep = false) {
  const table = new Uint32Array(256 * 256);
  const nobody = row(NONE, dark, deep);
  for (let owner = 0; owner < 256; owner += 1) {
    table.set(owner < owners ? row(owner, dark, deep) : nobody, owner * 256);
  }
  return table;
}

/**
 * @param {number} owner
 * @param {boolean} dark
 * @param {boolean} deep
 */
function row(owner, dark, deep) {
  const colours = new Uint32Array(256);
  for (let level = 0; level < 256; level += 1) colours[level] = pack(shade(owner, level / 255, dark, deep));
  return colours;
}

export function levelTable(/** @type {boolean} */ dark) {
  const colours = new Uint32Array(256);
  for (let level = 0; level < 256; level += 1) colours[level] = pack(levelShade(level / 255, dark));
  return colours;
}

/**
 * Role colors on paper: the light theme of tokens.css, because an exported file has no style sheet.
 * @type {Record<string, string>}
 */
export const PAPER = {
  ink: "#14181f",
  muted: "#555e6c",
  line: "#e2e5e9",
  "line-strong": "#c3c9d1",
  data: "#3563c4",
  second: "#a65816",
  ghost: "#868f9c",
  alarm: "#c4281c",
  surface: "#ffffff",
  heavy: "#14181f",
  accent: "#2457c5",
  hover: "#f1f1f2", // flattened on white; transparent in the theme
};
