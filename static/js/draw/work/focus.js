/** The followed task, wherever it is drawn, the machines that a moment concerns, and what happens there. */

import { gettext } from "../../kit/words.js";
import { whole } from "../../kit/format.js";
import { FLIGHT, QUEUED, RUNS, SHELF } from "./showing.js";
import { arrow, between, faint, line } from "./kinds/pens.js";
import { placeOn } from "./shelves.js";
import { eased, onWay } from "./flights.js";
import { gateOf } from "./gates.js";
import { noteIn, tagIn } from "./labels.js";
import { lastPlace } from "./lanes.js";
import { drawLatest } from "./latest.js";
import { drawRace, raceStage } from "./race.js";
import { FONT } from "../../kit/type.js";

/**
 * @import { Inks } from "./inks.js"
 * @import { Pen } from "../scenes/scene.js"
 * @import { Plan } from "./scene.js"
 */

/** @typedef {import("./scene.js").TasksScene} TasksScene */
/** @typedef {[number, number]} Point */
/**
 * @typedef {object} Focus
 * @property {number} task  -1 for none
 * @property {number[]} machines  the first one is where the event happens
 * @property {number} [t_ns]  the event's time
 * @property {string} [sort]  the kind of event: "wait", "decision", "report" or a movement's role
 * @property {string} [tag]  what the task does, in a few words
 * @property {number} [beside]  a second task, which waits
 * @property {boolean} [reserved]  true if the machine is reserved for short tasks
 * @property {string} [besideTag]  what the second task does
 * @property {number} [lag_ns]  the minimum duration of a visible movement, in simulated nanoseconds
 * @property {number} [since_ns]  when the cause of the event began
 * @property {number} [latest_ns]  the latest start of the waiting task that does not delay its job's end
 * @property {import("../../contract/contract").MomentProbe[]} [probes]  all probes of the task's job
 */

/** The opacity of the veil over everything else. */
const VEIL = 0.45;
/** Moments that concern the whole map. */
const UNVEILED = new Set(["decision", "report", "place"]);
/** Moments that show where a task's data are. */
const OF_DATA = ["data", "near"];
/** Movements in which a task leaves its machine. */
const AWAY = new Set(["throw", "shed"]);

/**
 * Return the position of the task in this frame. Call this while tasks are sorted, at the task's turn.
 *
 * @param {TasksScene} scene
 * @param {number} row
 * @returns {Point | null}
 */
export function placeOfFocus(scene, row) {
  const { shown, plan, cells } = scene;
  if (!plan) return null;
  const shelf = scene.shelfOf(row);
  if (shown.where === SHELF && scene.track) return placeOn(shelf, lastPlace(shelf, row, scene.track), plan.scale);
  if (shown.where === QUEUED) return cells.queuePlace(scene, shown.machine, cells.waitingAt(shown.machine));
  if (shown.where === RUNS) return cells.sliceMiddle(scene, row, shown);
  if (shown.where !== FLIGHT) return null;
  const [x, y] = placeOn(shelf, 0, plan.scale);
  const [toX, toY] = scene.middleOf(shown.machine);
  return onWay({ x, y, toX, toY, via: gateOf(scene, shown.machine) }, eased(shown.share));
}

/**
 * Return the position of the task's waiting probe, which will get it a machine; null for none.
 * @param {TasksScene} scene
 * @returns {Point | null}
 */
export function probeOfFocus(scene) {
  const { shown, cells } = scene;
  if (shown.probe !== QUEUED) return null;
  return cells.queuePlace(scene, shown.machine, cells.waitingAt(shown.machine));
}

