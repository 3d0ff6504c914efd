/** Where two runs part: the first decision that one took and the other did not, and the way there. */

import { clock, duration, glued, whole, written } from "../../kit/format.js";
import { howFar } from "../../run/why/networks.js";
import { findDifference } from "../../run/why/whys.js";
import { openDialog } from "../../kit/dialogs.js";
import { h } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";

/**
 * @typedef {{runs: string[], names: string[], end_ns: number, go: (t_ns: number, task: number) => void,
 *   link?: HTMLElement | null, words?: (error: any) => string}} Parting
 */

/**
 * Opens at once and fills itself. `runs`: two ids, `names`: what they are called, `end_ns`: how exactly times are told,
 * `go(t_ns, task)`, `link`: more to press, or null.
 */
export async function partDialog(
  /** @type {Parting} */ {
    runs,
    names,
    end_ns,
    go,
    link = null,
    words = (/** @type {Error} */ error) => error.message,
  },
) {
  const said = h(
    "p",
    { class: "answer", role: "status", "data-difference": "" },
    gettext("Simulating both runs in step…"),
  );
  const sides = h("div", {});
  const links = h("p", { class: "inspector-tools" }, link);
  const dialog = openDialog(gettext("Where the runs diverge"), said, sides, links);
  dialog.classList.add("dialog-wide");
  const abort = new AbortController();
  dialog.addEventListener("close", () => abort.abort());
  try {
    const found = await findDifference(runs[0], runs[1], {
      signal: abort.signal,
      told: (state, progress) => {
        said.textContent = howFar(state, progress, gettext("Simulating both runs in step…"));
      },
    });
    if (found.same) {
      said.textContent = found.sentence;
      return;
    }
    said.textContent = gettext("They diverge at {time} ({seconds} s), after {decisions} identical decisions.", {
      time: clock(found.t_s * 1e9, end_ns),
      seconds: written(found.t_s, 6, 6),
      decisions: whole(found.decisions),
    });
    sides.replaceChildren(sideOf(names[0], found.mine, found.t_s), sideOf(names[1], found.other, found.t_s));
    links.prepend(
      h(
        "button",
        {
          type: "button",
          class: "button button-small",
          onclick: () => {
            dialog.close();
            go(Math.round(found.t_s * 1e9), found.task);
          },
        },
        gettext("Go there"),
      ),
    );
  } catch (error) {
    if (!abort.signal.aborted) said.textContent = words(error);
  }
}

/**
 * What one of the runs decides first that the other does not; `one` is null where nothing follows.
 * @param {string} name
 * @param {{task: number, t_s: number, sentence: string} | null} one
 * @param {number} t_s
 */
function sideOf(name, one, t_s) {
  const words = one
    ? gettext("Task {task}{later}: {sentence}", {
        task: whole(one.task),
        later: one.t_s > t_s ? gettext(", {time} later", { time: duration((one.t_s - t_s) * 1e9) }) : "",
        sentence: glued(one.sentence),
      })
    : gettext("No further decision was made.");
  return h("section", { class: "why-part" }, h("h3", {}, name), h("p", {}, words));
}
