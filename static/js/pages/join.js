/** Join a class: its code and a name of one's own, or a drawn one. */

import { sentences } from "../kit/words.js";
import { joinClass } from "../features/classes/class_api.js";
import { wireTheme } from "../kit/boot.js";
import { find } from "../kit/dom.js";
import { wirePageKeys } from "../kit/page_keys.js";

find("join").addEventListener("submit", async (/** @type {Event} */ event) => {
  event.preventDefault();
  find("said").textContent = "";
  find("enter").disabled = true;
  try {
    const joined = await joinClass(find("code").value, find("name").value);
    window.location.href = `/classes/${joined.id}`;
  } catch (/** @type {any} */ error) {
    const first = error.problems?.[0];
    // The title of a wrong code says it all; of others the item says what is wrong.
    const wrong = first && error.status !== 404 ? `${error.message}: ${first.message}` : error.message;
    find("said").textContent = sentences([wrong, first?.remedy]);
    find("enter").disabled = false;
  }
});

wireTheme();
wirePageKeys();
