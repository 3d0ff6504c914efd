/** Join a class: its code, and a chosen or drawn name. */

import { sentences } from "../kit/words.js";
import { joinClass } from "../features/classes/class_api.js";
import { wireTheme } from "../kit/boot.js";
import { find } from "../kit/dom.js";
import { wirePageKeys } from "../kit/page_keys.js";

/** @import { Failure } from "../contract/api.js" */

find("join").addEventListener("submit", async (/** @type {Event} */ event) => {
  event.preventDefault();
  find("said").textContent = "";
  find("enter").disabled = true;
  try {
    const joined = await joinClass(find("code").value, find("name").value);
    window.location.href = `/classes/${joined.id}`;
  } catch (caught) {
    const error = /** @type {Failure} */ (caught);
    const first = error.problems?.[0];
    // For a wrong code, the title suffices; for other errors, the item describes the problem.
    const wrong = first && error.status !== 404 ? `${error.message}: ${first.message}` : error.message;
    find("said").textContent = sentences([wrong, first?.remedy]);
    find("enter").disabled = false;
  }
});

wireTheme();
wirePageKeys();
