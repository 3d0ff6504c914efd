/** The list of this browser's experiments: fork, delete, and undo a deletion. */

import { ApiError, deleteExperiment, forkExperiment, restoreExperiment } from "../contract/api.js";
import { targetOf, part } from "../kit/dom.js";
import { html, render } from "../kit/view.js";
import { localTimes, wireTheme } from "../kit/boot.js";
import { wireGlossaryAndTips } from "../kit/glossary.js";
import { wirePageKeys } from "../kit/page_keys.js";
import { gettext } from "../kit/words.js";

const TOAST_MS = 12000;
const TROUBLE_MS = 60000;

const rows = part("[data-rows]");
const empty = part("[data-empty]");
const toast = part("[data-toast]");
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/**
 * @param {string} text
 * @param {{name: string, run: () => void} | null} [act]
 */
function say(text, act = null, ms = TOAST_MS) {
  clearTimeout(timer);
  const button = act && html`<button class="link" type="button" @click=${act.run}>${act.name}</button>`;
  render(html`<span>${text}</span>${button}`, toast);
  toast.hidden = false;
  timer = setTimeout(() => {
    toast.hidden = true;
  }, ms);
}

function showEmpty() {
  const none = !rows.querySelector(".row:not([hidden])");
  rows.hidden = none;
  empty.hidden = !none;
}

function complain(/** @type {unknown} */ error) {
  say(
    error instanceof ApiError ? error.message : gettext("That did not work. Try again in a moment."),
    null,
    TROUBLE_MS,
  );
}

async function remove(/** @type {HTMLElement} */ row) {
  const name = part("h2", row).textContent.trim();
  const id = row.dataset.experiment ?? "";
  try {
    await deleteExperiment(id);
  } catch (error) {
    complain(error);
    return;
  }
  row.hidden = true;
  showEmpty();
  say(gettext("“{name}” was deleted; its link no longer works.", { name }), {
    name: "Undo",
    run: () => restore(row, id, name),
  });
}

/**
 * @param {HTMLElement} row
 * @param {string} id
 * @param {string} name
 */
async function restore(row, id, name) {
  try {
    await restoreExperiment(id);
  } catch (error) {
    complain(error);
    return;
  }
  row.hidden = false;
  showEmpty();
  say(gettext("“{name}” is back.", { name }));
  part("[data-act=delete]", row).focus();
}

async function fork(/** @type {HTMLElement} */ row) {
  try {
    const made = await forkExperiment(row.dataset.experiment ?? "");
    window.location.assign(`/studio/${made.id}`);
  } catch (error) {
    complain(error);
  }
}

rows.addEventListener("click", (event) => {
  const button = targetOf(event).closest("[data-act]");
  const row = button?.closest(".row");
  if (!button || !row) return;
  if (button.dataset.act === "fork") fork(row);
  else remove(row);
});

localTimes();
wireTheme();
wireGlossaryAndTips();
wirePageKeys();