/** Cover everything that a moment does not concern. @param {CanvasRenderingContext2D} pen @param {TasksScene} scene */
export function veilOthers(pen, scene, /** @type {number} */ now) {
  const { focus, plan, inks } = scene;
  if (!focus?.machines.length || !plan?.drawn || UNVEILED.has(focus.sort ?? "")) return;
  const all = raceStage(scene, now) === "draw";
  pen.fillStyle = inks.ground;
  faint(pen, VEIL, () => {
    for (let place = 0; place < plan.count; place += 1) {
      const machine = plan.ids[place];
      if (all || !focus.machines.includes(machine))
        pen.fillRect(plan.x[machine] - 1, plan.y[machine] - 1, plan.wide + 2, plan.high + 2);
    }
  });
}

/** @param {CanvasRenderingContext2D} pen @param {TasksScene} scene @param {number} now */
export function drawFocus(pen, scene, now) {
  const { focus, focusAt, plan } = scene;
  if (!focus || !plan?.drawn) return;
  scene.drew.add("focus");
  const happened = focus.t_ns === undefined || now * (scene.track?.unit_ns ?? 1) >= focus.t_ns;
  const word = happened ? wordOf(scene) : null;
  const at = movedTo(scene, happened) ?? focusAt;
  const down = at && !Number.isNaN(at[0]) ? drawTask(pen, scene, at, happened) : 0;
  const more = scene.besideAt ? drawBeside(pen, scene, scene.besideAt, down) : 0;
  drawLatest(pen, scene, now, down + more);
  drawRival(pen, scene, happened ? down : 0);
  if (focus.sort === "report" || focus.sort === "place") return;
  if (focus.probes) drawRace(pen, scene, now, (place) => ring(pen, place, 8 * plan.scale, scene.inks, plan.scale));
  else
    for (const machine of focus.machines)
      machineFrame(
        pen,
        scene,
        machine,
        (machine === focus.machines[0] && !focus.reserved && word) || stored(focus, machine),
      );
}

/**
 * Return true if a line leads from the task to its target machine.
 * @param {TasksScene} options
 * @param {boolean} happened
 */
function hasGoal({ focus, focusWaits }, happened) {
  if (!focus) return false;
  // Choices between machines and probes have their own lines. A refused task goes elsewhere.
  if (!focus.machines.length || ["place", "decision"].includes(focus.sort ?? "") || focus.probes || !focusWaits)
    return false;
  return !(happened && (AWAY.has(focus.sort ?? "") || focus.sort === "bounce"));
}

/**
 * Draw the task with a ring, and its target until it arrives there.
 * @param {Point} focusAt
 * @returns {number} the height of its note in the box
 */
function drawTask(/** @type {Pen} */ pen, /** @type {TasksScene} */ scene, focusAt, /** @type {boolean} */ happened) {
  const { focus, plan, inks } = scene;
  if (!focus || !plan) return 0;
  /** @type {Point} */
  const goal = hasGoal(scene, happened) ? scene.middleOf(focus.machines[0]) : [NaN, NaN];
  const probe = focus.probes ? null : scene.focusProbeAt;
  if (probe) {
    line(pen, scene, focusAt, probe, inks.ink, { alpha: 0.7, dash: [2, 4], wide: 2 });
    ring(pen, probe, 9 * plan.scale, inks, plan.scale);
  } else if (!Number.isNaN(goal[0])) {
    line(pen, scene, focusAt, goal, inks.ink, { alpha: 0.6, dash: [6, 4], wide: 2 });
    arrow(pen, scene, focusAt, goal, inks.ink);
  }
  const waits = scene.focusWhere === SHELF;
  toData(pen, scene, focusAt);
  ring(pen, focusAt, (waits ? 7 : 11) * plan.scale, inks, plan.scale);
  const tagged = focus.tag && (!["wait", ...OF_DATA].includes(focus.sort ?? "") || scene.focusWaits);
  const text = tagged && focus.tag ? focus.tag : gettext("task {task}", { task: whole(focus.task) });
  const high = noteIn(pen, scene, scene.shelfOf(scene.focusRow), text);
  if (!high) label(pen, scene, text, [focusAt[0], belowName(scene, focusAt)], inks.ink, 15 * plan.scale);
  return high;
}

