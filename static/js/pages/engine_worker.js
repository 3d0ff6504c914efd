/**
 * The thread in which a page simulates. It gets a packed start and the module of its event loop, and tells how far the
 * run is, then its outcome. If it is to hold a run, it simulates that under one change after the other, and tells the
 * frames of each. It asks for nothing: its policy allows no connection (playground/web/static_files.py).
 */

import { ForkedRun } from "../engine/forked_run.js";
import { outcomeDigest } from "../engine/outcome.js";
import { readStart } from "../engine/start_file.js";
import { machineOf } from "../engine/touched_run.js";
import { Traveler } from "../engine/traveler.js";
import { WarmRun } from "../engine/warm.js";

/** @import { Changed, Given, GivenFork, Told } from "../engine/here.js" */
/** @import { Wish } from "../engine/touched_run.js" */
/** @import { Journey } from "../engine/traveler.js" */
/** @import { Values } from "../engine/turning.js" */

const SLICE_EVENTS = 50_000;
const TELL_EVERY_MS = 100;
const FRAMES_EVERY_MS = 16;
/** How long a newer change waits at most until it is heard, but for a slice of events. */
const HEAR_EVERY_MS = 4;

const tell = (/** @type {Told} */ told) => postMessage(told);

/** The run that the page changes, and the number of the wish that it had last. @type {Promise<WarmRun> | null} */
let warm = null;
let newest = 0;

/** Wait until messages that have come meanwhile are heard. */
function hear() {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve(null);
    };
    port2.postMessage(null);
  });
}

/**
 * Simulate a changed run, and tell its frames. It ends early where a newer wish has come.
 * @param {Wish} wish
 * @param {number} number
 */
async function change(wish, number) {
  newest = number;
  const run = await warm;
  if (!run) throw new Error("no run was given");
  if (number !== newest) return;
  const began = performance.now();
  const { machine, steps } = await run.go(wish);
  const say = (/** @type {Changed} */ told) => postMessage({ number, told });
  /** @type {import("../contract/contract").Frame[]} */
  let frames = [];
  let [told, heard] = [began, began];
  for (const step of steps) {
    if (step && "picture" in step) say({ picture: step.picture });
    else if (step) frames.push(step.frame);
    const now = performance.now();
    if (now - heard < HEAR_EVERY_MS) continue;
    if (frames.length && now - told >= FRAMES_EVERY_MS) {
      say({ frames });
      [frames, told] = [[], now];
    }
    await hear();
    if (number !== newest) return;
    heard = performance.now();
  }
  if (frames.length) say({ frames });
  const took_ms = performance.now() - began;
  // The digest takes as long as several frames, and a newer change has no use for it.
  await hear();
  if (number !== newest) return;
  const counts = { tasks: machine.counted("tasks_done"), events: machine.counted("events") };
  say({ end: { digest: outcomeDigest(machine), cited: "", took_ms, ...counts } });
}

/**
 * Tell the task that has run longest on a machine of the datacenter.
 * @param {{wish: Wish, machine: number, t_ns: number}} asked
 * @param {number} number
 */
async function find({ wish, machine, t_ns }, number) {
  newest = number;
  const run = await warm;
  if (!run) throw new Error("no run was given");
  if (number !== newest) return;
  postMessage({ number, told: { task: await run.taskOn(wish, machine, t_ns) } });
}

/**
 * Hold a run, and make it ready for the first change.
 * @param {Given} given
 */
async function hold({ start, module }) {
  const run = new WarmRun(await readStart(start), module);
  await run.prepare();
  return run;
}

/** Let the browser compile the module well, until the first change comes. */
async function practice() {
  const run = await warm;
  if (!run || newest) return;
  for (const _ of run.practice()) {
    await hear();
    if (newest) return;
  }
}

/** The run whose parameters the page changes to compare numbers. @type {Promise<ForkedRun> | null} */
let forked = null;

/**
 * Simulate the run with other values, and tell its numbers. It ends early where newer values have come.
 * @param {Values} values
 * @param {number} number
 */
async function fork(values, number) {
  newest = number;
  const run = await forked;
  if (!run) throw new Error("no run was given");
  if (number !== newest) return;
  const steps = run.steps(values);
  let [step, heard] = [steps.next(), performance.now()];
  while (!step.done) {
    if (performance.now() - heard >= FRAMES_EVERY_MS) {
      await hear();
      if (number !== newest) return;
      heard = performance.now();
    }
    step = steps.next();
  }
  postMessage({ number, told: { forked: step.value } });
}

/** @param {Given} given */
async function simulate({ start, module }) {
  const began = performance.now();
  const packed = await readStart(start);
  const machine = await machineOf(packed, module, []);
  let told = performance.now();
  while (machine.advance(SLICE_EVENTS)) {
    if (performance.now() - told < TELL_EVERY_MS) continue;
    told = performance.now();
    tell({ progress: machine.progress });
  }
  const took_ms = performance.now() - began;
  const digest = outcomeDigest(machine);
  const cited = packed.header.outcome_digest;
  const tasks = machine.counted("tasks_done");
  tell({ end: { digest, cited, tasks, events: machine.counted("events"), took_ms } });
}

/** The run that the page goes through event by event. @type {Promise<Traveler> | null} */
let traveler = null;

/** @param {{event: number} | {t_ns: number}} where */
async function go(where) {
  const going = await traveler;
  if (!going) throw new Error("no run was given");
  tell({ stand: "event" in where ? going.to(where.event) : going.toInstant(where.t_ns) });
}

/**
 * @param {Given | Given & {travel: Journey} | {go: {event: number} | {t_ns: number}} | {hold: Given} |
 *   {fork: GivenFork}} asked
 * @returns {Promise<unknown>}
 */
function answer(asked) {
  if ("go" in asked) return go(asked.go);
  if ("hold" in asked) {
    warm = hold(asked.hold);
    return practice();
  }
  if ("fork" in asked) {
    const { start, module, how } = asked.fork;
    forked = readStart(start).then((packed) => ForkedRun.of(packed, module, how));
    return forked;
  }
  if (!("travel" in asked)) return simulate(asked);
  traveler = readStart(asked.start).then((start) => Traveler.of(start, asked.module, asked.travel));
  return traveler;
}

addEventListener("message", ({ data }) => {
  const messageOf = (/** @type {unknown} */ error) => (error instanceof Error ? error.message : String(error));
  const failed = (/** @type {unknown} */ error) =>
    postMessage({ number: data.number, told: { error: messageOf(error) } });
  if ("wish" in data) change(data.wish, data.number).catch(failed);
  else if ("taskOn" in data) find(data.taskOn, data.number).catch(failed);
  else if ("values" in data) fork(data.values, data.number).catch(failed);
  else answer(data).catch((error) => tell({ error: messageOf(error) }));
});
