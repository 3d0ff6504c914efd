/** The studio's bar and tabs: name, share, fork, keys, knobs or JSON. */

import { setAt } from "../lib/experiment.js";
import { writeViewState } from "../lib/view_state.js";
import { keysDialog, shareDialog } from "../views/dialogs.js";
import { ICONS, icon } from "../views/dom.js";

/** The link to what is on the screen, to copy, and the same for a page or a slide. */
export function share(studio) {
  if (!studio.saved) return;
  const link = studio.saved.share_url || `${window.location.origin}/e/${studio.saved.slug}`;
  const suffix = writeViewState({ ...studio.viewState(), paused: false });
  shareDialog(`${link}${suffix}`, `${link}/embed${suffix}`);
}

export function wireBar(studio) {
  document.querySelector("[data-share]").addEventListener("click", () => studio.share());
  document.querySelector("[data-fork]").addEventListener("click", () => studio.fork());
  document.querySelector("[data-keys]").addEventListener("click", () => keysDialog());
  const name = document.querySelector("[data-name]");
  name.readOnly = studio.readOnly;
  name.addEventListener("change", () => { if (name.value.trim()) studio.replace(setAt(studio.experiment, "name", name.value.trim()), true); });
  name.addEventListener("keydown", (event) => { if (event.key === "Enter") name.blur(); });
  const tabs = document.querySelectorAll("[data-tab]");
  for (const tab of tabs) {
    tab.addEventListener("click", () => {
      document.body.dataset.left = tab.dataset.tab;
      for (const each of tabs) each.setAttribute("aria-selected", String(each === tab));
    });
  }
  document.querySelector('[data-play="toggle"]').append(icon(ICONS.play));
}
