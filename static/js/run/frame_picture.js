/** The state that frames update ("picture"): copy it, and apply a frame to it. */

/**
 * @typedef {import("../contract/contract").Frame} Frame
 * @typedef {import("./frames.js").Histogram} Histogram
 * @typedef {import("./frames.js").Picture} Picture
 */

/**
 * Decode an index list: little-endian bytes that may be unaligned.
 *
 * @param {Uint8Array} bytes
 */
function indices(bytes) {
  const copy = bytes.slice();
  return new Uint32Array(copy.buffer, copy.byteOffset, copy.byteLength >> 2);
}

/** @returns {Picture} */
export function emptyPicture() {
  return { seq: -1, t_ns: 0, state: "", counters: {}, layers: {}, hists: {} };
}

/**
 * @param {Picture} picture
 * @returns {Picture}
 */
export function copyPicture(picture) {
  /** @type {Record<string, Uint8Array>} */
  const layers = {};
  for (const [name, bytes] of Object.entries(picture.layers)) layers[name] = bytes.slice();
  /** @type {Record<string, Histogram>} */
  const hists = {};
  for (const [name, hist] of Object.entries(picture.hists)) {
    hists[name] = { edges: hist.edges, counts: hist.counts.slice() };
  }
  return { ...picture, counters: { ...picture.counters }, layers, hists };
}

/**
 * @param {Picture} picture
 * @param {string} name
 * @param {import("../contract/contract").HistogramChange} change
 */
function applyHist(picture, name, change) {
  let hist = picture.hists[name];
  if (change.edges) {
    const bins = change.edges.length; // edges are lower bounds: the last bin is open
    hist = { edges: change.edges, counts: new Float64Array(bins) };
  } else if (!hist) {
    return;
  }
  const top = Math.max(-1, ...change.idx);
  if (top >= hist.counts.length) {
    const wider = new Float64Array(top + 1);
    wider.set(hist.counts);
    hist = { edges: hist.edges, counts: wider };
  }
  change.idx.forEach((bin, place) => {
    hist.counts[bin] = change.val[place];
  });
  picture.hists[name] = hist;
}

/**
 * Apply `frame` to `picture` in place.
 *
 * @param {Picture} picture
 * @param {Frame} frame
 */
export function applyFrame(picture, frame) {
  for (const [name, layer] of Object.entries(frame.layers || {})) {
    if ("full" in layer) {
      picture.layers[name] = layer.full.slice();
      continue;
    }
    const target = picture.layers[name];
    if (!target) continue;
    const where = indices(layer.idx);
    for (let i = 0; i < where.length; i += 1) target[where[i]] = layer.val[i];
  }
  Object.assign(picture.counters, frame.counters || {});
  for (const [name, change] of Object.entries(frame.hist || {})) applyHist(picture, name, change);
  picture.seq = frame.seq;
  picture.t_ns = Number(frame.t_ns);
  picture.state = frame.state || picture.state;
  return picture;
}
