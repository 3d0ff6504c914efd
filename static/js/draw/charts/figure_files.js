/** Save a figure as a file: SVG with its size in millimeters, PNG for screens. */

import { save } from "../../kit/saving.js";
import { request } from "../../contract/api.js";
import { loadPlotly } from "./plotly.js";

const PX_PER_MM = 96 / 25.4;
const PNG_SCALE = 3;

/**
 * Return the address of a figure; `source` is a path below the API such as `/studies/…/figure`.
 * @param {string} source
 * @param {Record<string, unknown>} params null, false and empty parameters are omitted
 */
export function figureAddress(source, params) {
  const kept = Object.entries(params).filter(([, value]) => value !== null && value !== false && value !== "");
  const query = new URLSearchParams(kept.map(([name, value]) => [name, String(value)]));
  return `${source}?${query}`;
}

/**
 * Set an SVG's size in millimeters; its content keeps its coordinates.
 * @param {string} svg
 * @param {number} width in CSS pixels
 * @param {number} height
 */
export function inMillimetres(svg, width, height) {
  const mm = (/** @type {number} */ px) => `${Math.round((px / PX_PER_MM) * 100) / 100}mm`;
  return svg
    .replace(/(<svg[^>]*?) width="[^"]*"/, `$1 width="${mm(width)}"`)
    .replace(/(<svg[^>]*?) height="[^"]*"/, `$1 height="${mm(height)}"`);
}

/**
 * Render a figure with a fixed size off screen. Return its SVG.
 * @param {{data: object[], layout: {width: number, height: number}}} figure
 */
export async function figureSvg(figure) {
  const Plotly = await loadPlotly();
  const { width, height } = figure.layout;
  const url = await Plotly.toImage(figure, { format: "svg", width, height });
  return inMillimetres(decodeURIComponent(url.slice(url.indexOf(",") + 1)), width, height);
}

/**
 * Fetch a figure at a paper size and save it.
 * @param {string} source
 * @param {Record<string, unknown>} params
 * @param {"svg" | "png"} kind
 * @param {string} name the file's name without its extension
 */
export async function saveFigure(source, params, kind, name) {
  const sized = { width_mm: 170, font: "sans", font_pt: 9, ...params };
  const { figure } = await request("GET", figureAddress(source, sized));
  if (kind === "svg") {
    save(`${name}.svg`, new Blob([await figureSvg(figure)], { type: "image/svg+xml" }));
    return;
  }
  const Plotly = await loadPlotly();
  const { width, height } = figure.layout;
  const url = await Plotly.toImage(figure, { format: "png", width, height, scale: PNG_SCALE });
  const bytes = Uint8Array.from(atob(url.slice(url.indexOf(",") + 1)), (letter) => letter.charCodeAt(0));
  save(`${name}.png`, new Blob([bytes], { type: "image/png" }));
}
