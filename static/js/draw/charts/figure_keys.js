/** Read a figure's points by keyboard: arrow keys move between points and between lines, Enter opens a point. */

/**
 * @typedef {{curve: number, point: number | number[], words: string, opens: unknown}} Spot
 * @typedef {{visible?: unknown, hoverinfo?: unknown, type?: string, x?: ArrayLike<unknown>, z?: unknown[][],
 *   hovertext?: unknown[], customdata?: unknown[], meta?: {scale?: unknown, guide?: unknown}}} Trace  a line or a heat
 *   map of a figure
 * @typedef {{z: unknown[][], hovertext: string[][], customdata?: unknown[][]}} HeatMap
 */

const isShown = (/** @type {{visible?: unknown, hoverinfo?: unknown}} */ trace) =>
  trace.visible !== "legendonly" && trace.hoverinfo !== "skip";

/**
 * Return the points of each visible line; a heat map's rows count as lines.
 * @param {Trace[]} data
 * @returns {Spot[][]}
 */
export function spotsOf(data) {
  return data.flatMap(
    /** @returns {Spot[][]} */ (trace, curve) => {
      if (!isShown(trace)) return [];
      const told = (/** @type {unknown} */ text) => String(text ?? "").replaceAll("<br>", ", ");
      if (trace.type === "heatmap") {
        const { z, hovertext, customdata } = /** @type {HeatMap} */ (trace);
        return [...z.keys()].map((row) =>
          [...z[row].keys()]
            .filter((column) => z[row][column] !== null)
            .map((column) => ({
              curve,
              point: [row, column],
              words: told(hovertext[row][column]),
              opens: customdata?.[row][column],
            })),
        );
      }
      return [
        [.../** @type {unknown[]} */ (trace.x).keys()].map((point) => ({
          curve,
          point,
          words: told(trace.hovertext?.[point]),
          opens: trace.customdata?.[point],
        })),
      ];
    },
  );
}

/**
 * Return the position [line, point] that a key leads to.
 * @param {Spot[][]} lines
 * @param {[number, number] | null} place
 * @param {string} key
 * @returns {[number, number] | null}
 */
export function nextPlace(lines, place, key) {
  const full = lines.map((_, at) => at).filter((at) => lines[at].length);
  if (!full.length) return null;
  if (!place || !lines[place[0]]?.length) return [full[0], 0];
  const [line, point] = place;
  const inside = (/** @type {number} */ value, /** @type {number} */ many) => Math.min(many - 1, Math.max(0, value));
  if (key === "Home") return [line, 0];
  if (key === "End") return [line, lines[line].length - 1];
  if (key === "ArrowLeft" || key === "ArrowRight") {
    // Dense lines are crossed in a reasonable number of steps.
    const step = Math.max(1, Math.round(lines[line].length / 60));
    return [line, inside(point + (key === "ArrowRight" ? step : -step), lines[line].length)];
  }
  const other = full[inside(full.indexOf(line) + (key === "ArrowUp" ? 1 : -1), full.length)];
  return [other, inside(Math.round((point / lines[line].length) * lines[other].length), lines[other].length)];
}

/**
 * @param {HTMLElement} element the focusable element around the figure
 * @param {object} on
 * @param {() => Trace[]} on.data
 * @param {(spot: Spot | null) => void} on.hover
 * @param {(words: string) => void} on.say
 * @param {(opens: unknown) => void} on.pick
 */
export function wireFigureKeys(element, on) {
  /** @type {[number, number] | null} */
  let place = null;
  const leave = () => {
    place = null;
    on.hover(null);
  };
  element.addEventListener("keydown", (event) => {
    const lines = spotsOf(on.data());
    const spot = place && lines[place[0]]?.[place[1]];
    if (event.key === "Escape") leave();
    else if (event.key === "Enter" && spot) on.pick(spot.opens);
    else if (/^(Arrow|Home$|End$)/.test(event.key)) {
      place = nextPlace(lines, place, event.key);
      const found = place && lines[place[0]][place[1]];
      on.hover(found);
      on.say(found ? found.words : "");
    } else return;
    event.preventDefault();
  });
  element.addEventListener("blur", leave);
}
