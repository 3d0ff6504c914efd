/**
 * The marks in the picture of tasks, for its legend: each mark's meaning, a sample, and which runs can show it. Drawing
 * code adds a mark's name to `scene.drew`; a test compares the legend with these names.
 */

import { gettext } from "../../kit/words.js";
import { roleLayer } from "../../run/roles.js";
import { hueKind } from "./colours.js";
import { SAMPLES } from "./samples.js";
import { fetched } from "./shelves.js";

/** @typedef {import("../../contract/contract").Meta} Meta */
/** @typedef {import("../../run/track.js").Track} Track */
/**
 * @typedef {{id: string, label: string, help: string,
 *   sample: (pen: CanvasRenderingContext2D, inks: import("./inks.js").Inks) => void}} Mark
 */
/** @typedef {{meta: Meta, track: Track | null, roles: Set<string>}} Known */

/** Kinds of marks that appear as movements here; the map flashes the others around a cell. */
const MOVED = new Set([
  "refusal",
  "conflict",
  "preemption",
  "fault",
  "repartition",
  "overtaking",
  "reorder",
  "shed",
  "bounce",
  "steal",
  "probe",
]);

/**
 * Return true if a kind of mark flashes on the map even while tasks are drawn.
 * @param {{kind: string, quiet?: boolean}} mark
 */
export function flashesStill({ kind, quiet }) {
  return !quiet && !MOVED.has(kind);
}

/**
 * Return the marks that flash on a stage's map now.
 *
 * @template {{kind: string}} One
 * @param {One[]} marks
 * @param {{meta: Meta | null, tasks: {drawn: boolean} | null}} stage
 */
export function flashing(marks, { meta, tasks }) {
  if (!tasks?.drawn) return marks;
  const quiet = new Set(meta?.marks.filter((each) => each.quiet).map((each) => each.kind));
  return marks.filter(({ kind }) => flashesStill({ kind, quiet: quiet.has(kind) }));
}

/**
 * Return the roles of movements; "!" marks those that went wrong: "bounce", "throw!".
 * @param {Meta} meta
 * @param {Track | null} track
 */
function rolesOf(meta, track) {
  const moves = track ? track.move.kind : (meta.work?.moves ?? []);
  return new Set(moves.filter(Boolean).map((each) => `${each.role}${each.wrong ? "!" : ""}`));
}

const keeps = (/** @type {Known} */ { meta }) => meta.work?.keeper.label ?? "";
const stands = (/** @type {Known} */ { meta, track }) =>
  track
    ? track.served.some((served, row) => served > track.reaches[row])
    : Boolean(meta.work?.legs.some((leg) => leg.place === "worker"));
const copies = (/** @type {Known} */ { meta }) => Boolean(meta.work?.refresh && meta.owners.length);
const probing = (/** @type {Known} */ { meta }) => fetched(meta);

/**
 * By name: a test if a run can show the mark, its label, and a sentence about it.
 *
 * @type {Record<string, {of: (known: Known) => boolean, label: (known: Known) => string, help: () => string}>}
 */
