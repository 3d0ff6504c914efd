/** Read a recording: a ZIP file with meta.json, index.json and chunks of frames. */

import { unzipSync, strFromU8 } from "../../vendor/fflate/browser.js";
import { Decoder } from "../../vendor/msgpack/Decoder.mjs";
import { upgradeMeta } from "./upgrade_meta.js";

/**
 * @typedef {import("./contract").Frame} Frame
 * @typedef {import("./contract").Meta} Meta
 * @typedef {import("./contract").Summary} Summary
 * @typedef {{meta: Meta, summary: Summary | null, track: import("./contract").Track | null, density:
 *   import("./contract").Density | null, chunks: number, chunk: (number: number) => Frame[]}} OpenRecording
 */

const LARGEST = 400 * 1024 * 1024;

const decoder = new Decoder();

/**
 * Decode a message of a run's socket.
 *
 * @param {Uint8Array} bytes
 * @returns {import("./contract").RunSocket}
 */
export function decodeFrame(bytes) {
  return /** @type {import("./contract").RunSocket} */ (decoder.decode(bytes));
}

/**
 * Decode a track.
 *
 * @param {Uint8Array} bytes
 * @returns {import("./contract").Track}
 */
export function decodeTrack(bytes) {
  return /** @type {import("./contract").Track} */ (decoder.decode(bytes));
}

/**
 * Decode a density.
 *
 * @param {Uint8Array} bytes
 * @returns {import("./contract").Density}
 */
function decodeDensity(bytes) {
  return /** @type {import("./contract").Density} */ (decoder.decode(bytes));
}

/**
 * Open a recording's bytes. Chunks are decoded on demand.
 *
 * @param {Uint8Array} bytes
 * @returns {OpenRecording}
 */
export function openRecording(bytes) {
  let unpacked = 0;
  /** @type {string[]} */
  const names = [];
  const files = unzipSync(bytes, {
    filter: (file) => {
      const isChunk = /^frames\/.*\.msgpack$/.test(file.name);
      if (!isChunk && !/^(meta|summary)\.json$|^(track|density)\.msgpack$/.test(file.name)) return false;
      unpacked += file.originalSize;
      if (unpacked > LARGEST) throw new Error("This recording is too large for a browser.");
      if (isChunk) names.push(file.name);
      return !isChunk;
    },
  });
  if (!files["meta.json"]) throw new Error("This file is not a recording: it has no meta.json.");
  const json = (/** @type {string} */ name) => (files[name] ? JSON.parse(strFromU8(files[name])) : null);
  names.sort();
  const unpack = (/** @type {string} */ name) => unzipSync(bytes, { filter: (file) => file.name === name })[name];
  return {
    meta: upgradeMeta(json("meta.json")),
    summary: json("summary.json"),
    track: files["track.msgpack"] ? decodeTrack(files["track.msgpack"]) : null,
    density: files["density.msgpack"] ? decodeDensity(files["density.msgpack"]) : null,
    chunks: names.length,
    chunk: (number) => /** @type {Frame[]} */ ([...decoder.decodeMulti(unpack(names[number]))]),
  };
}

/**
 * Decode a whole recording.
 *
 * @param {Uint8Array} bytes
 */
export function parseRecording(bytes) {
  const { meta, summary, track, density, chunks, chunk } = openRecording(bytes);
  return { meta, summary, track, density, frames: Array.from({ length: chunks }, (_, number) => chunk(number)).flat() };
}

export async function fetchBytes(/** @type {string} */ url, options = {}) {
  const response = await fetch(url, { credentials: "same-origin", ...options });
  if (!response.ok) throw new Error(`The recording could not be fetched (${response.status}).`);
  return new Uint8Array(await response.arrayBuffer());
}

export async function fetchRecording(/** @type {string} */ url, options = {}) {
  return parseRecording(await fetchBytes(url, options));
}
