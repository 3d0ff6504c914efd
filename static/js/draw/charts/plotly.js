/**
 * Load plotly.js once, when a figure comes near. Its rules come from a static style sheet, because the content security
 * policy blocks style elements.
 */

import { staticPath } from "../../kit/dom.js";

const VENDOR = new URL(staticPath("vendor/plotly/"), globalThis.location?.href ?? "http://localhost");
const SCRIPT = "plotly-cartesian.min.js";
/** The element by which the bundle detects that its rules are loaded. */
const SHEET = "plotly.js-style-global";
/** The id of a style element for maps, which the bundle creates unless the id exists. */
const MAPS = "9f215cf04c5486422605d13261cb87401f4e7763b6296af81e98efbc0130da53";

/**
 * What the pages use of plotly.js, which comes without types.
 * @typedef {{format: "svg" | "png", width: number, height: number, scale?: number}} ImageOptions
 * @typedef {object} Plotly
 * @property {(plot: HTMLElement, data: object[], layout: object, config: object) => Promise<unknown>} react
 * @property {(plot: HTMLElement, changes: Record<string, unknown>) => Promise<unknown>} relayout
 * @property {(figure: object, options: ImageOptions) => Promise<string>} toImage  returns a data address
 * @property {{resize: (plot: HTMLElement) => Promise<unknown>}} Plots
 * @property {{hover: (plot: HTMLElement, points: object[]) => void, unhover: (plot: HTMLElement) => void}} Fx
 */

/** @type {Promise<Plotly> | null} */
let loading = null;

/**
 * Return plotly.js.
 * @returns {Promise<Plotly>}
 */
export function loadPlotly() {
  loading ??= load().catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function load() {
  if (!document.getElementById(MAPS)) document.head.append(Object.assign(document.createElement("meta"), { id: MAPS }));
  const sheet = Object.assign(document.createElement("link"), {
    id: SHEET,
    className: "no-inline-styles",
    rel: "stylesheet",
    href: new URL("plotly.css", VENDOR).href,
  });
  const script = Object.assign(document.createElement("script"), { src: new URL(SCRIPT, VENDOR).href });
  document.getElementById(SHEET)?.remove();
  await Promise.all([loaded(sheet), loaded(script)]);
  return /** @type {Window & {Plotly: Plotly}} */ (/** @type {unknown} */ (window)).Plotly;
}

/** @param {HTMLElement} element */
function loaded(element) {
  return new Promise((resolve, reject) => {
    element.addEventListener("load", resolve, { once: true });
    element.addEventListener("error", () => reject(new Error("The drawing library could not be loaded.")), {
      once: true,
    });
    document.head.append(element);
  });
}