/**
 * Return a label position that leaves the shelf's name and number uncovered.
 * @returns {number}
 * @param {Pick<TasksScene, "plan">} scene
 * @param {Point} options
 */
function belowName({ plan }, [x, y]) {
  if (!plan) return y;
  const shelf = plan.shelves.find(({ box }) => x >= box.x && x <= box.x + box.width && y >= box.y);
  const least = shelf ? shelf.box.y + 14 * plan.scale : y;
  return shelf && y <= shelf.box.y + shelf.box.height ? Math.max(y, least) : y;
}

/**
 * Draw the second, waiting task and what it does; its note stands below the first one's.
 * @returns {number}
 * @param {Pen} pen
 * @param {TasksScene} scene
 * @param {Point} at
 * @param {number | undefined} down
 */
function drawBeside(pen, scene, at, down) {
  const { focus, plan, inks } = scene;
  if (!focus || !plan) return 0;
  ring(pen, at, 7 * plan.scale, inks, plan.scale);
  const text = focus.besideTag ?? "";
  const high = noteIn(pen, scene, scene.shelfOf(scene.besideRow), text, down);
  if (!high) label(pen, scene, text, [at[0], belowName(scene, at) + 28 * plan.scale], inks.ink, 15 * plan.scale);
  return high;
}

/**
 * Draw a note for the task that took the place first, in the box that it came from.
 * @param {Pen} pen
 * @param {TasksScene} scene
 * @param {number | undefined} down
 */
function drawRival(pen, scene, down) {
  const { rivalRow, focusMoved, track } = scene;
  if (!focusMoved || !track || rivalRow < 0) return;
  const text = gettext("task {task} has the machine", { task: whole(track.taskOf(rivalRow)) });
  const shelf = scene.shelfOf(rivalRow);
  noteIn(pen, scene, shelf, text, shelf === scene.shelfOf(scene.focusRow) ? down : 0);
}

/**
 * Return the position of a task that leaves its machine: along its movement, or at the machine before it.
 * @returns {Point | null}
 * @param {TasksScene} scene
 * @param {boolean} happened
 */
function movedTo(scene, happened) {
  const { focus, moved, cells } = scene;
  if (!focus || !AWAY.has(focus.sort ?? "")) return null;
  const [one] = moved;
  if (one) return between(one.from, one.to, eased(one.share));
  if (happened || focus.sort !== "shed") return null;
  const machine = focus.machines[0];
  return cells.queuePlace(scene, machine, Math.max(0, cells.waitingAt(machine) - 1));
}

/**
 * Return a word for what happens, and true (red) if it went wrong.
 * @param {TasksScene} scene
 * @returns {[string, boolean] | null}
 */
function wordOf({ focus, focusMoved, focusWaits }) {
  if (["wait", ...OF_DATA].includes(focus?.sort ?? "")) return focusWaits ? null : [gettext("starts"), false];
  const role = focusMoved?.role;
  /** @type {Record<string, string>} */
  const words = {
    bounce: gettext("refused"),
    steal: gettext("steals it"),
    throw: gettext("stopped"),
    borrow: gettext("borrowed"),
    give: gettext("room that another job gave away"),
    shed: gettext("sent elsewhere"),
    overtake: gettext("goes first"),
  };
  return role ? [words[role], Boolean(focusMoved?.wrong)] : null;
}

/**
 * Return a word for what a machine of the moment stores, or for whom it is reserved.
 * @param {Focus} focus
 * @param {number} machine
 * @returns {[string, boolean] | null}
 */
function stored({ sort, machines, reserved }, machine) {
  if (reserved) return [gettext("reserved for short tasks"), false];
  const has = sort === "data" || (sort === "near" && machine !== machines[0]);
  return has ? [gettext("has its data"), false] : null;
}

