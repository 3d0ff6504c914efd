/**
 * The smallest change that starts a task earlier: asked for by a button, with progress and cancel, each one to open.
 */

import { glued } from "../../kit/format.js";
import { howFar } from "./networks.js";
import { findChange } from "./whys.js";
import { h } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";

/** `open(help)` makes an experiment of one that helps and goes on with it; absent where nobody may. */
export function changePart({ runId, task, at_s, open, words, dialog }) {
  const list = h("div", { "data-helps": "" });
  const said = h("span", { role: "status" });
  const bar = h("progress", { max: 1, value: 0, "aria-label": gettext("Tried so far"), hidden: true });
  const button = h(
    "button",
    {
      type: "button",
      class: "button button-small",
      "data-smallest": "",
      onclick: () => (abort ? abort.abort() : go()),
    },
    gettext("Find the smallest change that helps"),
  );
  let abort = null;

  const take = (one) => {
    dialog.close();
    open(one);
  };

  async function go() {
    abort = new AbortController();
    const mine = abort;
    button.textContent = gettext("Cancel");
    bar.hidden = false;
    list.replaceChildren();
    try {
      const found = await findChange(runId, task, at_s, {
        signal: mine.signal,
        told: (state, progress) => {
          bar.value = progress;
          said.textContent =
            state === "working"
              ? gettext("Replaying the run with one change after the other…")
              : howFar(state, progress, "");
        },
      });
      said.textContent = found.helps.length
        ? gettext("{tried} changes replayed.", { tried: found.tried })
        : glued(found.sentence);
      list.replaceChildren(...found.helps.map((one) => helpRow(one, open && (() => take(one)))));
    } catch (error) {
      said.textContent = error.name === "AbortError" ? gettext("Cancelled.") : words(error);
    } finally {
      abort = null;
      bar.hidden = true;
      button.textContent = gettext("Search again");
    }
  }

  dialog.addEventListener("close", () => abort?.abort());
  return h(
    "section",
    { class: "why-part" },
    h("h3", {}, gettext("What would have started it earlier?")),
    list,
    h("div", { class: "change-tools" }, button, bar, said),
  );
}

/** A change that helps, with a button that makes an experiment of it where `onclick` may. */
function helpRow(one, onclick) {
  const tip = gettext("Save this as a separate experiment and run it. The old curve stays dashed.");
  return h(
    "p",
    { class: "change" },
    h("span", {}, glued(one.sentence)),
    onclick && one.experiment
      ? h("button", { type: "button", class: "link", "data-tip": tip, onclick }, gettext("Try it"))
      : null,
  );
}
