/**
 * The query part of the address: the instant, the layer, the speed, whether playback runs, and the selection in map and
 * inspector.
 */

/** @import { Target } from "./places.js" */

/**
 * What the address stores; null or a missing value is left out.
 * @typedef {{t_s?: number | null, layer?: string | null, speed?: number | null, paused?: boolean,
 *   zoom?: number | null, centre?: number | null, picture?: string | null, moment?: string | null,
 *   level?: string | null, job?: number | null, show?: Target | null, owners?: number[] | null}} ViewState
 */

const SELECTED = /^(machine|task|job|owner|partition|cluster|queue)\.([\w. -]{1,80})$/;

/** Parse the inspector's target: "task.14", "partition.0.1" (cluster, owner), "queue.prod". */
export function targetFrom(/** @type {string | null} */ text) {
  const [, kind, rest] = SELECTED.exec(text ?? "") ?? [];
  if (!kind) return null;
  if (kind === "cluster" || kind === "queue") return { kind, name: rest };
  const numbers = rest.split(".").map(Number);
  if (!numbers.every((number) => Number.isInteger(number) && number >= 0 && number <= 1e9)) return null;
  if (kind === "partition") return numbers.length === 2 ? { kind, cluster: numbers[0], owner: numbers[1] } : null;
  return numbers.length === 1 ? { kind, [kind]: numbers[0] } : null;
}

/** Format a target for the address; null if a link cannot store it. */
export function targetText(/** @type {Target | null | undefined} */ target) {
  if (!target) return null;
  const text =
    `${target.kind}.` +
    (target.kind === "partition" ? `${target.cluster}.${target.owner}` : (target.name ?? target[target.kind]));
  return SELECTED.test(text) ? text : null;
}

export function readViewState(/** @type {string} */ search) {
  const query = new URLSearchParams(search);
  const number = (/** @type {string} */ name, /** @type {number} */ low, /** @type {number} */ high) => {
    const text = query.get(name);
    const value = text === null || text.trim() === "" ? NaN : Number(text);
    return Number.isFinite(value) && value >= low && value <= high ? value : null;
  };
  const layer = query.get("layer");
  const owners = query.get("owners") ?? "";
  return {
    t_s: number("t", 0, 1e9),
    layer: layer && /^[\w.-]{1,80}$/.test(layer) ? layer : null,
    speed: number("speed", 1e-6, 1e6),
    paused: query.get("paused") === "1",
    zoom: number("zoom", 1, 1e4),
    centre: wholeOf(number("centre", 0, 1e7)),
    picture: /^[a-z]{1,20}$/.test(query.get("picture") ?? "") ? query.get("picture") : null,
    moment: /^[a-z_]{1,40}$/.test(query.get("moment") ?? "") ? query.get("moment") : null,
    job: wholeOf(number("job", 0, 1e7)),
    show: targetFrom(query.get("show")),
    owners: /^\d{1,3}(\.\d{1,3}){0,63}$/.test(owners) ? owners.split(".").map(Number) : null,
  };
}

/** Return the query for a state. Null values are removed; unknown parameters in `search` are kept. */
export function writeViewState(/** @type {ViewState} */ state, search = "") {
  const query = new URLSearchParams(search);
  const set = (/** @type {string} */ name, /** @type {string | null | undefined | false} */ value) => {
    if (value === null || value === undefined || value === false) query.delete(name);
    else query.set(name, value);
  };
  // Round up to a microsecond, so that an event at this instant has happened when the link opens.
  set("t", state.t_s === null || state.t_s === undefined ? null : String(Math.ceil(state.t_s * 1e6 - 1e-3) / 1e6));
  set("layer", state.layer);
  set("speed", state.speed === null || state.speed === undefined ? null : trim(state.speed));
  set("paused", state.paused ? "1" : null);
  const placed = state.zoom && state.centre !== null && state.centre !== undefined;
  set("zoom", placed ? trim(/** @type {number} */ (state.zoom)) : null);
  set("centre", placed ? String(state.centre) : null);
  set("show", targetText(state.show));
  set("owners", state.owners?.length ? state.owners.join(".") : null);
  set("picture", state.picture);
  set("moment", state.moment);
  if (state.level) set("level", state.level);
  set("job", state.job === null || state.job === undefined ? null : String(state.job));
  const text = query.toString();
  return text ? `?${text}` : "";
}

function wholeOf(/** @type {number | null} */ value) {
  return Number.isInteger(value) ? value : null;
}

function trim(/** @type {number} */ value) {
  return String(Number(value.toPrecision(6)));
}
