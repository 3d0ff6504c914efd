/** What the address bar carries besides the path: the instant, the layer, the speed, whether it plays. */

export function readViewState(search) {
  const query = new URLSearchParams(search);
  const number = (name, low, high) => {
    const text = query.get(name);
    const value = text === null || text.trim() === "" ? NaN : Number(text);
    return Number.isFinite(value) && value >= low && value <= high ? value : null;
  };
  const layer = query.get("layer");
  return {
    t_s: number("t", 0, 1e9),
    layer: layer && /^[a-z0-9_]{1,40}$/.test(layer) ? layer : null,
    speed: number("speed", 1e-6, 1e6),
    paused: query.get("paused") === "1",
  };
}

/** The query for a state; parts that are null, and everything unknown in `search`, are left out or kept. */
export function writeViewState(state, search = "") {
  const query = new URLSearchParams(search);
  const set = (name, value) => { if (value === null || value === undefined || value === false) query.delete(name); else query.set(name, value); };
  set("t", state.t_s === null || state.t_s === undefined ? null : trim(state.t_s));
  set("layer", state.layer);
  set("speed", state.speed === null || state.speed === undefined ? null : trim(state.speed));
  set("paused", state.paused ? "1" : null);
  const text = query.toString();
  return text ? `?${text}` : "";
}

function trim(value) { return String(Number(value.toPrecision(6))); }
