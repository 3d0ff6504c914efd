/**
 * The kinds of movements, one line each. `DECIDED` are decisions in the log, by their role in the metadata. `TOLD` are
 * drawn from tasks and pictures if `shown` returns true for a run.
 */

import { bounce, overtake, shed, steal, thrown } from "./decided.js";
import { borrow, give } from "./hands.js";
import { choose, round } from "./thinking.js";
import { tagged } from "./tagged.js";
import { minis } from "./minis.js";
import { refresh } from "./news.js";
import { sent } from "./sent.js";

/** @typedef {import("../scene.js").TasksScene} TasksScene */
/** @typedef {import("../moves.js").Moved} Moved */
/** @typedef {import("../../../contract/contract").MoveMeta["role"]} MoveRole */

/** @type {Record<MoveRole, (pen: CanvasRenderingContext2D, scene: TasksScene, one: Moved) => void>} */
export const DECIDED = { bounce, steal, throw: thrown, borrow, give, shed, overtake };

/**
 * @type {{shown: (scene: TasksScene) => boolean, draw: (pen: CanvasRenderingContext2D, scene: TasksScene, now: number,
 *   how: {lag: number, still: boolean}) => void}[]}
 */
export const TOLD = [
  { shown: (scene) => scene.tags !== null, draw: tagged },
  { shown: (scene) => scene.track?.work.decision === "choose", draw: choose },
  { shown: (scene) => scene.track?.work.decision === "round", draw: round },
  { shown: (scene) => scene.copies !== null, draw: refresh },
  { shown: (scene) => scene.shared !== null, draw: minis },
  { shown: (scene) => Boolean(scene.track?.central), draw: sent },
];
