/** Reading a recording: a ZIP file with meta.json, index.json and chunks of frames. */

import { unzipSync, strFromU8 } from "../../vendor/fflate/browser.js";
import { Decoder } from "../../vendor/msgpack/Decoder.mjs";

const LARGEST = 400 * 1024 * 1024;

const decoder = new Decoder();

export function decodeFrame(bytes) { return decoder.decode(bytes); }

/** {meta, frames, summary} out of the bytes of a recording file. */
export function parseRecording(bytes) {
  let unpacked = 0;
  const files = unzipSync(bytes, {
    filter: (file) => {
      unpacked += file.originalSize;
      if (unpacked > LARGEST) throw new Error("This recording is too large for a browser.");
      return /^(meta|summary|index)\.json$|^frames\/.*\.msgpack$/.test(file.name);
    },
  });
  if (!files["meta.json"]) throw new Error("This file is not a recording: it has no meta.json.");
  const json = (name) => (files[name] ? JSON.parse(strFromU8(files[name])) : null);
  const frames = [];
  for (const name of Object.keys(files).filter((each) => each.startsWith("frames/")).sort()) {
    for (const frame of decoder.decodeMulti(files[name])) frames.push(frame);
  }
  return { meta: json("meta.json"), frames, summary: json("summary.json") };
}

export async function fetchRecording(url, options = {}) {
  const response = await fetch(url, { credentials: "same-origin", ...options });
  if (!response.ok) throw new Error(`The recording could not be fetched (${response.status}).`);
  return parseRecording(new Uint8Array(await response.arrayBuffer()));
}