/** Draw lines from a waiting task to the machines that store its data. @param {Point} at */
function toData(/** @type {Pen} */ pen, /** @type {TasksScene} */ scene, at) {
  const { focus, inks } = scene;
  if (!focus || !scene.focusWaits || focus.reserved) return;
  for (const machine of focus.machines.filter((one) => stored(focus, one))) {
    const to = scene.middleOf(machine);
    if (!Number.isNaN(to[0])) line(pen, scene, at, to, inks.ink, { alpha: 0.6, dash: [2, 5], wide: 2 });
  }
}

/**
 * Draw a frame around a machine of the moment, with its number and what happens there.
 * @param {Pen} pen
 * @param {TasksScene} scene
 * @param {number} machine
 * @param {[text: string, bad?: boolean] | null | undefined} word
 */
function machineFrame(pen, scene, machine, word) {
  const { plan, inks } = scene;
  if (!plan || Number.isNaN(plan.x[machine])) return;
  const { scale } = plan;
  const out = 3 * scale;
  pen.strokeStyle = word?.[1] ? inks.alarm : inks.ink;
  pen.lineWidth = 3 * scale;
  pen.setLineDash(machine === scene.focus?.machines[0] ? [] : [5 * scale, 4 * scale]);
  pen.strokeRect(plan.x[machine] - out, plan.y[machine] - out, plan.wide + 2 * out, plan.high + 2 * out);
  pen.setLineDash([]);
  const number = whole(machine);
  const colour = word?.[1] ? inks.alarm : inks.ink;
  const name = gettext("machine {machine}", { machine: number });
  const short = gettext("no. {number}", { number });
  const words = word
    ? [`${name}: ${word[0]}`, word[0], ...(OF_DATA.includes(scene.focus?.sort ?? "") ? [gettext("its data")] : [])]
    : [];
  if (tagIn(pen, scene, machine, word ? words : [name, short, number], colour)) return;
  // In small cells, labels of several machines would cover each other; their frames and the card name them.
  if (stored(/** @type {Focus} */ (scene.focus), machine) && (scene.focus?.machines.length ?? 0) > 1) return;
  const text = word ? gettext("{name}: {word}", { name, word: word[0] }) : name;
  const above = plan.y[machine] - 16 * scale;
  const y = above > plan.machines.y + 8 * scale ? above : plan.y[machine] + plan.high + 18 * scale;
  label(pen, scene, text, [plan.x[machine], y], colour);
}

/**
 * @param {Pen} pen
 * @param {Point} options
 * @param {number} radius
 * @param {Inks} inks
 * @param {number} scale
 */
function ring(pen, [x, y], radius, inks, scale) {
  for (const { colour, wide } of [
    { colour: inks.surface, wide: 6 },
    { colour: inks.ink, wide: 3 },
  ]) {
    pen.beginPath();
    pen.arc(x, y, radius, 0, 2 * Math.PI);
    pen.strokeStyle = colour;
    pen.lineWidth = wide * scale;
    pen.stroke();
  }
}

/** Write a text to the right of a position, or to its left if there is no room. */
function label(
  /** @type {Pen} */ pen,
  /** @type {Pick<TasksScene, "plan" | "inks">} */ { plan, inks },
  /** @type {string} */ text,
  /** @type {Point} */ [x, y],
  colour = inks.ink,
  beside = 0,
) {
  if (!plan) return;
  const { scale } = plan;
  pen.font = `600 ${16 * scale}px ${FONT}`;
  pen.textAlign = "left";
  const wide = pen.measureText(text).width;
  const most = pen.canvas.width - wide - 12 * scale;
  const left = Math.max(6 * scale, x + beside <= most ? x + beside : beside ? x - beside - wide : most);
  pen.fillStyle = inks.surface;
  pen.fillRect(left - 4 * scale, y - 12 * scale, wide + 8 * scale, 24 * scale);
  pen.fillStyle = colour;
  pen.fillText(text, left, y + 5 * scale);
}
