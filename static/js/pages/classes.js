/** The classes that this browser opened, and a button that opens one. */

import { openClass } from "../features/classes/class_api.js";
import { localTimes, wireTheme } from "../kit/boot.js";
import { find } from "../kit/dom.js";
import { wireGlossaryAndTips } from "../kit/glossary.js";
import { wirePageKeys } from "../kit/page_keys.js";

find("open").addEventListener("click", async () => {
  find("open").disabled = true;
  try {
    const made = await openClass();
    window.location.href = `/classes/${made.id}/teach`;
  } catch (/** @type {any} */ error) {
    find("said").textContent = error.message;
    find("open").disabled = false;
  }
});

localTimes();
wireTheme();
wireGlossaryAndTips();
wirePageKeys();
