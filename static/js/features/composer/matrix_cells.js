/**
 * The matrix of published schedulers and stages: the cells' meaning and the visible rows. `reference`:
 * /reference-architecture.
 */

import { gettext } from "../../kit/words.js";

/**
 * @import { Params } from "./pipeline.js"
 * @import { Cell, PresetStage, Stage, System } from "./reference.js"
 */

export const SIGNS = { full: "■", partial: "◧", none: "·", open: "?" };
const WORDS = { full: gettext("specified"), partial: gettext("partly specified"), none: gettext("not mentioned") };

/**
 * Return the cell of a stage; a system has one for each.
 * @param {System} system
 * @param {string} stageId
 */
export function cellOf(system, stageId) {
  return /** @type {Cell} */ (system.cells.find((each) => each.stage === stageId));
}

/**
 * Return a cell's kind: "full", "partial", "none", or "open" if several are possible.
 * @param {Cell} cell
 */
export function kindOf(cell) {
  return cell.candidates.length === 1 ? cell.candidates[0] : "open";
}

/**
 * Describe a cell in a sentence, with its evidence.
 * @param {System} system
 * @param {Stage} stage
 * @param {Cell} cell
 */
export function tellCell(system, stage, cell) {
  const what = cell.candidates.map((word) => WORDS[word]);
  const found =
    kindOf(cell) === "open"
      ? gettext("not recoverable from what is published: {some} or {other}", {
          some: what.slice(0, -1).join(", "),
          other: what.at(-1),
        })
      : `${what[0]}${cell.evidence === "prose" ? gettext(", which follows only with the paper's prose") : ""}`;
  return `${system.name}, ${stage.id} ${stage.name}: ${found}.`;
}

/**
 * Return the systems that pass all chosen filters: {text, origin, era, clusters}; an empty filter passes all.
 * @param {System[]} systems
 */
export function filterSystems(systems, { text = "", origin = "", era = "", clusters = "" } = {}) {
  const wanted = text.trim().toLowerCase();
  return systems.filter(
    (system) =>
      (!wanted || system.name.toLowerCase().includes(wanted)) &&
      (!origin || system.origin === origin) &&
      (!era || system.era === era) &&
      (!clusters || system.clusters === clusters),
  );
}

/**
 * Return the stages of the chosen groups; all if none is chosen.
 * @param {Stage[]} stages
 * @param {string[]} groups
 */
export function filterStages(stages, groups) {
  return groups.length ? stages.filter((stage) => groups.includes(stage.group)) : stages;
}

/**
 * Return how much of a stage the visible systems have, in percent: [least, most], given their open cells.
 * @param {System[]} systems
 * @param {string} stageId
 */
export function boundsOf(systems, stageId) {
  const worth = { full: 100, partial: 50, none: 0 };
  const each = systems.map((system) => cellOf(system, stageId).candidates.map((word) => worth[word]));
  /** @param {(...values: number[]) => number} pick */
  const mean = (pick) => each.reduce((sum, values) => sum + pick(...values), 0) / Math.max(1, each.length);
  return [mean(Math.min), mean(Math.max)];
}

/** Format a recomputed number: one number if it is certain, else its bounds. */
export function tellBounds(/** @type {number[]} */ [low, high]) {
  /** @param {number} value */
  const one = (value) => String(Math.round(value * 10) / 10);
  return low === high ? one(low) : gettext("{low} to {high}", { low: one(low), high: one(high) });
}

/**
 * Return how many cells are certain, and the total.
 * @param {System[]} systems
 * @param {Stage[]} stages
 */
export function countCertain(systems, stages) {
  const shown = new Set(stages.map((stage) => stage.id));
  const cells = systems.flatMap((system) => system.cells.filter((cell) => shown.has(cell.stage)));
  return { certain: cells.filter((cell) => cell.candidates.length === 1).length, all: cells.length };
}

/**
 * Return the system whose preset equals a pipeline in every parameter; null for a custom pipeline.
 * @param {System[]} systems
 * @param {Params} params
 * @param {Params} defaults
 */
export function presetOf(systems, params, defaults) {
  return (
    systems.find(({ pipeline }) =>
      Object.entries({ ...defaults, ...pipeline.params }).every(
        ([name, value]) => (params[name] ?? defaults[name]) === value,
      ),
    ) ?? null
  );
}

/**
 * Describe a preset's stage: the meaning of its cell, and who chose the policy.
 * @param {System} system
 * @param {Stage} stage
 */
export function tellPreset(system, stage) {
  const cell = cellOf(system, stage.id);
  const one = /** @type {PresetStage} */ (system.pipeline.stages.find((each) => each.stage === stage.id));
  const open = kindOf(cell) === "open";
  const row = open ? gettext("not recoverable from what is published") : WORDS[cell.candidates[0]];
  const whose = ["none", "always"].includes(one.policy)
    ? ""
    : one.ours
      ? open
        ? gettext(" The policy is our choice.")
        : gettext(" So the policy is our choice.")
      : system.pipeline.basis === "abstract"
        ? gettext(" The policy follows its paper's abstract or public page.")
        : gettext(" The policy is from general knowledge of the system.");
  return gettext("{name}'s row: {row}.{choice}{note}", {
    name: system.name,
    row,
    choice: whose,
    note: one.note ? ` ${one.note}` : "",
  });
}
