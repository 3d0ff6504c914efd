/** The answer to a question: its sentence, a chart, every tried value, and for machines that may be off a plan. */

import { duration, three, whole } from "../../kit/format.js";
import { listedTime } from "../../kit/time_axis.js";
import { html, nothing } from "../../kit/view.js";
import { gettext, ngettext } from "../../kit/words.js";
import { chartView } from "./ask_chart.js";
import {
  answerWords,
  blockedRows,
  canOpen,
  keptWords,
  lowOf,
  measuredWords,
  noteWords,
  sureWords,
  valueWords,
} from "./ask_plan.js";

/** @import { Found, Period, Tried } from "./ask_plan.js" */

const MOST_ROWS = 12;

/**
 * @param {Found} found
 * @param {{open: (number: number) => void, isOpening: boolean}} by  opens a tried value in the studio
 */
export function answerView(found, by) {
  return html`<section class="ask-answer-part" aria-label=${gettext("Answer")}>
    <p class="ask-sentence" role="status" data-ask-answer>${answerWords(found)}</p>
    ${[...sureWords(found), ...noteWords(found)].map((line) => html`<p class="dialog-note">${line}</p>`)}
    ${chartView(found)}
    ${found.plan ? planView(found, found.plan) : nothing} ${triedView(found, by)}
    ${found.question === "off" ? offView(found) : nothing}
  </section>`;
}

/**
 * @param {Found} found
 * @param {{open: (number: number) => void, isOpening: boolean}} by
 */
function triedView(found, by) {
  const rows = found.tried.map((one, number) => {
    const value = one.knob ? `${one.knob} = ${one.value}` : valueWords(found, one.work ?? one.value);
    return html`<tr data-tried=${one.value}>
      <td>${value}</td>
      <td>${measuredWords(found.measure, one.measured)}</td>
      ${found.question === "lose" ? html`<td>${measuredWords(found.measure, one.against ?? null)}</td>` : nothing}
      <td>${one.low === null ? "–" : measuredWords(found.measure, lowOf(one))}</td>
      <td>${one.high === null ? "–" : measuredWords(found.measure, one.high)}</td>
      <td data-kept=${one.kept ? "yes" : "no"}>${keptWords(found, one)}</td>
      <td>${canOpen(found, one) ? openView(value, number, by) : nothing}</td>
    </tr>`;
  });
  return html`<details class="ask-tried" ?open=${["knob", "lose"].includes(found.question)}>
    <summary>${gettext("Everything that was tried")}</summary>
    <p class="dialog-note">${gettext("“Open” runs a tried value in the studio, under the first seed.")}</p>
    <div class="ask-table" tabindex="0">
      <table class="table">
        <thead>
          <tr>
            <th>${gettext("Value")}</th>
            <th>${gettext("Mean")}</th>
            ${found.question === "lose" ? html`<th>${found.against}</th>` : nothing}
            <th>${gettext("Low")}</th>
            <th>${gettext("High")}</th>
            <th>${gettext("Promise")}</th>
            <td></td>
          </tr>
        </thead>
        <tbody>${rows}</tbody>
      </table>
    </div>
  </details>`;
}

/**
 * @param {string} value
 * @param {number} number  the place among the tried values
 * @param {{open: (number: number) => void, isOpening: boolean}} by
 */
function openView(value, number, { open, isOpening }) {
  return html`<button
    class="link"
    type="button"
    data-open-tried=${number}
    ?disabled=${isOpening}
    aria-label=${gettext("Open {value} in the studio", { value })}
    @click=${() => open(number)}
    >${gettext("Open")}</button
  >`;
}

/**
 * @param {Found} found
 * @param {Period[]} plan
 */
function planView(found, plan) {
  const most_s = plan[plan.length - 1]?.until_s ?? 0;
  const time = (/** @type {number} */ seconds) => (seconds ? listedTime(seconds, most_s) : duration(0));
  return html`<details class="ask-tried" open>
    <summary>${gettext("The plan")}</summary>
    <div class="ask-table" tabindex="0">
      <table class="table" data-ask-plan>
        <thead>
          <tr>
            <th>${gettext("Period")}</th>
            <th>${gettext("Machines off")}</th>
            <th>${gettext("Machine-hours off")}</th>
          </tr>
        </thead>
        <tbody
          >${plan.map(
            (row) =>
              html`<tr>
                <td>${gettext("{from} to {until}", { from: time(row.from_s), until: time(row.until_s) })}</td>
                <td title=${row.machines.join(", ") || nothing}>${whole(row.machines.length)}</td>
                <td>${three(row.machine_hours)}</td>
              </tr>`,
          )}</tbody
        >
      </table>
    </div>
    <p class="dialog-note"
      >${gettext(
        "A machine that is off in a period takes no new tasks then. " +
          "Its machine-hours count from the end of its last task.",
      )}</p
    >
    ${
      found.saved === undefined
        ? nothing
        : html`<p class="dialog-note">${gettext("It saves {money} at this price.", { money: three(found.saved) })}</p>`
    }
  </details>`;
}

/** @param {Found} found */
function offView(found) {
  const off = /** @type {string[]} */ (found.answer);
  return [off.length ? movesView(found, off) : nothing, blockedView(found)];
}

/**
 * @param {Found} found
 * @param {string[]} off  the machines that may be off
 */
function movesView(found, off) {
  const moves = found.moves ?? [];
  const more = moves.length - MOST_ROWS;
  return html`<details class="ask-tried">
    <summary>${gettext("Which machines, and where their tasks go")}</summary>
    <p class="dialog-note ask-list">${off.join(", ")}</p>
    <ul class="ask-list" tabindex="0">
      ${moves.slice(0, MOST_ROWS).map(
        ({ task, from, to }) =>
          html`<li>
            ${
              to === null
                ? gettext("Task {task} leaves machine {from} and does not start", { task, from })
                : gettext("Task {task} moves from machine {from} to {to}", { task, from, to })
            }
          </li>`,
      )}
      ${
        more > 0
          ? html`<li data-more-moves=${more}
              >${ngettext("{n} more task moves", "{n} more tasks move", more, { n: whole(more) })}</li
            >`
          : nothing
      }
    </ul>
  </details>`;
}

/** Return the reasons why machines stay, each with its first machines. @param {Found} found */
function blockedView(found) {
  const blocked = blockedRows(found);
  if (!blocked.length) return nothing;
  return html`<details class="ask-tried" data-ask-blocked>
    <summary>${gettext("What blocks the others")}</summary>
    <ul class="ask-list" tabindex="0">
      ${blocked.map(
        ([reason, machines]) =>
          html`<li>
            ${ngettext("Machine {machines}", "{n} machines: {machines}", machines.length, {
              n: whole(machines.length),
              machines: machines.slice(0, MOST_ROWS).join(", ") + (machines.length > MOST_ROWS ? ", …" : ""),
            })}. ${reason}
          </li>`,
      )}
    </ul>
  </details>`;
}
