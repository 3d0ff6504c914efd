/**
 * A dialog that explains one task's state: an answer in a sentence, its delay in parts, the machines ruled out, every
 * decision.
 */

import { glued, whole } from "../../kit/format.js";
import { delayBar } from "./delay_bar.js";
import { openDialog } from "../../kit/dialogs.js";
import { html, nothing, show, signal } from "../../kit/view.js";
import { gettext } from "../../kit/words.js";

/**
 * The server's explanation of a task.
 * @typedef {object} Told
 * @property {string} [answer]
 * @property {Record<string, number | null>} [delay_s]
 * @property {{sentence: string}[]} [ruled_out]
 * @property {number | null} first_start_s
 * @property {{t_s: number, sentence: string, times: number}[]} decisions
 */

const NOTHING = { sent: null, more: null, asked: null };

/**
 * Open the dialog while the server computes the reasons. `fill` shows the answer, `fail` an error, `sure` a sentence
 * known earlier; `more`, `probes` and `ask` add elements or templates below.
 * @param {string} title
 */
export function reasonsDialog(title) {
  const answer = signal("");
  const note = signal(gettext("Replaying the run up to this moment to find the reasons…"));
  const told = signal(/** @type {{told: Told, time: (t_s: number) => string} | null} */ (null));
  const below = signal(/** @type {Record<"sent" | "more" | "asked", unknown>} */ (NOTHING));
  const put = (/** @type {"sent" | "more" | "asked"} */ place) => (/** @type {unknown} */ view) => {
    below.value = { ...below.value, [place]: view };
  };
  const body = document.createElement("div");
  body.className = "reasons-body";
  const dialog = openDialog(title, body);
  dialog.classList.add("dialog-wide");
  show(
    body,
    () => html`
      <p class="answer" data-answer="">${answer.value}</p>
      <p class="dialog-note" role="status" ?hidden=${!note.value}>${note.value}</p>
      <div>${told.value ? toldView(told.value.told, told.value.time) : nothing}</div>
      <div>${below.value.sent}</div>
      <div class="reasons-more">${below.value.more}</div>
      <div>${below.value.asked}</div>
    `,
  );
  return {
    dialog,
    sure(/** @type {string} */ text) {
      answer.value ||= glued(text);
    },
    /**
     * @param {Told} found
     * @param {(t_s: number) => string} time
     */
    fill(found, time) {
      note.value = "";
      if (found.answer) answer.value = glued(found.answer);
      told.value = { told: found, time };
    },
    fail(/** @type {string} */ text) {
      note.value = text;
    },
    more: put("more"),
    probes: put("sent"),
    ask: put("asked"),
  };
}

/**
 * Return the machines ruled out, the wait in its parts, and every decision.
 * @param {Told} told
 * @param {(t_s: number) => string} time
 */
function toldView(told, time) {
  const waited = Object.values(told.delay_s ?? {}).some((seconds) => (seconds ?? 0) > 0);
  const name = told.first_start_s === null ? gettext("Its wait so far") : gettext("Its wait until its first start");
  return [
    told.ruled_out?.length ? ruledOut(told.ruled_out) : nothing,
    waited ? part(name, delayBar(told.delay_s ?? {})) : nothing,
    part(gettext("What was decided"), decisionsView(told, time)),
  ];
}

const part = (/** @type {string} */ name, /** @type {unknown} */ content) =>
  html`<section class="why-part"><h3>${name}</h3>${content}</section>`;

/**
 * @param {Told} told
 * @param {(t_s: number) => string} time
 */
function decisionsView({ decisions }, time) {
  if (!decisions.length) return html`<p>${gettext("No decision was made about it.")}</p>`;
  const row = (/** @type {Told["decisions"][number]} */ { t_s, sentence, times }) => {
    const several = times > 1 ? gettext("{sentence} ({times} times)", { sentence, times: whole(times) }) : sentence;
    return html`<li><span class="reasons-time">${time(t_s)}</span><span>${glued(several)}</span></li>`;
  };
  return html`<ol class="reasons" tabindex="0">${decisions.map(row)}</ol>`;
}

/** @param {{sentence: string}[]} groups */
function ruledOut(groups) {
  const rows = groups.map((group) => html`<li>${glued(group.sentence)}</li>`);
  return part(gettext("Machines at this moment"), html`<ul class="why-out" data-ruled-out="">${rows}</ul>`);
}
