/** The colours that tasks and their places are drawn in, of the theme that is shown. */

import { css, HUES, shade } from "../../kit/palette.js";
import { isDark, token } from "../../kit/dom.js";

const STRONG = 0.86;
const PALE = 0.1;
/** The hue of scores. */
const HEAT = 4;

/** @typedef {ReturnType<typeof inks>} Inks */

/** The colours of the theme that is shown, as a canvas takes them. */
export function inks() {
  const dark = isDark();
  const hues = [...HUES.keys()];
  return {
    dark,
    strong: hues.map((hue) => css(shade(hue, STRONG, dark))),
    pale: hues.map((hue) => css(shade(hue, PALE, dark))),
    ink: token("ink"),
    muted: token("muted"),
    line: token("line-strong"),
    ground: token("ground"),
    surface: token("surface"),
    alarm: token("alarm"),
    heat: css(shade(HEAT, STRONG, dark)),
    cell: token("cell-free"),
    edge: token("cell-edge"),
  };
}
