/** Downloads: text files and pictures of charts. */

import { penOf } from "./dom.js";

const REVOKE_MS = 60000;

/**
 * Save a file through the browser's downloads.
 * @param {string} name
 * @param {Blob} blob
 */
export function save(name, blob) {
  const url = URL.createObjectURL(blob);
  const link = document.body.appendChild(Object.assign(document.createElement("a"), { href: url, download: name }));
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_MS);
}

/** Render a chart's SVG as PNG at twice its size in CSS pixels. */
export async function toPng(/** @type {string} */ svg) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: image.width * 2, height: image.height * 2 });
  const pen = penOf(canvas);
  pen.scale(2, 2);
  pen.drawImage(image, 0, 0);
  return blobOf(canvas);
}

/**
 * Return a canvas's picture as a file.
 * @returns {Promise<Blob>}
 */
export function blobOf(/** @type {HTMLCanvasElement} */ canvas) {
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error("The picture is too large for this browser."))),
      "image/png",
    );
  });
}

export const svgBlob = (/** @type {string} */ svg) => new Blob([svg], { type: "image/svg+xml" });
