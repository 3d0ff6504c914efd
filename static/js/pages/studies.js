/** The list of this browser's studies: open or delete one (confirmed twice, because a deletion is final). */

import { ApiError, ownToken, request } from "../contract/api.js";
import { gettext } from "../kit/words.js";
import { localTimes, wireTheme } from "../kit/boot.js";
import { wireGlossaryAndTips } from "../kit/glossary.js";
import { wirePageKeys } from "../kit/page_keys.js";
import { targetOf, part } from "../kit/dom.js";

const ASKED_MS = 5000;
const TOAST_MS = 12000;
const TROUBLE_MS = 60000;

const rows = part("[data-rows]");
const empty = part("[data-empty]");
const toast = part("[data-toast]");
const words = { once: gettext("Delete"), twice: gettext("Confirm deletion") };

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

function say(/** @type {string} */ text, ms = TOAST_MS) {
  clearTimeout(timer);
  toast.textContent = text;
  toast.hidden = false;
  timer = setTimeout(() => {
    toast.hidden = true;
  }, ms);
}

async function remove(/** @type {HTMLElement} */ row) {
  const { study = "", experiment = "" } = row.dataset;
  try {
    await request("DELETE", `/studies/${encodeURIComponent(study)}`, undefined, { token: ownToken(experiment) });
  } catch (error) {
    say(error instanceof ApiError ? error.message : gettext("That did not work. Try again in a moment."), TROUBLE_MS);
    return;
  }
  say(gettext("The study was deleted."));
  const next = row.nextElementSibling ?? row.previousElementSibling;
  row.remove();
  rows.hidden = !rows.children.length;
  empty.hidden = !rows.hidden;
  (next ?? empty).querySelector("a")?.focus();
}

rows.addEventListener("click", (event) => {
  const button = targetOf(event).closest("[data-act=delete]");
  const row = button?.closest(".row");
  if (!button || !row) return;
  if (button.textContent === words.twice) {
    remove(row);
    return;
  }
  button.textContent = words.twice;
  setTimeout(() => {
    button.textContent = words.once;
  }, ASKED_MS);
});

localTimes();
wireTheme();
wireGlossaryAndTips();
wirePageKeys();
