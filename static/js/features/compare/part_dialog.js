/** Where two runs diverge: the first decision that only one of them took, and how the dialog finds it. */

import { clock, duration, glued, whole, written } from "../../kit/format.js";
import { howFar } from "../../run/why/networks.js";
import { findDifference } from "../../run/why/whys.js";
import { openDialog } from "../../kit/dialogs.js";
import { element, html, nothing, signal } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";

/** @import { ApiError } from "../../contract/api.js" */

/**
 * @typedef {{runs: string[], names: string[], end_ns: number, go: (t_ns: number, task: number) => void,
 *   link?: unknown, words?: (error: ApiError) => string}} Parting
 * @typedef {{task: number, t_s: number, sentence: string} | null} Decided
 * @typedef {{t_s: number, task: number, mine: Decided, other: Decided}} Found  where two runs diverge
 */

/**
 * Open the dialog at once and fill it later. `runs`: two ids; `names`: their names; `end_ns`: the precision of shown
 * times; `go(t_ns, task)`; `link`: a view of further buttons.
 */
export async function partDialog(
  /** @type {Parting} */ { runs, names, end_ns, go, link, words = (error) => error.message },
) {
  const said = signal(gettext("Simulating both runs in step…"));
  const parting = signal(/** @type {Found | null} */ (null));
  const there = (/** @type {Found} */ { t_s, task }) => {
    dialog.close();
    go(Math.round(t_s * 1e9), task);
  };
  const dialog = openDialog(
    gettext("Where the runs diverge"),
    element("div", "", () => {
      const found = parting.value;
      return html`
        <p class="answer" role="status" data-difference>${said.value}</p>
        <div>${found ? [found.mine, found.other].map((one, at) => sideView(names[at], one, found.t_s)) : nothing}</div>
        <p class="inspector-tools"
          >${
            found
              ? html`<button type="button" class="button button-small" @click=${() => there(found)}
                  >${gettext("Go there")}</button
                >`
              : nothing
          }${link}</p
        >`;
    }),
  );
  dialog.classList.add("dialog-wide");
  const abort = new AbortController();
  dialog.addEventListener("close", () => abort.abort());
  try {
    const found = await findDifference(runs[0], runs[1], {
      signal: abort.signal,
      told: (state, progress) => {
        said.value = howFar(state, progress, gettext("Simulating both runs in step…"));
      },
    });
    said.value = found.same
      ? found.sentence
      : gettext("They diverge at {time} ({seconds} s), after {decisions} identical decisions.", {
          time: clock(found.t_s * 1e9, end_ns),
          seconds: written(found.t_s, 6, 6),
          decisions: whole(found.decisions),
        });
    if (!found.same) parting.value = found;
  } catch (error) {
    if (!abort.signal.aborted) said.value = words(/** @type {ApiError} */ (error));
  }
}

/**
 * Return the first decision of one run that the other does not take; `one` is null if no decision follows.
 * @param {string} name
 * @param {Decided} one
 * @param {number} t_s
 */
function sideView(name, one, t_s) {
  const words = one
    ? gettext("Task {task}{later}: {sentence}", {
        task: whole(one.task),
        later: one.t_s > t_s ? gettext(", {time} later", { time: duration((one.t_s - t_s) * 1e9) }) : "",
        sentence: glued(one.sentence),
      })
    : gettext("No further decision was made.");
  return html`<section class="why-part"><h3>${name}</h3><p>${words}</p></section>`;
}
