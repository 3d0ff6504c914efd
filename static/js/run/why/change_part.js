/**
 * The search for the smallest change that starts a task earlier: a button, progress, cancel, and each result to open.
 */

import { glued } from "../../kit/format.js";
import { element, html, nothing, signal } from "../../kit/view.js";
import { queuesOf } from "../../experiment/experiment.js";
import { gettext, sentences } from "../../kit/words.js";
import { howFar } from "./networks.js";
import { findChange } from "./whys.js";

/**
 * A change that starts the task earlier, and the experiment with it if the viewer may create that.
 * @typedef {{sentence: string, text: string, experiment?: import("../../contract/api.js").Experiment}} Help
 */

/**
 * Create the search part of a dialog. `open` creates an experiment with a helpful change and continues with it; it is
 * absent if the viewer may not.
 * @param {{runId: string, task: number, at_s: number | null, open?: (help: Help) => Promise<unknown>,
 *   words: (error: Error) => string, dialog: HTMLDialogElement}} options
 */
export function changePart({ runId, task, at_s, open, words, dialog }) {
  /** @type {import("../../../vendor/signals/signals-core.mjs").Signal<AbortController | null>} */
  const search = signal(null);
  const asked = signal(false);
  const tried = signal(0);
  const said = signal("");
  const helps = signal(/** @type {Help[]} */ ([]));

  async function go() {
    const mine = new AbortController();
    search.value = mine;
    asked.value = true;
    helps.value = [];
    try {
      const found = await findChange(runId, task, at_s, {
        signal: mine.signal,
        told: (state, progress) => {
          tried.value = progress;
          said.value =
            state === "working"
              ? gettext("Replaying the run with one change after the other…")
              : howFar(state, progress, "");
        },
      });
      said.value = found.helps.length ? triedWords(found.tried, found.helps) : glued(found.sentence);
      helps.value = found.helps;
    } catch (error) {
      said.value =
        error instanceof Error && error.name === "AbortError"
          ? gettext("Cancelled.")
          : words(/** @type {Error} */ (error));
    } finally {
      search.value = null;
    }
  }

  const label = () => {
    if (search.value) return gettext("Cancel");
    return asked.value ? gettext("Search again") : gettext("Find the smallest change that helps");
  };
  const take = (/** @type {Help} */ help) => {
    dialog.close();
    open?.(help);
  };
  dialog.addEventListener("close", () => search.value?.abort());
  const press = () => (search.value ? search.value.abort() : go());
  return element("section", "why-part", () => {
    const tools = { press, label: label(), going: Boolean(search.value), tried: tried.value, said: said.value };
    return html`
      <h3>${gettext("What would have started it earlier?")}</h3>
      <div data-helps="">${helps.value.map((help) => helpRow(help, open ? () => take(help) : null))}</div>
      ${toolsView(tools)}
    `;
  });
}

/**
 * Say how many changes were replayed, that one seed decides, and which queues give up a larger share.
 * @param {number} tried
 * @param {Help[]} helps
 */
export function triedWords(tried, helps) {
  const hasQueues = helps.some(({ experiment }) => experiment && queuesOf(experiment).length > 1);
  return sentences([
    gettext("{tried} changes replayed.", { tried }),
    gettext("All with the seed of this run: under another seed, the gain may differ."),
    hasQueues && gettext("If the share of a queue grows, the other queues give it up in proportion to their shares."),
  ]);
}

/** @param {{press: () => void, label: string, going: boolean, tried: number, said: string}} tools */
function toolsView({ press, label, going, tried, said }) {
  return html`
    <div class="change-tools">
      <button type="button" class="button button-small" data-smallest="" @click=${press}>${label}</button>
      <progress max="1" .value=${tried} aria-label=${gettext("Tried so far")} ?hidden=${!going}></progress>
      <span role="status">${said}</span>
    </div>
  `;
}

/**
 * Return a helpful change, with a button that creates an experiment from it if `act` is given.
 * @param {Help} help
 * @param {(() => void) | null} act
 */
function helpRow(help, act) {
  const tip = gettext("Save this as a separate experiment and run it. The old curve stays dashed.");
  const button = html`<button type="button" class="link" data-tip=${tip} @click=${act}>${gettext("Try it")}</button>`;
  return html`<p class="change"><span>${glued(help.sentence)}</span>${act && help.experiment ? button : nothing}</p>`;
}
