/**
 * Encode an experiment in a link's fragment: "x2." followed by the deflated canonical JSON in base64url, with the
 * version of its rules as `rules`. The server stores nothing until a user runs the experiment. Links of every format
 * stay readable; a new format gets a new prefix. Links of the first format use the rules of the first version.
 */

import { deflateSync, inflateSync, strFromU8, strToU8 } from "../../vendor/fflate/browser.js";
import { gettext } from "../kit/words.js";

const PREFIX = "x2.";
const FIRST_PREFIX = "x1.";
/** The library version that made all links of the first format. */
export const FIRST_VERSION = "0.1.0";
// Limits checked before decompression: the link's length, the experiment's size, and the compression ratio.
const MOST_CHARACTERS = 200_000;
const MOST_BYTES = 4_000_000;
const MOST_RATIO = 200;

export class LinkError extends Error {}

/**
 * Return JSON with sorted keys and no whitespace, so that equal experiments have equal texts.
 * @param {unknown} value
 * @returns {string}
 */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map((each) => canonical(each)).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const fields = /** @type {Record<string, unknown>} */ (value);
    const keys = Object.keys(fields)
      .filter((key) => fields[key] !== undefined)
      .sort();
    return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(fields[key])}`).join(",")}}`;
  }
  return JSON.stringify(value ?? null);
}

/**
 * Return the fragment "#x2.…" of an experiment under a version's rules; throw LinkError if it is too long for a link.
 *
 * @param {import("../contract/api.js").Experiment} experiment
 * @param {string | undefined} version
 */
export function toFragment(experiment, version) {
  const packed = deflateSync(strToU8(canonical({ rules: version, ...experiment })), { level: 9 });
  const text = toBase64Url(packed);
  if (text.length > MOST_CHARACTERS)
    throw new LinkError(gettext("This experiment is too large for a link that holds all of it. Use the short link."));
  return `#${PREFIX}${text}`;
}

/**
 * Return the experiment in a fragment with its `rules`, or null if there is none; throw LinkError if the fragment is
 * invalid.
 */
export function fromFragment(/** @type {string} */ hash) {
  const text = hash.replace(/^#/, "");
  const version = /^x(\d{1,6})\./.exec(text);
  if (!version) return null;
  if (version[0] !== PREFIX && version[0] !== FIRST_PREFIX)
    throw new LinkError(
      gettext("A newer version made this link (format {version}). Open it on the server that made it.", {
        version: version[1],
      }),
    );
  const body = text.slice(PREFIX.length);
  if (body.length > MOST_CHARACTERS) throw new LinkError(gettext("This link is too long to hold an experiment."));
  const experiment = parse(unpack(fromBase64Url(body)));
  if (typeof experiment !== "object" || experiment === null || Array.isArray(experiment)) throw damaged();
  return version[0] === FIRST_PREFIX ? { ...experiment, rules: FIRST_VERSION } : experiment;
}

function damaged() {
  return new LinkError(gettext("This link is damaged or cut off. Ask for it again, or for a short link."));
}

function unpack(/** @type {Uint8Array} */ packed) {
  // One byte more than allowed: a full buffer means that the data is too large.
  const most = Math.min(MOST_BYTES, Math.max(1024, MOST_RATIO * packed.length));
  const out = new Uint8Array(most + 1);
  let bytes;
  try {
    bytes = inflateSync(packed, { out });
  } catch {
    throw damaged();
  }
  if (bytes.length > most) throw new LinkError(gettext("The experiment in this link is larger than the limit."));
  return bytes;
}

function parse(/** @type {Uint8Array} */ bytes) {
  try {
    return JSON.parse(strFromU8(bytes));
  } catch {
    throw damaged();
  }
}

function toBase64Url(/** @type {Uint8Array} */ bytes) {
  let text = "";
  for (let start = 0; start < bytes.length; start += 8192)
    text += String.fromCharCode(...bytes.subarray(start, start + 8192));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function fromBase64Url(/** @type {string} */ text) {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) throw damaged();
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  } catch {
    throw damaged();
  }
}
