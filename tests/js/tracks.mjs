/** Tracks for tests, as they come over the wire. */

import { NEVER, Track } from "../../static/js/run/track.js";

export const planes = (values) => {
  const bytes = new Uint8Array(4 * values.length);
  values.forEach((value, row) => {
    for (let plane = 0; plane < 4; plane += 1)
      bytes[plane * values.length + row] = Math.floor(value / 256 ** plane) % 256;
  });
  return bytes;
};
export const LEGS = {
  sent: [
    { part: "framework", place: "queue", fraction: 1 },
    { part: "processing", place: "queue", fraction: 1 },
    { part: "communication", place: "way", fraction: 1 },
    { part: "worker", place: "worker", fraction: 1 },
  ],
  probed: [
    { part: "framework", place: "queue", fraction: 1 },
    { part: "processing", place: "queue", fraction: 1 },
    { part: "communication", place: "way", fraction: 1 / 3 },
    { part: "worker", place: "worker", fraction: 1 },
    { part: "communication", place: "way", fraction: 2 / 3 },
  ],
};
const BOUNCE = { reason: 7, role: "bounce", frm: "keeper", to: "machine", wrong: true };

/** A track of tasks {arrival, framework, communication, worker, ran, machine, size}, and spells and moves of some. */
export function trackOf(tasks, { legs = LEGS.sent, ...more } = {}) {
  return new Track(wireOf(tasks, more), { keeper: { role: "queue", label: "Queue", help: "" }, legs, moves: [BOUNCE] });
}

/** The same as it comes over the wire. */
export function wireOf(tasks, { spells = [], moves = [], task = null, copies = null } = {}) {
  const column = (name, otherwise = 0) => planes(tasks.map((each) => each[name] ?? otherwise));
  const bytes = (name, otherwise = 0) => Uint8Array.from(tasks, (each) => each[name] ?? otherwise);
  const rows = (list, name) => planes(list.map((each) => each[name]));
  return {
    v: 1,
    unit_ns: 1000,
    until_ns: 1e9,
    left_out: 0,
    thinned: false,
    ...(copies ? { copies } : {}),
    tasks: {
      count: tasks.length,
      task: task ? planes(task) : new Uint8Array(0),
      job: column("job"),
      queue: bytes("queue"),
      keeper: bytes("keeper"),
      machine: planes(tasks.map((each) => (each.machine ?? -1) + 1)),
      size: bytes("size", 64),
      ...Object.fromEntries(
        ["arrival", "framework", "processing", "communication", "worker"].map((name) => [name, column(name)]),
      ),
      ran: column("ran", NEVER),
    },
    spells: {
      count: spells.length,
      row: rows(spells, "row"),
      machine: planes(spells.map((each) => each.machine + 1)),
      start: rows(spells, "start"),
      end: rows(spells, "end"),
    },
    moves: {
      count: moves.length,
      at: rows(moves, "at"),
      reason: rows(moves, "reason"),
      task: rows(moves, "task"),
      machine: planes(moves.map((each) => each.machine + 1)),
      frm: planes(moves.map((each) => (each.frm ?? -1) + 1)),
      to: planes(moves.map((each) => (each.to ?? -1) + 1)),
      other: planes(moves.map((each) => each.other ?? 0)),
    },
  };
}
