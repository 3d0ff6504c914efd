/** Run a claim again on this server: progress, verdict, and the new figure over the published one. */

import { request } from "../../contract/api.js";
import { gettext, ngettext } from "../../kit/words.js";

const LOOK_MS = 700;
const sleep = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** @typedef {{verdict: string, why: string, seeds: number[], outside: number[], version: string,
 *   same: boolean}} ClaimAnswer
 * @typedef {{state: string, progress: number, problems: {message: string, remedy: string}[],
 *   answer: null | ClaimAnswer}} ClaimRun */

/** Return the text of an answer. */
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
    "at the edge": gettext("At the edge"),
    "not reproduced": gettext("Not reproduced"),
  });
  return known[verdict] ?? verdict;
}

const problemWords = (/** @type {{message: string, remedy: string} | undefined} */ problem) =>
  [problem?.message, problem?.remedy].filter(Boolean).join(": ");

/** Lay the new run over the figure, and add it to the printable sheet. */
function showAgain(
  /** @type {Element | null} */ claim,
  /** @type {import("../../draw/charts/figure_view.js").FigureView | null} */ figure,
) {
  figure?.show({ again: true });
  const sheet = /** @type {HTMLAnchorElement | null | undefined} */ (claim?.querySelector("[data-sheet]"));
  if (sheet) sheet.search = "?again=true";
}

/** Return the text of an answer under other seeds: under how many seeds every part of the claim holds. */
export function otherSeedsWords(/** @type {ClaimAnswer} */ answer) {
  if (answer.why) return gettext("This server cannot run it. {why}", { why: answer.why });
  const { seeds, outside } = answer;
  const values = { verdict: verdictWords(answer.verdict), held: seeds.length - outside.length, all: seeds.length };
  const told = gettext("{verdict}: the claim holds under {held} of {all} seeds.", values);
  return outside.length ? `${told} ${gettext("It fails under {seeds}.", { seeds: outside.join(", ") })}` : told;
}

/**
 * Start a run of a claim, follow it to its end, and report its state beside the claim. Return its answer, if it has
 * one.
 */
async function follow(
  /** @type {string} */ address,
  /** @type {(words: string) => void} */ say,
  /** @type {(answer: ClaimAnswer) => string} */ words,
) {
  say(gettext("Waiting for a worker…"));
  /** @type {ClaimRun} */
  let run = await request("POST", address);
  while (!["done", "failed", "cancelled"].includes(run.state)) {
    if (run.state !== "waiting") say(gettext("Running: {percent} %", { percent: Math.round(run.progress * 100) }));
    else if (run.problems.length) say(problemWords(run.problems[0]));
    await sleep(LOOK_MS);
    run = await request("GET", address);
  }
  say(run.answer ? words(run.answer) : problemWords(run.problems[0]));
  return run.answer;
}

/** Run one run of a claim at a time: disable its buttons meanwhile, and show errors in place of the answer. */
async function alone(
  /** @type {Element | null} */ claim,
  /** @type {(say: (words: string) => void) => Promise<void>} */ run,
) {
  const status = /** @type {HTMLElement} */ (claim?.querySelector("[data-again]"));
  const buttons = /** @type {HTMLButtonElement[]} */ ([
    ...(claim?.querySelectorAll("[data-run-again], [data-other-seeds] button") ?? []),
  ]);
  const say = (/** @type {string} */ words) => {
    status.hidden = false;
    status.textContent = words;
  };
  for (const button of buttons) button.disabled = true;
  try {
    await run(say);
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
  }
  for (const button of buttons) button.disabled = false;
}

const addressOf = (/** @type {string | undefined} */ id) => `/papers/claims/${encodeURIComponent(id ?? "")}/run`;

/**
 * @param {HTMLButtonElement} button
 * @param {import("../../draw/charts/figure_view.js").FigureView | null} figure
 */
export function wireRunAgain(button, figure) {
  const claim = button.closest("article");
  button.addEventListener("click", () =>
    alone(claim, async (say) => {
      const answer = await follow(addressOf(button.dataset.runAgain), say, answerWords);
      if (answer && !answer.why) showAgain(claim, figure);
    }),
  );
}

/** Wire the form that asks for other seeds. */
export function wireOtherSeeds(/** @type {HTMLFormElement} */ form) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const asked = new URLSearchParams(
      /** @type {Record<string, string>} */ (/** @type {unknown} */ (new FormData(form))),
    );
    alone(form.closest("article"), async (say) => {
      await follow(`${addressOf(form.dataset.otherSeeds)}?${asked}`, say, otherSeedsWords);
    });
  });
}
