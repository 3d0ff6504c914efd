/** The classes and homework created in this browser, and forms for new ones. */

import { giveHomework, openClass } from "../features/classes/class_api.js";
import { problemText } from "../experiment/problems.js";
import { localTimes, wireTheme } from "../kit/boot.js";
import { find } from "../kit/dom.js";
import { wireGlossaryAndTips } from "../kit/glossary.js";
import { wirePageKeys } from "../kit/page_keys.js";

/** @import { Failure } from "../contract/api.js" */

const WEEK_MS = 7 * 24 * 3600 * 1000;

find("open").addEventListener("click", async () => {
  find("open").disabled = true;
  try {
    const made = await openClass();
    window.location.href = `/classes/${made.id}/teach`;
  } catch (error) {
    find("said").textContent = /** @type {Error} */ (error).message;
    find("open").disabled = false;
  }
});

/** Format a time for a browser's field: local, to the minute. */
function fieldTime(/** @type {Date} */ time) {
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

const week = new Date(Date.now() + WEEK_MS);
week.setHours(23, 59, 0, 0);
find("ends").value = fieldTime(week);
find("ends").min = fieldTime(new Date());

find("homework").addEventListener("submit", async (/** @type {Event} */ event) => {
  event.preventDefault();
  find("homework-said").textContent = "";
  find("give").disabled = true;
  try {
    const [file] = find("file").files;
    const given = await giveHomework({
      ...(file ? { file: await file.text() } : { name: find("lesson").value }),
      ends_at: new Date(find("ends").value).toISOString(),
      at_once: find("at-once").checked,
    });
    window.location.href = `/homework/${given.id}/teach`;
  } catch (caught) {
    const error = /** @type {Failure} */ (caught);
    find("homework-said").textContent = [error.message, ...(error.problems ?? []).map(problemText)].join(" ");
    find("give").disabled = false;
  }
});

localTimes();
wireTheme();
wireGlossaryAndTips();
wirePageKeys();
