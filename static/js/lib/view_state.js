/** What the address bar carries besides the path: the instant, the layer, the speed, whether it plays, what the map shows. */

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
    layer: layer && /^[\w.-]{1,80}$/.test(layer) ? layer : null,
    speed: number("speed", 1e-6, 1e6),
    paused: query.get("paused") === "1",
    zoom: number("zoom", 1, 1e4),
    centre: wholeOf(number("centre", 0, 1e7)),
    picture: /^[a-z]{1,20}$/.test(query.get("picture") ?? "") ? query.get("picture") : null,
    job: wholeOf(number("job", 0, 1e7)),
    owners: /^\d{1,3}(\.\d{1,3}){0,63}$/.test(query.get("owners") ?? "") ? query.get("owners").split(".").map(Number) : null,
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
  const placed = state.zoom && state.centre !== null && state.centre !== undefined;
  set("zoom", placed ? trim(state.zoom) : null);
  set("centre", placed ? String(state.centre) : null);
  set("owners", state.owners?.length ? state.owners.join(".") : null);
  set("picture", state.picture);
  set("job", state.job === null || state.job === undefined ? null : String(state.job));
  const text = query.toString();
  return text ? `?${text}` : "";
}

function wholeOf(value) { return Number.isInteger(value) ? value : null; }

function trim(value) { return String(Number(value.toPrecision(6))); }
