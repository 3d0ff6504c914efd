/** The inspector's texts: rows of a group, counts of tasks, and the part in the server's terms. */

import { percent, whole } from "../../kit/format.js";
import { groupState } from "../../run/places.js";
import { hatchLayer } from "../../run/sentences.js";
import { gettext, ngettext } from "../../kit/words.js";

/**
 * @import { Meta } from "../../contract/contract"
 * @import { Picture } from "../../run/frames.js"
 * @import { Target } from "../../run/places.js"
 * @import { Part } from "../../run/why/whys.js"
 */

/**
 * @param {Meta} meta
 * @param {Picture} picture
 * @param {Target} target
 */
export function groupRows(meta, picture, target) {
  const state = groupState(meta, picture, target);
  /** @type {{label: string, value: string, help?: string}[]} */
  const rows = [
    { label: gettext("Machines"), value: whole(state.machines) },
    { label: gettext("In use"), value: whole(state.busy) },
    { label: gettext("Mean load"), value: percent(state.load) },
  ];
  if (hatchLayer(meta)) rows.push({ label: gettext("Lent"), value: whole(state.lent) });
  if (state.failed) rows.push({ label: gettext("Failed"), value: whole(state.failed) });
  if (state.draining) rows.push({ label: gettext("Draining"), value: whole(state.draining) });
  return rows;
}

/**
 * Describe how many tasks of a part arrived, started and ended; a partition counts tasks only once they are on a
 * machine.
 */
export function tellTasks(
  /** @type {Target} */ target,
  /** @type {{arrived: number, started: number, done: number, stopped: number}} */ { arrived, started, done, stopped },
) {
  const came = target.kind === "partition" ? "" : gettext("{arrived} tasks arrived, ", { arrived: whole(arrived) });
  return gettext("{came}{started} started{there}, {done} done{stopped}.", {
    came,
    started: whole(started),
    there: came ? "" : gettext(" there"),
    done: whole(done),
    stopped: stopped
      ? ngettext("; {stopped} was stopped on the way", "; {stopped} were stopped on the way", stopped, {
          stopped: whole(stopped),
        })
      : "",
  });
}

/**
 * Return a target in the server's terms: {kind, number, owner?}; null if the server has no data about it.
 * @param {Meta} meta
 * @param {Target} target
 * @returns {Part | null}
 */
export function partOf(meta, target) {
  if (target.kind === "machine") return { kind: "machine", number: target.machine };
  if (target.kind === "task") return { kind: "task", number: target.task };
  if (target.kind === "job") return { kind: "job", number: target.job };
  if (target.kind === "owner") return { kind: "owner", number: target.owner };
  if (target.kind === "queue")
    return { kind: "queue", number: meta.queues.findIndex((queue) => queue.name === target.name) };
  if (target.kind === "cluster")
    return { kind: "cluster", number: meta.clusters.findIndex((cluster) => cluster.name === target.name) };
  if (target.kind === "partition") return { kind: "partition", number: target.cluster, owner: target.owner };
  return null;
}
