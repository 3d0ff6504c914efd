/** A touch in words. */

import { clock } from "../../kit/format.js";
import { gettext } from "../../kit/words.js";
import { nameOf } from "../../run/places.js";
import { partOf } from "./failures.js";

/** @import { Meta } from "../../contract/contract" */
/** @import { Failure } from "../../engine/touch.js" */
/** @import { Extra } from "./touch.js" */

/** Return another change than a failure in words. */
export const extraWords = (/** @type {Extra} */ { label, at_s }, /** @type {number} */ end_ns) =>
  gettext("{time}: {change}", { time: clock(at_s * 1e9, end_ns), change: label });

/** Return a touch in words. */
export function failureWords(/** @type {Meta} */ meta, /** @type {Failure} */ each, /** @type {number} */ end_ns) {
  const at = (/** @type {number} */ t_s) => clock(t_s * 1e9, end_ns);
  const told = { name: nameOf(meta, partOf(each.target)), time: at(each.at_s) };
  if (each.kind === "recover") return gettext("{name} returns at {time}.", told);
  if (each.kind === "stop") return gettext("{name} is stopped at {time}.", told);
  const drains = each.kind === "drain";
  if (each.duration_s === undefined)
    return drains ? gettext("{name} drains from {time} on.", told) : gettext("{name} fails at {time}.", told);
  const until = { ...told, back: at(each.at_s + each.duration_s) };
  return drains
    ? gettext("{name} drains from {time} on and returns at {back}.", until)
    : gettext("{name} fails at {time} and returns at {back}.", until);
}
