/** The current theme's colors for tasks and their surroundings. */

import { cellColour, taskColours } from "../../kit/palette.js";
import { isDark, token } from "../../kit/dom.js";

/** @typedef {ReturnType<typeof inks>} Inks */

/** Return the current theme's colors for a canvas. */
export function inks() {
  const dark = isDark();
  return {
    dark,
    ...taskColours(dark),
    ink: token("ink"),
    muted: token("muted"),
    line: token("line-strong"),
    ground: token("ground"),
    surface: token("surface"),
    alarm: token("alarm"),
    cell: cellColour(0, dark),
    edge: token("cell-edge"),
  };
}