const MARKS = {
  task: {
    of: () => true,
    label: () => gettext("Square: a task that waits or is in transit"),
    help: () => gettext("The longer it runs, the larger its square. Squares in a box at the side wait there."),
  },
  "one-job": {
    of: ({ meta, track }) => hueKind(meta, Boolean(track?.long)) === "job",
    label: () => gettext("Each color is one job"),
    help: () => gettext("Seven colors take turns, so jobs far apart may share one."),
  },
  running: {
    of: () => true,
    label: () => gettext("Running task: the strong color is the time left"),
    help: () => gettext("The strong color shrinks as it runs."),
  },
  sign: {
    of: () => true,
    label: () => gettext("Each color has its own pattern"),
    help: () => gettext("Tasks of one color share a pattern, for readers who cannot tell the colors apart."),
  },
  queued: {
    of: (known) => stands(known) && (!probing(known) || Boolean(known.meta.work?.keeper.central)),
    label: () => gettext("Task in a machine's queue"),
    help: () => gettext("The task stands at the left of the machine until the tasks before it are done."),
  },
  probe: {
    of: probing,
    label: () => gettext("Probe: holds a place in a machine's queue"),
    help: () => gettext("A task has several probes. The first free machine gets the task, and the other probes fade."),
  },
  "probe-lost": {
    of: (known) => stands(known) && known.meta.layers.some((layer) => layer.role === "backlog"),
    label: (known) =>
      probing(known) ? gettext("Probe that will get no task") : gettext("Waits here, too, and starts elsewhere"),
    help: () => gettext("Another machine is faster: the task goes there."),
  },
  "probe-gone": {
    of: probing,
    label: () => gettext("Probe that leaves: its task went elsewhere"),
    help: () => gettext("It rises from the queue and fades."),
  },
  sent: {
    of: ({ meta }) => Boolean(meta.work?.keeper.central),
    label: () => gettext("Long task that the central scheduler sent last"),
    help: () => gettext("An empty frame stays in the box until the next long job comes; arrows lead to the machines."),
  },
  full: {
    of: () => true,
    label: () => gettext("More tasks wait than fit here"),
    help: () => gettext("A bar along a box at the side, or above a machine's queue."),
  },
  owner: {
    of: ({ meta }) => meta.owners.length > 0,
    label: (known) => gettext("Machines of one {keeper}", { keeper: keeps(known) }),
    help: () => gettext("The border has the owner's color. Tasks inside may belong to others."),
  },
  lent: {
    of: ({ meta }) => meta.owners.length > 0 && Boolean(roleLayer(meta, "borrower")),
    label: () => gettext("Borrowed machine"),
    help: () => gettext("The thick line at its foot has the borrower's color."),
  },
  "copy-differs": {
    of: copies,
    label: () => gettext("A master does not know the latest change here"),
    help: () => gettext("A corner in the master's color: its view of this machine is stale."),
  },
  "copy-age": {
    of: copies,
    label: () => gettext("Age of a master's view"),
    help: () => gettext("The bar is empty after a report, and grows as the view gets older."),
  },
  "own-copy": {
    of: ({ track }) => Boolean(track?.made),
    label: () => gettext("A scheduler's own copy; a corner marks a machine about which it is wrong"),
    help: () => gettext("Dark: taken when the copy was made. The map of machines beside it shows what is true now."),
  },
  gate: {
    of: ({ meta }) => Boolean(meta.work?.gate),
    label: ({ meta }) => gettext("{gate}: checks each request for its cluster", { gate: meta.work?.gate }),
    help: () => gettext("It starts the task, or refuses the request if the machine is taken."),
  },
  sweep: {
    of: copies,
    label: () => gettext("A cluster reports to all masters"),
    help: () => gettext("A band passes over the cluster, and dots carry the report to each master."),
  },
  choice: {
    of: ({ meta }) => meta.work?.decision === "choose" || (meta.work?.decision === "round" && Boolean(meta.network)),
    label: () => gettext("Machines compared for one task"),
    help: () =>
      gettext(
        "Machines without room turn pale. Warmer colors mark machines that suit the task better. A frame marks " +
          "the choice.",
      ),
  },
  round: {
    of: ({ meta }) => meta.work?.decision === "round",
    label: () => gettext("Tasks of one round of decisions"),
    help: () => gettext("First the path of one task, then the paths of all tasks in the same round."),
  },
  "move-bounce": {
    of: ({ roles }) => roles.has("bounce!"),
    label: () => gettext("Refused request (round mark)"),
    help: () => gettext("The place was taken when the request came. The task itself stays in its box until then."),
  },
  "move-bounce-usual": {
    of: ({ roles }) => roles.has("bounce"),
    label: () => gettext("Sent back by a machine with a long task"),
    help: () => gettext("The probe of a short task does not wait there: it goes elsewhere."),
  },
  "move-steal": {
    of: ({ roles }) => roles.has("steal"),
    label: () => gettext("Stolen by an idle machine"),
    help: () => gettext("The arrow leads from the machine where it waited to the one without work."),
  },
  "move-throw": {
    of: ({ roles }) => roles.has("throw"),
    label: () => gettext("Preempted: the task leaves its machine"),
    help: () => gettext("It returns to its queue and loses its work."),
  },
  "move-throw-wrong": {
    of: ({ roles }) => roles.has("throw!"),
    label: () => gettext("Lost its machine in a failure"),
    help: () => gettext("It returns to its queue and loses its work."),
  },
  "move-borrow": {
    of: ({ roles }) => roles.has("borrow"),
    label: (known) => gettext("Machine that another {keeper} borrows now", { keeper: keeps(known) }),
    help: () => gettext("A dashed line leads from its owner. The frame has the borrower's color."),
  },
  "move-give": {
    of: ({ roles }) => roles.has("give"),
    label: () => gettext("Room that a job gave away, and another one gets"),
    help: () => gettext("A gray slice takes the color of the job that receives the room."),
  },
  "move-shed": {
    of: ({ roles }) => roles.has("shed") || roles.has("shed!"),
    label: () => gettext("Sent elsewhere by a machine"),
    help: () => gettext("A task or probe that waited leaves the machine's queue."),
  },
  "move-overtake": {
    of: ({ roles }) => roles.has("overtake"),
    label: () => gettext("Goes before others in a queue"),
    help: () => gettext("An arrow down the queue of a machine."),
  },
  out: {
    of: ({ meta, roles }) => Boolean(roleLayer(meta, "service")) && (roles.has("throw!") || roles.has("shed!")),
    label: () => gettext("Machine out of service"),
    help: () => gettext("It failed, or it is being drained."),
  },
};

/** Sort tasks first, then their movements. @param {string} id */
const rankOf = (id) => (id === "task" || id === "running" ? 0 : id.startsWith("move-") ? 1 : 2);

/**
 * Return the marks that a run's picture of tasks can show; with a track, only those that occur in it.
 *
 * @param {Meta} meta
 * @param {Track | null} track
 * @returns {Mark[]}
 */
export function marksOf(meta, track) {
  const known = { meta, track, roles: rolesOf(meta, track) };
  return Object.entries(MARKS)
    .filter(([, { of }]) => of(known))
    .sort(([one], [other]) => rankOf(one) - rankOf(other))
    .map(([id, { label, help }]) => ({ id, label: label(known), help: help(), sample: SAMPLES[id] }));
}

/** The names of all marks. */
export const ALL_MARKS = Object.keys(MARKS);
