/** Why one task is where it is: an answer in a sentence, its delay in parts, the machines ruled out, every decision. */

import { glued, whole } from "../../kit/format.js";
import { delayBar } from "./delay_bar.js";
import { openDialog } from "../../kit/dialogs.js";
import { h } from "../../kit/dom.js";
import { gettext } from "../../kit/words.js";

/**
 * What the server's explanation tells of a task.
 * @typedef {object} Told
 * @property {string} [answer]
 * @property {Record<string, number | null>} [delay_s]
 * @property {{sentence: string}[]} [ruled_out]
 * @property {number | null} first_start_s
 * @property {{t_s: number, sentence: string, times: number}[]} decisions
 */

/**
 * Opens at once, while the reasons are being worked out. Returns {fill(told, time(t_s)), fail(text), more(element),
 * probes(element), ask(element), sure(text), dialog}. `told` is what the server's explanation says, `sure` a sentence
 * that is known before it.
 * @param {string} title
 */
export function reasonsDialog(title) {
  const answer = h("p", { class: "answer", "data-answer": "" });
  const note = h(
    "p",
    { class: "dialog-note", role: "status" },
    gettext("Replaying the run up to this moment to find the reasons…"),
  );
  const parts = h("div", {});
  const list = h("ol", { class: "reasons", tabindex: "0" });
  const sent = h("div", {});
  const asked = h("div", {});
  const below = h("div", { class: "reasons-more" });
  const dialog = openDialog(title, answer, note, parts, sent, below, asked);
  dialog.classList.add("dialog-wide");
  return {
    dialog,
    sure(/** @type {string} */ text) {
      if (!answer.textContent) answer.textContent = glued(text);
    },
    fill(/** @type {Told} */ told, /** @type {(t_s: number) => string} */ time) {
      const rows = rowsOf(told, time);
      note.textContent = "";
      note.hidden = true;
      if (told.answer) answer.textContent = glued(told.answer);
      const waited = Object.values(told.delay_s ?? {}).some((seconds) => (seconds ?? 0) > 0);
      list.replaceChildren(
        ...rows.map((each) => h("li", {}, h("span", { class: "reasons-time" }, each.time), h("span", {}, each.text))),
      );
      parts.replaceChildren(
        ...[
          told.ruled_out?.length ? ruledOut(told.ruled_out) : null,
          waited
            ? part(
                told.first_start_s === null ? gettext("Its wait so far") : gettext("Its wait until its first start"),
                delayBar(told.delay_s ?? {}),
              )
            : null,
          part(gettext("What was decided"), rows.length ? list : h("p", {}, gettext("No decision was made about it."))),
        ].filter((each) => each !== null),
      );
    },
    fail(/** @type {string} */ text) {
      note.hidden = false;
      note.textContent = text;
    },
    more(/** @type {Element} */ element) {
      below.replaceChildren(element);
    },
    probes(/** @type {Element} */ element) {
      sent.replaceChildren(element);
    },
    ask(/** @type {Element} */ element) {
      asked.replaceChildren(element);
    },
  };
}

/**
 * @param {string} name
 * @param {...import("../../kit/dom.js").Child} content
 */
function part(name, ...content) {
  return h("section", { class: "why-part" }, h("h3", {}, name), ...content);
}

/**
 * Decisions as {time, text}.
 * @param {Told} told
 * @param {(t_s: number) => string} time
 */
function rowsOf(told, time) {
  return told.decisions.map(({ t_s, sentence, times }) => ({
    time: time(t_s),
    text: glued(times > 1 ? gettext("{sentence} ({times} times)", { sentence, times: whole(times) }) : sentence),
  }));
}

function ruledOut(/** @type {{sentence: string}[]} */ groups) {
  const rows = groups.map((group) => h("li", {}, glued(group.sentence)));
  return part(gettext("Machines at this moment"), h("ul", { class: "why-out", "data-ruled-out": "" }, rows));
}
