/** The colours that tasks and their places are drawn in, of the theme that is shown. */

import { cellColour, taskColours } from "../../kit/palette.js";
import { isDark, token } from "../../kit/dom.js";

/** @typedef {ReturnType<typeof inks>} Inks */

/** The colours of the theme that is shown, as a canvas takes them. */
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
