/** The studio's choice of a scheduler: the scheduler page's cards in a dialog. */

import { openDialog } from "../../kit/dialogs.js";
import { gettext } from "../../kit/words.js";
import { wireMoving } from "./moving.js";
import { wireSearch } from "./search.js";

/** @import { Studio } from "../../studio/store.js" */

/** Open the dialog. Choosing a scheduler keeps the workload; a card's link opens the run that shows its idea. */
export async function chooseScheduler(/** @type {Studio} */ studio) {
  try {
    const cards = await fetchCards();
    const dialog = openDialog(gettext("Choose a scheduler"), cards);
    dialog.classList.add("cards-dialog");
    wireSearch(cards);
    wireMoving(cards);
    wireChoice(studio, dialog, cards);
    /** @type {HTMLElement} */ (cards.querySelector("[data-cards-search]")).focus();
  } catch (error) {
    studio.messages.notice(/** @type {Error} */ (error).message, "", 6000);
  }
}

/** Fetch the cards from the page of schedulers. */
async function fetchCards() {
  const response = await fetch("/schedulers");
  if (!response.ok) throw new Error(gettext("The list of schedulers could not be loaded. Try again."));
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const found = page.querySelector("[data-cards]");
  if (!found) throw new Error(gettext("The list of schedulers could not be loaded. Try again."));
  return document.importNode(found, true);
}

/**
 * @param {HTMLDialogElement} dialog
 * @param {HTMLElement} cards
 */
function wireChoice(/** @type {Studio} */ studio, dialog, cards) {
  const chosen = studio.opened.value.scheduler?.name;
  const first = cards.querySelector(`[data-scheduler="${chosen}"]`);
  first?.classList.add("is-chosen");
  first?.scrollIntoView({ block: "center" });
  for (const button of cards.querySelectorAll("[data-choose]")) {
    button.hidden = studio.readOnly.value;
    button.addEventListener("click", () => {
      dialog.close();
      if (studio.readOnly.value) return;
      // A choice is final, so the run starts without the delay for further input.
      studio.replace({ ...studio.opened.value, scheduler: { name: button.dataset.choose, params: {} } }, true);
    });
  }
}
