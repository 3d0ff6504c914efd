/** Run a claim again on this server: progress, verdict, and its figures over ours. */

import { request } from "../../contract/api.js";
import { gettext, ngettext } from "../../kit/words.js";

const LOOK_MS = 700;
const sleep = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** @typedef {{verdict: string, why: string, seeds: number[], version: string, same: boolean}} ClaimAnswer
 * @typedef {{state: string, progress: number, problems: {message: string, remedy: string}[],
 *   answer: null | ClaimAnswer}} ClaimRun */

/** What is said of an answer. */
export function answerWords(/** @type {ClaimAnswer} */ answer) {
  if (answer.why) return gettext("This server cannot run it. {why}", { why: answer.why });
  const values = { verdict: verdictWords(answer.verdict) };
  const run = ngettext(
    "{verdict}, computed here just now with {n} seed.",
    "{verdict}, computed here just now with {n} seeds.",
    answer.seeds.length,
    values,
  );
  const same = answer.same
    ? gettext("Every figure equals the saved one.")
    : gettext("Some figures differ from the saved ones, which another version may have computed.");
  return `${run} ${same}`;
}

function verdictWords(/** @type {string} */ verdict) {
  const known = /** @type {Record<string, string>} */ ({
    reproduced: gettext("Reproduced"),
    "sign only": gettext("Right direction, wrong size"),
    "not reproduced": gettext("Not reproduced"),
  });
  return known[verdict] ?? verdict;
}

const problemWords = (/** @type {{message: string, remedy: string} | undefined} */ problem) =>
  [problem?.message, problem?.remedy].filter(Boolean).join(": ");

/** Lay the new run over the figure, and give the sheet the same figure. */
function showAgain(
  /** @type {Element | null} */ claim,
  /** @type {import("../../draw/charts/figure_view.js").FigureView | null} */ figure,
) {
  figure?.show({ again: true });
  const sheet = /** @type {HTMLAnchorElement | null | undefined} */ (claim?.querySelector("[data-sheet]"));
  if (sheet) sheet.search = "?again=true";
}

/**
 * @param {HTMLButtonElement} button
 * @param {import("../../draw/charts/figure_view.js").FigureView | null} figure
 */
export function wireRunAgain(button, figure) {
  const claim = button.closest("article");
  const status = /** @type {HTMLElement} */ (claim?.querySelector("[data-again]"));
  const address = `/papers/claims/${encodeURIComponent(button.dataset.runAgain ?? "")}/run`;
  const say = (/** @type {string} */ words) => {
    status.hidden = false;
    status.textContent = words;
  };
  button.addEventListener("click", async () => {
    button.disabled = true;
    say(gettext("Waiting for a worker…"));
    try {
      /** @type {ClaimRun} */
      let run = await request("POST", address);
      while (!["done", "failed", "cancelled"].includes(run.state)) {
        if (run.state !== "waiting") say(gettext("Running: {percent} %", { percent: Math.round(run.progress * 100) }));
        else if (run.problems.length) say(problemWords(run.problems[0]));
        await sleep(LOOK_MS);
        run = await request("GET", address);
      }
      if (run.answer) say(answerWords(run.answer));
      else say(problemWords(run.problems[0]));
      if (run.answer && !run.answer.why) showAgain(claim, figure);
    } catch (error) {
      say(error instanceof Error ? error.message : String(error));
    }
    button.disabled = false;
  });
}
